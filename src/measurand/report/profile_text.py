"""A profile as text that a person likes to read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from measurand.axioms import AXIOMS
from measurand.axioms.measurement import MeasurementVerdict
from measurand.lattice import RunLattice
from measurand.report.rankings import number, ranking
from measurand.scales import Image
from measurand.study.profile import Profile
from measurand.verdict import How, Verdict, Witness

WIDTH = 100
"""The text is never wider."""

ASIDE = ("reference",)


def profile_text(profile: Profile, *, colour: bool = False, width: int | None = None) -> str:
    """Return a profile as text.

    Examples
    --------
    >>> from measurand.study.profile import profile
    >>> print(profile_text(profile("RR", depth=3)).splitlines()[1])
    One over the rank of the first relevant document, 0 if there is none.
    """
    return printed(_parts(profile, width or WIDTH), colour=colour, width=width)


def printed(parts: Iterable[RenderableType], *, colour: bool = False, width: int | None = None) -> str:
    r"""Return what a terminal shows, as text.

    Examples
    --------
    >>> printed(["One.", Text("Two.", style="bold")])
    'One.\nTwo.\n'
    """
    console = Console(
        width=width or WIDTH, force_terminal=colour, no_color=not colour, highlight=False, markup=False, emoji=False
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    return "\n".join(line.rstrip() for line in captured.get().splitlines()) + "\n"


def _parts(profile: Profile, width: int) -> Iterator[RenderableType]:
    yield Text(repr(profile.measure), style="bold")
    yield from filter(None, [profile.definition, profile.citation])
    yield Text(f"Looked at on runs of {profile.space}.", style="dim")
    yield from _section("Facts", _facts(profile))
    yield from _section("Properties", _properties(profile))
    if not profile.axioms["well_defined"]:
        return
    if profile.image is not None and profile.spacing is not None:
        yield from _section("Scale", _scale(profile))
    if profile.image is None or profile.image.size > 1:
        yield from _section("Balance", _balance(profile, width))
    if profile.valuations:
        yield from _section("Valuation", _valuations(profile))


def _section(title: str, body: RenderableType) -> Iterator[RenderableType]:
    yield Text(f"\n{title}", style="bold cyan")
    yield Padding(body, (0, 0, 0, 1))


def _grid() -> Table:
    return Table.grid(padding=(0, 2))


def _facts(profile: Profile) -> Table:
    grid = _grid()
    for name, fact in profile.facts.items():
        if name not in ASIDE:
            grid.add_row(Text(name, style="dim"), fact)
    return grid


def _properties(profile: Profile) -> Table:
    grid = _grid()
    for name, verdict in profile.axioms.items():
        told = _told(AXIOMS[name], verdict, briefly=isinstance(verdict, MeasurementVerdict) and bool(verdict.codomain))
        grid.add_row(_mark(name, verdict), Text(name.replace("_", " "), style="bold"), told)
    return grid


def _mark(name: str, verdict: Verdict) -> Text:
    if verdict.how is How.FAILED and name != "well_defined":
        return Text("?", style="bold yellow")
    return Text("✓", style="bold green") if verdict else Text("✗", style="bold red")


def _valuations(profile: Profile) -> Table:
    grid = _grid()
    for order, verdict in profile.valuations.items():
        few = len(RunLattice(order, profile.depth, profile.grades).join_irreducibles())
        runs = "sets, best grade first," if order.startswith("set-") else "runs"
        said = f"its values on {few:,} join-irreducible {runs} fix all others"
        grid.add_row(_mark(order, verdict), Text(order, style="bold"), _told(said, verdict))
    return grid


def _told(said: str, verdict: Verdict, *, briefly: bool = False) -> Table:
    """Return what a property says and, unless `briefly`, how it was decided, and the runs that show it."""
    told = Table.grid()
    told.add_row(said)
    if briefly:
        return told
    told.add_row(Text(decided(verdict), style="dim"))
    if isinstance(verdict.witness, Witness) and verdict.how is How.FAILED:
        told.add_row(Text(verdict.witness.why, style="red"))
    elif isinstance(verdict.witness, Witness):
        told.add_row(Text(verdict.witness.why, style="" if verdict else "red"))
        told.add_row(_runs(verdict.witness))
    return told


def decided(verdict: Verdict) -> str:
    """Return how a verdict was reached.

    Examples
    --------
    >>> decided(Verdict(True, checked="all 16 runs of 4 ranks"))
    'exhaustive: all 16 runs of 4 ranks'
    """
    if verdict.how is How.COUNTEREXAMPLE:
        return f"the smallest counterexample from {verdict.checked}"
    if verdict.how is How.FAILED:
        return "the function failed on a run" if verdict.witness else verdict.checked
    return f"{verdict.how}: {verdict.argument or verdict.checked}"


def _runs(witness: Witness) -> Table:
    grid = _grid()
    for run, value in zip(witness.runs, witness.values, strict=True):
        grid.add_row(ranking(run), number(value))
    return grid


def _scale(profile: Profile) -> Table:
    grid = _grid()
    for name, text in scale_facts(profile):
        grid.add_row(Text(name, style="dim"), text)
    return grid


def scale_facts(profile: Profile) -> Iterator[tuple[str, str]]:
    """Return what is known of a measure's scale and of its image, each with a name.

    Examples
    --------
    >>> from measurand.study.profile import profile
    >>> dict(scale_facts(profile("P", depth=4)))["spacing"]
    'equal: on these runs the values are those of an interval scale'
    """
    if profile.known is not None:
        yield "literature", f"{profile.known.scale}: {profile.known.condition} ({profile.known.reference})"
    if profile.measure.scale_for:
        yield "preferences", f"{profile.measure.scale} for {profile.measure.scale_for}"
    if profile.image is not None and profile.spacing is not None:
        yield from _image_facts(profile, profile.image, profile.spacing)


def _image_facts(profile: Profile, image: Image, spacing: Verdict) -> Iterator[tuple[str, str]]:
    runs = f"{image.total:,} runs of {image.depth} ranks and {image.grades} grades"
    if image.depth < profile.depth:
        runs += f" (not {profile.depth}, which are too many)"
    if image.size == 1:
        yield "image", f"one value, {number(image.lowest)}, on {runs}: it tells no two runs apart"
        return
    yield "image", f"{image.size:,} values on {runs}, from {number(image.lowest)} to {number(image.highest)}"
    if image.size == 2:
        yield "spacing", "two values have one gap: whether it is an interval scale cannot show"
    elif spacing:
        gains = " for these gains" if profile.label.for_these_gains else ""
        ratio = ", if a grade 2 is worth twice a grade 1" if gains else ""
        yield "spacing", f"equal{gains}: on these runs the values are those of an interval scale{ratio}"
    else:
        others = " for all others" if profile.measure.scale_for else ""
        yield "spacing", f"unequal, so ordinal at most{others}: {spacing.witness}"
    if image.around_largest_gap is not None:
        low, high = map(number, image.around_largest_gap)
        yield "largest gap", f"{number(image.largest_gap)}, from {low} to {high}: {image.unused:.1%} of the range"
    yield "ties", _ties(image)


def _ties(image: Image) -> str:
    alone = image.ties.get(1, 0)
    if alone == image.size:
        return "none: every run has a value of its own"
    shared, largest = image.size - alone, max(image.ties)
    of = "1 value belongs" if shared == 1 else f"{shared:,} values belong"
    return f"{of} to several runs, to {largest:,} at most; {alone:,} to one run alone"


def _balance(profile: Profile, width: int) -> RenderableType:
    a_row = max(1, (width - 8) // 5)
    curve = profile.balance
    if curve is None:
        return Text("cannot be had: the function does not work on runs of other lengths", style="dim")
    whole = Table.grid()
    if profile.axioms["replacement"] and profile.axioms["swap"]:
        whole.add_row(curve.reading)
    else:
        whole.add_row("The order of runs is not kept, so the index says little about the top.")
    for start in range(0, len(curve.points), a_row):
        points = curve.points[start : start + a_row]
        table = _grid()
        table.add_row(Text("ranks", style="dim"), *(str(n) for n, _ in points))
        table.add_row(Text("index", style="dim"), *("–" if b is None else str(b) for _, b in points))
        whole.add_row(table)
    return whole
