"""How systems are shown whose scores under a measure are compared: rows for programs, a table for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from math import nan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from attrs import evolve, frozen

from measurand.display.data import finite
from measurand.display.numerals import places_that_subtract
from measurand.display.tables import Column, Paragraph, Part, TableView, Words
from measurand.display.wording import capitalised, counted, pvalue
from measurand.errors import Caveat, CaveatKind
from measurand.exact import decimals
from measurand.scores import Scores
from measurand.scores.summary import written
from measurand.statistics.multiple_comparisons import CORRECTED as IN_WORDS
from measurand.statistics.multiple_comparisons import SHORT as CORRECTION_NAMES
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.levels_view import HEADING, column_in_words
from measurand.study.margins import margin_of
from measurand.study.margins.card import LINES
from measurand.study.scale_paragraphs import STATISTICS

if TYPE_CHECKING:
    from measurand.study.measure_result import ScoresResult

CORRECTED = {method: f"p-values {words}" for method, words in IN_WORDS.items()}
"""How p-values were corrected, as part of a sentence."""

SHORT = {"paired_t": "t", "signed_rank": "Wilcoxon", "two_way_anova": "ANOVA", "one_way_anova": "ANOVA"}
"""What tests are called above a column of p-values; the others go by their names."""

LETTERS = 12
"""So many letters of significance a terminal shows of a system."""

OF_SCORES: Mapping[str, type] = {
    **dict.fromkeys(("difference", "low", "high"), float),
    **dict.fromkeys(("test",), str),
    **dict.fromkeys(("p", "p_corrected"), float),
    **dict.fromkeys(("adjusted",), str),
    **dict.fromkeys(("wins", "ties", "losses"), int),
    **dict.fromkeys(("p_sign", "kappa"), float),
    **dict.fromkeys(("scale_proof",), bool),
    **dict.fromkeys(("cohens_d", "rank_biserial", "cliffs_delta"), float),
}
"""What the scores of two systems tell of them, for programs, in this order."""


AT_ONCE = ("simultaneous_low", "simultaneous_high")
"""The ends of the interval of a difference to the baseline, or to the best, that holds for all systems at once."""


def system_fields(between: Mapping[str, type]) -> dict[str, type]:
    """Return what is known of a system under a measure, for programs.

    Parameters
    ----------
    between
        What is known of it and another one.
    """
    return {
        **dict.fromkeys(("measure",), str),
        **dict.fromkeys(("place",), int),
        **dict.fromkeys(("system", "statistic"), str),
        **dict.fromkeys(("value", "mean", "median", "mean_rank"), float),
        **dict.fromkeys(("letters", "against"), str),
        **between,
        **dict.fromkeys(AT_ONCE, float),
    }


def pair_fields(between: Mapping[str, type]) -> dict[str, type]:
    """Return what is known of two systems, for programs; a narrow screen shows the first and the last columns.

    Parameters
    ----------
    between
        What is known of one and the other.
    """
    return {
        **dict.fromkeys(("measure", "system", "against"), str),
        **dict.fromkeys(("difference", "mean", "mean_against"), float),
        **{name: kind for name, kind in between.items() if name not in ("p", "p_corrected")},
        **dict.fromkeys(("p", "p_corrected"), float),
        "significant": bool,
    }


LATEX_KEYS = (
    *("system", "value", "letters", "mean", "Δ mean", "95 %", "p", "p corrected", "topics", "p sign", "κ"),
    HEADING,
)
"""The columns of a table for a paper."""

OF_MEANS = ("difference", "low", "high", *AT_ONCE, "kappa", "scale_proof")
"""The fields that are about means, which a scale may not admit."""


@frozen(eq=False)
class ScoresView:
    """How systems are shown whose scores under a measure are compared.

    Parameters
    ----------
    result
        How they stand.
    strict
        Whether numbers that the scale does not admit are left out.
    """

    between: ClassVar[Mapping[str, type]] = OF_SCORES

    result: ScoresResult
    strict: bool = False

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every system, best first: its numbers, and how it stands to the reference.

        Differences are those of the row minus the reference (`MeasureResult.reference`); `low` and `high` are the
        interval of this pair alone, `simultaneous_low` and `simultaneous_high` that which holds for all pairs at once.
        Numbers that are not finite (the interval of one difference, d where all differences are the same, infinite κ)
        are None, and so are those that the scale does not admit if the comparison is strict.
        """
        result, refused = self.result, self.refused
        systems, order = result.scores.systems, result.order
        reference = systems.index(result.reference)
        medians, ranks = result.scores.median(), result.scores.mean_rank()
        fields, found = system_fields(self.between), []
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
                if (at_once := result.simultaneous) is not None:
                    row |= dict(zip(AT_ONCE, (float(at_once.low[place]), float(at_once.high[place])), strict=True))
            found.append({name: None if name in refused else finite(row.get(name)) for name in fields})
        return found

    def pair_rows(self) -> list[dict[str, Any]]:
        """Return a row for every pair that was tested: the better system against the other, or against the baseline.

        Differences are those of `system` minus `against`. What there is not, or what the scale does not admit in a
        strict comparison, is None; κ may be infinite.
        """
        result, refused = self.result, self.refused
        systems = result.scores.systems
        fields, found = pair_fields(self.between), []
        for place, other in result.ranked_pairs:
            row = {
                "measure": result.scores.measure,
                "system": systems[place],
                "mean": result.means[place],
                "mean_against": None if "mean" in refused else result.means[other],
                **self._against(place, other),
                "significant": bool(result.pairs.pvalues[place, other] <= result.alpha),
            }
            unknown = refused | {name for name in row if name != "kappa" and finite(row[name]) is None}
            found.append({name: None if name in unknown else row[name] for name in fields})
        return found

    @property
    def refused(self) -> frozenset[str]:
        """The numbers that are left out: those that the scale does not admit, if the comparison is strict."""
        if not self.strict:
            return frozenset()
        effects = self.result.effects.caveats_by
        difference = dict.fromkeys(("mean_difference", *OF_MEANS), effects["mean_difference"])
        others = {name: effects[name] for name in ("cohens_d", "cohens_d_average", "rank_biserial", "cliffs_delta")}
        averages = {"mean": self.result.means.caveats, "median": self.result.scores.median().caveats}
        return frozenset(name for name, found in {**averages, **difference, **others}.items() if not is_admitted(found))

    def _against(self, place: int, reference: int) -> dict[str, Any]:
        result, effects, at = self.result, self.result.effects, (place, reference)
        sizes = ("low", "high", "cohens_d", "rank_biserial", "cliffs_delta")
        return {
            "against": result.scores.systems[reference],
            # systems without a topic in common do not differ by 0
            "difference": float(effects.mean_difference[at]) if effects.topics[at] else nan,
            **{name: float(getattr(effects, name)[at]) for name in sizes},
            **{name: int(getattr(effects, name)[at]) for name in ("wins", "ties", "losses")},
            "test": result.pairs.test,
            "p": float(result.uncorrected.pvalues[at]),
            "p_corrected": float(result.pairs.pvalues[at]),
            "adjusted": result.pairs.adjusted,
            "p_sign": float(result.sign.pvalues[at]),
            "kappa": float(result.scale.kappa[at]),
            "scale_proof": bool(result.scale.proof[at]),
        }

    def table(self, *, admitted: bool = False) -> TableView:
        """Return the table of systems, best first.

        Parameters
        ----------
        admitted
            Whether there is a column of what the scale admits as well, where that is not the mean.
        """
        scores, rows = self.result.scores, self.rows()
        title = Words(((scores.measure, "strong"), (f" · {counted(len(scores.topics), 'topic')}", "faint")))
        title += Words.of(direction(scores), "faint")
        columns = list(self._columns(rows, admitted=admitted))
        view = TableView(columns, rows, title=title, about=self.how(), fields=system_fields(self.between))
        return view.admitted() if self.strict else evolve(view, columns=[_unstarred(each) for each in columns])

    def latex_table(self) -> TableView:
        """Return the table of systems for a paper, with everything that it needs to be understood in its title."""
        view, scores = self.table(), self.result.scores
        lettered = "letters" in view.headings
        letters = f" Letters at alpha = {self.result.alpha:g}." if lettered else ""
        about = f"{self.how()}{letters}{self._meaning(view)}"
        return evolve(view.select(*LATEX_KEYS), title=f"{scores.measure}{direction(scores)}", about=about)

    def _meaning(self, view: TableView) -> str:  # noqa: ARG002 - where there is more than scores, it is explained
        return ""

    def _columns(self, rows: list[dict[str, Any]], *, admitted: bool) -> Iterator[Column]:
        result = self.result
        yield Column("system", _system, left=True, latex="System")
        yield from self._averages(admitted=admitted)
        if len(rows) > 2 and any(row["letters"] for row in rows):
            letters = lambda row: Words.of(row["letters"], "super")  # noqa: E731
            yield Column("letters", letters, left=True, dispensable=5, longest=LETTERS, latex="")
        if len(rows) > 1:
            yield from self._compared(fits=is_admitted(result.means.caveats))

    def _averages(self, *, admitted: bool) -> Iterator[Column]:
        """Return the mean, and what the scale admits where that is asked for and something else."""
        result = self.result
        summary = result.scores.admitted() if admitted else result.summary
        statistic = summary.statistic
        if statistic != "mean":
            ordered = is_admitted(summary.caveats)
            head, place = statistic.removeprefix("mean "), result.scores.systems.index
            show = lambda row: written(summary[place(row["system"])], statistic)  # noqa: E731
            yield Column(head, show, admitted=ordered, latex=statistic, key="value")
        key = "value" if statistic == "mean" else "mean"
        show = lambda row: number(row["mean"], self._places)  # noqa: E731
        yield Column("mean", show, admitted=is_admitted(result.means.caveats), key=key)

    def _compared(self, *, fits: bool) -> Iterator[Column]:
        """Return how every system stands to the reference."""
        pairs = self.result.pairs
        change = lambda row: difference(row["difference"], self._places)  # noqa: E731
        yield Column("Δ mean", change, admitted=fits, latex=r"$\Delta$ mean")
        if (at_once := self.result.simultaneous) is not None:
            head = f"({counted(at_once.pairs, 'pair')})"
            latex = rf"95\,\% {head}"
            yield Column(f"95 % {head}", all_at_once, admitted=fits, dispensable=6, latex=latex, key="95 %")
        elif pairs.test == "paired_t":
            yield Column("95 %", between, admitted=fits, dispensable=6, latex=r"95\,\%")
        test = SHORT.get(pairs.test, pairs.test.replace("_", " "))
        alone = pairs.adjusted not in CORRECTION_NAMES or self.result.compared < 2
        yield _pvalues("p", f"p ({test})", "p", f"$p$ ({test})", dispensable=0 if alone else 3)
        if not alone:
            method = CORRECTION_NAMES[pairs.adjusted]
            yield _pvalues("p_corrected", f"p ({test}, {method})", "p corrected", f"$p$ ({method})")
        yield Column("topics", counts, latex="W--T--L")
        if pairs.test != "sign":
            yield _pvalues("p_sign", "p (sign)", "p sign", "$p$ (sign)", dispensable=1)
        margin = lambda row: "" if row["against"] is None else margin_of(row)  # noqa: E731
        yield Column("κ", margin, admitted=fits, dispensable=2, latex=r"$\kappa$")

    @cached_property
    def _places(self) -> int:
        """How many decimals means have: those of two systems as many as subtract."""
        result = self.result
        if len(result.order) != 2 or np.isnan(result.scores.values).any():
            return 4
        first, second = (place for place in result.order)
        apart = float(result.effects.mean_difference[first, second])
        return min(places_that_subtract(result.means[first], result.means[second], apart, 4, fixed=True), 8)

    def how(self) -> str:
        """Return how systems were compared, in a sentence or two."""
        result, pairs = self.result, self.result.pairs
        if len(result.order) < 2:
            return "There is nothing to compare one system with."
        statistic = result.summary.statistic
        tied = len(set(result.summary)) < len(result.order) and statistic == "median"
        order = f"Best {STATISTICS.get(statistic, statistic)} first{', ties by mean rank' if tied else ''}."
        many = f" over {counted(result.compared, 'pair')}" if pairs.adjusted in CORRECTION_NAMES else ""
        corrected = f", {CORRECTED[pairs.adjusted]}{many}" if result.compared > 1 else ""
        whose = "the baseline" if result.baseline is not None else ("" if len(result.order) == 2 else "the leader")
        whom = ", ".join(filter(None, (result.reference, whose)))
        weak = "" if pairs.needs.met_by(result.scores) or not self.strict else f" {capitalised(str(pairs.needs))}."
        against = f"Differences: row minus {whom}" if result.by_means else f"Compared with {whom}"
        return f"{order} {against}. Test: {pairs.needs.statistic}{corrected}.{weak}"

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
        systems, baseline = self.result.scores.systems, self.result.baseline
        return [
            [p if baseline in (None, a, b) or a == b else None for b, p in zip(systems, row, strict=True)]
            for a, row in zip(systems, self.result.pairs.pvalues.tolist(), strict=True)
        ]

    def parts(
        self, *, matrix: bool = False, admitted: bool = False, claims: bool = True, concluded: bool = False
    ) -> Iterator[Part]:
        """Return the table, and what may be said of some pairs.

        Parameters
        ----------
        matrix
            Whether the p-values of all pairs are shown as well.
        admitted
            Whether there is a column of what the scale admits as well.
        claims
            Whether sentences on pairs are shown.
        concluded
            Whether a conclusion stands above, so that sentences on pairs say what it and the table do not.
        """
        result = self.result
        yield self.table(admitted=admitted)
        yield ""
        if matrix:
            yield self.matrix()
            yield ""
        if claims:
            yield from self._claims(concluded=concluded)
        if len(result.order) > 2:
            yield Paragraph(result.in_numbers, indent=1)
            yield ""
        elif len(result.order) > 1:
            yield ""

    def _claims(self, *, concluded: bool) -> Iterator[Part]:  # noqa: ARG002 - scores alone make none
        """Return what may be said of some pairs."""
        yield from ()

    def _margins(self) -> dict[str, Any]:
        """Return what is known of margins of scale, for programs; nothing where the scale does not admit means."""
        result = self.result
        if "kappa" in self.refused:
            return {}
        return {
            "scale_margins": result.scale.to_dict(),
            "scale_proof": result.scale_proof,
            "significant_and_scale_proof": result.significant_and_scale_proof,
        }

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
                "admitted_by_scale": pairs.needs.met_by(scores),
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
            "uncorrected_pvalues": result.uncorrected.pvalues.tolist(),
            "differences": None if "difference" in self.refused else differences,
            "sign_pvalues": result.sign.pvalues.tolist(),
            "compared": result.compared,
            "significant": result.significant,
            **self._margins(),
            "caveats": [caveat.to_dict() for caveat in dict.fromkeys((*result.summary.caveats, *pairs.caveats))],
        }


