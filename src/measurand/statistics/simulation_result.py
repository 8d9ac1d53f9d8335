"""What a simulation says: which test to take, how often tests err and find, and what another scale changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from attrs import field, frozen

from measurand.display.charts import DASHED, Chart, Figure, styled
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView
from measurand.display.wording import counted, listed, percent
from measurand.errors import Caveat, ParameterError
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.statistics.needs import need_of
from measurand.statistics.registry import TESTS, find_test
from measurand.statistics.simulated_rates import (
    Rate,
    ScaleChange,
    SimulatedTest,
    direction,
    ends,
    interval_text,
    mean_of,
    rate_of_difference,
    with_interval,
)


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
    planted : str
        What an effect is, in words.
    alpha : float
        The level of significance.
    adjust : str
        How p-values of tests of pairs are corrected.
    repetitions : int
        How many repetitions there were.
    pairs : int
        How many pairs of systems each has.
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
    planted: str
    alpha: float
    adjust: str
    repetitions: int
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
        """The test and scale of the highest power, on average over the effects, among those that hold the level."""
        holding = [row for row in self.rows if row.holds and row.power]
        return max(holding, key=lambda row: row.mean_power, default=None)

    @property
    def as_good(self) -> tuple[SimulatedTest, ...]:
        """The others that hold the level and whose power is not shown to be lower than that of the recommended one."""
        best = self.recommended
        if best is None:
            return ()
        others = [row for row in self.rows if row.holds and row.power and row is not best]
        return tuple(row for row in others if rate_of_difference(best.shares - row.shares, 1).low <= 0)

    def sentences(self) -> list[str]:
        """Return the answer in sentences: which test to take, and what another scale changes."""
        return [*self._recommendation(), *(text for scale in self.scales[1:] for text in self._reading(scale))]

    def _recommendation(self) -> Iterator[str]:
        best = self.recommended
        if best is None:
            if self.effects:
                yield f"No test holds the level of {percent(self.alpha)} here."
            return
        over = f" on average over {counted(len(self.effects), 'effect')}" if len(self.effects) > 1 else ""
        yield (
            f"Take {best.test} of {best.scale}: of the tests that hold the level of {percent(self.alpha)} here, it"
            f" finds the planted effects most often, {percent(best.mean_power)} of them{over};"
            f" its type I error is {with_interval(best.type_one)}."
        )
        if self.as_good:
            yield f"As good within chance: {listed([f'{row.test} of {row.scale}' for row in self.as_good], 8)}."
        loud = [f"{row.test} of {row.scale}, {with_interval(row.type_one)}" for row in self.rows if not row.holds]
        if loud:
            yield f"More type I errors than {percent(self.alpha)}: {'; '.join(loud)}."
        yield _asks(best.test)

    def _reading(self, scale: str) -> Iterator[str]:
        """Say whether what is significant on the first scale alone is an error that the other scale avoids."""
        changes = [change for change in self.changes if change.other == scale]
        if not any(each.value for change in changes for each in (*change.lost, *change.won)):
            yield f"{scale} decides as {self.scales[0]} does, in every repetition."
            return
        many = self._comparisons
        errors = {kind: [each.test for each in changes if direction(each.errors, many) == kind] for kind in (-1, 0, 1)}
        first = self.scales[0]
        yield f"Compared with {first}, {scale} makes {_by_tests(errors, 'type I errors')}."
        if not self.effects:
            return
        found = {kind: [each.test for each in changes if direction(each.gain, many) == kind] for kind in (-1, 0, 1)}
        yield f"It finds {_by_tests(found, 'of the planted effects')}."
        worst = max(changes, key=lambda each: each.lost[0].value + each.lost_findings)
        if worst.lost[0].value + worst.lost_findings:
            yield (
                f"Significant under {first} but not under {scale} (S2NS), most often with {worst.test}:"
                f" {percent(worst.lost[0].value)} of the pairs without an effect, {percent(worst.lost_findings)} of"
                " those with one."
            )
        held = [test for test in errors[-1] if self.of(test).holds]
        yield _verdict(scale, errors, held, found[-1])

    @property
    def _comparisons(self) -> int:
        """How many differences between scales are looked at, which all together are beyond chance or not."""
        return max(1, 2 * len(self.changes))

    def _main(self) -> TableView:
        records = self.records()
        return TableView([], records, fields={name: type(value) for name, value in records[0].items()})

    def records(self) -> list[dict[str, Any]]:
        """Return a row for every test on every scale, for programs: rates with the ends of their intervals."""
        names = [f"power_{effect:g}" for effect in self.effects]
        return [
            row.record()
            | {k: v for name, each in zip(names, row.power, strict=True) for k, v in ends(name, each).items()}
            for row in self.rows
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return settings, sentences, rates and changes of scale, ready for JSON."""
        best = self.recommended
        return {
            "scales": list(self.scales),
            "effects": list(self.effects),
            "planted": self.planted,
            "alpha": self.alpha,
            "adjust": self.adjust,
            "repetitions": self.repetitions,
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
        return {**names, "decisions": rows}

    def view(self) -> TableView:
        """Return the table of tests: type I error, familywise error, and power by effect."""
        columns = [
            Column("test", lambda row: row.test, left=True),
            Column("scale", lambda row: row.scale, left=True),
            Column("type I error", lambda row: percent(row.type_one.value)),
            Column("95 % interval", lambda row: interval_text(row.type_one)),
            Column("holds", lambda row: "✓" if row.holds else "", mark=True),
            Column("familywise", lambda row: percent(row.familywise.value)),
            *(Column(f"power at {effect:g}", partial(_power_at, place)) for place, effect in enumerate(self.effects)),
        ]
        return TableView(columns, self.rows, title=self._title)

    def changes_view(self) -> TableView:
        """Return the table of what other scales change, in percent of pairs."""
        many = self._comparisons
        columns = [
            Column("test", lambda row: row.test, left=True),
            Column("S2NS, no effect", lambda row: percent(row.lost[0].value)),
            Column("NS2S, no effect", lambda row: percent(row.won[0].value)),
            Column("type I error", lambda row: _starred(row.errors, many)),
        ]
        if self.effects:
            columns += [
                Column("S2NS, effects", lambda row: percent(row.lost_findings)),
                Column("NS2S, effects", lambda row: percent(mean_of(row.won[1:]))),
                Column("power", lambda row: _starred(row.gain, many)),
            ]
        about = (
            "S2NS: significant on the first scale alone; NS2S: on the other alone; with effects, the mean over them."
            " Type I error and power: by how many percentage points they change; *: beyond chance."
        )
        title = f"{listed(self.scales[1:])} instead of {self.scales[0]}"
        return TableView(columns, self.changes, title=title, about=about)

    @property
    def _title(self) -> str:
        size = f"{counted(self.systems, 'system')}, {counted(self.topics, 'topic')}"
        return f"Tests of {listed(self.scales)}: {size}, level {percent(self.alpha)}"

    def document(self) -> Document:
        """Return the answer, the table of tests, what another scale changes, and how it was found out."""
        parts: list[Part] = [*self.sentences(), self.view()]
        if self.changes:
            parts.append(self.changes_view())
        return Document([*parts, *self.methods()], self.caveats)

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


def _starred(found: Rate, many: int) -> str:
    """Return a difference of shares, one of many, in percentage points, with a star where it is beyond chance."""
    return f"{100 * found.value:+.1f}{'*' if direction(found, many) else ' '}"


def _known(tests: Sequence[str], scales: Sequence[str]) -> str:
    return f"{', '.join(tests)} of {' and '.join(scales)}"


def _by_tests(tests: dict[int, list[str]], what: str) -> str:
    """Return with which tests there are fewer, more or as many of something."""
    words = {-1: f"fewer {what}", 1: f"more {what}", 0: f"as many {what}, within chance,"}
    every = sum(map(len, tests.values()))
    said = []
    for kind in (-1, 1, 0):
        if tests[kind]:
            which = "every test" if len(tests[kind]) == every and every > 1 else listed(tests[kind], 8)
            said.append(f"{words[kind]} with {which}")
    return "; ".join(said)


def _verdict(scale: str, errors: dict[int, list[str]], held: Sequence[str], weaker: Sequence[str]) -> str:
    """Return whether what is significant no more on the other scale is, here, a type I error avoided.

    Parameters
    ----------
    scale
        What the other scale is called.
    errors
        The tests with fewer (-1), as many (0) and more (1) type I errors there.
    held
        Those with fewer that hold the level on the first scale already.
    weaker
        The tests that find less there.
    """
    reading = f"That a pair which is significant no more under {scale} is a type I error avoided"
    if not errors[-1]:
        many = "more of them" if errors[1] else "as many of them, within chance"
        return f"{reading} is not supported here: there are {many}."
    found = [f"{reading} is supported here with {listed(errors[-1], 8)} alone"]
    if held:
        whose = "which" if held == errors[-1] else f"of which {listed(held, 8)}"
        found.append(f", {whose} {'hold' if held[1:] else 'holds'} the level on the first scale already")
    costly = [test for test in errors[-1] if test in weaker]
    if costly:
        found.append(f"; it costs power with {listed(costly, 8)}")
    return f"{''.join(found)}."


def _asks(test: str) -> str:
    """Return what a test looks at, so that nobody takes power for meaning."""
    need = need_of(TESTS[test])
    looks = {
        "sign": "at the number of topics on which a system is ahead",
        "friedman": "at ranks within topics",
        "rank_sum": "at ranks among all scores of two systems",
        "kruskal_wallis": "at ranks among all scores",
        "signed_rank": "at ranks of differences",
    }
    return (
        f"Mind what a test is about: {test} looks {looks.get(test, 'at mean scores')}, which {need.scale} scales admit;"
        " rank tests do not compare means."
    )
