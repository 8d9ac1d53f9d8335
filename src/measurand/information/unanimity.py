"""Unanimity: the pointwise mutual information of the preferences of a measure and of those that all measures share.

A pair of systems on a topic is unanimous if no measure prefers the other way round. The pointwise mutual
information of "this measure prefers" and "the pair is unanimous" was proposed as the quality of a measure.
With the measure among those that agree it depends on one thing alone: how rarely the measure ties on such pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import log, log1p
from numbers import Real
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.arrays import BoolArray, IntArray
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import counted, percent
from measurand.errors import Caveat, CaveatKind, InputError, ParameterError
from measurand.execution import Progress, silent
from measurand.scores import Scores, Table
from measurand.scores.ranks import MISSING, places

BLOCK = 1 << 20
"""So many pairs of systems are checked together, of several topics or of a part of one."""

NEVER_AGREED = Caveat(
    CaveatKind.DEGENERATE, "there is no pair of systems on which all measures agree, so unanimity is not defined"
)
"""Why there is no unanimity."""


def scores_by_measure(given: Sequence[Any]) -> dict[str, Any]:
    """Return for each measure how good it finds each system on each topic, from scores as they come.

    Parameters
    ----------
    given
        What `unanimity` accepts.

    Examples
    --------
    >>> {name: good.tolist() for name, good in scores_by_measure([[1, 2], [3, 4]]).items()}
    {'m1': [[1], [2]], 'm2': [[3], [4]]}
    """
    several = list(_named(given))
    if not several:
        raise ParameterError("there are no scores; give those of at least one measure")
    goods = {name: _good(name, values) for name, values in several}
    if len(goods) < len(several):
        names = [name for name, _ in several]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(f"two measures are called {twice}; names must differ")
    _refuse_others({name: values for name, values in several if isinstance(values, Scores)})
    shapes = {values.shape for values in goods.values()}
    if len(shapes) > 1:
        some = " and ".join(f"{s} systems × {t} topics" for s, t in sorted(shapes)[:2])
        raise ParameterError(f"all measures must score the same systems and topics; there are {some}")
    return goods


def _named(given: Sequence[Any]) -> Iterable[tuple[str, Any]]:
    if len(given) == 1:
        [all_scores] = given
        if isinstance(all_scores, Table):
            return all_scores.by_measure.items()
        if isinstance(all_scores, Mapping):
            return [(str(name), values) for name, values in all_scores.items()]
        if isinstance(all_scores, Sequence) and any(isinstance(each, Scores) for each in all_scores):
            given = all_scores
        elif not isinstance(all_scores, Scores):
            array = _array("the scores", all_scores)
            # one measure alone is not worth asking for, so the columns of one array are measures
            given = list(array.T) if array.ndim == 2 else given
    return [(each.measure if isinstance(each, Scores) else f"m{n}", each) for n, each in enumerate(given, 1)]


def _refuse_others(scores: Mapping[str, Scores]) -> None:
    """Raise for measures that are about other systems or topics."""
    for name, one in scores.items():
        first, other = next(iter(scores.items()))
        for what in ("systems", "topics"):
            if getattr(one, what) != getattr(other, what):
                raise ParameterError(f"{name} and {first} must score the same {what}, in the same order")


def _good(name: str, values: Any) -> Any:
    if isinstance(values, Scores):
        return values.goodness
    array = _array(name, values)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or not array.size:
        raise ParameterError(f"{name}: give an array of systems × topics, or a number for each system")
    return array


def _array(name: str, values: Any) -> Any:
    try:
        # fractions and very large whole numbers are kept as they are: as floats they would lose their order
        array = np.asarray(values if isinstance(values, np.ndarray) else _listed(values))
    except ValueError:
        raise ParameterError(f"{name}: every system needs a number for each topic, all rows equally long") from None
    strange = (
        [] if array.dtype.kind in "biuf" else [each for each in array.ravel().tolist() if not isinstance(each, Real)]
    )
    if strange:
        raise ParameterError(f"{name}: {strange[0]!r} is no number; give an array of systems × topics")
    return array


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, Iterable) and not hasattr(values, "__array__") else values


@frozen(kw_only=True, repr=False)
class MeasureUnanimity(Result):
    r"""The unanimity of one measure: its preferences on the pairs on which all measures agree.

    .. math:: \mathrm{MU} = \log_2 \frac{P(\Delta m, \Delta M)}{P(\Delta m) P(\Delta M)} = \log_2 (2 - t)

    where `t` is the share of unanimous pairs on which the measure ties. Ties count half in all three probabilities. The
    paper's footnote 6 can also be read so that they do in P(Δm) alone; then it is 1 + log2(1 - t), in the same order.

    Parameters
    ----------
    measure
        The name of the measure.
    pairs, unanimous
        The number of ordered pairs of systems of a topic, and of those on which all measures agree that the first
        system is at least as good.
    tied
        The number of unanimous pairs on which the measure ties.

    Examples
    --------
    >>> row = MeasureUnanimity(measure="P@10", pairs=12, unanimous=4, tied=1)
    >>> row.tie_rate, row.joint, row.all_agree, row.value
    (Fraction(1, 4), Fraction(7, 24), Fraction(1, 3), 0.8073549220576041)
    """

    measure: str
    pairs: int
    unanimous: int
    tied: int

    @property
    def tie_rate(self) -> Fraction | None:
        """The share of unanimous pairs on which the measure ties; None if no pair is unanimous."""
        return Fraction(self.tied, self.unanimous) if self.unanimous else None

    @property
    def prefers(self) -> Fraction:
        """The probability that the measure prefers the first of two systems, half for a tie: always one half.

        Every pair comes in both orders, so the preferences of one order are the defeats of the other.
        """
        return Fraction(1, 2)

    @property
    def all_agree(self) -> Fraction:
        """The probability that a pair is unanimous."""
        return Fraction(self.unanimous, self.pairs)

    @property
    def joint(self) -> Fraction:
        """The probability that a pair is unanimous and the measure prefers its first system, half for a tie."""
        return Fraction(2 * self.unanimous - self.tied, 2 * self.pairs)

    @property
    def value(self) -> float | None:
        """The unanimity in bits, from 0 (ties on every unanimous pair) to 1 (on none); None if none is unanimous."""
        rate = self.tie_rate
        return None if rate is None else log1p(float(1 - rate)) / log(2)

    def with_self_pairs(self, rankings: int) -> MeasureUnanimity:
        """Return the same where each of so many rankings is also compared with itself: every measure ties there.

        Parameters
        ----------
        rankings
            The number of rankings that are also compared with themselves.

        Examples
        --------
        >>> row = MeasureUnanimity(measure="P@10", pairs=12, unanimous=4, tied=1)
        >>> row.with_self_pairs(4).tie_rate
        Fraction(5, 8)
        """
        more = {name: getattr(self, name) + rankings for name in ("pairs", "unanimous", "tied")}
        return evolve(self, **more)


@frozen(kw_only=True, repr=False)
class Unanimity(Result):
    """The unanimity of several measures; iterates over its rows, in the order of the measures.

    Parameters
    ----------
    rows
        A row for every measure.
    systems, topics
        The number of systems and of topics.
    pairs, unanimous
        The number of ordered pairs of systems, all topics together, and of those that are unanimous.
    left_out
        The number of rankings without a score under some measure; no pair has one of them.
    self_pairs
        Whether each system was also compared with itself.
    caveats
        Why the result may not be what it seems.
    """

    rows: tuple[MeasureUnanimity, ...]
    systems: int
    topics: int
    pairs: int
    unanimous: int
    left_out: int = 0
    self_pairs: bool = False
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        return f"<Unanimity of {len(self.rows)} measures on {self.unanimous} of {self.pairs} pairs>"

    def document(self) -> Document:
        """Return the unanimity of each measure, and how often it ties where all agree; the highest first."""
        columns = [
            Column("measure", lambda row: row.measure, left=True),
            valued("unanimity", lambda row: row.value),
            valued("tie rate", lambda row: None if row.tie_rate is None else float(row.tie_rate), percent),
            valued("tied", lambda row: row.tied),
        ]
        agreed = f"all agree on {self.unanimous:,} of {self.pairs:,} {self.compared}"
        title = f"Unanimity of {counted(len(self.rows), 'measure')}: {agreed}"
        return Document([TableView(columns, self.best_first, title=title)], self.caveats)

    def __iter__(self) -> Iterator[MeasureUnanimity]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, measure: object) -> MeasureUnanimity:
        found = [row for row in self.rows if row.measure == str(measure)]
        if not found:
            raise ParameterError(f"there is no measure {measure}; there is {', '.join(r.measure for r in self.rows)}")
        return found[0]

    @property
    def best_first(self) -> tuple[MeasureUnanimity, ...]:
        """The rows, those that tie least on unanimous pairs first."""
        return tuple(sorted(self.rows, key=lambda row: row.tied))

    @property
    def rankings(self) -> int:
        """How many rankings were compared: those of all systems on all topics that have every score."""
        return self.systems * self.topics - self.left_out

    @property
    def compared(self) -> str:
        """What the pairs are, in words."""
        return f"ordered pairs of systems{', each also with itself' if self.self_pairs else ''}"

    def with_self_pairs(self) -> Unanimity:
        """Return the same where each system is also compared with itself, as the paper's formula has it.

        Examples
        --------
        >>> found = unanimity([[3, 1], [2, 1], [1, 0], [1, 2]])
        >>> found, found.with_self_pairs()
        (<Unanimity of 2 measures on 4 of 12 pairs>, <Unanimity of 2 measures on 8 of 16 pairs>)
        """
        if self.self_pairs:
            return self
        own = self.rankings
        return evolve(
            self,
            rows=tuple(row.with_self_pairs(own) for row in self.rows),
            pairs=self.pairs + own,
            unanimous=self.unanimous + own,
            self_pairs=True,
            caveats=tuple(caveat for caveat in self.caveats if caveat != NEVER_AGREED),
        )


def unanimity(*scores: Any, self_pairs: bool = False, progress: Progress = silent) -> Unanimity:
    r"""Return the unanimity of measures, from the scores that they give to the same systems on the same topics.

    .. math:: \mathrm{MU}(m) = \log_2 \frac{P(\Delta m, \Delta M)}{P(\Delta m) P(\Delta M)}

    Pairs are ordered, of two systems on one topic, and those of all topics are counted together. :math:`\Delta M` is
    that all measures find the first system at least as good; :math:`\Delta m` that measure `m` prefers it, where a tie
    counts one half.

    Parameters
    ----------
    scores
        Several `Scores`, or a `Table`; or an array for each measure, systems × topics, or a list with a number for each
        system if there is one topic; or all of these by name. One array alone is systems × measures, of one topic. Of
        arrays, higher numbers are better; fractions are compared exactly. NaN is no score, and pairs with it are left
        out.
    self_pairs
        Whether to compare each system with itself as well, as the paper's formula over all of :math:`R^2` does. Every
        measure ties there, so that unanimity is lower.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> found = unanimity([[3, 1], [2, 1], [1, 0], [1, 2]])
    >>> [(row.measure, row.tie_rate, round(row.value, 4)) for row in found]
    [('m1', Fraction(1, 4), 0.8074), ('m2', Fraction(1, 4), 0.8074)]
    >>> round(unanimity([[3, 1], [2, 1], [1, 0], [1, 2]], self_pairs=True)["m1"].value, 4)
    0.4594
    >>> unanimity({"P@1": [1, 1, 0], "RR": [1, 1, 0.5]})["RR"].tie_rate
    Fraction(1, 2)

    References
    ----------
    [AmigoSpinaCarrillo2018]_; [Amigo2018]_, section 4.3 and footnote 6
    """
    goods = scores_by_measure(scores)
    shape = next(iter(goods.values())).shape
    if shape[0] < 2:
        raise ParameterError("one system alone has nobody to be compared with; give two or more")
    levels = np.stack([places(values.T) for values in goods.values()])
    complete = np.asarray((levels != MISSING).all(axis=0))
    scored = complete.sum(axis=1)
    pairs = int((scored * (scored - 1)).sum())
    if not pairs:
        raise InputError("no topic has two systems with a score under every measure; there is nothing to compare")
    unanimous, tied = _counted(levels, complete, progress)
    found = Unanimity(
        rows=tuple(
            MeasureUnanimity(measure=name, pairs=pairs, unanimous=unanimous, tied=ties)
            for name, ties in zip(goods, tied.tolist(), strict=True)
        ),
        systems=shape[0],
        topics=shape[1],
        pairs=pairs,
        unanimous=unanimous,
        left_out=int((~complete).sum()),
        caveats=tuple(_caveats(len(goods), unanimous, int((~complete).sum()), complete.size)),
    )
    return found.with_self_pairs() if self_pairs else found


def _caveats(measures: int, unanimous: int, left_out: int, rankings: int) -> Iterator[Caveat]:
    if left_out:
        text = f"{left_out} of {rankings} rankings have no score under some measure; pairs with them are left out"
        yield Caveat(CaveatKind.MISSING_TOPICS, text)
    if not unanimous:
        yield NEVER_AGREED
    elif measures == 1:
        text = "one measure agrees with itself on every pair; give several to learn how rarely it ties where all agree"
        yield Caveat(CaveatKind.DEGENERATE, text)


def _counted(levels: IntArray, complete: BoolArray, progress: Progress) -> tuple[int, IntArray]:
    """Return how many ordered pairs of systems are unanimous, and on how many of them each measure ties.

    Parameters
    ----------
    levels
        Measures × topics × systems.
    complete
        Which systems have a score under all measures on a topic.
    """
    topics, systems = complete.shape
    # small numbers are compared many at a time
    small = np.maximum(levels, 0).astype(np.min_scalar_type(systems))
    unanimous, tied = 0, np.zeros(len(levels), dtype=np.int64)
    step = max(1, BLOCK // systems**2)
    for start in progress(range(0, topics, step), -(-topics // step), "comparing systems"):
        some = slice(start, start + step)
        agreed, equal = _counted_together(small[:, some], complete[some])
        unanimous, tied = unanimous + agreed, tied + equal
    return unanimous, tied


def _counted_together(levels: IntArray, complete: BoolArray) -> tuple[int, IntArray]:
    topics, systems = complete.shape
    unanimous, tied = 0, np.zeros(len(levels), dtype=np.int64)
    step = max(1, BLOCK // (topics * systems))
    for start in range(0, systems, step):
        rows = np.arange(start, min(systems, start + step))
        agreed = complete[:, rows, None] & complete[:, None, :]
        # nobody is compared with himself
        agreed[:, rows - start, rows] = False
        for level in levels:
            agreed &= level[:, rows, None] >= level[:, None, :]
        unanimous += int(np.count_nonzero(agreed))
        for place, level in enumerate(levels):
            tied[place] += np.count_nonzero(agreed & (level[:, rows, None] == level[:, None, :]))
    return unanimous, tied
