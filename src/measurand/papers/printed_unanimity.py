"""What the paper on observational information prints of its experiments: Table 2, and the count of Figure 2."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from attrs import field, frozen

HEADS = ("Pri", "Deep", "DeepTh", "CloseTh", "Conf")
"""What the table calls the five constraints, in the order of `CONSTRAINTS`."""


@frozen(kw_only=True)
class PrintedMeasure:
    """One row of the paper's Table 2.

    Parameters
    ----------
    label
        What the paper calls the measure.
    spellings
        What it is called here; RBP stands for several, which have one unanimity.
    marks
        1 for each constraint that the table says is met, 0 for each other.
    mu
        Metric unanimity with its printed digits; None where the checklist does not let it be known.
    mu_source
        Whether the checklist has it "quoted", or it is "implied" by the tie rate that it gives.
    tie_rate
        The share of ties that such a unanimity means, as the checklist gives it.
    """

    label: str
    spellings: tuple[str, ...] = field(converter=tuple)
    marks: str
    mu: str | None = None
    mu_source: str | None = None
    tie_rate: str | None = None

    @property
    def met(self) -> dict[str, bool]:
        """Whether the table says that a constraint is met, by the name that it has there.

        Examples
        --------
        >>> [head for head, met in printed_unanimity()[0].met.items() if met]
        ['Pri', 'Deep', 'DeepTh', 'CloseTh', 'Conf']
        """
        return {head: mark == "1" for head, mark in zip(HEADS, self.marks, strict=True)}


def printed_unanimity() -> tuple[PrintedMeasure, ...]:
    """Return the paper's Table 2 as it is printed, in its order.

    Examples
    --------
    >>> [(row.label, row.marks, row.mu) for row in printed_unanimity()[:2]]
    [('OIE 1.2', '11111', '0.928'), ('OIE 1', '11100', '0.927')]

    References
    ----------
    [Amigo2018]_, Table 2
    """
    rows = _printed()["table2"]["measure"]
    return tuple(PrintedMeasure(**row) for row in rows)


def printed_mergeability() -> tuple[int, int]:
    """Return in how many picks of Figure 2 the paper found merging to pay, and how many it drew.

    Examples
    --------
    >>> printed_mergeability()
    (1809, 2000)

    References
    ----------
    [Amigo2018]_, Figure 2
    """
    figure = _printed()["figure2"]
    return figure["above"], figure["picks"]


@cache
def _printed() -> dict[str, Any]:
    return tomllib.loads((files("measurand.papers") / "agms2018.toml").read_text(encoding="utf-8"))
