"""What a simulation says: which test to take, how often tests err and find, and what another scale changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import isnan
from typing import Any

from attrs import field, frozen

from measurand.arrays import IntArray
from measurand.display.charts import DASHED, Chart, Figure, styled
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView
from measurand.display.wording import counted, listed, percent
from measurand.errors import Caveat, ParameterError
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.statistics.registry import find_test
from measurand.statistics.simulation.rates import (
    FEW,
    Rate,
    ScaleChange,
    SimulatedTest,
    direction,
    ends,
    mean_of,
    rate_of_difference,
    with_interval,
)
from measurand.statistics.simulation.sentences import by_kind, change_in_words, looks_at, lost_in_words


@frozen(kw_only=True, eq=False, repr=False)
class Simulation(Result):
    """How often tests err on a campaign, and how often they find what was planted there.

    Iterating yields a `SimulatedTest` for every test on every scale.

    Parameters
    ----------
    rows : tuple of SimulatedTest
        Every test on every scale.
    changes : tuple of ScaleChange
        For every scale but the first, what it changes in the decisions of each test.
    scales : tuple of str
        What the scales are called.
    tests : tuple of str
        The tests.
    effects : tuple of float
        The effects that were planted, the smallest first.
    made : tuple of float
        How many moves a topic each effect came to, on average, where effects are moves; none otherwise.
    planted : str
        What an effect is, in words.
    alpha : float
        The level of significance.
    adjust : str
        How p-values of tests of pairs are corrected.
    repetitions : int
        How many repetitions there were.
    groups : array of int
        How many pairs of systems each group of repetitions has that share their improved runs.
    pairs : int
        How many pairs of systems each repetition has.
    systems, topics : int
        How many there are.
    exact : bool
        Whether every exchange was made, so that type I errors are exact.
    caveats : tuple of Caveat
        What limits the meaning of the numbers.
    """

    rows: tuple[SimulatedTest, ...]
    changes: tuple[ScaleChange, ...]
    scales: tuple[str, ...]
    tests: tuple[str, ...]
    effects: tuple[float, ...]
    made: tuple[float, ...]
    planted: str
    alpha: float
    adjust: str
    repetitions: int
    groups: IntArray
    pairs: int
    systems: int
    topics: int
    exact: bool
    caveats: tuple[Caveat, ...] = field(default=())

    def __iter__(self) -> Iterator[SimulatedTest]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        size = f"{counted(self.systems, 'system')} × {counted(self.topics, 'topic')}"
        return f"<Simulation of {', '.join(self.scales)}: {counted(len(self.tests), 'test')}, {size}>"

    def of(self, test: str, scale: str | None = None) -> SimulatedTest:
        """Return how a test fares.

        Parameters
        ----------
        test : str
            Its name.
        scale : str, optional
            What the scale is called; the first if none is named.
        """
        name, where = find_test(test).__name__, self.scales[0] if scale is None else str(scale)
        for row in self.rows:
            if (row.test, row.scale) == (name, where):
                return row
        raise ParameterError(f"{name} of {where} was not simulated; there is {_known(self.tests, self.scales)}")

    def change(self, test: str, scale: str | None = None) -> ScaleChange:
        """Return what another scale changes in the decisions of a test.

        Parameters
        ----------
        test : str
            Its name.
        scale : str, optional
            What the other scale is called; the second if none is named.
        """
        name = find_test(test).__name__
        for change in self.changes:
            if change.test == name and scale in (None, change.other):
                return change
        raise ParameterError(f"{name} was not simulated on two scales; there is {_known(self.tests, self.scales)}")

    @property
    def recommended(self) -> SimulatedTest | None:
        """The test and scale of the highest power, on average over the effects, among those shown to be no worse.

        These are the ones that are not shown to exceed the level and that find effects more often than by chance;
        none from fewer than ten repetitions.
        """
        return max(self._eligible, key=lambda row: row.mean_power, default=None)

    @property
    def _eligible(self) -> list[SimulatedTest]:
        return [row for row in self.rows if row.holds and row.finds] if self.repetitions >= FEW else []

    @property
    def as_good(self) -> tuple[SimulatedTest, ...]:
        """The others that might be recommended, because their power is not shown to be lower.

        The truly best test of all is among these and the recommended one with a probability of 95 %.
        """
        best = self.recommended
        if best is None:
            return ()
        others = [row for row in self._eligible if row is not best]
        gaps = [rate_of_difference(best.findings - row.findings, self.groups) for row in others]
        return tuple(
            row
            for row, gap in zip(others, gaps, strict=True)
            if direction(gap, max(1, len(others)), len(self.groups)) < 1
        )

    def sentences(self) -> list[str]:
        """Return the answer in sentences: which test to take, and what another scale changes."""
        return [*self.answer(), *self.looks(), *self.changes_in_words()]

    def answer(self) -> list[str]:
        """Return which test to take, which are as good, and which err too often."""
        return list(self._recommendation())

    def looks(self) -> list[str]:
        """Return what the recommended test looks at, so that nobody takes power for meaning."""
        best = self.recommended
        return [] if best is None else [looks_at(best.test)]

    def changes_in_words(self) -> list[str]:
        """Return what each other scale changes, and what pairs are that are significant on the first scale alone."""
        return [text for scale in self.scales[1:] for text in self._reading(scale)]

    def _recommendation(self) -> Iterator[str]:
        best, first = self.recommended, self.scales[0]
        if best is None:
            if self.effects:
                yield f"{first}: {self._why_none()}, so no test can be recommended."
        else:
            over = f" on average over {counted(len(self.effects), 'effect')}" if len(self.effects) > 1 else ""
            yield (
                f"Take {best.test} of {best.scale}: of the tests that are not shown to exceed the level of"
                f" {percent(self.alpha)}, it finds the planted effects most often, {percent(best.mean_power)} of"
                f" them{over}; its type I error is {with_interval(best.type_one)}."
            )
        if self.as_good:
            yield f"As good within chance: {listed([f'{row.test} of {row.scale}' for row in self.as_good], 8)}."
        loud = [f"{row.test} of {row.scale}, {with_interval(row.type_one)}" for row in self.rows if not row.holds]
        if loud:
            yield f"More type I errors than {percent(self.alpha)}: {'; '.join(loud)}."

    def _why_none(self) -> str:
        """Return why no test is recommended."""
        if self.repetitions < FEW:
            return f"{counted(self.repetitions, 'repetition is', 'repetitions are')} too few"
        if self.made and not any(self.made):
            return "nothing could be planted, because no run has room for a better document"
        if not any(row.holds for row in self.rows):
            return f"every test makes more type I errors than {percent(self.alpha)}"
        return "no test finds what was planted more often than by chance"

    def _reading(self, scale: str) -> Iterator[str]:
        """Say what another scale changes, and whether what is significant on the first scale alone is an error."""
        changes = [change for change in self.changes if change.other == scale]
        first = self.scales[0]
        if not any(each.value for change in changes for each in (*change.lost, *change.won)):
            yield f"{scale} decides as {first} does, in every repetition."
            return
        together, groups = self._comparisons, len(self.groups)
        errors = by_kind(changes, lambda each: direction(each.errors, together, self.repetitions))
        said = [change_in_words("type I errors are made", errors)]
        if self.effects:
            found = by_kind(changes, lambda each: direction(each.gain, together, groups))
            said.append(change_in_words("planted effects are found", found))
        yield f"With {scale} in the place of {first}, {'; '.join(said)}."
        yield from lost_in_words(changes, groups)

    @property
    def _comparisons(self) -> int:
        """How many differences between scales are looked at, which all together are beyond chance or not."""
        return max(1, 2 * len(self.changes))

    def _main(self) -> TableView:
        return TableView([], self.records(), fields=self.fields())

    def fields(self) -> dict[str, type]:
        """Return the columns that programs get, with their types."""
        kinds = {"test": str, "scale": str, "holds": bool}
        return {name: kinds.get(name, float) for name in self.records()[0]}

    def records(self) -> list[dict[str, Any]]:
        """Return a row for every test on every scale, for programs: rates with the ends of their intervals.

        Rows of another scale than the first also have what it changes; the others have nothing there.
        """
        names = [f"power_{effect:g}" for effect in self.effects]
        changes = {(change.test, change.other): self._change_record(change) for change in self.changes}
        none = dict.fromkeys(next(iter(changes.values()), {}))
        return [
            row.record()
            | {k: v for name, each in zip(names, row.power, strict=True) for k, v in ends(name, each).items()}
            | changes.get((row.test, row.scale), none)
            for row in self.rows
        ]

    def _change_record(self, change: ScaleChange) -> dict[str, Any]:
        """Return what another scale changes, in columns."""
        pairs = zip((0.0, *self.effects), change.lost, change.won, strict=True)
        decisions = {
            f"{name}_{effect:g}": each.value
            for effect, lost, won in pairs
            for name, each in (("s2ns", lost), ("ns2s", won))
        }
        share = ends("s2ns_without_effect", change.lost_without_effect)
        changed = ends("type_one_change", change.errors) | ends("power_change", change.gain)
        return decisions | {name: None if isnan(value) else value for name, value in (share | changed).items()}

    def to_dict(self) -> dict[str, Any]:
        """Return settings, sentences, rates and changes of scale, ready for JSON."""
        best = self.recommended
        return {
            "scales": list(self.scales),
            "effects": list(self.effects),
            "made": list(self.made),
            "planted": self.planted,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "repetitions": self.repetitions,
            "groups": len(self.groups),
            "pairs": self.pairs,
            "systems": self.systems,
            "topics": self.topics,
            "exact": self.exact,
            "recommended": None if best is None else {"test": best.test, "scale": best.scale},
            "text": self.sentences(),
            "tests": [
                {
                    **row.record(),
                    "power": [{"effect": e, **ends("share", r)} for e, r in zip(self.effects, row.power, strict=True)],
                }
                for row in self.rows
            ],
            "changes": [self._changed(change) for change in self.changes],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def _changed(self, change: ScaleChange) -> dict[str, Any]:
        """Return what another scale changes, for programs."""
        names = {"test": change.test, "first": change.first, "other": change.other}
        rows = [
            {
                "effect": effect,
                "s2ns": change.lost[place].value,
                "ns2s": change.won[place].value,
                **ends("change", each),
            }
            for place, (effect, each) in enumerate(
                zip((0.0, *self.effects), (change.errors, *change.findings), strict=True)
            )
        ]
        share = {name: None if isnan(end) else end for name, end in ends("share", change.lost_without_effect).items()}
        return {**names, "s2ns_without_effect": share, "decisions": rows}

    def view(self) -> TableView:
        """Return the table of tests: type I error, familywise error, and power by effect."""
        columns = [
            Column("test", lambda row: row.test, left=True),
            Column("scale", lambda row: row.scale, left=True),
            Column("type I error", lambda row: with_interval(row.type_one)),
            Column(f"above {percent(self.alpha)}", lambda row: "" if row.holds else "yes"),
            Column("familywise", lambda row: percent(row.familywise.value)),
            *(Column(f"power at {effect:g}", partial(_power_at, place)) for place, effect in enumerate(self.effects)),
        ]
        return TableView(columns, self.rows, title=self._title)

    def changes_view(self) -> TableView:
        """Return the table of what other scales change, in percent of pairs."""
        together, groups = self._comparisons, len(self.groups)
        columns = [
            Column("test", lambda row: row.test, left=True),
            Column("S2NS, no effect", lambda row: percent(row.lost[0].value)),
            Column("NS2S, no effect", lambda row: percent(row.won[0].value)),
            Column("type I error", lambda row: _starred(row.errors, together, self.repetitions)),
        ]
        if self.effects:
            columns += [
                Column("S2NS, effects", lambda row: percent(row.lost_findings)),
                Column("NS2S, effects", lambda row: percent(mean_of(row.won[1:]))),
                Column("power", lambda row: _starred(row.gain, together, groups)),
                Column("no effect in S2NS", lambda row: _whole(row.lost_without_effect)),
            ]
        about = (
            "S2NS: significant on the first scale alone; NS2S: on the other alone; with effects, the mean over them."
            " Type I error and power: by how many percentage points they change; *: beyond chance. No effect in"
            " S2NS: if half of all pairs have none."
        )
        title = f"{listed(self.scales[1:])} instead of {self.scales[0]}"
        return TableView(columns, self.changes, title=title, about=about)

    @property
    def _title(self) -> str:
        size = f"{counted(self.systems, 'system')}, {counted(self.topics, 'topic')}"
        return f"Tests of {listed(self.scales)}: {size}, level {percent(self.alpha)}"

    def document(self) -> Document:
        """Return the answer, the table of tests, what another scale changes, and how it was found out."""
        return Document([*self.answer(), *self.parts(), *self.looks(), *self.methods()], self.caveats)

    def parts(self) -> list[Part]:
        """Return the table of tests, and what another scale changes, as a table and in words."""
        changes: list[Part] = [self.changes_view()] if self.changes else []
        return [self.view(), *changes, *self.changes_in_words()]

    def methods(self) -> list[str]:
        """Return how the numbers came about, in sentences."""
        made = f"{self.repetitions:,} repetitions of {counted(self.pairs, 'pair of systems')}"
        null = f"all {2**self.topics:,} exchanges (exact)" if self.exact else f"estimated from {made}"
        adjusted = (
            "not corrected for being many (adjust does that)"
            if self.adjust == "none"
            else f"corrected by {WHOSE[self.adjust]} method, the other pairs being as they are"
        )
        found = [
            f"Type I error: two systems exchange their runs topic by topic, each with probability 1/2; {null}.",
            "Familywise: all systems' runs are permuted within topics, and some pair of all is called significant.",
            f"p-values of tests of pairs are {adjusted}; tests of all systems are corrected by Tukey's method.",
        ]
        if self.effects:
            found.insert(1, f"Power: {self.planted}, and it is called significantly better; estimated from {made}.")
        if self.made:
            moves = [f"{made:.2f} for {effect:g}" for effect, made in zip(self.effects, self.made, strict=True)]
            found.insert(2, f"Moves that there was room for, a topic on average: {listed(moves, 8)}.")
        return found

    def plot(self) -> Figure:
        """Return a drawing: how often each test is significant, by effect; 0 is the type I error.

        Examples
        --------
        >>> from measurand.scores import Scores
        >>> from measurand.statistics import simulate
        >>> scores = Scores(measure="P", values=[[1.0, 0.5, 0.0], [0.5, 0.25, 0.0]], systems="ab", topics="123")
        >>> simulate(scores, tests="sign", repetitions=8).plot()
        Figure('How often 1 test of P is significant, by the planted effect.')
        """
        points = [
            {
                "test": row.test,
                "scale": row.scale,
                "effect": effect,
                "share": each.value,
                "low": each.low,
                "high": each.high,
            }
            for row in self.rows
            for effect, each in zip((0.0, *self.effects), (row.type_one, *row.power), strict=True)
        ]
        return Figure(_power_chart(points, self.scales, self.alpha, counted(len(self.tests), "test")))


def _power_chart(points: Sequence[Chart], scales: Sequence[str], alpha: float, tests: str) -> Chart:
    """Return curves of power, a panel for each scale."""
    title = f"How often {tests} of {listed(list(scales))} {'is' if tests == '1 test' else 'are'} significant"
    top = max([alpha, *(point["share"] for point in points)])
    share = {"field": "share", "type": "quantitative", "title": "significant", "axis": {"format": "%"}}
    share |= {"scale": {"domain": [0, top], "nice": True}}
    curves = {
        "mark": {"type": "line", "point": True},
        "encoding": {
            "x": {"field": "effect", "type": "quantitative", "title": "planted effect"},
            "y": share,
            "color": {"field": "test", "type": "nominal", "sort": None},
            "strokeDash": {"field": "test", "type": "nominal", "sort": None},
            "tooltip": [{"field": name} for name in ("test", "scale", "effect", "share", "low", "high")],
        },
    }
    level = {"mark": {**DASHED, "type": "rule"}, "encoding": {"y": {"datum": alpha}}}
    panels = [
        {
            "title": scale,
            "width": 320,
            "height": 280,
            "data": {"values": [point for point in points if point["scale"] == scale]},
            "layer": [level, curves],
        }
        for scale in scales
    ]
    return styled(f"{title}, by the planted effect.", {"hconcat": panels, "spacing": 48})


def _power_at(place: int, row: SimulatedTest) -> str:
    return percent(row.power[place].value)


def _starred(found: Rate, together: int, blocks: int) -> str:
    """Return a difference of shares, one of some, in percentage points, with a star where it is beyond chance."""
    return f"{100 * found.value:+.1f}{'*' if direction(found, together, blocks) else ' '}"


def _known(tests: Sequence[str], scales: Sequence[str]) -> str:
    return f"{', '.join(tests)} of {' and '.join(scales)}"


def _whole(found: Rate) -> str:
    """Return a rate with its interval in whole percent; a dash for none."""
    return "–" if isnan(found.value) else f"{100 * found.value:.0f} % ({100 * found.low:.0f}–{100 * found.high:.0f})"
