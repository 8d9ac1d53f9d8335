"""A section of the page: words and tables for its template, figures and numbers for its scripts, and its filters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import field, frozen
from numpy.typing import NDArray

from measurand.display.charts import Chart
from measurand.display.wording import counted, percent, pvalue
from measurand.study.scores_view import difference, number
from measurand.verdict import blocks

KINDS = {
    "i1": "Int8Array",
    "u1": "Uint8Array",
    "u2": "Uint16Array",
    "i2": "Int16Array",
    "i4": "Int32Array",
    "f4": "Float32Array",
}
"""What numbers can be in the page, and what JavaScript calls an array of them."""


@frozen(kw_only=True, eq=False)
class Section:
    """A section of the page.

    Parameters
    ----------
    name
        Its anchor, and the name of its template.
    title
        What the heading says.
    content
        What the template is filled with; everything is escaped there.
    charts
        Figures by name, Vega-Lite; `{{ chart(name, caption) }}` in the template puts them in their place. Colours of
        `measurand.display.charts` follow the reader's choice of light or dark.
    data
        What the section's script needs, ready for JSON.
    arrays
        Numbers in bulk for the script, packed: int8, uint8, int16, uint16, int32 or float32.
    texts
        Texts in bulk for the script, ready for JSON, packed; they are unpacked when the script asks for them.
    hint
        What is in the section, in a few words, beside its title; a section without one has nothing to show and is left
        out.
    """

    name: str
    title: str
    content: Mapping[str, Any] = field(factory=dict)
    charts: Mapping[str, Chart] = field(factory=dict)
    data: Mapping[str, Any] = field(factory=dict)
    arrays: Mapping[str, NDArray[Any]] = field(factory=dict)
    texts: Mapping[str, Any] = field(factory=dict)
    hint: str = ""


def kind_of(array: NDArray[Any]) -> str:
    """Return what JavaScript calls an array of such numbers.

    Examples
    --------
    >>> import numpy as np
    >>> kind_of(np.zeros(2, dtype=np.float32))
    'Float32Array'
    """
    return KINDS[array.dtype.str[1:]]


def pieces(run: Sequence[int], top: int) -> list[dict[str, Any]]:
    """Return a judged run as the pieces of a strip, each with its text and how dark it is.

    Parameters
    ----------
    run
        The grades by rank.
    top
        The highest grade.

    Examples
    --------
    >>> [(piece["text"], piece["kind"]) for piece in pieces((2, 1, 0), 2)]
    [('2', 'full'), ('1', 'part'), ('0', 'zero')]
    """

    def kind(grade: int) -> str:
        return "zero" if grade <= 0 else "full" if grade >= top else "part"

    return [
        {"text": text, "kind": kind(grade), "share": 10 + round(44 * max(grade, 0) / max(top, 1))}
        for text, grade in blocks(run)
    ]


FILTERS: Mapping[str, Callable[..., Any]] = {
    "number": number,
    "difference": difference,
    "pvalue": pvalue,
    "percent": percent,
    "counted": counted,
}
"""What templates call them."""
