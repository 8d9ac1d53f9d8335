"""A Hasse diagram as text: its levels, the best first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from measurand.exact import shown
from measurand.report.profile_text import printed

if TYPE_CHECKING:
    from measurand.lattice import Hasse, Node

JOIN_IRREDUCIBLE = "*"


def hasse_text(diagram: Hasse, *, colour: bool = False, width: int | None = None) -> str:
    """Return the levels of a diagram, a line each; join-irreducible elements have a star.

    Examples
    --------
    >>> from measurand.lattice import RunLattice
    >>> print(hasse_text(RunLattice("swap", 2, 2).hasse("RR")))
    swap order, 2 ranks, 2 grades: 4 runs
    3 covers, 4 levels, 3 join-irreducible (*); behind every run its RR
    <BLANKLINE>
      3  11*=1
      2  10*=1
      1  01*=0.5
      0  00=0
    <BLANKLINE>
    """
    return printed(_parts(diagram), colour=colour, width=width)


def _parts(diagram: Hasse) -> Iterator[RenderableType]:
    irreducible = sum(node.irreducible for node in diagram.nodes)
    valued = any(node.value is not None for node in diagram.nodes)
    marked = f"; [ ] the {diagram.kind}s that were named" if any(node.marked for node in diagram.nodes) else ""
    values = f"; behind every {diagram.kind} its {diagram.valued_by}" if valued else ""
    counts = f"{_counted(len(diagram.edges), 'cover')}, {_counted(len(diagram.level_sizes), 'level')}"
    yield Text(diagram.heading, style="bold")
    # as text, since brackets are markup otherwise
    where = " in the completion" if diagram.gaps else ""
    yield Text(f"{counts}, {irreducible:,} join-irreducible{where} ({JOIN_IRREDUCIBLE}){marked}{values}\n")
    grid = Table.grid(padding=(0, 2))
    grid.add_column(justify="right", min_width=3, no_wrap=True)
    for level, places in reversed(list(enumerate(diagram.levels))):
        grid.add_row(Text(str(level), style="dim"), Text("   ").join(_named(diagram.nodes[place]) for place in places))
    yield grid


def _named(node: Node) -> Text:
    value = "" if node.value is None else f"={shown(node.value)}"
    styles = ["bold"] * node.irreducible + ["reverse"] * node.marked
    label = Text(f"[{node.label}]" if node.marked else node.label, style=" ".join(styles))
    return label.append(JOIN_IRREDUCIBLE * node.irreducible, style="cyan").append(value, style="dim")


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'s' * (number != 1)}"
