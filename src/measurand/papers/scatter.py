"""Scatters: many signals against one of them, sample by sample, and the diagonal between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import numpy as np
from attrs import field, frozen

from measurand.arrays import FloatArray, IntArray
from measurand.display.charts import ACCENT, GREY, MARK, Chart, draw, styled
from measurand.errors import Caveat
from measurand.papers.picks import Pick
from measurand.statistics.all_pairs import frozen_counts, frozen_numbers

if TYPE_CHECKING:
    import polars as pl

SIDES = ("above", "on", "below")
"""Where a point may lie: the many are better, as good, or worse."""

MANY = 1_000
"""From so many points on each is drawn fainter."""


@frozen(kw_only=True, eq=False, repr=False)
class Scatter:
    """What one system is worth and what several are worth together, for random picks of systems.

    Picks share topics and systems, so they are no independent observations: their number says nothing about how
    certain a share is.

    Parameters
    ----------
    one, many
        What the picked system is worth by itself, and all systems of the pick together.
    signs
        1 where the many are better, -1 where they are worse, 0 where they are as good: decided exactly.
    """

    title: ClassVar[str] = ""
    quantity: ClassVar[str] = ""

    picks: tuple[Pick, ...]
    one: FloatArray = field(converter=frozen_numbers)
    many: FloatArray = field(converter=frozen_numbers)
    signs: IntArray = field(converter=frozen_counts)
    depth: int
    caveats: tuple[Caveat, ...] = ()

    def __len__(self) -> int:
        return len(self.picks)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} picks: {self.summary}>"

    @property
    def above(self) -> int:
        """How often the many are better than the one."""
        return int((self.signs > 0).sum())

    @property
    def on(self) -> int:
        """How often they are as good."""
        return int((self.signs == 0).sum())

    @property
    def below(self) -> int:
        """How often they are worse."""
        return int((self.signs < 0).sum())

    @property
    def summary(self) -> str:
        """How many points lie where, in words."""
        return f"{self.above:,} above the diagonal, {self.on:,} on it, {self.below:,} below"

    def to_polars(self) -> pl.DataFrame:
        """Return a frame with a row for each pick: topic, systems, the one of them, both values, and the side."""
        import polars as pl

        return pl.DataFrame(
            {
                "topic": [pick.topic for pick in self.picks],
                "systems": [list(pick.systems) for pick in self.picks],
                "system": [pick.one for pick in self.picks],
                "one": self.one,
                "many": self.many,
                "side": self._sides(),
            }
        )

    def _sides(self) -> list[str]:
        return [SIDES[1 - sign] for sign in self.signs.tolist()]

    def chart(self) -> Chart:
        """Return the figure: a point for each pick, and the diagonal on which one and many are as good."""
        low, high = _limits(np.concatenate((self.one, self.many)))
        number = len(self.picks[0].systems)
        rows = [
            {"one": one, "many": many, "side": side, "topic": pick.topic, "system": pick.one}
            for one, many, side, pick in zip(
                self.one.tolist(), self.many.tolist(), self._sides(), self.picks, strict=True
            )
        ]
        axes = {"one": f"{self.quantity} of one system", "many": f"{self.quantity} of all {number} together"}
        return styled(
            f"{self.title}: {self.summary}.",
            {
                "title": {
                    "text": self.title,
                    "subtitle": [self.summary, f"{len(self):,} picks of {number} systems, first {self.depth} ranks"],
                },
                "width": 400,
                "height": 400,
                "layer": [
                    _diagonal(low, high),
                    _dots(rows, axes, [low, high]),
                ],
            },
        )

    def to_svg(self) -> str:
        """Return the figure as SVG."""
        return draw(self.chart(), "figure.svg").decode()


def _limits(values: FloatArray) -> tuple[float, float]:
    """Return where both axes begin and end, so that the diagonal is one."""
    low, high = float(values.min()), float(values.max())
    margin = 0.04 * (high - low) or 0.1
    return low - margin, high + margin


def _diagonal(low: float, high: float) -> Chart:
    x, y = ({"field": "end", "type": "quantitative"} for _ in range(2))
    mark = {"type": "line", "color": GREY, "strokeDash": [4, 3]}
    return {"data": {"values": [{"end": low}, {"end": high}]}, "mark": mark, "encoding": {"x": x, "y": y}}


def _dots(rows: list[Chart], axes: dict[str, str], limits: list[float]) -> Chart:
    encoding: Chart = {
        place: {
            "field": field,
            "type": "quantitative",
            "title": axes[field],
            "scale": {"domain": limits, "nice": False, "zero": False},
            "axis": {"tickCount": 6},
        }
        for place, field in (("x", "one"), ("y", "many"))
    }
    encoding["color"] = {
        "field": "side",
        "type": "nominal",
        "title": "diagonal",
        "scale": {"domain": list(SIDES), "range": [ACCENT, GREY, MARK]},
        "legend": {"orient": "bottom-right", "symbolOpacity": 1, "padding": 8, "titleFontWeight": "normal"},
    }
    encoding["tooltip"] = [{"field": name} for name in ("topic", "system", "one", "many")]
    return {
        "data": {"values": rows},
        "mark": {"type": "circle", "size": 28, "opacity": 0.5 if len(rows) <= MANY else 0.35, "clip": True},
        "encoding": encoding,
    }
