"""What a diagram of an order holds: nodes in levels, and lines between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cached_property

from attrs import field, frozen

from measurand.exact import Exact
from measurand.lattice.drawing.layout import Layout, lay_out


@frozen
class Node:
    """One element in a diagram.

    Parameters
    ----------
    element
        The element itself.
    label
        How it is written.
    level
        How many steps lie below it, at most.
    irreducible
        Whether it is join-irreducible.
    value
        What a measure makes of it, if one was named.
    relevant
        How many relevant documents it holds, if it is a run.
    marked
        Whether it is to be seen at a glance.
    """

    element: Hashable
    label: str
    level: int
    irreducible: bool = False
    value: Exact | None = None
    relevant: int | None = None
    marked: bool = False


@frozen(eq=False, slots=False)
class Diagram:
    """Nodes in levels, and lines between them.

    Parameters
    ----------
    nodes
        The elements, none before one below it.
    edges
        The places of a lower and a higher node, for every line.
    title, measure, topic
        What is drawn, which measure gave the values, and on what topic.
    gaps
        Whether some elements have no join, so that join-irreducible are those of the completion.

    Examples
    --------
    >>> Diagram((Node("a", "a", 0), Node("b", "b", 1), Node("c", "c", 1)), ((0, 1), (0, 2))).level_sizes
    (1, 2)
    """

    nodes: tuple[Node, ...] = field(repr=lambda nodes: str(len(nodes)))
    edges: tuple[tuple[int, int], ...] = field(repr=lambda edges: str(len(edges)))
    title: str = ""
    measure: str = ""
    topic: str = ""
    gaps: bool = False

    @property
    def kind(self) -> str:
        """What the nodes are: runs, or elements of any order."""
        return "run" if any(node.relevant is not None for node in self.nodes) else "element"

    @property
    def valued_by(self) -> str:
        """What the values are, in words."""
        return ", ".join(filter(None, [self.measure or "value", self.topic]))

    @property
    def heading(self) -> str:
        """The title, or how many nodes there are."""
        return self.title or f"{len(self.nodes):,} {self.kind}{'s' * (len(self.nodes) != 1)}"

    @property
    def levels(self) -> Sequence[Sequence[int]]:
        """The places of the nodes of every level, from below."""
        found: list[list[int]] = [[] for _ in range(1 + max((node.level for node in self.nodes), default=-1))]
        for place, node in enumerate(self.nodes):
            found[node.level].append(place)
        return found

    @property
    def level_sizes(self) -> tuple[int, ...]:
        """How many nodes every level has, from below."""
        sizes = Counter(node.level for node in self.nodes)
        return tuple(sizes[level] for level in range(len(sizes)))

    @cached_property
    def layout(self) -> Layout:
        """Where nodes and lines are drawn."""
        return lay_out(self.levels, self.edges)
