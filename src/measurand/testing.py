"""What authors of measures borrow: every check that measurand makes of its own measures."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product
from operator import itemgetter

from measurand.exact import Exact, ranked
from measurand.intervals.families import same_order_everywhere
from measurand.intervals.interval_scale import IntervalScaled
from measurand.intervals.ruler import Budget
from measurand.intervals.universe import Universe
from measurand.judged import NOTHING, UNJUDGED, JudgedRuns, Pool, every_run
from measurand.measures import Measure, parse
from measurand.measures.campaigns import with_campaign
from measurand.measures.catalogue import find
from measurand.measures.geometric_mean import GeometricMean
from measurand.references import bibliography
from measurand.scale import Scale, ScaleOf
from measurand.scores import Aggregation

CLOSE = 1e-12
"""How far the vectorised path may be from the exact value, absolutely and relatively."""


def all_runs(depth: int, grades: int) -> Iterator[tuple[int, ...]]:
    """Return every judged run of a length over grades 0 to `grades` - 1.

    Parameters
    ----------
    depth : int
        How many ranks the runs have.
    grades : int
        How many grades there are, counting 0.

    Examples
    --------
    >>> list(all_runs(1, 3))
    [(0,), (1,), (2,)]
    """
    return product(range(grades), repeat=depth)


def check_measure(measure: Measure, *, depth: int = 6, grades: int = 2) -> None:
    """Check every declared fact of a measure; raise AssertionError with the witness where one fails.

    The checks run over every judged run of the depth, with unjudged and missing documents in between.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    depth : int, default 6
        How many ranks the runs have.
    grades : int, default 2
        How many grades there are, counting 0.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> check_measure(AP, depth=4)
    """
    check_spelling(measure)
    check_reference(measure)
    counts = (depth, *[depth] * (grades - 1))
    runs = [*all_runs(depth, grades), *_with_gaps(depth, grades)]
    values = [_value(measure, run, counts) for run in runs]
    check_scores(measure, runs, counts)
    check_bounds(measure, runs, values)
    check_direction(measure, list(all_runs(depth, grades)), counts)
    check_grades(measure, runs, counts)
    check_keys(measure, list(all_runs(depth, grades)), counts)
    check_recall_base(measure, runs, depth)
    check_order(measure, list(all_runs(depth, grades)), depth, grades)
    check_ruler(measure, depth, grades)
    check_scale(measure, list(all_runs(depth, grades)), counts)


@lru_cache(maxsize=2**14)
def _value(measure: Measure, run: tuple[int, ...], counts: tuple[int, ...] | None) -> Exact:
    """Return the exact value of a run, which several checks need."""
    return measure.of(run, grade_counts=counts)


def _with_gaps(depth: int, grades: int) -> Iterator[tuple[int, ...]]:
    """Return runs with unjudged documents, and runs that end early."""
    for run in all_runs(min(depth, 4), grades):
        yield tuple(UNJUDGED if i % 3 == 1 else grade for i, grade in enumerate(run)) + (0,) * (depth - len(run))
        yield run[: depth - 1] + (NOTHING,) * (depth - len(run[: depth - 1]))


def check_spelling(measure: Measure) -> None:
    """Check that a measure's text reads back as the measure, if the catalogue has it.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    """
    if find(measure.name) is None:
        return
    assert parse(repr(measure)) == measure, f"{measure!r} reads back as {parse(repr(measure))!r}"


def check_reference(measure: Measure) -> None:
    """Check that the measure names a source that the bibliography has.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    """
    assert measure.reference in bibliography(), (
        f"{measure!r} cites {measure.reference!r}, which is not in the bibliography"
    )


