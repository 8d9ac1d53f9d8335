"""Tables: the scores of several measures on the same systems and topics."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, Sequence, ValuesView
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import evolve, field, frozen

from measurand.display.result import Result
from measurand.display.tables import Column, Document, Paragraph, TableView, Words
from measurand.display.wording import counted, listed
from measurand.errors import CallError, Caveat, ParameterError, about_data
from measurand.loading import needed
from measurand.scores.scores import Aggregation, Scores
from measurand.scores.summary import OneNumber, Summary, written

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl

    from measurand.scores.standardised import ReferenceLike

FEW = 4
"""So many measures are named in the `repr` of a table."""

LOWER = "↓"
"""What marks a measure of which lower values are better."""


@frozen(kw_only=True, eq=False, repr=False)
class Table(OneNumber, Result):
    """The scores of some measures, in the order in which they were asked for.

    It has the methods of a dictionary by measure, but iterating yields the scores of each, not the measures.

    Parameters
    ----------
    by_measure
        The scores by the measure's canonical spelling.
    aliases
        Other spellings that were used to ask for a measure.
    caveats
        What is suspicious about the data.
    canonical
        Turns any spelling of a measure into those that it may be known by.
    """

    _by_measure: dict[str, Scores]
    _aliases: dict[str, str] = field(factory=dict)
    caveats: tuple[Caveat, ...] = ()
    _canonical: Callable[[str], Sequence[str]] | None = None

    def __repr__(self) -> str:
        return f"<Table: {self._size} under {listed(self.measures, FEW)}>"

    @property
    def _size(self) -> str:
        return f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"

    def __iter__(self) -> Iterator[Scores]:
        return iter(self._by_measure.values())

    def __len__(self) -> int:
        return len(self._by_measure)

    def __contains__(self, measure: object) -> bool:
        try:
            return self.scores(measure) is not None
        except ParameterError:
            return False

    def __float__(self) -> float:
        if len(self) > 1:
            raise CallError(f"there are {len(self)} measures, not one number; take one: [{self.measures[0]!r}]")
        return float(next(iter(self)))

    def keys(self) -> KeysView[str]:
        """Return the measures, as a dictionary does."""
        return self.by_measure.keys()

    def values(self) -> ValuesView[Scores]:
        """Return the scores of each measure, as a dictionary does."""
        return self.by_measure.values()

    def items(self) -> ItemsView[str, Scores]:
        """Return the measures and the scores of each, as a dictionary does; those of one system round to its mean."""
        return self.by_measure.items()

    @property
    def by_measure(self) -> Mapping[str, Scores]:
        """The scores by the measures' canonical spellings."""
        return MappingProxyType(self._by_measure)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures' canonical spellings."""
        return tuple(self._by_measure)

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return next(iter(self)).systems

    @property
    def topics(self) -> tuple[str, ...]:
        """The names of the topics."""
        return next(iter(self)).topics

    def scores(self, measure: object) -> Scores:
        """Return the scores of `measure`, given as a measure or in any spelling of it.

        Parameters
        ----------
        measure
            The measure, or any spelling of it.
        """
        spelling = measure if isinstance(measure, str) else repr(measure)
        found = self._by_measure.get(self._aliases.get(spelling, spelling))
        if found is None and spelling in self.systems:
            first = self.measures[0]
            raise ParameterError(f"{spelling} is a system; a table has measures first: table[{first!r}][{spelling!r}]")
        if found is None and self._canonical is not None and isinstance(measure, str):
            known = (self._by_measure.get(spelling) for spelling in self._canonical(measure))
            found = next((scores for scores in known if scores is not None), None)
        if found is None:
            raise ParameterError(f"{spelling} was not evaluated; there is {', '.join(self._by_measure)}")
        return found

    def __getitem__(self, measure: object) -> Scores:
        return self.scores(measure)

    def standardised(self, by: ReferenceLike | None = None) -> Table:
        """Return a table of z-scores: see `Scores.standardised`.

        Parameters
        ----------
        by
            A table of the scores of reference runs, or means and standard deviations, such as
            `measurand.trec.read_reference` reads; by default this table itself.

        Examples
        --------
        >>> scores = Scores(measure="AP", values=[[0.25], [0.75]], systems="ab", topics="1")
        >>> Table(by_measure={"AP": scores}).standardised().measures
        ('z(AP)',)
        """
        from measurand.scores.standardised import as_reference

        reference = as_reference(self if by is None else by)
        found = [reference.standardise(scores) for scores in self]
        return Table(by_measure={scores.measure: scores for scores in found}, caveats=self.caveats)

    def to_polars(self) -> pl.DataFrame:
        """Return a long frame: system, topic, measure, score (needs polars)."""
        frame: pl.DataFrame = needed("polars", "frames", "to_polars").concat([scores.to_polars() for scores in self])
        return frame

    def to_pandas(self) -> pd.DataFrame:
        """Return a long frame: system, topic, measure, score (needs pandas); `per_topic(measure)` is a wide one.

        What a reader should know stands in its `attrs["caveats"]`.
        """
        frames = [scores.to_pandas() for scores in self]
        frame: pd.DataFrame = needed("pandas", "frames", "to_pandas").concat(frames, ignore_index=True)
        frame.attrs["caveats"] = [str(caveat) for caveat in self.caveats]
        return frame

    def per_topic(self, measure: object = None) -> pd.DataFrame:
        """Return a frame with a row for every topic and a column for every system (needs pandas).

        Parameters
        ----------
        measure
            The measure, or any spelling of it; not needed where there is one alone.
        """
        if measure is None and len(self) > 1:
            raise CallError(f"there are {len(self)} measures; name one: per_topic({self.measures[0]!r})")
        return self.scores(self.measures[0] if measure is None else measure).per_topic()

    def view(
        self,
        *,
        topics: bool = False,
        summary: bool = True,
        places: int = 4,
        best_first: bool = False,
        admitted: bool = False,
    ) -> TableView:
        """Return the scores as a table: a row for every system, or for every system and topic.

        Parameters
        ----------
        topics
            Whether there is a row for every topic.
        summary
            Whether there is a row for the number over all topics; its topic is `all`.
        places
            How many decimals people get to see; programs get all digits.
        best_first
            Whether the systems are in their order under the first measure, not in that in which they were read.
        admitted
            Whether the number over all topics is what the scale admits, where that is not the mean.

        Examples
        --------
        >>> scores = Scores(measure="RR", values=[[0.25], [1.0]], systems="ab", topics="1")
        >>> [[str(cell) for cell in row] for row in Table(by_measure={"RR": scores}).view(best_first=True).cells]
        [['b', '1.0000'], ['a', '0.2500']]
        """
        summaries = {scores.measure: _over_topics(scores, admitted=admitted) for scores in self}
        first = self.measures[0]
        order = places_best_first(summaries[first], self._by_measure[first]) if best_first else range(len(self.systems))
        names = {"system": str, **({"topic": str} if topics else {})}
        columns = [Column(name, name, left=True, latex=name.capitalize()) for name in names]
        for scores in self:
            found = summaries[scores.measure]
            best = found[int(np.argmax(np.nan_to_num(found.goodness, nan=-np.inf)))] if summary else None
            columns.append(_column(scores, found if summary else None, best, places, named=admitted))
        rows = _Rows(self, order, summaries if summary else None, topics=topics)
        fields = {**names, **dict.fromkeys(self.measures, float)}
        return TableView(columns, rows, fields=fields, ruled=True, indent=0)

    def to_dict(self, *, topics: bool = False, summary: bool = True, admitted: bool = False) -> dict[str, Any]:
        """Return the scores as nested dictionaries and lists: for each measure its scale, numbers and caveats.

        Parameters
        ----------
        topics
            Whether to add the score of every topic.
        summary
            Whether to add the number over all topics.
        admitted
            Whether that number is what the scale admits, where that is not the mean.
        """
        entries = {
            each.measure: self._entry(each, _over_topics(each, admitted=admitted), topics=topics, summary=summary)
            for each in self
        }
        return {
            "systems": list(self.systems),
            "topics": list(self.topics),
            "measures": entries,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _entry(self, scores: Scores, found: Summary, *, topics: bool, summary: bool) -> dict[str, Any]:
        entry: dict[str, Any] = {
            **scores.scale_label.to_dict(),
            "statistic": found.statistic,
            **({"lower_is_better": True} if scores.lower_is_better else {}),
            "caveats": [caveat.to_dict() for caveat in found.caveats if caveat not in self.caveats],
        }
        if summary:
            entry["scores"] = {system: _exact(scores, value) for system, value in found.to_dict().items()}
        if topics:
            entry["topics"] = {
                system: {t: None if np.isnan(v) else _exact(scores, v) for t, v in zip(scores.topics, row, strict=True)}
                for system, row in zip(scores.systems, scores.values.tolist(), strict=True)
            }
        return entry

    def document(self, *, admitted: bool = False) -> Document:
        """Return what the table shows: a number for every system and measure, best first under the first measure.

        Parameters
        ----------
        admitted
            Whether the numbers are what the scale admits where it does not admit means.

        Examples
        --------
        >>> scores = Scores(measure="RR", values=[[0.25, 0.5], [1.0, 1.0]], systems="ab", topics="12")
        >>> print(Table(by_measure={"RR": scores}))
        2 systems × 2 topics, best first under RR
        <BLANKLINE>
        system      RR
        b       1.0000
        a       0.3750
        """
        order = f", best first under {self.measures[0]}" if len(self.systems) > 1 else ""
        view = self.view(best_first=True, admitted=admitted)
        return scores_document(evolve(view, title=f"{self._size}{order}"), about_data(self.caveats))

    def _main(self) -> TableView:
        return self.view()


class _Rows(Sequence[dict[str, Any]]):
    """The rows of a table of scores, each made when it is asked for: there may be millions of topics.

    Parameters
    ----------
    table
        The scores.
    order
        The places of the systems.
    summaries
        The number over all topics, by measure; None if it has no row.
    topics
        Whether there is a row for every topic.
    """

    def __init__(
        self, table: Table, order: Sequence[int], summaries: Mapping[str, Summary] | None, *, topics: bool
    ) -> None:
        self._table, self._order, self._summaries, self._by_topic = table, order, summaries, topics
        self._topics, self._scores = table.topics if topics else (), list(table)
        self._each = len(self._topics) + (summaries is not None)

    def __len__(self) -> int:
        return len(self._order) * self._each

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(*place.indices(len(self)))]
        if not -len(self) <= place < len(self):
            raise IndexError(place)
        nth, t = divmod(place % len(self), self._each)
        return self._row(self._order[nth], t)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return (self._row(s, t) for s in self._order for t in range(self._each))

    def _row(self, s: int, t: int) -> dict[str, Any]:
        scores = self._scores
        named = {"system": self._table.systems[s]}
        if t < len(self._topics):
            named["topic"] = self._topics[t]
            return named | {each.measure: _exact(each, float(each.values[s, t])) for each in scores}
        if self._by_topic:
            named["topic"] = "all"
        return named | {each.measure: _exact(each, (self._summaries or {})[each.measure][s]) for each in scores}


