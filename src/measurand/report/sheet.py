"""Sheets: tables of a paper that are laid out once and shown as text or as LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen
from rich.table import Table

from measurand.report.fitting import Column, grid
from measurand.report.latex import booktabs, tex

GAP = 2
"""So much room is between columns."""


@frozen
class Sheet:
    r"""A table with a title; the first columns hold words, the others numbers.

    Parameters
    ----------
    words
        How many columns hold words.
    together
        So many columns of numbers belong together: where there is no room for all, they stay side by side.

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
    together: int = 1

    def grids(self, width: int) -> Iterator[Table]:
        """Return the table for a terminal: in one piece, or in several one below the other where that is narrow.

        Examples
        --------
        >>> from measurand.report.profile_text import printed
        >>> print(printed(Sheet("Table 2", ["depth", "P", "AP"], [["5", "1.0000", "0.9"]]).grids(15)), end="")
        depth       P
        5      1.0000
        depth   AP
        5      0.9
        """
        cells = list(zip(*self.rows, strict=True)) or [()] * len(self.heads)
        columns = [Column(head, cells[i], left=i < self.words) for i, head in enumerate(self.heads)]
        words, numbers = columns[: self.words], columns[self.words :]
        # long words in the first column are broken
        taken = [min(words[0].width, width // 3), *(column.width for column in words[1:])]
        room = width - sum(taken) - GAP * len(words)
        piece: list[Column] = []
        for start in range(0, len(numbers), self.together):
            more = numbers[start : start + self.together]
            if piece and sum(column.width + GAP for column in [*piece, *more]) - GAP > room:
                yield grid([*words, *piece], GAP)
                piece = []
            piece += more
        yield grid([*words, *piece], GAP)

    def latex(self) -> str:
        """Return the table in the manner of booktabs."""
        aligned = "l" * self.words + "r" * (len(self.heads) - self.words)
        return f"% {tex(self.title)}\n" + booktabs(aligned, list(map(tex, self.heads)), _escaped(self.rows))


def _escaped(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    return [[tex(cell).replace("–", "--") for cell in row] for row in rows]
