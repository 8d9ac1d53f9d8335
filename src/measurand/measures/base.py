"""What a measure is: an immutable value with an exact definition from which everything follows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from attrs import evolve, field, fields, frozen

from measurand.arrays import FloatArray
from measurand.errors import Caveat, Doubt, ParameterError
from measurand.exact import Exact
from measurand.execution import Progress, silent
from measurand.judged import NOTHING, JudgedRuns, Pool, as_cells, differing_bases, no_relevant
from measurand.measures.exactly import exact_values
from measurand.measures.lone_run import LoneRun
from measurand.measures.parameters import made_again, spell_parameter, truth, whole
from measurand.measures.settling import settled
from measurand.measures.ties.tie_care import TieCare
from measurand.scale import Scale, ScaleLabel, ScaleOf
from measurand.scores import Aggregation, Scores

if TYPE_CHECKING:
    from measurand.measures.ties.values import TiedValues, ValuesOverTies

Cells = tuple[int, ...]

LOOKED_AT = 10
"""How many ranks runs have if nothing says otherwise."""

_DEFINITION = ("exact", "level", "total", "unit", "view", "relevant")


@frozen(kw_only=True, repr=False)
class Measure(LoneRun, TieCare, ABC):
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
    """

    name: ClassVar[str]
    reference: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    graded: ClassVar[bool] = False
    uses_recall_base: ClassVar[bool] = False
    rescaled: ClassVar[bool] = False
    bounds: ClassVar[tuple[int | None, int | None]] = (0, 1)
    lower_is_better: ClassVar[bool] = False
    scale_for: ClassVar[str] = ""
    scale_reference: ClassVar[str] = ""
    exactness: ClassVar[str] = "rational"
    aggregation: ClassVar[Aggregation] = Aggregation.MEAN
    per_rank: ClassVar[bool] = False
    at: ClassVar[str] = "cutoff"
    shown: ClassVar[tuple[str, ...]] = ()
    synonyms: ClassVar[Mapping[str, str]] = {}

    cutoff: int | None = field(default=None, validator=whole(1, optional=True))
    judged_only: bool = field(default=False, validator=truth)

    @abstractmethod
    def exact(self, run: Cells, pool: Pool) -> Exact:
        """Return the exact value of a run that is already condensed and cut (the definition)."""

    @abstractmethod
    def fast(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs, system by system and topic by topic, flat."""

    def is_defined_by(self, family: type) -> bool:
        """Say whether the measure leaves the definition of its family as it is, so that what follows from it holds."""
        return all(getattr(type(self), name, None) is getattr(family, name, None) for name in _DEFINITION)

    def level(self, run: Cells, pool: Pool) -> Exact:
        """Return the value of a run in units of `unit`, which may be a simpler number to compare."""
        return self.exact(run, pool)

    def unit(self, pool: Pool, length: int) -> Exact:
        """Return what `level` is divided by to give the value: one for all runs of a length on a topic."""
        return Fraction(1)

    @property
    def weighs_grades(self) -> bool:
        """Whether values depend on what each grade is worth, and not on the order of grades alone."""
        return self.graded

    def levels_of_relevance(self, grades: int) -> tuple[int, ...]:
        """Return the grades that the measure tells apart, of so many that there are, counting 0."""
        return tuple(range(grades)) if self.graded else (0, self.lowest)

    @property
    def family(self) -> str:
        """The family that the measure belongs to, in words."""
        return "of its own"

    @property
    def lowest(self) -> int:
        """The lowest grade that counts as relevant."""
        return getattr(self, "rel", None) or 1

    @property
    def declared_scale(self) -> Scale:
        """The scale that the values of one topic are taken to be on where it cannot be computed."""
        return Scale.ORDINAL

    @property
    def scale(self) -> Scale:
        """The scale of the values of one topic with two grades, on runs as long as the cutoff, or of ten ranks."""
        return self._label().scale

    def key(self, run: Sequence[int]) -> Exact:
        """Return the exact tie key: runs of one length tie exactly when their keys are equal.

        Where the recall base only rescales a measure, that holds on every topic. Where it decides ties (as
        for Rprec or Bpref), the key is the value for a recall base as large as the run is long.
        """
        cells = as_cells(run)
        unknown = "gmax" in self.parameters() and self._gmax is None
        if self.graded and unknown and max(cells, default=0) > 1:
            raise ParameterError(f"{self!r}: which graded runs tie depends on the highest grade; say it: gmax=…")
        return self.exact(self.view(cells), Pool.told(cells, None, None, self.lowest, self._gmax))

    def scores(self, judged: JudgedRuns, progress: Progress = silent) -> Scores:
        """Return the scores of all systems on all topics; what takes long may show how far it is.

        The floats are derived from the definition by the family's vectorised path. Where two that are on one
        scale are too close to call, the exact values are computed, and equal values get equal floats. Where
        the order of tied documents was left open, they are means or extremes over all their orders. A measure that
        is defined on weak orders takes runs as such unless they were judged otherwise.
        """
        judged = self.as_taken(judged)
        ties = None if judged.groups is None else self.tied_values(judged, progress)
        values = self.informed(judged).plain_values(judged) if ties is None else ties.values
        if judged.skip_missing:
            values = np.where(judged.present, values, np.nan)
        return Scores(
            measure=repr(self),
            values=values,
            systems=judged.systems,
            topics=judged.topics,
            scale=self._scale_of(judged),
            one_scale=not self.own_scales(judged),
            lower_is_better=self.lower_is_better,
            aggregation=self.aggregation,
            caveats=(*self._all_caveats(judged, values), *(ties.caveats() if ties else ())),
            exact=exact_values(self.informed(judged), judged, values) if ties is None else None,
        )

    def _scale_of(self, judged: JudgedRuns) -> ScaleOf:
        # one grade above 0 leaves nothing to weigh
        grade_scale = judged.grade_scale if judged.several_grades else Scale.RATIO
        return ScaleOf(self, judged.depth, judged.grade_counts.shape[1], grade_scale)

    def informed(self, judged: JudgedRuns) -> Self:
        """Return the measure with what it was not told and judged runs show, such as the size of the collection."""
        return self

    def in_collection(self, size: int) -> Self:
        """Return the measure told how many documents there are, if it wants to know and was not told."""
        return self.__call__(collection=size) if self.parameters().get("collection", 0) is None else self

    def tied_values(self, judged: JudgedRuns, progress: Progress = silent) -> TiedValues:
        """Return what the measure gives for runs in which the order of tied documents was left open."""
        return self.over_ties(judged, progress)

    def over_ties(
        self, judged: JudgedRuns, progress: Progress = silent, plain: FloatArray | None = None
    ) -> ValuesOverTies:
        """Return mean and extremes over all orders of tied documents, with how they were obtained."""
        from measurand.measures.ties.all_orders import over_ties  # loaded when ties are looked at

        return over_ties(self.informed(judged), judged, progress, plain=plain)

    def floats(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs as they stand, systems × topics, straight from the vectorised path."""
        values = self.fast(judged.condensed if self.judged_only else judged)
        return values.reshape(len(judged.systems), len(judged.topics))

    def plain_values(self, judged: JudgedRuns) -> FloatArray:
        """Return the values of all runs as they stand, systems × topics, equal where the exact ones are."""

        def exact(row: int) -> Exact:
            system, topic = divmod(row, len(judged.topics))
            return self.exact(self.view(tuple(judged.cells[system, topic].tolist())), judged.pools[topic])

        return settled(self.floats(judged), exact)

    def own_scales(self, judged: JudgedRuns) -> str:
        """Return why every topic has a scale of its own, or nothing if all topics share one."""
        if not self.uses_recall_base or self.aggregation is Aggregation.SUM:
            return ""
        return differing_bases(judged, self.lowest, graded=self.graded)

    def own_scales_by(self, judged: JudgedRuns) -> Doubt | None:
        """Return what else is in doubt where that alone gives every topic a scale of its own."""
        return None

    def top_grade(self, pool: Pool) -> int:
        """Return the highest grade there is, as far as the measure is concerned."""
        return pool.top_grade

    def view(self, run: Cells) -> Cells:
        """Return the part of a run that the measure looks at, as long as the run or the cutoff."""
        length = len(run)
        if self.judged_only:
            kept = tuple(cell for cell in run if cell >= 0)
            run = kept + (NOTHING,) * (length - len(kept))
        return run if self.cutoff is None else run[: self.cutoff]

    @property
    def scores_relevance(self) -> bool:
        """Whether values tell how good runs are, and not only what was judged or retrieved."""
        return self.aggregation is not Aggregation.SUM

    def _all_caveats(self, judged: JudgedRuns, values: FloatArray) -> tuple[Caveat, ...]:
        """Return the caveats of scores, with what the values are on topics without any relevant document."""
        caveats, barren = self._caveats(judged), judged.recall_bases(self.lowest) == 0
        there = values[:, barren][~np.isnan(values[:, barren])]
        if not self.scores_relevance or not there.size or (self.lowest == 1 and not there.any()):
            return caveats
        low, high = (f"{value:,.6g}" for value in (there.min(), there.max()))
        topics = [judged.topics[place] for place in np.flatnonzero(barren).tolist()]
        scored = f"{self!r} is {low if low == high else f'from {low} to {high}'}"
        own = no_relevant(topics, len(judged.topics), self.lowest, scored)
        general = [caveat for caveat in judged.caveats if caveat.doubt is Doubt.NO_RELEVANT and self.lowest == 1]
        return (*(caveat for caveat in caveats if caveat not in general), own)

    def _caveats(self, judged: JudgedRuns) -> tuple[Caveat, ...]:
        caveats = list(judged.caveats)
        why = self.own_scales(judged)
        if why:
            text = f"{self!r} has a scale of its own on every topic, because {why}"
            caveats.append(Caveat(Doubt.SCALE, text, self.own_scales_by(judged)))
        if self.scale_for:
            text = f"the scale of {self!r} is {self.scale}, for {self.scale_for}"
            caveats.append(Caveat(Doubt.ASSUMPTION, text, Doubt.SCALE))
        if self.cutoff is None and self.per_rank:
            text = f"{self!r} has no cutoff and divides by the depth of the judged runs, {judged.depth}"
            caveats.append(Caveat(Doubt.NO_CUTOFF, text))
        return tuple(caveats)

    def __call__(self, **parameters: Any) -> Self:
        """Return a copy with these parameters changed."""
        changes: dict[str, Any] = {}
        for name, value in parameters.items():
            name = self.synonyms.get(name, name)
            if name not in self.parameters():
                known = ", ".join(self.parameters())
                raise ParameterError(f"{self.name} has no parameter {name!r}; it has {known}")
            changes[name] = int(value) if isinstance(value, np.integer) else value
        changed: Self = evolve(self, **changes)
        return changed

    def __matmul__(self, value: object) -> Self:
        """Return a copy with the cutoff (or whatever `@` means for the measure) changed."""
        return self.__call__(**{self.at: value})

    def __reduce__(self) -> tuple[Any, ...]:
        # a measure is its parameters, whichever classes of its line keep them
        return made_again, (type(self), self.parameters())

    def parameters(self) -> dict[str, Any]:
        """Return the parameters and their values."""
        return {attribute.name: getattr(self, attribute.name) for attribute in fields(type(self))}

    def __repr__(self) -> str:
        given = {}
        for attribute in fields(type(self)):
            value = getattr(self, attribute.name)
            if attribute.name in self.shown or value != attribute.default:
                given[attribute.name] = spell_parameter(value)
        at = given.pop(self.at, None)
        inside = ", ".join(f"{name}={value}" for name, value in given.items())
        return f"{self.name}{f'({inside})' if inside else ''}{'' if at is None else f'@{at}'}"

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
        ranks = self.cutoff or LOOKED_AT
        return f"{self._label()}, on {ranks} {'rank' if ranks == 1 else 'ranks'} of two grades"

    def _label(self) -> ScaleLabel:
        return ScaleOf(self, self.cutoff or LOOKED_AT).label
