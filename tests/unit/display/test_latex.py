"""LaTeX: text that means itself."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from measurand.display.latex import bold, booktabs, tex

SPECIAL = "&%$#_{}~^\\<>|"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("a_b", r"a\_b"),
        ("50%", r"50\%"),
        ("{x}", r"\{x\}"),
        ("a\\b", r"a\textbackslash{}b"),
        ("x^2~y", r"x\textasciicircum{}2\textasciitilde{}y"),
        ("<script>", r"\textless{}script\textgreater{}"),
        ("[bold] ü 'q'", "[bold] ü 'q'"),
        ("e\u0301", "é"),
        ("κ − ∞", r"$\kappa$ $-$ $\infty$"),
        ("a--b---c", "a-{}-b-{}-{}-c"),
        ("日本_x", r"\ifdefined\Umathchar 日本\else U+65E5 U+672C\fi{}\_x"),
        ("a\u200db", "a\\ifdefined\\Umathchar \u200d\\else \\fi{}b"),
    ],
)
def test_what_latex_would_take_for_a_command_is_printed(text, printed):
    assert tex(text) == printed


@given(st.text(alphabet=SPECIAL + "ab ü", max_size=12))
def test_no_special_character_is_left_alone(text):
    known = r"\\text(?:backslash|asciicircum|asciitilde|less|greater|bar)\{\}|\\[&%$#_{}]"
    rest = re.sub(known, "", tex(text))
    assert not set(rest) & set(SPECIAL)
    assert len(re.findall(known, tex(text))) == sum(c in SPECIAL for c in text)


def test_a_table_has_a_head_and_a_line_a_row():
    lines = booktabs("lr", ["system", "P"], [["a", bold("0.5")], ["b", "0.2"]]).splitlines()
    assert lines == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"system & P \\",
        r"\midrule",
        r"a & \textbf{0.5} \\",
        r"b & 0.2 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_a_name_stays_on_its_line_whatever_is_in_it():
    assert tex("a\n\nb\0c\u2028d") == "a  b c d"


@pytest.mark.parametrize("name", ["[0]", "*starred", " [2pt]"])
def test_a_name_is_no_argument_of_the_end_of_the_row_before(name):
    rows = booktabs("lr", ["system", "P"], [["a", "1"], [name, "0"]]).splitlines()
    assert rows[5] == f"{{}}{name} & 0 " + r"\\"
