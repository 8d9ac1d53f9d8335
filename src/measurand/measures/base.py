"""What a measure is: an immutable value with an exact definition from which everything follows.

A measure has parameters, `exact` (the definition), `fast` (the same for all runs at once) and facts (`Facts`).
What depends on the family (ties, sizes of collections) are functions that find it by single dispatch. `Binary`
measures know relevant documents and others, `Graded` ones distinguish grades.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeAlias, Union

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.calls import nearest
from measurand.errors import Caveat, CaveatKind, NotAvailable, ParameterError, quoted
from measurand.exact import RationalLike, decimal
from measurand.execution import Progress, silent
from measurand.judged import NOTHING, JudgedRuns, Pool, as_cells, differing_bases, no_relevant
from measurand.judged.runs import check_judged
from measurand.measures.campaigns import tied_values, with_campaign
from measurand.measures.exact_ties import plain_values
from measurand.measures.facts import Facts
from measurand.measures.parameters import (
    HIGHEST_POWER,
    USUAL,
    Threshold,
    is_given,
    made_again,
    parameters_of,
    read_threshold,
    spelling,
    threshold,
    told_apart,
    truth,
    whole,
)
from measurand.measures.scored import scored
from measurand.scale import Scale, ScaleLabel, ScaleOf
from measurand.scores import Aggregation, Scores

if TYPE_CHECKING:
    from measurand.exact import Exact
    from measurand.judged import Relevance
    from measurand.measures.lone_runs import RunOnTopic

Grades = tuple[int, ...]
"""One judged run: the grade at each rank, first rank first, or a negative code where there is none."""

MeasureLike: TypeAlias = Union["Measure", str]
"""A measure, or its spelling, such as "nDCG@10"."""

MeasuresLike: TypeAlias = Union["Measure", str, Iterable[Union["Measure", str]]]
"""A measure or several, each as itself or spelled."""

USUAL_DEPTH = 10
"""How many ranks runs have by default."""

_DEFINITION = ("exact", "level", "total", "unit", "view", "relevant")


@frozen(kw_only=True, repr=False)
class Measure(Facts, ABC):
    """A function from judged runs to numbers.

    A measure is a value: `measure(rel=2)` and `measure @ 10` are changed copies, equality goes by the
    parameters, and `repr` is its spelling in Python and on the command line.

    A new measure picks a family (`measurand.measures.additive` and its neighbours) or, failing that,
    derives from this class and writes `exact` and `fast`.

    Parameters
    ----------
    cutoff
        Look at so many ranks; by default at all.
    judged_only
        Remove documents without judgment before anything else.
    relevance
        The grades that the codes of judged runs stand for, where these are kept as codes. It is no parameter:
        `on_grades` sets it.
    """

    cutoff: int | None = field(default=None, validator=whole(1, optional=True))
    judged_only: bool = field(default=False, validator=truth)
    relevance: Relevance | None = field(default=None)

    @abstractmethod
    def exact(self, run: Grades, pool: Pool) -> Exact:
        """Return the exact value of a run that is already condensed and cut (the definition).

        Parameters
        ----------
        run
            A run that is condensed and cut, as `view` returns it.
        pool
            What the judgments of the topic hold.
        """

    @abstractmethod
    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs, system by system and topic by topic, flat.

        Parameters
        ----------
        judged
            The judged runs.
        """

    def on_grades(self, relevance: Relevance | None) -> Self:
        """Return the same measure for runs whose numbers are places in a set of grades.

        Parameters
        ----------
        relevance
            The grades; None for numbers that are grades themselves.

        Examples
        --------
        >>> from measurand.judged import Relevance
        >>> from measurand.measures import DCG
        >>> DCG.on_grades(Relevance.graded(0, "0.3", "0.7")).worth(2)
        Fraction(7, 10)
        """
        if relevance is self.relevance:
            return self
        if relevance is not None:
            gmax, rel = (self.parameters().get(name) for name in ("gmax", "rel"))
            if gmax is not None and gmax < relevance.grades[-1] and not relevance.contains(gmax):
                raise self._beyond_gmax(relevance.grades[-1], gmax)
            # grades that no document was given: the highest there is, or one from which on documents would be relevant
            above = [grade for grade in (gmax, rel) if grade and is_given(grade) and grade > relevance.grades[-1]]
            if above:
                relevance = evolve(
                    relevance, grades=tuple(sorted({*relevance.grades, *map(Fraction, above)})), labels=()
                )
        changed: Self = evolve(self, relevance=relevance)
        return changed

    def _beyond_gmax(self, grade: Threshold, gmax: Threshold) -> ParameterError:
        return ParameterError(f"{self!r}: the judgments hold grade {decimal(grade)}, above gmax={decimal(gmax)}")

    def worth(self, grade: int) -> Fraction | int:
        """Return the value of a grade: itself, or what it is the code of.

        Parameters
        ----------
        grade
            A grade of a judged run, or its code.
        """
        return grade if self.relevance is None or grade < 0 else self.relevance.grades[grade]

    def worths(self, top: int) -> Sequence[Fraction | int]:
        """Return the values of all grades to the highest, 0 included.

        Parameters
        ----------
        top
            The highest grade, or its code.
        """
        return range(top + 1) if self.relevance is None else self.relevance.grades[: top + 1]

    def is_defined_by(self, family: type) -> bool:
        """Return whether the measure keeps the definition of a family, so that what follows from it holds.

        Parameters
        ----------
        family
            The class whose definition it is.
        """
        return all(getattr(type(self), name, None) is getattr(family, name, None) for name in _DEFINITION)

    def level(self, run: Grades, pool: Pool) -> Exact:
        """Return the value of a run in units of `unit`, which may be a simpler number to compare.

        Parameters
        ----------
        run
            A run that is condensed and cut, as `view` returns it.
        pool
            What the judgments of the topic hold.
        """
        return self.exact(run, pool)

    def levels(self, runs: Sequence[Grades], pool: Pool) -> list[Exact]:
        """Return the levels of runs of one length, which may be found faster together.

        Parameters
        ----------
        runs
            Runs that are condensed and cut, as `view` returns them.
        pool
            What the judgments of the topic hold.
        """
        return [self.level(run, pool) for run in runs]

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return what `level` is divided by to give the value: one for all runs of a length on a topic.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        length
            How many ranks the runs have.
        """
        return Fraction(1)

    def view(self, run: Grades) -> Grades:
        """Return the part of a run that the measure looks at, as long as the run or the cutoff.

        Parameters
        ----------
        run
            Grades, first rank first.
        """
        length = len(run)
        if self.judged_only:
            kept = tuple(cell for cell in run if cell >= 0)
            run = kept + (NOTHING,) * (length - len(kept))
        return run if self.cutoff is None else run[: self.cutoff]

    def reach(self, depth: int) -> int:
        """Return the last rank that the measure looks at in runs of a depth.

        Parameters
        ----------
        depth
            How many ranks runs have.
        """
        return depth if self.cutoff is None else min(self.cutoff, depth)

    def top_grade(self, pool: Pool) -> int:
        """Return the highest grade there is, as far as the measure is concerned.

        Parameters
        ----------
        pool
            What the judgments of the topic hold.
        """
        return pool.top_grade

    def top_in(self, judged: JudgedRuns) -> int:
        """Return the highest grade of all topics, as far as the measure is concerned.

        Parameters
        ----------
        judged
            The judged runs.
        """
        if "gmax" in self.parameters() and self.highest_grade is not None:
            return max(map(self.top_grade, set(judged.pools)))
        return max(1, int(judged.grade_counts.shape[1]) - 1)

    def levels_of_relevance(self, grades: int) -> tuple[int, ...]:
        """Return the grades that the measure distinguishes, of so many that there are, counting 0.

        Parameters
        ----------
        grades
            How many grades there are.
        """
        return tuple(range(grades)) if self.graded else (0, self.lowest)

    def of(
        self,
        run: Sequence[RationalLike],
        recall_base: int | None = None,
        grade_counts: Sequence[int] | Mapping[Any, int] | None = None,
        *,
        grades: int | None = None,
    ) -> Exact:
        """Return the exact value of one judged run.

        A value that depends on what there is to be found carries a caveat, as `caveats`, if that is not given.
        Runs of grades 0 and 1 are binary by default.

        Parameters
        ----------
        run
            Grades, first rank first; -1 is an unjudged document, -2 no document, -3 a document that was
            pooled but not judged.
        recall_base
            The number of relevant documents of the topic; by default the run's length.
        grade_counts
            The number of judged documents of grade 0, 1, 2, … of the topic. nDCG, nERR, Q and OIE, which compare
            with the best ranking there can be, need it where there are grades above 1.
        grades
            How many grades there are, 0 included: the highest is one less.

        Examples
        --------
        >>> from measurand.measures import gP
        >>> gP.of((1, 0, 0), grades=3), gP.of((2, 0, 0), grades=3)
        (Fraction(1, 6), Fraction(1, 3))
        >>> print(gP.of((2, 0, 0)).caveats[0])
        gP takes 2, the highest grade of the run, for the highest there is; grades= says how many there are
        """
        from measurand.measures.lone_runs import on_topic  # loaded for single runs alone

        measure, told = on_topic(self, run, recall_base, grade_counts, grades)
        return measure._of(told)

    def _of(self, run: RunOnTopic) -> Exact:
        from measurand.exact.noted_numbers import noted  # single values carry caveats, scores of whole runs do not
        from measurand.measures.lone_runs import assumed, known_grades

        grades = known_grades(self, run.run, run.grades)
        pool = Pool.described(run.run, run.recall_base, run.grade_counts, self.lowest, self.highest_grade, grades)
        return noted(self.exact(self.view(run.run), pool), assumed(self, run))

    def value(
        self,
        run: Sequence[RationalLike],
        recall_base: int | None = None,
        grade_counts: Sequence[int] | Mapping[Any, int] | None = None,
        *,
        grades: int | None = None,
    ) -> float:
        """Return the value of one judged run as the nearest float.

        Parameters
        ----------
        run, recall_base, grade_counts, grades
            As in `of`.
        """
        from measurand.measures.lone_runs import on_topic

        measure, told = on_topic(self, run, recall_base, grade_counts, grades)
        return measure._value(told)

    def _value(self, run: RunOnTopic) -> float:
        from measurand.exact.noted_numbers import caveats_of, noted

        value = self._of(run)
        try:
            return noted(float(value), caveats_of(value))
        except OverflowError:
            raise NotAvailable(f"{self!r} is {quoted(value)} there, which no float can hold; `of` has it") from None

    @property
    def highest_grade(self) -> int | None:
        """The highest grade that was declared, or its code."""
        gmax = self.parameters().get("gmax")
        if gmax is None:
            return None
        return ceil(gmax) if self.relevance is None else self.relevance.level_from(gmax)

    def key(self, run: Sequence[int]) -> Exact:
        """Return the exact tie key: runs of one length tie exactly when their keys are equal.

        Where the recall base only rescales a measure, that holds on every topic. Where it decides ties (as
        for Rprec or Bpref), the key is the value for a recall base as large as the run is long.

        Parameters
        ----------
        run
            Grades, first rank first, as in `of`.
        """
        cells = as_cells(run)
        unknown = "gmax" in self.parameters() and self.highest_grade is None
        if self.graded and unknown and max(cells, default=0) > 1:
            raise ParameterError(f"{self!r}: which graded runs tie depends on the highest grade; say it: gmax=…")
        return self.exact(self.view(cells), Pool.described(cells, None, None, self.lowest, self.highest_grade))

    def scores(self, judged: JudgedRuns, progress: Progress = silent) -> Scores:
        """Return the scores of all systems on all topics.

        The floats are derived from the definition by the family's vectorised path. Where two that are on one
        scale are too close to call, the exact values are computed, and equal values get equal floats. Where
        the order of tied documents was left open, they are means or extremes over all their orders. A measure that
        is defined on weak orders takes runs as such unless they were judged otherwise.

        Parameters
        ----------
        judged
            The judged runs.
        progress
            Shows how far a long computation is.
        """
        check_judged(judged)
        judged = judged.weak if self.on_weak_orders else judged
        known = with_campaign(self, judged)
        ties = None if judged.groups is None else tied_values(self, judged, progress)
        return scored(self, judged, plain_values(known, judged) if ties is None else ties.values, ties)

    def scale_on(self, judged: JudgedRuns) -> ScaleOf:
        """Return the scale that the scores of judged runs are on, as what it is computed from at first use.

        Parameters
        ----------
        judged
            The judged runs.
        """
        # one grade above 0 leaves nothing to weigh
        grade_scale = judged.grade_scale if judged.several_grades else Scale.RATIO
        return ScaleOf(self, judged.depth, judged.grade_counts.shape[1], grade_scale)

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a scale of its own, or nothing if all topics share one.

        Parameters
        ----------
        judged
            The judged runs.
        """
        if not self.uses_recall_base or self.aggregation is Aggregation.SUM:
            return ""
        return differing_bases(judged, self.lowest, graded=self.graded)

    def own_scales_by(self, judged: JudgedRuns) -> CaveatKind | None:
        """Return the kind of caveat that alone is the reason why every topic has a scale of its own, if one is.

        Parameters
        ----------
        judged
            The judged runs.
        """
        return None

    def all_caveats(self, judged: JudgedRuns, values: FloatArray) -> tuple[Caveat, ...]:
        """Return the caveats of scores, with what the values are on topics without any relevant document.

        Parameters
        ----------
        judged, values
            The judged runs, and their scores.
        """
        caveats, barren = self._caveats(judged), judged.recall_bases(self.lowest) == 0
        there = values[:, barren][~np.isnan(values[:, barren])]
        usual = self.lowest == judged.relevant_from
        if not self.scores_relevance or not there.size or (usual and not there.any()):
            return caveats
        low, high = (f"{value:,.6g}" for value in (there.min(), there.max()))
        topics = [judged.topics[place] for place in np.flatnonzero(barren).tolist()]
        scored = f"{self!r} is {low if low == high else f'from {low} to {high}'}"
        own = no_relevant(topics, len(judged.topics), "" if usual else self.lowest_name(judged), scored)
        general = [caveat for caveat in judged.caveats if caveat.kind is CaveatKind.NO_RELEVANT and usual]
        return (*(caveat for caveat in caveats if caveat not in general), own)

    def lowest_name(self, judged: JudgedRuns) -> str:
        """Return the lowest grade that counts as relevant, as it is written.

        Parameters
        ----------
        judged
            The judged runs.
        """
        rel = self.parameters().get("rel")
        return decimal(rel) if rel is not None else judged.grade_name(self.lowest)

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = list(judged.caveats)
        why = self.own_scales(judged)
        if why:
            text = f"{self!r} has a scale of its own on every topic, because {why}"
            caveats.append(Caveat(CaveatKind.SCALE, text, self.own_scales_by(judged)))
        if self.scale_for:
            text = f"the scale of {self!r} is {self.scale}, for {self.scale_for}"
            caveats.append(Caveat(CaveatKind.ASSUMPTION, text, CaveatKind.SCALE))
        if self.cutoff is None and self.per_rank:
            text = f"{self!r} has no cutoff and divides by the depth of the judged runs, {judged.depth}"
            caveats.append(Caveat(CaveatKind.NO_CUTOFF, text))
        return tuple(caveats)

    def __call__(self, **parameters: Any) -> Self:
        """Return a copy with these parameters changed."""
        changes: dict[str, Any] = {}
        for name, value in parameters.items():
            name = self.synonyms.get(name, name)
            if name not in self.parameters():
                raise ParameterError(f"{self.name} has no parameter {name!r}; {self._meant(name)}")
            changes[name] = int(value) if isinstance(value, np.integer) else value
        changed: Self = evolve(self, **changes)
        return changed

    def _meant(self, name: str) -> str:
        """Return which parameters there are in the place of one that there is not, the likely one first."""
        known = list(self.parameters())
        close = next((each for each in known if name.startswith(each)), None) or nearest(name, known)
        every = f"it has {', '.join(known)}"
        return f"did you mean {close}? ({every})" if close else every

    def __matmul__(self, value: object) -> Self:
        """Return a copy with the cutoff (or whatever `@` means for the measure) changed."""
        return self.__call__(**{self.at: value})

    def __reduce__(self) -> tuple[Any, ...]:
        # a measure is its parameters, whichever classes of its line keep them
        known = self.parameters() if self.relevance is None else {**self.parameters(), "relevance": self.relevance}
        return made_again, (type(self), known)

    def parameters(self) -> dict[str, Any]:
        """Return the parameters and their values."""
        return {attribute.name: getattr(self, attribute.name) for attribute in parameters_of(type(self))}

    def __repr__(self) -> str:
        return spelling(self)

    @property
    def scale(self) -> Scale:
        """The scale of the values of one topic with two grades, on runs as long as the cutoff, or of ten ranks."""
        return self._label().scale

    def facts(self, label: ScaleLabel | None = None) -> dict[str, str]:
        """Return what is known about the measure, in words; each has a test.

        Parameters
        ----------
        label
            The scale that it is on, if that is known; by default the one on runs of ten ranks and two grades.
        """
        low, high = self.bounds
        above = "of any size" if low is None else f"from {low} up"
        below = f"up to {high}" if low is None else f"from {low} to {high}"
        better = "lower values" if self.lower_is_better else "higher values"
        return {
            "family": self.family,
            "grades": "tells all grades apart" if self.graded else "binary: relevant or not",
            "recall base": "depends on it" if self.uses_recall_base else "does not depend on it",
            "values": above if high is None else below,
            "better": "neither, it tells a size" if self.aggregation is Aggregation.SUM else better,
            "exactness": self.exactness,
            "scale": f"{self.scale}, for {self.scale_for}"
            if self.scale_for
            else str(label)
            if label
            else self._usual_scale(),
            "averaged by": str(self.aggregation),
            "reference": self.reference,
        }

    def _usual_scale(self) -> str:
        ranks = self.cutoff or USUAL_DEPTH
        return f"{self._label()}, on {ranks} {'rank' if ranks == 1 else 'ranks'} of two grades"

    def _label(self) -> ScaleLabel:
        return ScaleOf(self, self.cutoff or USUAL_DEPTH).label


