"""The search for conventions: which are tried, the simplest first, and which of them give a number."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from attrs import field, frozen

from measurand.errors import MeasurandError, ParameterError
from measurand.execution import Progress
from measurand.measures import Measure, MeasureLike, parse
from measurand.measures.around import innermost
from measurand.measures.geometric_mean import GeometricMean
from measurand.study.explain.bench import Bench, bases_of, means_of
from measurand.study.explain.convention import (
    Barren,
    Convention,
    Topics,
    binary_gains,
    gains_from,
)
from measurand.study.explain.other_tools import ToolCall, tool_calls
from measurand.study.explain.written_number import Match, WrittenNumber

CUTOFFS = (10, 5, 100, 1000, 20, 1, 3, 30, 50, 200, 500)
"""The cutoffs that are tried where none is named."""

CUT = ("nDCG", "AP", "P", "R", "RR", "Success", "F", "ERR", "DCG", "Judged")
"""The measures that are tried with every cutoff where none is named."""

WHOLE = ("nDCG", "AP", "RR", "Rprec", "Bpref", "R", "SetP", "SetF", "RBP", "ERR", "DCG")
"""The measures that are tried without a cutoff where none is named."""

PERSISTENCES = ("0.8", "0.5", "0.9", "0.95")
"""The p of RBP that are tried where none is named."""

STEPS_ONE, STEPS_SEVERAL = (2, 3), (1, 2)
"""How many departures are tried together, from one measure or several; the second only if the first gives nothing."""

MOST_THRESHOLDS = 20
"""So many grades are tried as the lowest that counts as relevant."""

GMAX = 4
"""The highest grade that gdeval assumes."""

SAME = 1e-12
"""Values closer than this are one value."""

Changes = Mapping[str, Any]
"""One choice: fields of a convention, or parameters of its measure under `measure`."""


@frozen(eq=False)
class Tried:
    """A convention that was tried.

    Parameters
    ----------
    plain : Measure
        The measure that it departs from.
    convention : Convention
        The convention.
    steps : int
        How many departures it has; those of one tool count as one.
    value : float
        What it gives.
    """

    plain: Measure
    convention: Convention
    steps: int
    value: float

    @property
    def words(self) -> str:
        """The convention in one phrase."""
        return self.convention.words(self.plain)


@frozen(eq=False)
class Candidate:
    """A value, the simplest convention that gives it, and who else gives it.

    Parameters
    ----------
    best : Tried
        The simplest convention.
    number : WrittenNumber
        The number that it was compared with: as it was written, or as a percentage.
    match : Match or None
        Whether the value gives the number, rounded or truncated.
    tools : tuple of str
        The tools that give this value.
    same : tuple of Tried
        All conventions that give this very value, the simplest first.
    """

    best: Tried
    number: WrittenNumber
    match: Match | None
    tools: tuple[str, ...]
    same: tuple[Tried, ...]

    @property
    def others(self) -> tuple[str, ...]:
        """The other conventions that give this very value, in words, the simplest first."""
        return tuple(dict.fromkeys(each.words for each in self.same))[1:]

    @property
    def value(self) -> float:
        """The value that the convention gives."""
        return self.best.value

    @property
    def distance(self) -> float:
        """How far it is from the number."""
        return self.number.distance(self.value)

    @property
    def place(self) -> tuple[Any, ...]:
        """Where it stands in the list: what gives the number first, the simplest first, then the nearest."""
        hit, simple = self.match is not None, self.best.steps + (self.match is Match.TRUNCATED)
        cut, off = self.best.plain.cutoff is not None, self.distance * (100 if self.number.percent else 1)
        near = off if cut else off - 10.0 ** -(self.number.decimals + 2)  # before cutoffs that show the same digits
        return (0, simple, not self.tools, cut, off) if hit else (1, near, simple, not self.tools)


@frozen(eq=False)
class Search:
    """What a search found.

    Parameters
    ----------
    candidates : list of Candidate
        Every value that was found, as `Candidate.place` orders them.
    tried : int
        How many conventions were tried.
    """

    candidates: list[Candidate] = field()
    tried: int

    @property
    def hits(self) -> list[Candidate]:
        """Those that give the number."""
        return [each for each in self.candidates if each.match is not None]


def search(
    number: WrittenNumber, bench: Bench, measure: Measure | None, topic: str | None, progress: Progress
) -> Search:
    """Return the values of all conventions that are tried, those that give a number first.

    Parameters
    ----------
    number
        The number.
    bench
        The run and the judgments.
    measure
        The measure, if it is known.
    topic
        The topic whose value the number is, if it is no average.
    progress
        Shows how far the search is.
    """
    plains = plain_measures(measure)
    fewer, more = STEPS_ONE if len(plains) == 1 else STEPS_SEVERAL
    tried = _tool_values(plains, bench, topic)
    for steps in (range(fewer + 1), range(fewer + 1, more + 1)):
        for plain in progress(plains, len(plains), "trying conventions"):
            several = conventions(plain, bench, steps, one_topic=topic is not None, known_cutoff=len(plains) == 1)
            tried += [(one, None) for n, convention in several for one in _tried(plain, convention, n, bench, topic)]
        if not tried:
            bench.value(Convention(measure=plains[0]), topic)  # a measure that refuses the data says why
        found = _grouped(tried, number, bench)
        if any(each.match for each in found):
            break
    return Search(sorted(found, key=lambda each: each.place), len({(one.plain, one.convention) for one, _ in tried}))


def _tried(plain: Measure, convention: Convention, steps: int, bench: Bench, topic: str | None) -> Iterator[Tried]:
    """Return a convention with its value; nothing where the measure refuses the data."""
    try:
        yield Tried(plain, convention, steps, bench.value(convention, topic))
    except MeasurandError:
        return


def searched(measure: MeasureLike | None) -> Measure | None:
    """Return the measure whose conventions are searched; all means are, so that of a geometric mean is that inside.

    Parameters
    ----------
    measure
        The measure, or its spelling.

    Examples
    --------
    >>> searched("gm(AP)"), searched(None)
    (AP, None)
    """
    named = None if measure is None else parse(measure)
    if isinstance(named, GeometricMean):
        return named.measure
    inside = None if named is None else innermost(named)
    if inside is not named:
        raise ParameterError(f"{named!r} is made of {inside!r}, whose conventions can be searched; name that one")
    return named


def plain_measures(measure: Measure | None) -> list[Measure]:
    """Return the measures to try: those usual if none is named, with usual cutoffs if it has none.

    Parameters
    ----------
    measure
        The measure, if it is known.

    Examples
    --------
    >>> plain_measures(parse("AP@7")), plain_measures(parse("AP"))[:3], len(plain_measures(None))
    ([AP@7], [AP, AP@10, AP@5], 124)
    """
    if measure is None:
        whole = [each for name in WHOLE for each in _persistent(parse(name))]
        return [*whole, *(parse(name) @ cutoff for cutoff in CUTOFFS for name in CUT)]
    if measure.cutoff is not None or measure.at != "cutoff":
        return [measure]
    return [*_persistent(measure), *(measure @ cutoff for cutoff in CUTOFFS)]


def _persistent(measure: Measure) -> list[Measure]:
    """Return a measure with the usual persistences, if it has one that nobody chose."""
    if measure.parameters().get("p") != Fraction(PERSISTENCES[0]):
        return [measure]
    return [measure(p=p) for p in PERSISTENCES]


def axes(plain: Measure, bench: Bench, *, one_topic: bool, known_cutoff: bool = True) -> list[list[Changes]]:
    """Return what can be done differently with a measure on these data: choices, by what they are about.

    Parameters
    ----------
    plain
        The measure.
    bench
        The run and the judgments: what makes no difference to them is left out.
    one_topic
        Whether it is the value of one topic.
    known_cutoff
        Whether the cutoff is known, so that one more or less is a mistake; all cutoffs are tried otherwise.
    """
    found: list[list[Changes]] = [
        *_parameter_axes(plain, bench),
        *([_cutoffs_beside(plain)] if known_cutoff and plain.cutoff is not None else []),
        [{"order": order} for order in bench.orders[1:]],
        [{"base": base} for base in bases_of(plain, bench.top)],
        [{"negative": negative} for negative in bench.negatives[1:]],
    ]
    if not one_topic:
        topics = [Convention(measure=plain, topics=each) for each in Topics]
        barren = [Convention(measure=plain, barren=each) for each in Barren]
        found += [
            [{"topics": each.topics} for each in topics[1:] if bench.essential(each).topics is each.topics],
            [{"barren": each.barren} for each in barren[1:] if bench.essential(each).barren is each.barren],
            [{"mean": mean} for mean in means_of(plain)],
        ]
    return [choices for choices in found if choices]


def _parameter_axes(plain: Measure, bench: Bench) -> Iterator[list[Changes]]:
    """Return the choices of parameters that a measure has."""
    known, top = plain.parameters(), bench.top
    fractions = bench.plain.relevance is not None
    if "gain" in known and fractions:
        yield [{"measure": {"gain": gain}} for gain in ("linear", "exp2") if gain != known["gain"]]
    elif "gain" in known:
        gains = ["linear", "exp2", *(binary_gains(top, lowest) for lowest in range(1, top + 1))] if top > 1 else []
        gains += [gains_from(kind, top, lowest) for kind in ("linear", "exp2") for lowest in range(2, top)]
        yield [{"measure": {"gain": gain}} for gain in gains if gain != known["gain"]]
    if "b" in known:
        yield [{"measure": {"b": b}} for b in (None, 2, 10) if b != known["b"]]
    if "rel" in known:
        some = bench.plain.gains[1:] if fractions else range(1, top + 1) if top > 1 else ()
        # of many grades as many as can be tried, evenly spread
        spread = some[:: max(1, len(some) // MOST_THRESHOLDS)]
        yield [{"measure": {"rel": rel}} for rel in spread if rel != known["rel"] or fractions]
    if known.get("gmax", GMAX) is None and plain.graded and top < GMAX:
        yield [{"measure": {"gmax": GMAX}}]
    if bool((bench.plain.cells == -1).any()):
        yield [{"measure": {"judged_only": not plain.judged_only}}]


def _cutoffs_beside(plain: Any) -> list[Changes]:
    """Return the cutoffs one above and one below that of a measure."""
    return [{"measure": {"cutoff": cutoff}} for cutoff in (plain.cutoff + 1, plain.cutoff - 1) if cutoff]


def conventions(
    plain: Measure, bench: Bench, steps: Sequence[int], *, one_topic: bool, known_cutoff: bool = True
) -> Iterator[tuple[int, Convention]]:
    """Return the conventions with so many departures from a measure, each with their number.

    Parameters
    ----------
    plain
        The measure.
    bench
        The run and the judgments.
    steps
        How many departures there may be.
    one_topic, known_cutoff
        As for `axes`.
    """
    several = axes(plain, bench, one_topic=one_topic, known_cutoff=known_cutoff)
    for n in steps:
        for chosen in combinations(several, n):
            for choices in product(*chosen):
                convention = _convention(plain, choices)
                if convention is not None and bench.knows(convention):
                    yield n, convention


def _convention(plain: Measure, choices: Sequence[Changes]) -> Convention | None:
    """Return a measure with some choices, None if it refuses their parameters."""
    parameters = {name: value for each in choices for name, value in each.get("measure", {}).items()}
    fields = {name: value for each in choices for name, value in each.items() if name != "measure"}
    try:
        return Convention(measure=plain(**parameters) if parameters else plain, **fields)
    except ParameterError:
        return None


def bench_calls(plain: Measure, bench: Bench, topic: str | None = None) -> Iterator[ToolCall]:
    """Return the calls of all tools that have a measure and accept these judgments.

    Parameters
    ----------
    plain
        The measure.
    bench
        The run and the judgments.
    topic
        The topic whose value is asked for, if it is no average: tools that leave it out have none.
    """
    if bench.plain.relevance is not None:
        return iter(())  # what tools make of such grades was not looked at
    barren, unjudged = bool(bench.barren(plain).any()), bench.unjudged_topics > 0
    calls = tool_calls(plain, bench.top, barren=barren, unjudged_topics=unjudged)
    return (call for call in calls if topic is None or bench.counts(call.convention, topic))


def _tool_values(plains: Sequence[Measure], bench: Bench, topic: str | None) -> list[tuple[Tried, ToolCall | None]]:
    """Return what all tools give for some measures."""
    found: list[tuple[Tried, ToolCall | None]] = []
    for plain in plains:
        for call in bench_calls(plain, bench, topic):
            if bench.knows(call.convention):
                convention = bench.essential(call.convention)
                steps = min(1, len(convention.departures(plain)))
                found += [(one, call) for one in _tried(plain, convention, steps, bench, topic)]
    return found


def _grouped(tried: Sequence[tuple[Tried, ToolCall | None]], number: WrittenNumber, bench: Bench) -> list[Candidate]:
    """Return every value once, with the simplest convention that gives it and all tools that do."""
    ordered = sorted(tried, key=lambda pair: pair[0].value)
    groups: list[list[tuple[Tried, ToolCall | None]]] = []
    for pair in ordered:
        if groups and pair[0].value - groups[-1][-1][0].value <= SAME * max(1.0, abs(pair[0].value)):
            groups[-1].append(pair)
        else:
            groups.append([pair])
    return [_candidate(group, number, bench) for group in groups]


def _complexity(pair: tuple[Tried, ToolCall | None]) -> tuple[int, int, bool]:
    tried = pair[0]
    return tried.steps, len(tried.convention.departures(tried.plain)), tried.plain.cutoff is not None


def _candidate(group: Sequence[tuple[Tried, ToolCall | None]], number: WrittenNumber, bench: Bench) -> Candidate:
    simplest = group if len(group) == 1 else sorted(group, key=_complexity)
    best = simplest[0][0]
    if number.may_be_percentage and best.plain.bounds == (0, 1):
        number = number.nearer_reading(best.value)
    tools = dict.fromkeys(call.label(tied=bench.tied) for _, call in simplest if call is not None)
    return Candidate(best, number, number.match(best.value), tuple(tools), tuple(one for one, _ in simplest))
