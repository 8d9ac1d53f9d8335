"""Reversing measures: for two systems, the measures that put the other one first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.display.result import Result
from measurand.display.tables import Document, Paragraph, Part, Words
from measurand.display.wording import counted
from measurand.exact import decimals
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.at_least_as_good import AtLeastAsGood
from measurand.study.level_verdicts import Place
from measurand.study.levels import Levels
from measurand.study.paired_runs import PairedRuns
from measurand.verdict import strip

if TYPE_CHECKING:
    from measurand.study.claim import Claim

RUNS = 5
"""So many runs of a measure are shown."""

RANKS = 20
"""So many ranks of them are shown."""


@frozen(kw_only=True, eq=False, repr=False)
class ReversingMeasure(Result):
    """A measure that puts the other one of two systems first.

    Parameters
    ----------
    measure : Measure
        The measure, which respects replacement and swap and can be run.
    first, second : str
        The system that it puts first, and the other one.
    means : tuple of Fraction
        Their means over the topics that both have.
    counts : str
        What it counts, in words.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.levels import levels
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> simplest, strongest = reversing_measures(levels(judged, "s0", "s1"))
    >>> print(simplest)
    P@3 puts s1 first: 0.6667 against 0.3333. It counts documents of grade 1 or more in the first 3 ranks.
    >>> strongest.measure, strongest.runs, strongest.means
    (AtLeastAsGood(1 run)@3, ((0, 1, 1),), (Fraction(1, 1), Fraction(0, 1)))
    """

    measure: Measure
    first: str
    second: str
    means: tuple[Fraction, Fraction]
    counts: str

    @property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """The runs that the measure compares with, for one that does, the shortest first; zeros at the end left out."""
        if not isinstance(self.measure, AtLeastAsGood):
            return ()
        return tuple(sorted(map(_trimmed, self.measure.runs), key=lambda run: (len(run), run)))

    @property
    def sentence(self) -> str:
        """Who is first by how much, and what the measure counts."""
        means = " against ".join(decimals(float(mean), 4) for mean in self.means)
        if not self.runs:
            return f"{self.measure!r} puts {self.first} first: {means}. It counts {self.counts}."
        return (
            f"A measure that is {self.counts} puts {self.first} first: {means}. No measure with values from 0 to 1 that"
            " respects replacement and swap and is the same on all topics puts it further ahead."
        )

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<ReversingMeasure {self.measure!r}: {self.first} before {self.second}>"

    def document(self) -> Document:
        """Return the sentence, and the runs that the measure compares with, as strips of grades."""
        return Document(self.parts())

    def parts(self) -> Iterator[Part]:
        """Return the sentence and the strips of grades."""
        yield Paragraph(self.sentence, indent=1)
        for run in self.runs[:RUNS]:
            more = f" … to rank {len(run):,}" if len(run) > RANKS else ""
            yield Paragraph(Words.of("  ") + strip(run[:RANKS]) + Words.of(more, "faint"), indent=1)
        if len(self.runs) > RUNS:
            yield Paragraph(
                f"  … and {counted(len(self.runs) - RUNS, 'more ranking')}; -f json has them.", "faint", indent=1
            )

    def to_dict(self) -> dict[str, Any]:
        """Return the measure, the means and the runs, ready for JSON."""
        return {
            "measure": repr(self.measure),
            "first": self.first,
            "second": self.second,
            "means": [float(mean) for mean in self.means],
            "counts": self.counts,
            "runs": [list(run) for run in self.runs],
            "sentence": self.sentence,
        }


def _trimmed(run: tuple[int, ...]) -> tuple[int, ...]:
    """Return a run without the zeros at its end, which ask for nothing."""
    last = max((rank for rank, grade in enumerate(run, 1) if grade), default=0)
    return run[:last]


def reversing_measures(levels: Levels) -> tuple[ReversingMeasure, ...]:
    """Return measures that put the second of two systems first: none, one, or the simplest and the strongest.

    The simplest is precision with the smallest cutoff and grade, where one system is not at least as good under every
    additive measure. The strongest gives the second system the largest lead of all measures with values from 0 to 1.

    Parameters
    ----------
    levels : Levels
        The levels of one system over another.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.levels import levels
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1)], (3, 2))
    >>> [each.measure for each in reversing_measures(levels(judged, "s0", "s1"))]
    [P@3, AtLeastAsGood(1 run)@3]
    """
    return tuple(_found(levels))


def _found(levels: Levels) -> Iterator[ReversingMeasure]:
    place, strongest = levels.additive.witness, levels.every_measure.witness
    if isinstance(place, Place):
        yield _reversing(levels, place.precision, str(place))
    if isinstance(strongest, AtLeastAsGood):
        number = len(strongest.runs)
        what = "this ranking" if number == 1 else f"one of {number:,} rankings"
        yield _reversing(levels, strongest, f"1 where a ranking is at least as good as {what}, and 0 elsewhere,")


def _reversing(levels: Levels, measure: Measure, counts: str) -> ReversingMeasure:
    # the runs that levels compare, in trec_eval's order where documents tie; topics play no part in these measures
    cells = PairedRuns(levels.judged, levels.a, levels.b, levels.depth).cells
    runs = JudgedRuns.on_one_topic(cells.reshape(-1, levels.depth), levels.judged.grade_counts.sum(axis=0).tolist())
    unit, topics = (measure.cutoff or 1) if measure.per_rank else 1, cells.shape[1]
    # values are whole numbers of documents by the cutoff, or of topics
    a, b = (round(float(each.sum()) * unit) for each in measure.fast(runs).reshape(2, -1))
    means = Fraction(b, topics * unit), Fraction(a, topics * unit)
    return ReversingMeasure(measure=measure, first=levels.b, second=levels.a, means=means, counts=counts)


def reversing_parts(found: Iterable[tuple[Claim, Sequence[ReversingMeasure]]]) -> Iterator[Part]:
    """Return for some claims which measures put the other system first.

    Parameters
    ----------
    found
        The claims, each with its measures.
    """
    found = list(found)
    if not found:
        return
    yield ""
    yield Words.of("Which measures put the other system first", "strong")
    for claim, measures in found:
        first, second = claim.in_order
        yield Paragraph(Words.of(f"{first} before {second}", "strong"), indent=1)
        if not measures:
            yield Paragraph(
                f"None that respects replacement and swap and treats topics alike puts {second} first.", indent=1
            )
        for each in measures:
            yield from each.parts()


def reversing_data(found: Iterable[tuple[Claim, Sequence[ReversingMeasure]]]) -> list[dict[str, Any]]:
    """Return for some claims which measures put the other system first, ready for JSON.

    Parameters
    ----------
    found
        The claims, each with its measures.
    """
    return [
        {"system": claim.system, "against": claim.against, "measures": [each.to_dict() for each in measures]}
        for claim, measures in found
    ]