@frozen(kw_only=True, repr=False, slots=False)
class Binary(Measure):
    """A measure that knows relevant documents and others.

    Parameters
    ----------
    rel
        The lowest grade that counts as relevant.
    """

    rel: Threshold = field(default=USUAL, converter=read_threshold, validator=threshold(), eq=told_apart)

    def relevant(self, cell: int) -> bool:
        """Return whether the document at a rank is relevant.

        Parameters
        ----------
        cell
            A grade, or a negative code.
        """
        return cell >= self.lowest


@frozen(kw_only=True, repr=False, slots=False)
class Graded(Measure):
    """A measure that distinguishes grades and depends on the highest.

    Parameters
    ----------
    gmax
        The highest grade of the scale; by default the highest in all the judgments.
    """

    synonyms: ClassVar[Mapping[str, str]] = {"max_rel": "gmax"}

    @property
    def graded(self) -> bool:
        """Grades are distinguished."""
        return True

    gmax: Threshold | None = field(default=None, converter=read_threshold, validator=threshold(optional=True))

    def top_grade(self, pool: Pool) -> int:
        """Return the highest grade of the scale, or complain that the judgments go beyond it."""
        if self.gmax is None:
            return pool.top_grade
        if self.relevance is None and not isinstance(self.gmax, int):
            raise ParameterError(f"{self!r}: all grades are whole numbers, so write gmax={ceil(self.gmax)}")
        if self.relevance is None and self.gmax > HIGHEST_POWER:
            raise ParameterError(
                f"{self!r}: where grades are whole numbers gmax goes to {HIGHEST_POWER:,}; scale the grades"
            )
        highest = max((grade for grade, count in enumerate(pool.grade_counts) if count), default=0)
        if self.worth(highest) > self.gmax:
            raise self._beyond_gmax(self.worth(highest), self.gmax)
        return ceil(self.gmax) if self.relevance is None else self.relevance.level_from(self.gmax)