def check_scores(measure: Measure, runs: list[tuple[int, ...]], counts: tuple[int, ...]) -> None:
    """Check the vectorised path against the definition, and that equal values get equal floats.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    counts : tuple of int
        How many documents of each grade the topic has.
    """
    judged = JudgedRuns.on_one_topic(runs, counts)
    scores = measure.scores(judged).values[:, 0]
    values = [_value(with_campaign(measure, judged), run, counts) for run in runs]
    for run, exact, fast in zip(runs, values, scores.tolist(), strict=True):
        slow = float(exact)
        assert abs(slow - fast) <= CLOSE * max(1, abs(slow)), f"{measure!r} of {run} is {slow}, vectorised {fast}"
    floats: dict[Exact, float] = {}
    for run, exact, fast in zip(runs, values, scores.tolist(), strict=True):
        assert floats.setdefault(exact, fast) == fast, (
            f"{measure!r}: runs of value {exact} get different floats, {run} too"
        )


def check_bounds(measure: Measure, runs: list[tuple[int, ...]], values: list[Exact]) -> None:
    """Check that no value lies outside the bounds that the measure declares.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    values : list of Exact
        The exact values of the runs.
    """
    low, high = measure.bounds
    for run, value in zip(runs, values, strict=True):
        inside = (low is None or value >= low) and (high is None or value <= high)
        assert inside, f"{measure!r} of {run} is {value}, outside its bounds {low} to {high}"


def check_direction(measure: Measure, runs: list[tuple[int, ...]], counts: tuple[int, ...]) -> None:
    """Check the declaration that lower values are better, or higher ones.

    A better document in place of another may hurt under some measures, but it helps at least as often. Counts that
    are added up over topics tell a size, and not what is better.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    counts : tuple of int
        How many documents of each grade the topic has.
    """
    if measure.aggregation is Aggregation.SUM:
        return
    value = {run: _value(measure, run, counts) for run in runs}
    raised = lowered = 0
    for run in runs:
        for rank, grade in enumerate(run):
            better = value.get((*run[:rank], grade + 1, *run[rank + 1 :]), value[run])
            raised, lowered = raised + int(better > value[run]), lowered + int(better < value[run])
    helped, hurt = (lowered, raised) if measure.lower_is_better else (raised, lowered)
    declared = f"{'lower' if measure.lower_is_better else 'higher'} values are better"
    assert helped >= hurt, f"{measure!r} declares that {declared}; better documents help {helped} times, hurt {hurt}"


def check_keys(measure: Measure, runs: list[tuple[int, ...]], counts: tuple[int, ...]) -> None:
    """Check that keys are equal exactly when values are, and stand in the same order.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    counts : tuple of int
        How many documents of each grade the topic has.
    """
    if measure.parameters().get("gmax", 0) is None:
        measure = measure(gmax=len(counts) - 1)
    # a key that is not simply the value must agree with the values on any topic
    topic = None if type(measure).key is Measure.key else counts
    ordered = sorted(((_value(measure, run, topic), measure.key(run), run) for run in runs), key=itemgetter(0))
    for (value, key, run), (next_value, next_key, next_run) in pairwise(ordered):
        same = key == next_key
        assert same == (value == next_value), f"{measure!r}: key and value disagree whether {run} ties with {next_run}"
        assert same or key < next_key, f"{measure!r}: key and value order {run} and {next_run} differently"


def check_grades(measure: Measure, runs: list[tuple[int, ...]], counts: tuple[int, ...]) -> None:
    """Check the declaration that a measure tells grades apart, or that it does not.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    counts : tuple of int
        How many documents of each grade the topic has.
    """
    top = len(counts) - 1
    rel = measure.parameters().get("rel") or 1
    if top <= rel:
        return
    flat = [tuple(top if cell >= rel else min(cell, 0) for cell in run) for run in runs]
    pairs = zip(runs, flat, strict=True)
    told_apart = any(_value(measure, run, counts) != _value(measure, other, counts) for run, other in pairs)
    word = "tells" if measure.graded else "does not tell"
    assert told_apart == measure.graded, f"{measure!r} declares that it {word} grades apart, and it is otherwise"