def _system(row: Mapping[str, Any]) -> Words:
    return Words.of(row["system"], "strong" if row["place"] == 1 else "")


def _tested(p: float | None) -> str:
    return "–" if p is None else pvalue(p)


def _pvalues(field: str, heading: str, key: str, latex: str, *, dispensable: int = 0) -> Column:
    """Return a column of p-values, whose heading names the test."""

    def cell(row: Mapping[str, Any]) -> str:
        return "" if row[field] is None else pvalue(row[field])

    return Column(heading, cell, key=key, latex=latex, dispensable=dispensable)


def _unstarred(column: Column) -> Column:
    """Return a column without the star: what scales do not admit is said once, below the tables."""
    return evolve(column, admitted=True)


def legend(
    shown: set[str], *, alpha: float, lower_is_better: bool, levels: LevelsMatrix | None = None
) -> Iterator[str]:
    """Return how to read tables of systems.

    Parameters
    ----------
    shown
        The headings of the columns that are shown.
    alpha
        The level of significance.
    lower_is_better
        Whether lower is better under some measure.
    levels
        The levels of all pairs, where they are known.
    """
    plain = {head.rstrip("*") for head in shown}
    if "letters" in plain:
        yield f"letters: systems that share one do not differ significantly (corrected p > {alpha:g})."
    if "rank" in plain:
        yield "rank: the mean over topics of a system's rank among all; needs no scale that topics share."
    if "95 %" in plain:
        yield "95 %: t interval of the mean difference of this pair alone; p (t): the t test of this pair alone."
    for head in sorted(head for head in plain if head.startswith("95 % (")):
        yield f"{head}: intervals of mean differences; all hold at once for so many pairs; p (t): of one pair alone."
    for head in sorted(
        head for head in plain if head.endswith(tuple(f", {method})" for method in CORRECTION_NAMES.values()))
    ):
        what = "letters and “beats” go" if "letters" in plain else "“beats” goes"
        yield f"{head}: corrected for the number of pairs; {what} by it."
    won = "topics: won–tied–lost"
    yield f"{won}; p (sign): the sign test of these counts, which no rescaling changes." if "p (sign)" in plain else won
    if "κ" in plain:
        yield (
            "κ: suppose that the values of the measure were spaced otherwise, on all topics alike. κ is how uneven the"
            " new spacing must be, its largest stretch over its smallest, before the other mean catches up. Squaring"
            " scores between 0.1 and 1 is as uneven as 10. ∞: no such spacing does it, and the order is"
            " scale-proof where all topics share one scale."
        )
    if "judgments" in plain:
        yield from LINES
    if HEADING in plain and levels is not None:
        yield column_in_words(levels)
    if "Δ mean" in plain and lower_is_better:
        yield "Where lower is better, Δ mean is below 0 for a system that is ahead."


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


