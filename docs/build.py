"""Make the pages that follow from the code: `make docs`."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from measurand.measures import Measure, catalogue
from measurand.measures.trec_names import spell

REFERENCE = Path(__file__).resolve().parent / "reference" / "measures.md"

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
    return "\n".join([*lines, f"Reference: `{facts['reference']}`; `measurand cite {measure.name}` prints it."])


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


if __name__ == "__main__":
    REFERENCE.parent.mkdir(exist_ok=True)
    REFERENCE.write_text(measures_page(), encoding="utf-8")
