"""What the documents say is true: their examples run, their links lead somewhere, the reference is fresh."""

from __future__ import annotations

import doctest
import importlib.util
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from measurand import sample
from measurand.cli.main import program
from measurand.papers import PAPERS
from measurand.references import bibliography

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]

FENCE = re.compile(r"^```(?P<kind>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r'python title="(?P<name>\w+\.py)"')


def with_commands(page):
    return any(fence["kind"] == "console" for fence in FENCE.finditer(page.read_text(encoding="utf-8")))


def named(page):
    return str(page.relative_to(ROOT))


def script(name):
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# certificates are run one by one where the papers are tested, and the pages of the papers are made of them
WITH_EXAMPLES = [page for page in PAGES if page.parent.name != "papers" or page.stem not in PAPERS]


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=named)
def test_the_examples_of_a_page_run(page):
    outcome = doctest.testfile(str(page), module_relative=False)
    assert outcome.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_the_links_of_a_page_lead_to_files(page):
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def printed_by(command):
    """Return what a command prints: measurand's in this process, others (head, zcat) by the shell."""
    if command.startswith("measurand "):
        result = CliRunner().invoke(program, shlex.split(command)[1:])
        assert result.exit_code == 0, f"{command}: {result.output}"
        return result.output
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True).stdout


def is_shown(shown, printed):
    """Return whether a text is what was printed; a line of … stands for lines that are left out."""
    lines = [".*" if line == "…" else re.escape(line.rstrip()) for line in shown.strip("\n").splitlines()]
    trimmed = "\n".join(line.rstrip() for line in printed.strip("\n").splitlines())
    return re.fullmatch("\n".join(lines), trimmed, re.DOTALL) is not None


@pytest.mark.parametrize("page", [page for page in PAGES if with_commands(page)], ids=named)
def test_the_commands_of_a_page_print_what_it_shows(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    # on a busy machine a wait is announced that is none elsewhere
    monkeypatch.setattr("measurand.cli.measure.LONG", float("inf"))
    shutil.copytree(sample.qrels().parent, tmp_path / "sample")
    for fence in FENCE.finditer(page.read_text(encoding="utf-8")):
        if named_file := FILE.fullmatch(fence["kind"]):
            (tmp_path / named_file["name"]).write_text(fence["body"], encoding="utf-8")
        if fence["kind"] == "console":
            for each in re.split(r"^\$ ", fence["body"], flags=re.MULTILINE)[1:]:
                command, _, shown = each.partition("\n")
                printed = printed_by(command)
                assert is_shown(shown, printed), f"$ {command}\n{printed}"


def test_a_line_left_out_stands_for_lines_and_nothing_else_does():
    assert is_shown("a\n…\nd\n", "\na\nb  \nc\nd\n")
    assert not is_shown("a\n…\nd\n", "a\nb\nc\n")
    assert not is_shown("a\n", "a\nb\n")


def test_the_reference_is_what_the_code_says():
    made = script("build").reference_pages()
    there = {str(path.relative_to(DOCS)) for path in (DOCS / "reference").rglob("*.md")}
    assert there == set(made), "run make docs"
    assert [path for path, text in made.items() if (DOCS / path).read_text(encoding="utf-8") != text] == [], (
        "run make docs"
    )


def test_docstrings_become_markdown_with_links_to_the_bibliography():
    as_markdown = script("docstrings").as_markdown
    assert (
        as_markdown("Sum of :math:`g_i` [MoffatZobel2008]_.")
        == "Sum of $g_i$ [Moffat and Zobel (2008)][moffatzobel2008]."
    )
    assert as_markdown("A.\n\n.. math::\n\n    a \\\\\n    b\n\nB.") == "A.\n\n```math\na \\\\ b\n```\n\nB."
    assert as_markdown("[Nobody1900]_") == "[Nobody1900]_"


def test_every_reference_that_a_page_cites_exists():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    cited = set(re.findall(r"bibliography\.md#(\w+)", text))
    assert cited
    assert cited <= {key.lower() for key in bibliography()}


def test_every_picture_is_shown_and_small():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    pictures = list((DOCS / "images").iterdir())
    assert [path.name for path in pictures if f"images/{path.name}" not in text] == []
    assert [path.name for path in pictures if path.stat().st_size > 200_000 and path.suffix == ".svg"] == []


def test_every_drawn_picture_has_its_recipe(monkeypatch):
    monkeypatch.syspath_prepend(DOCS)
    pictures = script("pictures")
    assert {path.name for path in (DOCS / "images").glob("*.svg")} == {*pictures.COMMANDS, *pictures.DRAWN}


def test_the_site_builds_strictly_and_fetches_nothing(tmp_path):
    site = tmp_path / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(site)]
    # signatures on one line, for what puts them on several is a process for each; and nothing else that is made of
    # the same names once more: neither search, colours, lists of members nor types
    parts = ("SEPARATE_SIGNATURES", "SITE_SEARCH", "SITE_COLOURS", "SITE_SUMMARIES", "SITE_ANNOTATIONS")
    plain = os.environ | {"NO_MKDOCS_2_WARNING": "1"} | dict.fromkeys(parts, "false")
    built = subprocess.run(command, cwd=ROOT, env=plain, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    loaded = re.compile(r"<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=[\"']?(?:https?:)?//[^>]*>")
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    assert {path.name: hits for path in pages if (hits := loaded.findall(path.read_text(encoding="utf-8")))} == {}
    measures = (site / "reference/measures.html").read_text(encoding="utf-8")
    assert "<math" in measures
    assert "arithmatex" not in measures


def test_every_dependency_stands_in_the_readme_with_its_reason():
    wanted = re.search(r"^dependencies = \[(.*?)\]", (ROOT / "pyproject.toml").read_text(), re.DOTALL | re.MULTILINE)
    assert wanted is not None
    names = re.findall(r'"([a-z0-9-]+)', wanted.group(1))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert names
    assert [name for name in names if f"| [{name}](" not in readme] == []
