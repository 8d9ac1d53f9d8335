"""Frames of rows: columns whose kinds are known beforehand, so that an empty table looks like a full one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import polars as pl

WORDS = {
    *("measure", "scale", "test", "a", "b", "system", "topic", "statistic", "letters", "against", "best", "adjusted"),
    *("answer", "sentence", "property", "how", "checked", "role", "name", "sha256", "kind", "text"),
}
"""The columns that hold text."""

COUNTS = {
    *("place", "wins", "ties", "losses", "dominance_wins", "dominance_ties", "dominance_losses", "dominance_undecided"),
    *("significant_raw", "significant_interval", "s2ns", "ns2s", "tied", "direction", "beaten", "size"),
}
"""The columns that hold whole numbers."""

ANSWERS = {"holds", "significant", "mean_admitted"}
"""The columns that are true or false."""


def of_rows(rows: list[dict[str, Any]], columns: tuple[str, ...]) -> pl.DataFrame:
    """Return rows as a frame with these columns, null where a row says nothing; the kinds never depend on the data.

    Examples
    --------
    >>> of_rows([{"system": "a"}, {"place": 2}], ("system", "place")).rows()
    [('a', None), (None, 2)]
    """
    import polars as pl

    def kind(column: str) -> type:
        return str if column in WORDS else int if column in COUNTS else bool if column in ANSWERS else float

    return pl.DataFrame(rows, schema={column: kind(column) for column in columns}, orient="row")


def labelled(frame: pl.DataFrame, **labels: str) -> pl.DataFrame:
    """Return a frame with columns of one value each in front.

    Examples
    --------
    >>> labelled(of_rows([{"place": 2}], ("place",)), system="a").rows()
    [('a', 2)]
    """
    import polars as pl

    return frame.select(*(pl.lit(value).alias(name) for name, value in labels.items()), pl.all().exclude(*labels))
