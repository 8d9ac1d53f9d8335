"""Tables for papers: what `-f latex` prints compiles, whatever systems and topics are called.

Where pdflatex or tectonic is installed, a document with no package but booktabs (and amssymb for check marks) is
compiled; whether or not, the tables are read: environments closed, as many cells in every row as columns, nothing
special left alone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from measurand.display.latex import _KNOWN, _TEX, booktabs, tex

USUAL = ("bm25", "dense-1", "BM25.2019.100")
HOSTILE = (r"_&%$#{}~^\<>", "é-κ-−-→-中", r"\end{tabular}\input{x}%", "[2pt]*--", "🙂e\u0301\u200dשרшł«ą»")

PREAMBLE = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
"""

MEASURES = ("-m", "nDCG@3", "-m", "AP", "-m", "RR", "-m", "ESL", "-m", "Judged@3")

COMMANDS = {
    "evaluate": ("evaluate", *MEASURES),
    "evaluate topic by topic": ("evaluate", "-q", *MEASURES),
    "evaluate with bounds": ("evaluate", "--unjudged", "bounds", "-m", "P@3"),
    "compare": ("compare", *MEASURES),
    "compare strictly": ("compare", "--strict", *MEASURES),
    "report": ("report", *MEASURES),
    "report strictly": ("report", "--strict", *MEASURES),
    "report on interval scales": ("report", "--interval", "-m", "P@2", "-m", "RR@2"),
    "unanimity": ("unanimity", "-m", "AP", "-m", "RR"),
}
"""The commands that print tables for papers."""

Compile = Callable[..., str]


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> Compile:
    """Return what compiles a document and returns what TeX says of it if it fails; skip where there is no TeX."""
    program = shutil.which("pdflatex") or shutil.which("tectonic")
    if program is None:
        pytest.skip("NO TEX: tables are not compiled; install it (apt install texlive-latex-recommended) and run again")
    folder = tmp_path_factory.mktemp("tex")
    options = [] if program.endswith("tectonic") else ["-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape"]

    def compile_document(body: str, package: str = "") -> str:
        begin = PREAMBLE.replace("booktabs", f"booktabs,{package}" if package else "booktabs")
        (folder / "paper.tex").write_text(f"{begin}{body}\n\\end{{document}}\n", encoding="utf-8")
        # fonts that are made on the way stay in the folder
        environment = {**os.environ, "TEXMFVAR": str(folder / "var"), "TEXMFHOME": str(folder / "home")}
        done = subprocess.run(
            [program, *options, "paper.tex"], cwd=folder, env=environment, capture_output=True, check=False
        )
        said = done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace")
        return "" if done.returncode == 0 else "\n".join(re.findall(r"^!.*(?:\n.*){0,4}", said, re.MULTILINE)) or said

    return compile_document


@pytest.fixture(params=["usual", "hostile"])
def campaign(request, tmp_path, monkeypatch) -> list[str]:
    """Return a command line of judgments and runs, with usual names or hostile ones of systems and topics."""
    systems = USUAL if request.param == "usual" else HOSTILE
    topics = ("1", "2", "3") if request.param == "usual" else ("1_&", "中%", r"\x#")
    monkeypatch.chdir(tmp_path)
    lines = [f"{topic} 0 d{number} {number % 3}\n" for topic in topics for number in range(6)]
    Path("qrels").write_text("".join(lines), encoding="utf-8")
    for place, system in enumerate(systems):
        rows = [
            f"{topic} Q0 d{(number * (place + 2) + at) % 7} 1 {9 - number} {system}\n"
            for at, topic in enumerate(topics)
            for number in range(5)
        ]
        Path(f"{place}.run").write_text("".join(rows), encoding="utf-8")
    return ["qrels", *(f"{place}.run" for place in range(len(systems)))]


@pytest.fixture(scope="module")
def known() -> dict[tuple[str, ...], dict[str, str]]:
    """What was printed before, by the files that it is about."""
    return {}


@pytest.fixture
def tables(call, campaign, known) -> dict[str, str]:
    """Return what every command prints for a paper."""
    found = {}
    for command, (first, *more) in COMMANDS.items() if tuple(campaign) not in known else ():
        outcome = call(first, *campaign, *more, "-f", "latex")
        assert outcome.code == 0, outcome.err
        found[command] = outcome.out
    return known.setdefault(tuple(campaign), found)


def test_tables_compile(tables, compiled):
    assert compiled("\n\n".join(text for command, text in tables.items() if command != "unanimity")) == ""
    assert compiled(tables["unanimity"], "amssymb") == ""


def test_tables_are_whole(tables, naming):
    for command, text in tables.items():
        with naming(command):
            check(text)


def test_a_table_that_does_not_compile_is_noticed(compiled):
    assert r"Misplaced alignment tab character &" in compiled("a & b")


def test_letters_that_are_left_as_they_are_compile(compiled):
    letters = [*sorted(_KNOWN), *(tex(letter) for letter in _TEX if letter != "✓")]
    assert compiled(booktabs("lr", ["letter", "n"], [[letter, "1"] for letter in letters])) == ""


COMMAND = re.compile(r"\\[&%$#_{},]|\\(?:[A-Za-z]+)")
MATHS = re.compile(r"(?<!\\)\$[^$]*\$")


def check(text: str) -> None:
    """Complain of a table that is not closed, of a row that does not fit, and of special characters left alone."""
    columns: int | None = None
    for line in text.splitlines():
        if line.startswith("%") or not line:
            continue
        if opened := re.fullmatch(r"\\begin\{tabular\}\{([lrc]+)\}", line):
            assert columns is None, "a table inside a table"
            columns = len(opened[1])
        elif line == r"\end{tabular}":
            assert columns is not None, "a table ends that did not begin"
            columns = None
        elif line not in (r"\toprule", r"\midrule", r"\bottomrule"):
            assert columns is not None, f"outside of a table: {line}"
            row = line.removesuffix(r" \\")
            assert row != line, f"a row without its end: {line}"
            assert not row.lstrip().startswith(("[", "*")), f"taken for an argument of the row before: {line}"
            assert len(re.split(r"(?<!\\)&", row)) == columns, line
            rest = COMMAND.sub("", MATHS.sub("", row))
            assert rest.count("{") == rest.count("}"), line
            assert not set(rest) & set("%$#_^\\"), line
    assert columns is None, "a table is not closed"


@pytest.mark.parametrize(
    "broken",
    [
        "\\begin{tabular}{l}\na \\\\\n",
        "\\begin{tabular}{l}\na & b \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{l}\na_b \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{l}\n50% \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{l}\n\\textbf{a \\\\\n\\end{tabular}\n",
        "\\begin{tabular}{l}\n[2pt] \\\\\n\\end{tabular}\n",
        "a \\\\\n",
    ],
)
def test_what_is_broken_is_noticed_without_tex(broken):
    with pytest.raises(AssertionError):
        check(broken)
