"""Tables: the scores of several measures on the same systems and topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from measurand.display.wording import counted
from measurand.errors import Caveat, ParameterError
from measurand.scores.notebook import table_html
from measurand.scores.scores import Scores

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@frozen(kw_only=True, eq=False, repr=False)
class Table:
    """The scores of some measures, in the order in which they were asked for.

    Parameters
    ----------
    by_measure
        The scores by the measure's canonical spelling.
    aliases
        Other spellings that were used to ask for a measure.
    caveats
        What is suspicious about the data.
    canonical
        Turns any spelling of a measure into the canonical one.
    """

    _by_measure: dict[str, Scores]
    _aliases: dict[str, str] = field(factory=dict)
    caveats: tuple[Caveat, ...] = ()
    _canonical: Callable[[str], str] | None = None

    def __repr__(self) -> str:
        return f"<Table: {len(self.systems)} systems × {len(self.topics)} topics × {', '.join(self._by_measure)}>"

    def __iter__(self) -> Iterator[Scores]:
        return iter(self._by_measure.values())

    def __len__(self) -> int:
        return len(self._by_measure)

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
        """Return the scores of `measure`, given as a measure or in any spelling of it."""
        spelling = measure if isinstance(measure, str) else repr(measure)
        found = self._by_measure.get(self._aliases.get(spelling, spelling))
        if found is None and self._canonical is not None and isinstance(measure, str):
            found = self._by_measure.get(self._canonical(measure))
        if found is None:
            raise ParameterError(f"{spelling} was not evaluated; there is {', '.join(self._by_measure)}")
        return found

    def to_polars(self) -> pl.DataFrame:
        """Return a long frame: system, topic, measure, score."""
        import polars as pl

        return pl.concat([scores.to_polars() for scores in self])

    def to_pandas(self) -> pd.DataFrame:
        """Return a long frame: system, topic, measure, score (needs pandas)."""
        columns: dict[str, list[Any]] = {}
        for scores in self:
            for name, column in scores.to_pandas().items():
                columns.setdefault(str(name), []).extend(column)
        return type(next(iter(self)).to_pandas())(columns)

    def _repr_html_(self) -> str:
        size = f"{counted(len(self.systems), 'system')} × {counted(len(self.topics), 'topic')}"
        caption = f"{size}, best first under {self.measures[0]}"
        return table_html(caption, [(scores.measure, scores.summary()) for scores in self], self.caveats)