def scores_document(view: TableView, caveats: Sequence[Caveat] = ()) -> Document:
    """Return a table of scores for people, with what its marks mean.

    Parameters
    ----------
    view
        The table.
    caveats
        What a reader should know.

    Examples
    --------
    >>> scores = Scores(measure="ESL", values=[[1.0]], systems="a", topics="1", lower_is_better=True)
    >>> scores_document(Table(by_measure={"ESL": scores}).view()).sentences
    ['↓ lower is better']
    """
    lower = any(LOWER in column.below for column in view.columns)
    return Document([view, *([Paragraph(f"{LOWER} lower is better", "faint")] if lower else [])], caveats)


def _exact(scores: Scores, value: float) -> str | float:
    """Return a number as programs want it: every digit, whole numbers whole, nothing for nothing."""
    if np.isnan(value):
        return ""
    # sums of z-scores are not whole
    return int(value) if scores.aggregation is Aggregation.SUM and float(value).is_integer() else value


def _over_topics(scores: Scores, *, admitted: bool) -> Summary:
    """Return the number over all topics: what the measure aggregates to, or what the scale admits instead of a mean."""
    return scores.admitted() if admitted and scores.aggregation is Aggregation.MEAN else scores.summary()


def places_best_first(summary: Summary, scores: Scores) -> list[int]:
    """Return the places of systems, best first; those that tie in a median by their mean ranks, then all by name.

    Parameters
    ----------
    summary
        The number of each system.
    scores
        The scores that these are of.

    Examples
    --------
    >>> scores = Scores(measure="RR", values=[[0.5, 1, 1], [1, 1, 1], [0, 0, 1]], systems="abc", topics="123")
    >>> scores.median().to_dict(), places_best_first(scores.median(), scores)
    ({'a': 1.0, 'b': 1.0, 'c': 0.0}, [1, 0, 2])
    """
    # every scale admits mean ranks within topics, and means tie seldom
    ties = scores.mean_rank() if summary.statistic == "median" else summary
    numbers = -np.column_stack([summary.settled, ties.settled])
    keys = np.where(np.isnan(numbers), np.inf, numbers).tolist()
    return sorted(range(len(keys)), key=lambda place: (*keys[place], summary.systems[place]))


def _column(scores: Scores, summary: Summary | None, best: float | None, places: int, *, named: bool) -> Column:
    """Return the column of a measure, the best number over all topics strong; what that is may be named above it."""
    statistic = "" if summary is None else summary.statistic

    def cell(row: Mapping[str, Any]) -> Words:
        value = row[scores.measure]
        if value == "":
            return Words.of("–")
        overall = row.get("topic", "all") == "all"
        whole = isinstance(value, int)
        text = f"{value:.0f}" if whole else written(value, statistic if overall else "", places)
        return Words.of(text, "strong" if value == best and overall else "")

    lower = (scores if summary is None else summary).lower_is_better
    below = " ".join(filter(None, (statistic if named else "", LOWER if lower else "")))
    return Column(scores.measure, cell, below=below, latex=_falling(scores.measure) if lower else None)


def _falling(measure: str) -> str:
    """Return what stands in LaTeX above scores of which lower ones are better."""
    from measurand.display.latex import tex

    return rf"{tex(measure)} $\downarrow$"
