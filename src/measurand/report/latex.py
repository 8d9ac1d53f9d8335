"""LaTeX: text that means itself, and tables in the manner of booktabs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from unicodedata import category

_TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "Δ": r"$\Delta$",
}


def tex(text: str) -> str:
    r"""Return text so that LaTeX prints it as it is; what cannot be printed, such as the end of a line, is a space.

    Examples
    --------
    >>> print(tex("bm25_b=0.4"), tex("50 %"))
    bm25\_b=0.4 50 \%
    """
    shown = (c if c.isprintable() or category(c) == "Cf" else " " for c in text)
    return "".join(_TEX.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in shown)


def bold(text: str) -> str:
    r"""Return text in bold.

    Examples
    --------
    >>> print(bold("0.31"))
    \textbf{0.31}
    """
    return rf"\textbf{{{text}}}"


def booktabs(columns: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    r"""Return a tabular whose cells are LaTeX already.

    Parameters
    ----------
    columns
        How the columns are aligned, like "lrr".

    Examples
    --------
    >>> print(booktabs("lr", ["system", "P"], [["a", "0.5"]]), end="")
    \begin{tabular}{lr}
    \toprule
    system & P \\
    \midrule
    a & 0.5 \\
    \bottomrule
    \end{tabular}
    """
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(head) + r" \\", r"\midrule"]
    lines += [_apart(" & ".join(row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def _apart(row: str) -> str:
    """Return a row whose beginning is not taken for an argument of the end of the row before."""
    return f"{{}}{row}" if row.lstrip().startswith(("[", "*")) else row
