"""How systems that are compared under a measure are shown: rows for programs, a table and sentences for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
from attrs import evolve, frozen

from measurand.display.data import finite
from measurand.display.tables import Column, Paragraph, Part, TableView, Words, listing
from measurand.display.wording import pvalue
from measurand.errors import Caveat, CaveatKind
from measurand.exact import decimals
from measurand.scale import Scale
from measurand.scales.meaning import Answer
from measurand.scores import Scores
from measurand.scores.summary import written
from measurand.statistics.multiple_comparisons import CORRECTED as IN_WORDS
from measurand.study.dominance import COUNTS_ALONE, DOMINANCE, DominanceMatrix
from measurand.study.measure_result import MeasureResult

CORRECTED = {method: f"p-values {words}" for method, words in IN_WORDS.items()}
"""How p-values were corrected, as part of a sentence."""

STATISTICS = {"mean rank": "mean rank within topics"}

TONES = {
    Answer.ROBUST: "strong good",
    Answer.FRAGILE: "strong unsure",
    Answer.NOT_MEANINGFUL: "strong bad",
    Answer.UNDECIDED: "strong",
}

SPOKEN = 20
"""Of so many pairs it is said what the comparison is worth."""

LETTERS = 12
"""So many letters of significance a terminal shows of a system."""

FIELDS: Mapping[str, type] = {
    **dict.fromkeys(("measure",), str),
    **dict.fromkeys(("place",), int),
    **dict.fromkeys(("system", "statistic"), str),
    **dict.fromkeys(("value", "mean", "median", "mean_rank"), float),
    **dict.fromkeys(("letters", "against"), str),
    **dict.fromkeys(("difference", "low", "high", "cohens_d", "rank_biserial", "cliffs_delta"), float),
    **dict.fromkeys(("wins", "ties", "losses"), int),
    **dict.fromkeys(("p",), float),
    **dict.fromkeys(("dominance_wins", "dominance_ties", "dominance_losses", "dominance_undecided"), int),
}
"""What is known of a system under a measure, for programs, in this order."""


@frozen(eq=False)
class MeasureResultView:
    """How systems that are compared under a measure are shown.

    Parameters
    ----------
    result
        How they stand.
    dominance
        How they stand under every measure that respects replacement and swap.
    baseline
        The system that all others are compared with; the best one, if none was named.
    strict
        Whether numbers that the scale does not admit are left out.
    """

    result: MeasureResult
    dominance: DominanceMatrix
    baseline: str | None = None
    strict: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every system, best first: its numbers, and how it stands to the best or the baseline.

        Numbers that are not finite (the interval of one difference, d where all differences are the same) are None, and
        so are those that the scale does not admit if the comparison is strict.
        """
        result, refused = self.result, self._refused() if self.strict else frozenset()
        systems, order = result.scores.systems, result.order
        reference = order[0] if self.baseline is None else systems.index(self.baseline)
        medians, ranks = result.scores.median(), result.scores.mean_rank()
        found = []
        for position, place in enumerate(order, 1):
            row: dict[str, Any] = {
                "measure": result.scores.measure,
                "place": position,
                "system": systems[place],
                "statistic": result.summary.statistic,
                "value": result.summary[place],
                "mean": result.means[place],
                "median": medians[place],
                "mean_rank": ranks[place],
                "letters": result.letters[systems[place]],
            }
            if place != reference:
                row |= self._against(place, reference)
            found.append({name: None if name in refused else finite(row.get(name)) for name in FIELDS})
        return found

    def _refused(self) -> frozenset[str]:
        """Return the numbers that the scale does not admit."""
        effects = self.result.effects.caveats_by
        difference = dict.fromkeys(("difference", "low", "high"), effects["mean_difference"])
        others = {name: effects[name] for name in ("cohens_d", "rank_biserial", "cliffs_delta")}
        averages = {"mean": self.result.means.caveats, "median": self.result.scores.median().caveats}
        return frozenset(name for name, found in {**averages, **difference, **others}.items() if not admitted(found))

    def _against(self, place: int, reference: int) -> dict[str, Any]:
        effects, dominance, at = self.result.effects, self.dominance, (place, reference)
        sizes = ("low", "high", "cohens_d", "rank_biserial", "cliffs_delta")
        return {
            "against": self.result.scores.systems[reference],
            "difference": float(effects.mean_difference[at]),
            **{name: float(getattr(effects, name)[at]) for name in sizes},
            **{name: int(getattr(effects, name)[at]) for name in ("wins", "ties", "losses")},
            "p": float(self.result.pairs.pvalues[at]),
            **{f"dominance_{name}": int(getattr(dominance, name)[at]) for name in ("wins", "ties", "losses")},
            "dominance_undecided": int(dominance.incomparable[at]),
        }

    def table(self) -> TableView:
        """Return the table of systems, best first."""
        scores, rows = self.result.scores, self.rows()
        own = "" if scores.one_scale else ", one of its own on every topic"
        if own and scores.scale >= Scale.INTERVAL and scores.history:
            own += ", for which ranks among all runs stand in"
        scale = f" · {scores.scale_label.words}{own}{direction(scores)}"
        title = Words(((scores.measure, "strong"), (scale, "faint")))
        view = TableView(list(self._columns(rows)), rows, title=title, about=self.how(), fields=FIELDS)
        return view.admitted() if self.strict else view

    def latex_table(self) -> TableView:
        """Return the table of systems for a paper, with everything that it needs to be understood in its title."""
        view, scores = self.table(), self.result.scores
        letters = f" Letters at alpha = {self.result.alpha:g}." if any(self.result.letters.values()) else ""
        keys = ("system", "value", "letters", "mean", "Δ mean", "δ", "95 %", "d", "topics", "p")
        chosen = view.select(*keys)
        starred = "" if all(each.admitted for each in chosen.columns) else " *: the scale does not admit this number."
        return evolve(chosen, title=f"{scores.measure}{direction(scores)}", about=f"{self.how()}{letters}{starred}")

    def _columns(self, rows: list[dict[str, Any]]) -> Iterator[Column]:
        result, statistic = self.result, self.result.summary.statistic
        yield Column("system", _system, left=True, latex="System")
        if statistic != "mean":
            ordered = admitted(result.summary.caveats)
            head, show = statistic.removeprefix("mean "), lambda row: value_of(row, statistic)
            yield Column(head, show, admitted=ordered, latex=statistic, key="value")
        fits = admitted(result.means.caveats)
        named = {"key": "value"} if statistic == "mean" else {"dispensable": 1}
        yield Column("mean", lambda row: number(row["mean"]), admitted=fits, **named)
        if any(row["letters"] for row in rows):
            letters = lambda row: Words.of(row["letters"], "super")  # noqa: E731
            yield Column("letters", letters, left=True, dispensable=2, longest=LETTERS, latex="")
        if len(rows) < 2:
            return
        change = lambda row: difference(row["difference"])  # noqa: E731
        yield Column("Δ mean", change, admitted=fits, dispensable=4, latex=r"$\Delta$ mean")
        if result.scores.scale < Scale.INTERVAL:
            usual = admitted(result.effects.caveats_by["cliffs_delta"])
            delta = lambda row: effect(row["cliffs_delta"])  # noqa: E731
            yield Column("δ", delta, admitted=usual, dispensable=5, latex=r"$\delta$")
        else:
            yield Column("95 %", between, admitted=fits, dispensable=6, latex=r"95\,\%")
            d = lambda row: effect(row["cohens_d"])  # noqa: E731
            yield Column("d", d, admitted=fits, dispensable=5, latex="$d$")
        yield Column("topics", counts, latex="W--T--L")
        yield Column("p", lambda row: "" if row["p"] is None else pvalue(row["p"]), latex="$p$")
        yield Column("dominance", _undecided, dispensable=3)

    def how(self) -> str:
        """Return how systems were compared, in a sentence or two."""
        result, pairs = self.result, self.result.pairs
        if len(result.order) < 2:
            return "There is nothing to compare one system with."
        fits = pairs.needs.met_by(result.scores)
        weak = "" if fits else f" {str(pairs.needs).capitalize().replace('anova', 'ANOVA')}, which this is not."
        statistic = result.summary.statistic
        tied = len(set(result.summary)) < len(result.order) and statistic != "mean"
        order = f"Best {STATISTICS.get(statistic, statistic)} first{', ties by mean' if tied else ''}"
        corrected = CORRECTED[pairs.adjusted] if len(result.order) > 2 else "one pair needs no correction"
        reference = self.baseline or result.systems[0]
        return f"{order}; against {reference} by the {pairs.needs.statistic}, {corrected}.{weak}"

    def matrix(self) -> TableView:
        """Return the p-values of all pairs, systems in their order."""
        order, found = self.result.order, self.pvalues()
        systems = self.result.scores.systems
        columns = [Column("p", lambda place: systems[place], left=True), Column("", lambda place: str(places[place]))]
        places = {place: position for position, place in enumerate(order, 1)}
        for other in order:
            cell = lambda place, other=other: "" if place == other else _tested(found[place][other])  # noqa: E731
            columns.append(Column(str(places[other]), cell))
        instead = f"The matrix of {len(order)} systems is too wide to print; -f json has it."
        return TableView(columns, order, gap=1, narrow=instead)

    def pvalues(self) -> list[list[float | None]]:
        """Return the p-values of all pairs; with a baseline, None for pairs without it, which are not tested."""
        systems, baseline = self.result.scores.systems, self.baseline
        return [
            [p if baseline in (None, a, b) or a == b else None for b, p in zip(systems, row, strict=True)]
            for a, row in zip(systems, self.result.pairs.pvalues.tolist(), strict=True)
        ]

    def parts(self, *, matrix: bool = False) -> Iterator[Part]:
        """Return the table, and what may be said of some pairs.

        Parameters
        ----------
        matrix
            Whether the p-values of all pairs are shown as well.
        """
        result = self.result
        yield self.table()
        yield ""
        if matrix:
            yield self.matrix()
            yield ""
        if result.claims:
            yield listing(
                (Words.of(claim.meaning.answer, TONES[claim.meaning.answer]), _said(claim.headline, claim.sentence))
                for claim in result.claims[:SPOKEN]
            )
            more = len(result.claims) - SPOKEN
            if more > 0:
                yield Paragraph(f"… and {more:,} more pairs; -f json has them.", "faint", indent=1)
        if len(result.order) > 1:
            yield Paragraph(result.robustly, indent=1)
            yield ""

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists; numbers that are not finite are None."""
        result, pairs, scores = self.result, self.result.pairs, self.result.scores
        differences = [list(map(finite, row)) for row in result.effects.mean_difference.tolist()]
        return {
            **scores.scale_label.to_dict(),
            "one_scale": scores.one_scale,
            **({"lower_is_better": True} if scores.lower_is_better else {}),
            "statistic": result.summary.statistic,
            "test": {
                "name": pairs.test,
                "needs": str(pairs.needs),
                "meaningful": pairs.needs.met_by(scores),
                "semantics": pairs.semantics or None,
                "adjusted": pairs.adjusted,
                "references": list(pairs.references),
                "details": {name: finite(value) for name, value in pairs.details.items()},
            },
            "systems": [
                {name: value for name, value in row.items() if name not in ("measure", "statistic")}
                for row in self.rows()
            ],
            "pvalues": self.pvalues(),
            "differences": None if self.strict and "difference" in self._refused() else differences,
            "robust": result.robust,
            "fragile": result.fragile,
            "significant": result.significant,
            "significant_and_robust": result.significant_and_robust,
            "claims": [claim.to_dict() for claim in result.claims],
            "caveats": [caveat.to_dict() for caveat in dict.fromkeys((*result.summary.caveats, *pairs.caveats))],
        }


def _said(headline: str, sentence: str) -> Words:
    return Words(((headline, "strong"), ("\n", ""), (sentence, "")))


def _system(row: Mapping[str, Any]) -> Words:
    return Words.of(row["system"], "strong" if row["place"] == 1 else "")


def _tested(p: float | None) -> str:
    return "–" if p is None else pvalue(p)


def _undecided(row: Mapping[str, Any]) -> str:
    return "" if row["against"] is None else f"{counts(row, 'dominance_')} ({row['dominance_undecided']})"


def unanimous(matrix: DominanceMatrix) -> Iterator[Part]:
    """Return what holds under every measure that respects replacement and swap.

    Parameters
    ----------
    matrix
        How the systems stand under every such measure.
    """
    what = f"all that respect replacement and swap, at any cutoff to {matrix.depth:,}"
    if any(caveat.kind is CaveatKind.TIES for caveat in matrix.caveats):
        what += ", ties in trec_eval's order"
    yield Words((("Without choosing a measure", "strong"), (f" · {what}", "faint")))
    yield from (Paragraph(sentence, indent=1) for sentence in _unanimously(matrix))


def _unanimously(matrix: DominanceMatrix) -> Iterator[str]:
    upper = np.triu_indices(len(matrix.systems), 1)
    decided, open_ = int((matrix.wins + matrix.losses)[upper].sum()), int(matrix.incomparable[upper].sum())
    if not decided + open_:
        yield "All systems have the same grades at the same ranks on every topic, so that every measure ties."
        return
    yield (
        "Where two systems differ in their grades on a topic, no two such measures disagree who is ahead in"
        f" {100 * decided / (decided + open_):.0f} % of {decided + open_:,} cases."
    )
    if not matrix.settled:
        yield f"{COUNTS_ALONE}."
    unbeaten = matrix.undominated()
    beaten = [system for system in matrix.systems if system not in unbeaten]
    if beaten:
        why = "because another system is at least as good on every topic"
        named = ", ".join(beaten[:8]) + (f" and {len(beaten) - 8} more" if len(beaten) > 8 else "")
        yield f"No such measure puts these first alone, {why}: {named}."


def legend(shown: set[str], *, alpha: float, lower_is_better: bool, for_these_gains: bool) -> Iterator[str]:
    """Return how to read tables of systems.

    Parameters
    ----------
    shown
        The headings of the columns that are shown.
    alpha
        The level of significance.
    lower_is_better
        Whether lower is better under some measure.
    for_these_gains
        Whether robustness is only known for the gains as they are.
    """
    plain = {head.rstrip("*") for head in shown}
    if "letters" in plain:
        yield f"letters: systems that share one do not differ significantly (p > {alpha:g})."
    if "rank" in plain:
        yield "rank: the mean over topics of a system's rank among all; needs no scale that topics share."
    named = (("d", "d: difference in units of its spread (Cohen)"), ("δ", "δ: Cliff's delta"))
    yield "; ".join(["topics: won–tied–lost", *(text for head, text in named if head in plain)]) + "."
    if "dominance" in plain:
        yield DOMINANCE
    if "Δ mean" in plain and lower_is_better:
        sizes = [head for head in ("d", "δ") if head in plain]
        above = f"; {' and '.join(sizes)} {'is' if len(sizes) == 1 else 'are'} above 0 for it" if sizes else ""
        yield f"Where lower is better, Δ mean is below 0 for a system that is ahead{above}."
    if shown != plain:
        yield "*: the scale does not admit this number; a permissible rescaling can reverse what it says."
    yield "robust: no permissible rescaling changes which mean is higher; fragile: the one that is shown does."
    if for_these_gains:
        yield "Robust is said for the gains as they are: other gains for the grades were not looked at."


def direction(scores: Scores) -> str:
    """Return that lower is better, where it is so.

    Parameters
    ----------
    scores
        The scores.

    Examples
    --------
    >>> direction(Scores(measure="ESL", values=[[3]], systems="a", topics="1", lower_is_better=True))
    ', lower is better'
    """
    return ", lower is better" if scores.lower_is_better else ""


def admitted(caveats: Iterable[Caveat]) -> bool:
    """Return whether the scale admits a number, as far as its caveats tell.

    Parameters
    ----------
    caveats
        The caveats of the number.
    """
    return not any(caveat.kind is CaveatKind.SCALE for caveat in caveats)


def number(value: float | None) -> str:
    """Return a score or an average, to four decimals.

    Parameters
    ----------
    value
        The number, if there is one.
    """
    return "–" if value is None else decimals(value, 4)


def value_of(row: Mapping[str, Any], statistic: str) -> str:
    """Return the number of a system by which systems are ordered.

    Parameters
    ----------
    row
        A row of `MeasureResultView.rows`.
    statistic
        What the number is.
    """
    return "–" if row["value"] is None else written(row["value"], statistic)


def difference(value: float | None) -> str:
    """Return a difference of averages with its sign, or nothing.

    Parameters
    ----------
    value
        The difference, if there is one.

    Examples
    --------
    >>> difference(0.25), difference(-3e-6), difference(None)
    ('+0.2500', '-3.0e-06', '')
    """
    return "" if value is None else decimals(value, 4, "+")


def effect(value: float | None) -> str:
    """Return an effect size with its sign, or nothing.

    Parameters
    ----------
    value
        The effect size, if there is one.

    Examples
    --------
    >>> effect(0.25), effect(None)
    ('+0.25', '')
    """
    return "" if value is None else f"{value:+.2f}"


def between(row: Mapping[str, Any]) -> str:
    """Return the interval of a mean difference, or nothing if there is none.

    Parameters
    ----------
    row
        What has a `low` and a `high` end.
    """
    return "" if row["low"] is None else f"[{difference(row['low'])}, {difference(row['high'])}]"


def counts(row: Mapping[str, Any], what: str = "") -> str:
    """Return on how many topics a system won, tied and lost.

    Parameters
    ----------
    row
        What has `wins`, `ties` and `losses`.
    what
        What their names begin with.

    Examples
    --------
    >>> counts({"wins": 3, "ties": 0, "losses": 1})
    '3–0–1'
    """
    found = [row[f"{what}{name}"] for name in ("wins", "ties", "losses")]
    return "" if found[0] is None else "–".join(map(str, found))
