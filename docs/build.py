"""Make the pages that follow from the code: `make docs`."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

import measurand
from measurand.cli.main import COMMANDS, program
from measurand.measures import Measure, catalogue
from measurand.measures.trec_names import spell
from measurand.references import bibliography, citation

DOCS = Path(__file__).resolve().parent

MET = (
    "measurand.measures.at_least_as_good.AtLeastAsGood",
    "measurand.study.level_classes.Level",
    "measurand.study.level_classes.covered_in_words",
    "measurand.study.level_classes.level_of",
    "measurand.study.level_verdicts.LevelVerdict",
    "measurand.study.level_verdicts.Place",
    "measurand.study.levels_matrix.PairLevel",
    "measurand.study.claim.Claim",
    "measurand.study.gate_measure.MeasureGate",
    "measurand.study.gate_measure.TopicChange",
    "measurand.study.gate_measure.Outcome",
    "measurand.study.stored_scores.StoredScores",
    "measurand.study.margins.ScaleMargins",
    "measurand.study.margins.chance.ChanceMargin",
    "measurand.study.margins.gains.GainsMargin",
    "measurand.study.margins.gains.OtherGains",
    "measurand.study.margins.intervals.MarginInterval",
    "measurand.study.margins.judgments.JudgmentsMargin",
    "measurand.study.margins.margin.How",
    "measurand.study.margins.margin.Margin",
    "measurand.study.margins.pair.ComparedPair",
    "measurand.study.margins.regrading.Regrading",
    "measurand.study.margins.rescaling.KnownMap",
    "measurand.study.margins.rescaling.Rescaling",
    "measurand.study.margins.rescaling.ScaleMargin",
    "measurand.study.margins.rescaling.known_maps",
    "measurand.study.margins.scale_margins",
    "measurand.study.margins.ties.TiesMargin",
    "measurand.study.margins.topics.TopicsMargin",
    "measurand.study.margins.unjudged.UnjudgedMargin",
    "measurand.study.margins.weights.TopicWeights",
    "measurand.study.margins.weights.WeightsMargin",
    "measurand.study.measure_result.MeasureResult",
    "measurand.study.parameter_map.ParameterMap",
    "measurand.study.parameter_map.parameter_map",
)
"""What one meets in results, though no room lists it."""

HEAD = """# Measures

Made from the code by `make docs`; do not edit. Every measure takes `@k` for a cutoff (for IPrec, `@` sets the recall)
and `judged_only=True` to remove unjudged documents first. `rel` is the lowest grade that counts as relevant.

| measure | what it is | scale | trec_eval |
|---|---|---|---|
"""


def sections(text: str) -> dict[str, str]:
    """Return the parts of a docstring by their headings; what comes before the first is called `""`."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", text, flags=re.MULTILINE)
    return {"": parts[0].strip()} | {name: body.strip() for name, body in zip(parts[1::2], parts[2::2], strict=True)}


def definition(text: str) -> str:
    """Return the text of a definition with its mathematics as GitHub shows it."""
    text = re.sub(r"\.\. math:: (.*?)(?=\n\n|\Z)", lambda m: f"```math\n{_joined(m[1])}\n```", text, flags=re.DOTALL)
    return re.sub(r":math:`([^`]*)`", r"$\1$", text)


def _joined(formula: str) -> str:
    return " ".join(line.strip() for line in formula.splitlines())


def entry(measure: Measure) -> str:
    """Return the section of one measure."""
    parts = sections(inspect.getdoc(type(measure)) or "")
    facts = measure.facts()
    own = [name for name in measure.parameters() if name not in ("cutoff", "judged_only")]
    lines = [f"## {measure.name}", "", definition(parts[""]), ""]
    if measure.aliases:
        lines += [f"Also called {', '.join(measure.aliases)}.", ""]
    if own:
        lines += [f"Parameters: {', '.join(f'`{name}`' for name in own)}.", ""]
    if "Notes" in parts:
        lines += [definition(parts["Notes"]), ""]
    lines += ["```python", parts["Examples"], "", "```", ""]
    lines += ["; ".join(f"{name}: {value}" for name, value in facts.items() if name != "reference") + ".", ""]
    key = str(facts["reference"])
    named = f"[{key}](bibliography.md#{key.lower()})"
    return "\n".join([*lines, f"Reference: {named}; `measurand cite {measure.name}` prints it."])


def row(measure: Measure) -> str:
    """Return a measure's row of the table."""
    first = (inspect.getdoc(type(measure)) or "").partition("\n")[0]
    name = spell(measure) or ""
    return f"| [{measure.name}](#{measure.name.lower()}) | {first} | {measure.scale} | {f'`{name}`' if name else ''} |"


def measures_page() -> str:
    """Return the page of all measures."""
    everything = catalogue().values()
    # the examples run as they stand, because the page begins by importing what they use
    names = ", ".join(catalogue())
    preamble = f"```python\n>>> from measurand.measures import {names}\n\n```"
    return HEAD + "\n".join(map(row, everything)) + "\n\n" + "\n\n".join([preamble, *map(entry, everything)]) + "\n"


