"""Correlations among measures: heat maps of numbers, and what they say in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import frozen

from measurand.errors import CaveatKind
from measurand.scale import Scale
from measurand.scales.scale_effect import PairCorrelation
from measurand.study.study import Study

DEEPEST = 45
"""A cell has so many hundredths of the full colour at most, so that its number can be read."""

STRONG = 10.0
"""A change by so many percent has the deepest colour, unless another is larger."""


def signed(value: float | None, places: int) -> str:
    """Return a number with a true minus, or a dash for none.

    Examples
    --------
    >>> signed(-0.25, 2), signed(0.5, 2), signed(None, 2), signed(float("nan"), 2)
    ('−0.25', '0.50', '–', '–')
    """
    return "–" if value is None or value != value else f"{value:.{places}f}".replace("-", "−")


@frozen
class Heat:
    """A cell of a heat map: what is written in it, and how deep its colour is."""

    text: str
    kind: str = "none"
    share: int = 0

    @classmethod
    def of(cls, value: float | None, largest: float, places: int) -> Heat:
        """Return the cell of a number, its colour by its sign and its size."""
        if value is None or value != value:
            return cls("–")
        return cls(
            signed(value, places), "minus" if value < 0 else "plus", round(DEEPEST * min(1, abs(value) / largest))
        )


def heat_maps(study: Study) -> list[dict[str, Any]]:
    """Return tau of every two measures with their own scores, on interval scales, and its change in percent."""
    names, pairs = list(study.measures), study.agreement.pairs
    largest = max([STRONG, *(abs(pair.delta) for pair in pairs.values() if pair.delta is not None)])

    def heat_map(
        caption: str, top: float, places: int, value: Callable[[PairCorrelation], float | None]
    ) -> dict[str, Any]:
        rows = [
            [None if a == b else Heat.of(value(study.agreement.of(a, b)), top, places) for b in names] for a in names
        ]
        return {"caption": caption, "rows": list(zip(names, rows, strict=True))}

    maps = [heat_map("Tau of means, scores as they are", 1.0, 2, lambda pair: pair.raw)]
    if study.scaled:
        maps.append(heat_map("Tau of means on interval scales", 1.0, 2, lambda pair: pair.ranked))
        maps.append(heat_map("Δ %: how much the second is above the first", largest, 1, lambda pair: pair.delta))
    return maps


def told(study: Study) -> list[str]:
    """Return what stands out among the correlations, in sentences."""
    scales = {"With the scores as they are": "raw", "On interval scales": "ranked"}
    taus = {
        said: {pair: value for pair, each in study.agreement.pairs.items() if (value := getattr(each, scale)) == value}
        for said, scale in scales.items()
    }
    sentences = [_extremes(said, found) for said, found in taus.items() if found]
    changes = {pair: each.delta for pair, each in study.agreement.pairs.items() if each.delta is not None}
    if any(abs(delta) >= 0.05 for delta in changes.values()):
        (a, b), delta = max(changes.items(), key=lambda item: abs(item[1]))
        sentences.append(f"The scale matters most to {a} and {b}: tau changes by {signed(delta, 1)} %.")
    return sentences


def _extremes(said: str, taus: Mapping[tuple[str, str], float]) -> str:
    (a, b), most = max(taus.items(), key=lambda item: item[1])
    if len(taus) == 1:
        return f"{said}, tau of {a} and {b} is {signed(most, 2)}."
    (c, d), least = min(taus.items(), key=lambda item: item[1])
    if signed(least, 2) == signed(most, 2):
        return f"{said}, tau is {signed(most, 2)} for all pairs."
    return (
        f"{said}, the most alike are {a} and {b} (tau {signed(most, 2)}), the least alike {c} and {d}"
        f" ({signed(least, 2)})."
    )


def selves(study: Study) -> list[tuple[str, str, str]]:
    """Return for each measure tau between its own means and those on its interval scale, or why there is none."""
    return [_self(study, name) for name in study.measures]


def _self(study: Study, name: str) -> tuple[str, str, str]:
    tau = study.agreement.selves.get(name)
    if tau is None:
        return name, "–", next(iter(_reasons(study, name)), "no interval scale")
    if tau != tau:
        return name, "–", "undefined: all systems tie"
    return name, signed(tau, 2), "the same order of systems" if tau > 1 - 1e-12 else "another order, or other ties"


def _reasons(study: Study, name: str) -> Sequence[str]:
    start = f"{name} is not shown on an interval scale: "
    return [
        caveat.text.removeprefix(start)
        for caveat in study.caveats
        if caveat.kind is CaveatKind.BOUNDS and caveat.text.startswith(start)
    ]


def ordinal(study: Study) -> list[str]:
    """Return the measures whose means their scale does not admit."""
    every = {name: study.scores(name) for name in study.measures}
    return [name for name, scores in every.items() if scores.scale < Scale.INTERVAL or not scores.one_scale]


def step(systems: int) -> float:
    """Return how far tau moves if two neighbours among so many systems change places.

    Examples
    --------
    >>> step(5)
    0.2
    """
    return 4 / (systems * (systems - 1))
