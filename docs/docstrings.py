"""Docstrings on the site: what numpydoc writes as reStructuredText, as the Markdown that mkdocstrings reads."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension, Function, Object

from measurand.references import bibliography, citation

_DISPLAYED = re.compile(r"^( *)\.\. math::\s+(.*?)(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r":math:`([^`]*)`")
_KEY = re.compile(r"\[(\w+\d{4})\]_")


def as_markdown(text: str) -> str:
    """Return a docstring with fenced formulas, and with keys of the bibliography as links.

    Examples
    --------
    >>> as_markdown("Sum of :math:`g_i`, see [MoffatZobel2008]_.")
    'Sum of $g_i$, see [Moffat and Zobel (2008)][moffatzobel2008].'
    """
    text = _DISPLAYED.sub(lambda hit: f"{hit[1]}```math\n{hit[1]}{' '.join(hit[2].split())}\n{hit[1]}```", text)
    return _KEY.sub(_link, _INLINE.sub(r"$\1$", text))


def _link(hit: re.Match[str]) -> str:
    key = hit[1]
    return f"[{citation(key).partition(')')[0]})][{key.lower()}]" if key in bibliography() else hit[0]


class Docstrings(Extension):
    """Rewrites every docstring that griffe has read, and what declared tests return.

    griffe reads the source, where a test finds a `PairOutcome`; the decorator `declares` makes `AllPairs` of it.
    """

    def on_instance(self, *, obj: Object, **_: Any) -> None:
        """Rewrite the docstring of an object."""
        if obj.docstring is not None:
            obj.docstring.value = as_markdown(obj.docstring.value)

    def on_function_instance(self, *, func: Function, **_: Any) -> None:
        """Show what users get of a test of `measurand.statistics`."""
        if any(str(decorator.value).startswith("declares(") for decorator in func.decorators):
            func.returns = "AllPairs"
