"""Sheets: tables of a paper that are laid out once and shown as text or as LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen
from rich.table import Table

from measurand.report.fitting import Column, grid
from measurand.report.latex import booktabs, tex


@frozen
class Sheet:
    r"""A table with a title; the first columns hold words, the others numbers.

    Examples
    --------
    >>> print(Sheet("Table 1", ["run", "AP"], [["A", "0.5625"]]).latex(), end="")
    % Table 1
    \begin{tabular}{lr}
    \toprule
    run & AP \\
    \midrule
    A & 0.5625 \\
    \bottomrule
    \end{tabular}
    """

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    words: int = 1

    def grid(self) -> Table:
        """Return the table for a terminal."""
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.heads)
        return grid([Column(head, columns[i], left=i < self.words) for i, head in enumerate(self.heads)])

    def latex(self) -> str:
        """Return the table in the manner of booktabs."""
        aligned = "l" * self.words + "r" * (len(self.heads) - self.words)
        return f"% {tex(self.title)}\n" + booktabs(aligned, list(map(tex, self.heads)), _escaped(self.rows))


def _escaped(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[tex(cell).replace("–", "--") for cell in row] for row in rows]
