"""LaTeX: text that means itself, and tables in the manner of booktabs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any
from unicodedata import category, normalize

from attrs import evolve

from measurand.display.tables import Column, TableView, Words, lines_of, words_of

_TEX = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "−": "$-$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "≈": r"$\approx$",
    "≡": r"$\equiv$",
    "×": r"$\times$",
    "→": r"$\to$",
    "←": r"$\leftarrow$",
    "↔": r"$\leftrightarrow$",
    "⇒": r"$\Rightarrow$",
    "∞": r"$\infty$",
    "↓": r"$\downarrow$",
    "↑": r"$\uparrow$",
    "∈": r"$\in$",
    "√": r"$\surd$",
    "✓": r"$\checkmark$",
    "✗": r"$\times$",
    "\u00a0": "~",
}

_GREEK = {
    **dict(zip("αβγδεζηθ", ("alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta"), strict=True)),
    **dict(zip("ικλμνξπρ", ("iota", "kappa", "lambda", "mu", "nu", "xi", "pi", "rho"), strict=True)),
    **dict(zip("στυφχψω", ("sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega"), strict=True)),
    **dict(zip("ΓΔΘΛΞΠΣ", ("Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma"), strict=True)),
    **dict(zip("ΦΨΩ", ("Phi", "Psi", "Omega"), strict=True)),
}

_TEX |= {letter: f"$\\{command}$" for letter, command in _GREEK.items()}

_KNOWN = frozenset(
    "¡¢£¤¥¦§¨©ª¬®¯°±²³´µ¶·¸¹º¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝßàáâãäåæçèéêëìíîïñòóôõö÷øùúûüýÿĀāĂăĆćĈĉĊċČčĎďĒēĔĕĖėĚěĜĝĞğĠġ"
    "ĢģĤĥĨĩĪīĬĭİıĲĳĴĵĶķĹĺĻļĽľŁłŃńŅņŇňŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũŪūŬŭŮůŰűŴŵŶŷŸŹźŻżŽžƒȘșȚțȷ‐‑‒–—―‘’“”†‡•…‰€™"
)
"""The letters beyond ASCII that pdfLaTeX prints with no package but booktabs; a test has them compiled."""

SIGNED = re.compile(r"(?<![\w.)-])([+-][0-9](?:[0-9.,]*[0-9])?(?:e[+-][0-9]+)?)(\*?)(?![0-9])")
"""A number with a sign, and perhaps a star behind it."""

BETWEEN = re.compile(r"\[[+-][^\]]*\]")
"""The ends of an interval."""


def tex(text: str) -> str:
    r"""Return text so that LaTeX prints it as it is; what cannot be printed, such as the end of a line, is a space.

    Parameters
    ----------
    text
        The text.

    Notes
    -----
    Letters that pdfLaTeX cannot print by itself, such as those of Chinese, stand for themselves in XeLaTeX and
    LuaLaTeX, which want a font that has them, and are numbers of Unicode in pdfLaTeX.

    Examples
    --------
    >>> print(tex("bm25_b=0.4"), tex("50 %"), tex("κ → é"))
    bm25\_b=0.4 50 \% $\kappa$ $\to$ é
    >>> print(tex("中"))
    \ifdefined\Umathchar 中\else U+4E2D\fi{}
    """
    shown = (c if c.isprintable() or c in _TEX or category(c) == "Cf" else " " for c in normalize("NFC", text))
    found = "".join(
        _unknown("".join(letters))
        if unknown
        else "".join(_TEX.get(c, f"\\{c}" if c in "&%$#_{}" else c) for c in letters)
        for unknown, letters in groupby(shown, lambda c: not (c.isascii() or c in _TEX or c in _KNOWN))
    )
    # two hyphens would be a dash
    return re.sub("-(?=-)", "-{}", found)


def _unknown(letters: str) -> str:
    """Return letters that only TeX engines of Unicode print."""
    codes = " ".join(f"U+{ord(c):04X}" for c in letters if category(c) != "Cf")
    return rf"\ifdefined\Umathchar {letters}\else {codes}\fi{{}}"


def bold(text: str) -> str:
    r"""Return text in bold.

    Parameters
    ----------
    text
        LaTeX.

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
    head
        What stands above the columns; where all of it is empty, there is no such line.
    rows
        The cells, row by row.

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
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    lines += [_apart(" & ".join(head)) + r" \\", r"\midrule"] if any(head) else []
    lines += [_apart(" & ".join(row)) + r" \\" for row in rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"]) + "\n"


def latex_table(view: TableView) -> str:
    r"""Return a table in the manner of booktabs, below a comment that says what it is.

    Parameters
    ----------
    view
        The table. In columns of numbers these are set as mathematics where they have signs, and what is missing is a
        dash; strong words are bold.

    Examples
    --------
    >>> columns = [Column("run", 0, left=True), Column("change", 1)]
    >>> print(latex_table(TableView(columns, [["a_1", "+0.25"], ["b", ""]], title="Table 1")), end="")
    % Table 1
    \begin{tabular}{lr}
    \toprule
    run & change \\
    \midrule
    a\_1 & $+0.25$ \\
    b & -- \\
    \bottomrule
    \end{tabular}
    """
    # bars are for screens
    view = evolve(view, columns=[column for column in view.columns if not column.bar])
    said = ": ".join(filter(None, (str(view.title), view.about))).splitlines()
    aligned = "".join("c" if column.mark else "l" if column.left else "r" for column in view.columns)
    rows = [[_cell(column, cell) for column, cell in zip(view.columns, cells, strict=True)] for cells in view.cells]
    return "".join(f"% {' '.join(line.split())}\n" for line in said) + booktabs(
        aligned, list(map(_heading, view.columns)), rows
    )


def _heading(column: Column) -> str:
    head = tex(column.heading) if column.latex is None else column.latex
    return head if column.admitted else f"{head}$^*$"


def _cell(column: Column, content: Any) -> str:
    lines = [words_of(line) if isinstance(line, TableView) else line for line in lines_of(content)]
    spaced = [line for place, each in enumerate(lines) for line in ([" ", each] if place else [each])]
    pieces = [piece for line in spaced for piece in Words.of(line).pieces]
    return "".join(_piece(column, text, tone) for text, tone in pieces) or ("" if column.left or column.mark else "--")


def _piece(column: Column, text: str, tone: str) -> str:
    written = tex(text) if column.left else _number(text)
    for name, command in (("strong", "textbf"), ("super", "textsuperscript")):
        if name in tone.split() and text:
            written = rf"\{command}{{{written}}}"
    return written.replace("–", "--")


def _number(text: str) -> str:
    """Return a number, an interval or something with numbers in it as LaTeX sets it."""
    if BETWEEN.fullmatch(text):
        return f"${text}$"
    if re.match(r"[<>][0-9]", text):
        return f"${text[0]}${tex(text[1:])}"
    parts = SIGNED.split(text)
    written = [tex(part) for part in parts[::3]]
    signed = [f"${number}{'^{*}' if star else ''}$" for number, star in zip(parts[1::3], parts[2::3], strict=True)]
    joined = "".join(piece for pair in zip(written, [*signed, ""], strict=True) for piece in pair)
    return re.sub(r"(?<=[0-9])\*$", "$^{*}$", joined)


def _apart(row: str) -> str:
    """Return a row whose beginning is not taken for an argument of the end of the row before."""
    return f"{{}}{row}" if row.lstrip().startswith(("[", "*")) else row
