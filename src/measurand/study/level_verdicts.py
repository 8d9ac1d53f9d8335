"""Whether one system is at least as good as another at a level, and what shows it where it is not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray, Cells
from measurand.display.wording import counted
from measurand.exact import decimal
from measurand.judged import JudgedRuns
from measurand.letters import shown
from measurand.measures import Measure
from measurand.measures.at_least_as_good import AtLeastAsGood
from measurand.measures.precision import P
from measurand.study.paired_runs import PairedRuns
from measurand.verdict import How, Verdict

UNDECIDED = "not decided"
"""How it begins what is said of a level of which it is not known whether it holds."""


class Place(NamedTuple):
    """A rank and a grade, for the number of documents of this grade or more down to this rank.

    Examples
    --------
    >>> print(Place(3, 2))
    documents of grade 2 or more in the first 3 ranks
    >>> Place(3, 2).precision
    P(rel=2)@3
    """

    rank: int
    grade: int | Fraction

    def __str__(self) -> str:
        return f"documents of grade {decimal(self.grade)} or more {_first_ranks(self.rank)}"

    @property
    def precision(self) -> Measure:
        """The precision that counts these documents."""
        return P @ self.rank if type(self.grade) is int and self.grade == 1 else P(rel=self.grade) @ self.rank


class TopicPlace(NamedTuple):
    """A topic, a rank and a grade.

    Examples
    --------
    >>> print(TopicPlace("301", 1, 2))
    topic 301, documents of grade 2 or more at the first rank
    """

    topic: str
    rank: int
    grade: int | Fraction

    def __str__(self) -> str:
        return f"topic {shown(self.topic)}, {Place(self.rank, self.grade)}"


def _first_ranks(rank: int) -> str:
    return "at the first rank" if rank == 1 else f"in the first {rank:,} ranks"


@frozen(kw_only=True, repr=False)
class LevelVerdict(Verdict):
    """Whether one system is at least as good as another at a level.

    Parameters
    ----------
    holds, witness, checked, how, argument
        As in `Verdict`. The witness shows why a level fails: a topic, rank and grade; the smallest rank and grade at
        which the other system has more documents; or a `Measure` that puts the other system first.
    tied : bool
        Whether the two are level: the same runs topic by topic, the same runs in another order of topics, or the
        same counts.
    lead : Fraction
        The largest lead that a measure of the level with values from 0 to 1 gives the other system, where it is
        known; 0 where the level holds.
    """

    tied: bool = False
    lead: Fraction | None = None

    @property
    def strict(self) -> bool:
        """Whether it holds and the two are not level."""
        return self.holds and not self.tied

    @property
    def undecided(self) -> bool:
        """Whether it is not known if it holds, because there are too many different runs to be paired."""
        return self.how is How.FAILED and self.argument.startswith(UNDECIDED)

    def _shown(self) -> tuple[Any, Any]:
        return (self.witness.runs, ()) if isinstance(self.witness, AtLeastAsGood) else ((), ())

    def to_dict(self, statement: str = "") -> dict[str, Any]:
        """Return whether the level holds and why, ready for JSON.

        Parameters
        ----------
        statement
            What holds or does not.
        """
        witness = self.witness
        if isinstance(witness, AtLeastAsGood):
            found: Any = {"measure": repr(witness), "runs": [list(map(witness.worth, run)) for run in witness.runs]}
        else:
            found = None if witness is None else witness._asdict()
        lead = None if self.lead is None else float(self.lead)
        return {**super().to_dict(statement), "witness": found, "tied": self.tied, "lead": lead}


def checked_on(pair: PairedRuns) -> str:
    """Return what was compared, in words.

    Parameters
    ----------
    pair
        The runs of the two systems.
    """
    return f"{counted(len(pair.kept), 'topic')}, down to rank {pair.depth:,}"


def first_place(where: BoolArray) -> Place | None:
    """Return the smallest rank, and there the smallest grade, at which something is so.

    Parameters
    ----------
    where
        Grades × ranks: whether it is so.

    Examples
    --------
    >>> first_place(np.array([[False, False, True], [False, True, True]]))
    Place(rank=2, grade=2)
    """
    found = np.argwhere(where.T)
    return Place(int(found[0, 0]) + 1, int(found[0, 1]) + 1) if len(found) else None


def graded_place(place: Place, judged: JudgedRuns) -> Place:
    """Return a place with the grade that its number stands for in judged runs.

    Parameters
    ----------
    place
        The place, with a number of the judged runs.
    judged
        The judged runs.
    """
    return Place(place.rank, judged.grade_of(int(place.grade)))


def _holds(pair: PairedRuns, argument: str, *, tied: bool) -> LevelVerdict:
    return LevelVerdict(
        holds=True, checked=checked_on(pair), how=How.PROVED, argument=argument, tied=tied, lead=Fraction(0)
    )


def _fails(pair: PairedRuns, witness: Any, argument: str, lead: Fraction | None = None) -> LevelVerdict:
    return LevelVerdict(
        holds=False,
        witness=witness,
        checked=checked_on(pair),
        how=How.COUNTEREXAMPLE,
        argument=argument,
        lead=lead,
    )


def _unknown(pair: PairedRuns) -> LevelVerdict:
    argument = f"{pair.a} and {pair.b} have no topic in common"
    return LevelVerdict(holds=False, checked=checked_on(pair), how=How.FAILED, argument=argument)


def _more_for_b(pair: PairedRuns, place: Place, runs: Cells, where: str = "") -> str:
    """Return that `b` has more documents of a grade or more down to a rank, in words."""
    code = int(place.grade)
    mine, other = (int((one[..., : place.rank] >= code).sum()) for one in runs)
    documents = "document" if other == 1 else "documents"
    return (
        f"{where}{_first_ranks(place.rank)} {pair.b} has {other:,} {documents} of grade"
        f" {pair.judged.grade_name(code)} or more,"
        f" {pair.a} {mine:,}"
    )


def on_every_topic(pair: PairedRuns) -> LevelVerdict:
    """Return whether `a` is at least as good on every topic, under every measure.

    Parameters
    ----------
    pair
        The runs of the two systems.
    """
    if not len(pair.kept):
        return _unknown(pair)
    worse = np.flatnonzero(~pair.better_on_topics)
    if not len(worse):
        argument = f"on every topic {pair.a} has at least as many documents of every grade or more, down to every rank"
        return _holds(pair, argument, tied=bool((pair.cells[0] == pair.cells[1]).all()))
    topic = int(worse[0])
    place = first_place(pair.counts.differences[topic] < 0)
    assert place is not None  # the runs of this topic differ
    name = pair.shared_topics[topic]
    argument = _more_for_b(pair, place, pair.cells[:, topic], f"on topic {name}, ")
    return _fails(pair, TopicPlace(name, *graded_place(place, pair.judged)), argument)


def under_every_additive_measure(pair: PairedRuns) -> LevelVerdict:
    """Return whether `a` is at least as good under the mean of every additive measure.

    Parameters
    ----------
    pair
        The runs of the two systems.
    """
    if not len(pair.kept):
        return _unknown(pair)
    totals = pair.counts.totals
    place = first_place(totals < 0)
    if place is None:
        argument = f"over all topics {pair.a} has at least as many documents of every grade or more, down to every rank"
        return _holds(pair, argument, tied=not totals.any())
    return _fails(pair, graded_place(place, pair.judged), _more_for_b(pair, place, pair.cells))


def under_every_measure(pair: PairedRuns) -> LevelVerdict:
    """Return whether `a` is at least as good under the mean of every measure that is the same on all topics.

    Parameters
    ----------
    pair
        The runs of the two systems.
    """
    if not len(pair.kept):
        return _unknown(pair)
    found = pair.matching
    if found is None:
        return _without_matching(pair)
    if found.complete:
        argument = f"every run of {pair.b} can be paired with a run of {pair.a} on some topic that is at least as good"
        return _holds(pair, argument, tied=not pair.counts.totals.any())
    runs, grades = pair.smallest(pair.runs_of(found)), pair.judged.relevance
    measure = AtLeastAsGood(runs=runs, cutoff=pair.depth, relevance=grades)
    return _reversed(pair, measure, found.missing / len(pair.kept))


def _without_matching(pair: PairedRuns) -> LevelVerdict:
    """Return what is known of every measure where there are too many different runs to be paired.

    `a` is ahead where it is so on every topic, and not ahead where a measure puts `b` first that counts having so many
    documents of a grade or more down to a rank.
    """
    if pair.better_on_topics.all():
        argument = f"every run of {pair.b} can be paired with the run of {pair.a} on the same topic"
        return _holds(pair, argument, tied=not pair.counts.totals.any())
    lead, run = pair.largest_threshold_lead()
    if lead > 0:
        measure = AtLeastAsGood(runs=(run,), cutoff=pair.depth, relevance=pair.judged.relevance)
        argument = f"a measure that counts being at least as good as one run puts {pair.b} first by {float(lead):.3g}"
        return _fails(pair, measure, f"{argument}; others may by more")
    argument = f"{UNDECIDED}: on {counted(len(pair.kept), 'topic')} there are too many different runs to be paired"
    return LevelVerdict(holds=False, checked=checked_on(pair), how=How.FAILED, argument=argument)


def under_recall_based_measures(pair: PairedRuns, rel: int) -> LevelVerdict:
    """Return whether `a` is at least as good under AP, R and every measure of their kind.

    Parameters
    ----------
    pair
        The runs of the two systems.
    rel
        The lowest grade that counts as relevant.
    """
    if not len(pair.kept):
        return _unknown(pair)
    found, runs = pair.matched_by_recall_base(rel)
    if found.complete:
        argument = (
            f"the runs of {pair.b} can be paired with runs of {pair.a} that are at least as good, each topic counting"
            " as one over its number of relevant documents"
        )
        return _holds(pair, argument, tied=pair.same_by_recall_base(rel))
    over = pair.judged.grade_of(rel)
    measure = AtLeastAsGood(runs=pair.smallest(runs), over=over, cutoff=pair.depth, relevance=pair.judged.relevance)
    return _reversed(pair, measure, found.missing / len(pair.kept))


def _reversed(pair: PairedRuns, measure: AtLeastAsGood, lead: Fraction) -> LevelVerdict:
    """Return the verdict that a measure puts `b` first."""
    what = "one run" if len(measure.runs) == 1 else f"one of {len(measure.runs)} runs"
    counts = "being at least as good as" if measure.over is None else "being at least as good by relevance as"
    argument = f"a measure that counts {counts} {what} puts {pair.b} first by {float(lead):.3g}, and none by more"
    return _fails(pair, measure, argument, lead)