def check_recall_base(measure: Measure, runs: list[tuple[int, ...]], depth: int) -> None:
    """Check the declaration that a measure depends on the recall base, or that it does not.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    depth : int
        How many ranks the runs have.
    """
    # some nonrelevant documents are not retrieved, as on every real topic
    top = max(1, *map(max, runs))
    pools = [Pool.plain(base, 2 * depth, top).grade_counts for base in (1, depth, depth + 3)]
    counted = depends = False
    for run in runs:
        first, *others = (_value(measure, run, counts) for counts in pools)
        depends = any(other != first for other in others)
        counted = counted or depends or first != 0
        if depends:
            break
    if not counted:
        return  # nothing in these runs is relevant to the measure
    word = "depends" if measure.uses_recall_base else "does not depend"
    assert depends == measure.uses_recall_base, (
        f"{measure!r} declares that it {word} on the recall base; it is otherwise"
    )


def check_order(measure: Measure, runs: list[tuple[int, ...]], depth: int, grades: int) -> None:
    """Check the declaration that runs stand in one order whatever the recall base.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    depth : int
        How many ranks the runs have.
    grades : int
        How many grades there are, counting 0.
    """
    if not same_order_everywhere(measure):
        return
    # beyond the depth, where no run holds more relevant documents than there are
    topics = [Pool.plain(base, depth, grades - 1).grade_counts for base in (depth, depth + 3)]
    small, large = ([_value(measure, run, counts) for run in runs] for counts in topics)
    first = sorted(range(len(runs)), key=lambda place: (small[place], large[place]))
    for low, high in pairwise(first):
        tied, tied_again = small[low] == small[high], large[low] == large[high]
        alike = tied == tied_again and large[low] <= large[high]
        assert alike, f"{measure!r}: {runs[low]} and {runs[high]} stand otherwise on another topic"


def check_ruler(measure: Measure, depth: int, grades: int) -> None:
    """Check that the ranks of all runs are those of their exact values, however the family finds them.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    depth : int
        How many ranks the runs have.
    grades : int
        How many grades there are, counting 0.
    """
    if isinstance(measure, GeometricMean | IntervalScaled):
        return
    universe = Universe(measure, min(depth, measure.cutoff or depth), grades)
    digits = every_run(int(universe.ranks(depth)), len(universe.levels))
    pool = Pool.plain(depth, depth, universe.levels[-1])
    runs = [tuple(universe.levels[digit] for digit in run) for run in digits.tolist()]
    expected = ranked([measure.level(measure.view(run), pool) for run in runs])[1] + 1
    positions = universe.ruler(depth, pool, Budget()).positions(digits)
    for run, rank, position in zip(runs, expected.tolist(), positions, strict=True):
        assert position.rank == rank, f"{measure!r}: {run} has rank {rank} among all values, its ruler says {position}"


def check_scale(measure: Measure, runs: list[tuple[int, ...]], counts: tuple[int, ...]) -> None:
    """Check that a measure said to be on an interval scale has equally spaced values on a topic.

    Parameters
    ----------
    measure : Measure
        The measure to check.
    runs : list of tuple of int
        The judged runs to check it on.
    counts : tuple of int
        How many documents of each grade the topic has.
    """
    label = ScaleOf(measure, len(runs[0]), len(counts), Scale.RATIO).label
    if max(label.scale, measure.declared_scale) < Scale.INTERVAL or measure.scale_for:
        # equal steps are then a matter of what somebody prefers, not of the values
        return
    # levels, and not values: what all values of a topic are divided by may have no exact differences
    pool = Pool.plain(len(runs[0]), len(runs[0]), len(counts) - 1)
    image = sorted({measure.level(measure.view(run), pool) for run in runs})
    gaps = {high - low for low, high in pairwise(image)}
    assert len(gaps) <= 1, f"{measure!r} is said to be on an interval scale, yet its values are spaced by {gaps}"
