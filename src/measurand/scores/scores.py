"""Scores: the values of one measure, by system and topic, with the scale they are on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.arrays import BoolArray, FloatArray
from measurand.calls import truth
from measurand.columns import PlainTable
from measurand.display.data import plain
from measurand.display.result import Result
from measurand.display.tables import Column, Document, valued
from measurand.display.wording import counted
from measurand.errors import Caveat, CaveatKind, NotAvailable, NotMeaningful, ParameterError
from measurand.loading import needed
from measurand.scale import Scale, ScaleLabel, ScaleOf, as_label
from measurand.scores.gate import Need, gate
from measurand.scores.summary import OneNumber, Summary, frozen_values, place_of, summaries_document, turned, written

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from measurand.display.charts import Figure
    from measurand.exact import Exact, Units
    from measurand.scores.standardised import ReferenceLike

Exactly = Callable[[], Sequence["Exact"]]
"""Returns the exact values, system by system and topic by topic."""


@frozen(eq=False, repr=False)
class ExactValues:
    """The exact values of some scores.

    Parameters
    ----------
    floats
        The scores, systems × topics, that the values belong to; NaN where there is none.
    exactly
        What computes the values.

    Examples
    --------
    >>> from fractions import Fraction
    >>> known = ExactValues(np.array([[0.5, 0.75]]), lambda: [Fraction(1, 2), Fraction(3, 4)])
    >>> known.units_of(np.array([[-0.5, -0.75]])).sizes.tolist(), known.units_of(np.array([[0.5, 0.25]]))
    ([[-2, -3]], None)
    """

    floats: FloatArray
    exactly: Exactly
    _known: list[Units | None] = field(factory=list, init=False)

    def units_of(self, floats: FloatArray) -> Units | None:
        """Return the values of scores as whole numbers; None for other scores, or where the values have no such form.

        Scores that are turned round, because lower is better, have the values turned round.

        Parameters
        ----------
        floats
            The scores, systems × topics.
        """
        turned = not np.array_equal(floats, self.floats, equal_nan=True)
        if turned and not np.array_equal(floats, 0.0 - self.floats, equal_nan=True):
            return None
        if not self._known:
            self._known.append(self._units())
        found = self._known[0]
        return evolve(found, sizes=-found.sizes, keys=-found.keys) if found is not None and turned else found

    def _units(self) -> Units | None:
        from measurand.exact import units

        try:
            found = units(self.exactly())
        except NotAvailable:
            return None
        size = self.floats.shape
        return None if found is None else evolve(found, sizes=found.sizes.reshape(size), keys=found.keys.reshape(size))

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        # a measure may be a function that does not travel to another process; the floats do
        return _nothing, ()


def _nothing() -> None:
    return None


FEW = 6
"""So many topics have columns of their own."""

GEOMETRIC_FLOOR = 1e-5
"""What a geometric mean takes for smaller scores, as trec_eval does."""


MEAN = Need("mean", Scale.INTERVAL)
MEDIAN = Need("median", Scale.ORDINAL)
MEAN_RANK = Need("mean rank", Scale.ORDINAL, across=False)
GEOMETRIC_MEAN = Need("geometric mean", Scale.RATIO)
SUM = Need("sum", Scale.INTERVAL)


class Aggregation(StrEnum):
    """How the scores of the topics become one number."""

    MEAN = "mean"
    GEOMETRIC = "geometric mean"
    SUM = "sum"


def _names(names: Iterable[object]) -> tuple[str, ...]:
    if not isinstance(names, Iterable):
        raise ParameterError(f"systems and topics are lists of names, not {names!r}")
    return tuple(map(str, names))


@frozen(kw_only=True, eq=False, repr=False)
class Scores(OneNumber, Result):
    """Systems × topics of values, immutable, with the scale they are on.

    Two judged runs of one topic whose exact values are equal have equal scores. A topic that a system
    left out is NaN only if the runs were judged with `missing_topics="skip"`.

    Parameters
    ----------
    measure
        The spelling of the measure.
    values
        The values, a row for each system.
    systems, topics
        Their names.
    scale
        The scale that the values of one topic are on, or what it is computed from at first use.
    one_scale
        Whether all topics share it. A measure that depends on the recall base has one of its own on every topic.
    lower_is_better
        Whether the values count what nobody wants, such as documents inspected in vain.
    aggregation
        How the scores of the topics usually become one number.
    caveats
        What limits the meaning of the scores.
    history
        What was done to the values of the measure.
    exact
        The exact values, where they are known; `units_of` these scores has them as numbers that can be compared.

    Examples
    --------
    >>> scores = Scores(measure="P@10", values=[[0.5, 0.3]], systems=("a",), topics=("1", "2"))
    >>> scores.mean()["a"], str(scores.scale)
    (0.4, 'ordinal')
    >>> scores["a"], f"{scores:.2f}"
    ({'1': 0.5, '2': 0.3}, '0.40')
    """

    measure: str
    values: FloatArray = field(converter=frozen_values)
    systems: tuple[str, ...] = field(converter=_names)
    topics: tuple[str, ...] = field(converter=_names)
    _label: ScaleLabel | ScaleOf = field(default=ScaleLabel(Scale.ORDINAL), converter=as_label, alias="scale")
    one_scale: bool = True
    lower_is_better: bool = False
    aggregation: Aggregation = Aggregation.MEAN
    caveats: tuple[Caveat, ...] = ()
    history: tuple[str, ...] = ()
    exact: ExactValues | None = None

    def __attrs_post_init__(self) -> None:
        if self.values.shape != (len(self.systems), len(self.topics)):
            raise ParameterError(
                f"{self.values.shape} values do not fit {len(self.systems)} systems × {len(self.topics)} topics"
            )
        for what, names in (("systems", self.systems), ("topics", self.topics)):
            if len(set(names)) < len(names):
                twice = Counter(names).most_common(1)[0][0]
                raise ParameterError(f"two {what} are called {twice!r}; names must differ")

    def __repr__(self) -> str:
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        return f"<Scores {self.measure}: {size}, {self.scale} scale>"

    @property
    def scale(self) -> Scale:
        """The scale that the values of one topic are on."""
        return self.scale_label.scale

    @property
    def scale_label(self) -> ScaleLabel:
        """The scale that the values of one topic are on, with how that is known.

        Examples
        --------
        >>> from measurand.judged import JudgedRuns
        >>> from measurand.measures import DCG
        >>> print(DCG(b=10, cutoff=10).scores(JudgedRuns.on_one_topic([(1, 0, 1)], (5, 3))).scale_label.reason)
        its values are all multiples of one step, up to the highest
        """
        return self._label.label

    @property
    def goodness(self) -> FloatArray:
        """The values, turned round where lower is better: the higher, the better.

        Examples
        --------
        >>> Scores(measure="ESL", values=[[3.0]], systems="a", topics="1", lower_is_better=True).goodness.tolist()
        [[-3.0]]
        """
        return turned(self.values, self.lower_is_better)

    def by_goodness(self) -> Scores:
        """Return the same scores with their goodness for values, so that higher is better.

        Examples
        --------
        >>> scores = Scores(measure="ESL", values=[[3.0]], systems="a", topics="1", lower_is_better=True)
        >>> scores.by_goodness().values.tolist(), scores.by_goodness().lower_is_better
        ([[-3.0]], False)
        """
        return evolve(self, values=self.goodness, lower_is_better=False) if self.lower_is_better else self

    def with_scale(self, scale: Scale | str, reason: str = "") -> Scores:
        """Return the same scores on the scale that you say they are on.

        Nothing else changes: not the values, nor whether all topics share the scale.

        Parameters
        ----------
        scale
            "nominal", "ordinal", "interval" or "ratio".
        reason
            Why, in a sentence.

        Examples
        --------
        >>> scores = Scores(measure="P@10", values=[[0.5, 0.3]], systems="a", topics="12")
        >>> str(scores.scale), str(scores.with_scale("ratio").scale), str(scores.with_scale("ratio").scale_label.basis)
        ('ordinal', 'ratio', 'given')
        """
        # on what conditions the measure is on its own scale does not matter any more
        caveats = tuple(caveat for caveat in self.caveats if caveat.cause is not CaveatKind.SCALE)
        return evolve(self, scale=ScaleLabel(scale, reason=reason), caveats=caveats)

    @property
    def on_scale(self) -> str:
        """What scale the values are on, whether all topics share it, and what is better, in words.

        Examples
        --------
        >>> Scores(measure="AP", values=[[0.5]], systems="a", topics="1", one_scale=False).on_scale
        'ordinal scale, one of its own on every topic'
        """
        own = "" if self.one_scale else ", one of its own on every topic"
        return f"{self.scale_label.words}{own}{', lower is better' if self.lower_is_better else ''}"

    def standardised(self, by: ReferenceLike | None = None) -> Scores:
        """Return z-scores: by how many standard deviations each score exceeds the mean of reference runs on its topic.

        Parameters
        ----------
        by
            Scores of the reference runs, or what `measurand.trec.read_reference` reads; by default these scores.

        Examples
        --------
        >>> Scores(measure="AP", values=[[0], [1]], systems="ab", topics="1").standardised().values.round(4).tolist()
        [[-0.7071], [0.7071]]
        """
        from measurand.scores.standardised import as_reference

        return as_reference(self if by is None else by).standardise(self)

    def of(self, system: str, topic: str) -> float:
        """Return one score.

        Parameters
        ----------
        system
            The name of the system.
        topic
            The name of the topic.
        """
        if topic not in self.topics:
            raise ParameterError(f"there is no topic {topic!r}; see .topics")
        return float(self.values[place_of(system, self.systems), self.topics.index(topic)])

    def __float__(self) -> float:
        return float(self.summary())

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __contains__(self, system: object) -> bool:
        return system in self.systems

    def __getitem__(self, system: str) -> dict[str, float]:
        return dict(zip(self.topics, self.values[place_of(system, self.systems)].tolist(), strict=True))

    def mean(self, *, strict: bool = False) -> Summary:
        """Return the mean over topics of each system, the geometric one of `gm(…)`; means need an interval scale.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.
        """
        if self.aggregation is Aggregation.GEOMETRIC:
            return self.geometric_mean(strict=strict)
        return self._summary(MEAN, np.nanmean, strict)

    def median(self, *, strict: bool = False) -> Summary:
        """Return the median over topics of each system; an ordinal scale is enough.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.
        """
        return self._summary(MEDIAN, np.nanmedian, strict)

    def mean_rank(self, *, strict: bool = False) -> Summary:
        """Return the mean over topics of a system's rank among all, 1 the best; it needs no scale that topics share.

        Systems that tie share their mean rank.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.

        Examples
        --------
        >>> scores = Scores(measure="AP", values=[[0.9, 0.1], [0.5, 0.1], [0.2, 0.3]], systems="abc", topics="12")
        >>> scores.mean_rank().to_dict()
        {'a': 1.75, 'b': 2.25, 'c': 2.0}
        """
        return evolve(self.by_goodness()._summary(MEAN_RANK, _mean_rank, strict), lower_is_better=True)

    def geometric_mean(self, *, strict: bool = False) -> Summary:
        """Return the geometric mean over topics; it needs a ratio scale, and scores of 0.00001 or more.

        Lower scores are taken as 0.00001, as trec_eval does.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.

        Examples
        --------
        >>> scores = Scores(measure="T", values=[[0, 4], [1, 9]], systems="ab", topics="12", scale="ratio")
        >>> print(scores.geometric_mean().caveats[0].text.partition(";")[0])
        1 of 4 scores of T is below 0.00001 (of a) and counts as 0.00001 in the geometric mean
        """
        found = self._summary(GEOMETRIC_MEAN, _geometric_mean, strict)
        lifted = tuple(self._lifted())
        if strict and lifted:
            raise NotMeaningful(f"{lifted[0]}; compare medians, or drop strict")
        return evolve(found, caveats=(*found.caveats, *lifted))

    def _lifted(self) -> Iterator[Caveat]:
        """Return the caveat how many scores the floor of the geometric mean lifts, if any: these depend on the unit."""
        low = self.values < GEOMETRIC_FLOOR
        if low.any():
            share = f"{int(low.sum()):,} of {counted(int((~np.isnan(self.values)).sum()), 'score')} of {self.measure}"
            verbs = ("is", "counts") if low.sum() == 1 else ("are", "count")
            text = (
                f"{share} {verbs[0]} below {GEOMETRIC_FLOOR:.5f}{self._most_of(low)} and {verbs[1]} as"
                f" {GEOMETRIC_FLOOR:.5f} in the {GEOMETRIC_MEAN.statistic}; with another floor or unit the order of"
                " systems may change"
            )
            yield Caveat(CaveatKind.SCALE, text, CaveatKind.FLOOR)

    def _most_of(self, some: BoolArray) -> str:
        """Return which system has more of some scores than any other, with how many, if there is one."""
        number = some.sum(axis=1)
        most = int(number.argmax())
        if (number == number[most]).sum() > 1 or len(number) == 1:
            return ""
        part = "" if some.sum() == 1 else "all " if number[most] == some.sum() else f"{number[most]:,} of them "
        return f" ({part}of {self.systems[most]})"

    def sum(self, *, strict: bool = False) -> Summary:
        """Return the sum over topics of each system; it needs an interval scale, as the mean does.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.
        """
        return self._summary(SUM, np.nansum, strict)

    def summary(self, *, strict: bool = False) -> Summary:
        """Return the number per system that the measure is usually reported by.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.
        """
        summaries: dict[Aggregation, Callable[..., Summary]] = {
            Aggregation.MEAN: self.mean,
            Aggregation.GEOMETRIC: self.geometric_mean,
            Aggregation.SUM: self.sum,
        }
        return summaries[self.aggregation](strict=strict)

    def admitted(self, *, strict: bool = False) -> Summary:
        """Return the average of each system that the scale admits: the mean, the median or else the mean rank.

        Parameters
        ----------
        strict
            Whether to raise `NotMeaningful` where the scale does not admit it, instead of adding a caveat.

        Examples
        --------
        >>> scores = Scores(measure="AP", values=[[0.5, 0.25]], systems="a", topics="12", one_scale=False)
        >>> scores.admitted().statistic
        'mean rank'
        """
        if MEAN.met_by(self):
            return self.mean(strict=strict)
        return self.median(strict=strict) if self.one_scale else self.mean_rank(strict=strict)

    def plot(self) -> Figure:
        """Return a drawing: a row of dots for every system, best first, with the number that the scale admits.

        Examples
        --------
        >>> Scores(measure="RR", values=[[1.0, 0.5]], systems="a", topics="12").plot()
        Figure('Scores of 1 system on 2 topics under RR, best median first. First is a with 0.7500.')
        """
        from measurand.display.charts import Figure  # loaded when something is drawn
        from measurand.scores.plot import scores_chart

        lower = self.lower_is_better
        return Figure(scores_chart(self.measure, self.topics, self.values, self.admitted(), lower_is_better=lower))

    def document(self) -> Document:
        """Return what the scores show: systems, best first, and their scores on topics, if these are few.

        Examples
        --------
        >>> Scores(measure="RR", values=[[1.0, 0.5]], systems="a", topics="12").document().tables[0].headings
        ['system', 'mean', 'median', 'topic 1', 'topic 2']
        """
        usual, fitting = self.summary(), self.admitted()
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        title = f"{self.measure}: {size}, {self.on_scale}"
        both = [usual] if fitting.statistic == usual.statistic else [usual, fitting]
        return summaries_document(title, both, list(self._topic_columns()))

    def _topic_columns(self) -> Iterator[Column]:
        """Return a column for every topic, or for the lowest and the highest score where topics are many."""
        if len(self.topics) <= FEW:
            for t, topic in enumerate(self.topics):
                yield valued(f"topic {topic}", partial(self._on_topic, t), written)
            return
        for heading, extreme in (("lowest", np.nanmin), ("highest", np.nanmax)):
            yield valued(heading, partial(self._extreme, extreme), written)

    def _on_topic(self, topic: int, system: int) -> float:
        return float(self.values[system, topic])

    def _extreme(self, extreme: Callable[[FloatArray], float], system: int) -> float:
        silent = np.isnan(self.values[system]).all()
        return np.nan if silent else float(extreme(self.values[system]))

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as nested dictionaries and lists: systems, topics, values, scale and caveats.

        Examples
        --------
        >>> Scores(measure="RR", values=[[1.0, 0.5]], systems="a", topics="12").to_dict()["scores"]
        {'a': {'1': 1.0, '2': 0.5}}
        """
        rows = zip(self.systems, self.values.tolist(), strict=True)
        return {
            "measure": self.measure,
            **self.scale_label.to_dict(),
            "lower_is_better": self.lower_is_better,
            "scores": {system: plain(dict(zip(self.topics, row, strict=True))) for system, row in rows},
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _summary(self, need: Need, statistic: Callable[..., FloatArray], strict: bool) -> Summary:
        if truth("strict", strict):
            gate(need, self, strict=True)
        # numpy complains of averages of nothing
        there = np.asarray(~np.isnan(self.values).all(axis=1))
        values = np.full(len(self.systems), 0.0 if need is SUM else np.nan)
        values[there] = statistic(self.values[there], axis=1)
        caveats = partial(self._limits, need, there)
        return Summary(self.systems, values, need.statistic, caveats, self.lower_is_better)

    def _limits(self, need: Need, there: BoolArray) -> tuple[Caveat, ...]:
        """Return what limits the meaning of a statistic, and which systems have no score at all."""
        return (*gate(need, self), *self._silent(there))

    def _silent(self, there: BoolArray) -> Iterator[Caveat]:
        """Return the caveat which systems have no score at all, if any."""
        missing = [system for system, heard in zip(self.systems, there, strict=True) if not heard]
        if missing:
            named = ", ".join(missing[:10]) + (", …" if len(missing) > 10 else "")
            yield Caveat(CaveatKind.MISSING_TOPICS, f"no score on any topic: {named}")

    def to_polars(self) -> pl.DataFrame:
        """Return a long frame: system, topic, measure, score (needs polars)."""
        return PlainTable(self._columns()).to_polars()

    def to_pandas(self) -> pd.DataFrame:
        """Return a long frame: system, topic, measure, score (needs pandas); `per_topic()` is a wide one.

        What a reader should know stands in its `attrs["caveats"]`.
        """
        return self._noted(needed("pandas", "frames", "to_pandas").DataFrame(self._columns()))

    def per_topic(self) -> pd.DataFrame:
        """Return a frame with a row for every topic and a column for every system (needs pandas).

        What a reader should know stands in its `attrs["caveats"]`.

        Examples
        --------
        >>> scores = Scores(measure="P@2", values=[[0.5, 0.0], [1.0, 0.5]], systems="ab", topics="12")
        >>> frame = scores.per_topic()
        >>> frame.loc["1"].to_dict(), float(frame["b"].mean())
        ({'a': 0.5, 'b': 1.0}, 0.75)
        """
        pandas = needed("pandas", "frames", "per_topic")
        topics, systems = (pandas.Index(getattr(self, f"{name}s"), name=name) for name in ("topic", "system"))
        return self._noted(pandas.DataFrame(self.values.T, index=topics, columns=systems))

    def _noted(self, frame: pd.DataFrame) -> pd.DataFrame:
        frame.attrs["caveats"] = [str(caveat) for caveat in self.caveats]
        return frame

    def to_xarray(self) -> Any:
        """Return a labelled array with dimensions system and topic (needs xarray)."""
        return needed("xarray", "frames", "to_xarray").DataArray(
            self.values,
            coords={"system": list(self.systems), "topic": list(self.topics)},
            dims=("system", "topic"),
            name=self.measure,
            attrs={"scale": str(self.scale), "caveats": [str(caveat) for caveat in self.caveats]},
        )

    def _columns(self) -> dict[str, Any]:
        s, t = self.values.shape
        return {
            "system": [system for system in self.systems for _ in range(t)],
            "topic": list(self.topics) * s,
            "measure": [self.measure] * (s * t),
            "score": self.values.reshape(-1),
        }


def _mean_rank(values: FloatArray, axis: int) -> FloatArray:
    from measurand.scores.ranks import mid_ranks

    # the highest score has the first rank, and no score has none
    ranks = mid_ranks(-values.T).ranks.T
    return np.asarray(ranks.sum(axis=axis) / (ranks > 0).sum(axis=axis))


def _geometric_mean(values: FloatArray, axis: int) -> FloatArray:
    return np.asarray(np.exp(np.nanmean(np.log(np.maximum(values, GEOMETRIC_FLOOR)), axis=axis)))


SHARE = 1e-12
"""What rounding may do to an average, as a share of the largest score."""


def rounding(scores: Scores) -> float:
    """Return the difference up to which two averages of these scores may be the same number.

    Parameters
    ----------
    scores
        The scores.

    Examples
    --------
    >>> values = [[0.5, -2.0], [0.25, 1.0]]
    >>> rounding(Scores(measure="AP", values=values, systems=["a", "b"], topics=["1", "2"]))
    2e-12
    """
    return SHARE * float(np.nan_to_num(np.abs(scores.values)).max())