def commands_page() -> str:
    """Return the page of the command line: what every command says of itself."""
    above = click.Context(program, info_name="measurand")
    parts = [
        "# Command line",
        "Made from the code by `make docs`; do not edit. `measurand COMMAND --help` prints the same. Numbers go to "
        "standard output; notes, progress and errors to standard error. The exit code is 0 when all is done, 1 when a "
        "file or a name is wrong, 2 when the call itself is.",
        "| command | what it does |\n|---|---|\n"
        + "\n".join(f"| [{name}](#{name}) | {what} |" for name, what in COMMANDS.items()),
    ]
    for name in COMMANDS:
        command = program.get_command(above, name)
        assert command is not None, name
        context = click.Context(command, info_name=name, parent=above, terminal_width=100, max_content_width=100)
        context.help_option_names = ["-h", "--help"]
        parts.append(f"## {name}\n\n```text\n{command.get_help(context)}\n```")
    return "\n\n".join(parts) + "\n"


def bibliography_page() -> str:
    """Return the page of everything that is cited."""
    parts = [
        "# Bibliography",
        "Made from `references.bib` by `make docs`; do not edit. `measurand cite nDCG@10 paired_t` prints the entries "
        "of what you used.",
    ]
    for key, text in sorted(bibliography().items()):
        doi = re.search(r"^\s*doi\s*=\s*\{(.*?)\}", text, re.MULTILINE)
        link = f"\n\n<https://doi.org/{doi[1]}>" if doi else ""
        parts.append(f"## {key}\n\n{citation(key)}.{link}\n\n```bibtex\n{text}\n```")
    return "\n\n".join(parts) + "\n"


def rooms() -> dict[str, dict[str, object]]:
    """Return the rooms with what they offer: what a public room lists, and what `measurand` itself takes from any."""
    found: dict[str, dict[str, object]] = {}
    for name in measurand.__all__:
        value = getattr(measurand, name)
        room = import_module(".".join(_home(value).split(".")[:2]))
        names = (getattr(room, "__all__", None) or _defined(room)) if _is_public(room) else []
        offered = {f"{room.__name__}.{each}": getattr(room, each) for each in names}
        if value is not room and not any(each is value for each in offered.values()):
            offered[f"measurand.{name}"] = value
        found.setdefault(room.__name__, {}).update({path: each for path, each in offered.items() if _is_told(each)})
    for path in MET:
        module, _, name = path.rpartition(".")
        found[".".join(path.split(".")[:2])][path] = getattr(import_module(module), name)
    return dict(sorted(found.items()))


def _is_public(room: ModuleType) -> bool:
    return room.__name__.removeprefix("measurand.") in measurand.__all__


def _home(value: object) -> str:
    """Return the module that a value is, or is defined in."""
    return value.__name__ if isinstance(value, ModuleType) else str(value.__module__)


def _defined(module: ModuleType) -> list[str]:
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__]
    return [name for name in own if not name.startswith("_")]


def _is_told(value: object) -> bool:
    return inspect.isroutine(value) or inspect.isclass(value) or isinstance(value, ModuleType)


def room_page(name: str, offered: dict[str, object], elsewhere: dict[str, str]) -> str:
    """Return the page of a room: what it is, and directives by which mkdocstrings puts its docstrings there."""
    listed = sorted(offered.items(), key=lambda item: (inspect.isclass(item[1]), item[0].lower()))
    rows, directives = [], []
    for path, value in listed:
        own = _definition(value)
        page = elsewhere.get(own, name).removeprefix("measurand.")
        first = definition((inspect.getdoc(value) or "").partition("\n")[0]).replace("|", "\\|")
        rows.append(
            f"| [`{path.removeprefix(f'{name}.')}`]({'' if page == name[10:] else f'{page}.md'}#{own}) | {first} |"
        )
        if page == name[10:]:
            directives.append(f"::: {own}\n    options:\n      show_root_heading: true\n      heading: {path}")
    head = f"# {name[10:]}\n\n{inspect.getdoc(import_module(name))}\n\nMade from the code by `make docs`; do not edit."
    return "\n\n".join([head, "| name | what it is |\n|---|---|\n" + "\n".join(rows), *directives]) + "\n"


def _definition(value: object) -> str:
    """Return where a value is defined, for a function may be called as its module is."""
    return _home(value) if isinstance(value, ModuleType) else f"{_home(value)}.{value.__qualname__}"  # type: ignore[attr-defined]


def reference_pages() -> dict[str, str]:
    """Return the pages of the reference, by their paths under docs/."""
    made = {"measures.md": measures_page(), "commands.md": commands_page(), "bibliography.md": bibliography_page()}
    found = rooms()
    # what two rooms offer is explained in the one where it is defined
    every = [(_definition(value), room) for room, offered in found.items() for value in offered.values()]
    own = {path: room for path, room in every if path.startswith(f"{room}.")}
    made |= {f"python/{room[10:]}.md": room_page(room, offered, own) for room, offered in found.items()}
    return {f"reference/{path}": text for path, text in made.items()}


def write(made: dict[str, str], folder: str) -> None:
    """Write what was made, and remove what else lies in its folder."""
    for path, text in made.items():
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")
    for left in (DOCS / folder).rglob("*.*"):
        if left.is_file() and left.relative_to(DOCS).as_posix() not in made:
            left.unlink()


if __name__ == "__main__":
    from papers_pages import figures, pages

    write(reference_pages(), "reference")
    write(pages() | figures(), "papers")