def is_admitted(caveats: Iterable[Caveat]) -> bool:
    """Return whether the scale admits a number, as far as its caveats tell.

    Parameters
    ----------
    caveats
        The caveats of the number.
    """
    return not any(caveat.kind is CaveatKind.SCALE for caveat in caveats)


def number(value: float | None, places: int = 4) -> str:
    """Return a score or an average, to four decimals.

    Parameters
    ----------
    value
        The number, if there is one.
    places
        How many decimals, if not four.
    """
    return "–" if value is None else decimals(value, places)


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


def difference(value: float | None, places: int = 4) -> str:
    """Return a difference of averages with its sign, or nothing.

    Parameters
    ----------
    value
        The difference, if there is one.
    places
        How many decimals.

    Examples
    --------
    >>> difference(0.25), difference(-3e-6), difference(None)
    ('+0.2500', '-3.0e-06', '')
    """
    return "" if value is None else decimals(value, places, "+")


def between(row: Mapping[str, Any]) -> str:
    """Return the interval of a mean difference, or nothing if there is none.

    Parameters
    ----------
    row
        What has a `low` and a `high` end.
    """
    return "" if row["low"] is None else f"[{difference(row['low'])}, {difference(row['high'])}]"


def all_at_once(row: Mapping[str, Any]) -> str:
    """Return the interval of a difference that holds for all systems at once, or nothing if there is none.

    Parameters
    ----------
    row
        What has its ends.
    """
    low, high = (row[name] for name in AT_ONCE)
    return "" if low is None else f"[{difference(low)}, {difference(high)}]"


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
