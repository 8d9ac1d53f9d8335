"""The section "Verdict": what can be said of the systems, in plain sentences, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite, isinf
from typing import Any

from measurand.display.wording import counted, equals, listed
from measurand.report.page.places import leaders_of
from measurand.report.page.section import Section, pieces
from measurand.report.page.summing_up import sentences
from measurand.scales.meaning import TopicScales
from measurand.scores.summary import written
from measurand.statistics.multiple_comparisons import SHORT as CORRECTION_NAMES
from measurand.study.claim import TEST_OF_INTERVAL, Claim, in_short
from measurand.study.comparison_view import CORRECTED, SHORT
from measurand.study.levels import Levels
from measurand.study.levels_view import pair_findings
from measurand.study.margins import written_margin
from measurand.study.measure_result import MeasureResult
from measurand.study.reversing import reversing_measures
from measurand.study.scale_paragraphs import STATISTICS, ordered_by
from measurand.study.study import MANY, Study


def section(study: Study) -> Section:
    """Return the section."""
    levels = LevelsOfClaims(study)
    measures = [_measure(study, study.result(name), levels) for name in study.measures]
    glance = [_glance(result) for name in study.measures if (result := study.result(name)).claims]
    content = {
        "sentences": list(sentences(study)),
        "measures": measures,
        "alone": len(study.systems) < 2,
        "two": len(study.systems) == 2,
        "baseline": study.plan.baseline,
        "pvalues": _heads(study.raw.results),
        "tests": " or ".join(dict.fromkeys(each.pairs.needs.statistic for each in study.raw.results)),
        "glance": glance,
        "with_interval": any(row["interval"] for row in glance),
        "ordered_by": ordered_by(study.raw.results),
        "means": any(each.by_means for each in study.raw.results),
        "only_means": all(each.by_means for each in study.raw.results),
        "signed": any(each.pairs.test != "sign" for each in study.raw.results),
    }
    drawn = 2 < len(study.systems) <= MANY
    return Section(
        name="verdicts", title="Verdict", content=content, charts={"places": study.plot().chart} if drawn else {}
    )


def _measure(study: Study, result: MeasureResult, levels: LevelsOfClaims) -> dict[str, Any]:
    scores, summary, leaders = result.scores, result.summary, leaders_of(result)
    placed = study.result_on_interval(scores.measure)
    return {
        "name": scores.measure,
        "scale": scores.scale_label.words + ("" if scores.one_scale else ", another one on every topic"),
        "statistic": STATISTICS.get(summary.statistic, summary.statistic),
        "lower": scores.lower_is_better,
        "first": _named(leaders),
        "several": len(leaders) > 1,
        "value": written(summary[result.systems[0]], summary.statistic),
        "how": _how(result),
        "in_numbers": result.in_numbers if len(study.systems) > 2 else "",
        "claims": [_claim(claim, levels) for claim in result.claims],
        "interval": None if placed is None else _on_interval(result, placed),
    }


def _heads(results: Sequence[MeasureResult]) -> tuple[str, str]:
    """Return what stands above p-values, before and after correction: the test, and how they are corrected."""
    tests = "/".join(dict.fromkeys(SHORT.get(each.pairs.test, each.pairs.test.replace("_", " ")) for each in results))
    methods = dict.fromkeys(
        CORRECTION_NAMES[each.pairs.adjusted] for each in results if each.pairs.adjusted in CORRECTION_NAMES
    )
    corrected = f"p ({tests}, {'/'.join(methods)})" if methods and results[0].compared > 1 else ""
    return f"p ({tests})", corrected


def _how(result: MeasureResult) -> str:
    """Return how the systems of claims were compared, in a sentence or two."""
    if len(result.order) < 2:
        return ""
    pairs = result.pairs
    many = f" over {counted(result.compared, 'pair')}" if pairs.adjusted in CORRECTION_NAMES else ""
    corrected = f", {CORRECTED[pairs.adjusted]}{many}" if result.compared > 1 else ""
    which = "system minus baseline" if result.baseline is not None else "the leader minus the other"
    differences = f" Differences: {which}." if result.by_means else ""
    return f"Test: {pairs.needs.statistic}{corrected}.{differences}"


def _glance(result: MeasureResult) -> dict[str, Any]:
    """Return the first claim under a measure in numbers."""
    claim = result.claims[0]
    effect = claim.effect
    return {
        "measure": result.scores.measure,
        "system": claim.system,
        "against": claim.against,
        "statistic": claim.statistic,
        "numbers": [written(each, claim.statistic) for each in _numbers(claim)],
        "difference": effect.mean_difference if result.by_means else None,
        "interval": (effect.low, effect.high) if isfinite(effect.low) and claim.test == TEST_OF_INTERVAL else None,
        "topics": f"{effect.wins}–{effect.ties}–{effect.losses}",
        "test": claim.test,
        "pvalue": claim.pvalue,
        "corrected": claim.corrected,
        "sign": claim.sign,
        "significant": claim.significant,
        "kappa": written_margin(claim.kappa) if result.by_means else "–",
    }


def _numbers(claim: Claim) -> tuple[float, float]:
    # two means that differ by rounding alone are one
    return claim.means if claim.statistic == "mean" else claim.numbers


def _on_interval(result: MeasureResult, placed: MeasureResult) -> dict[str, Any]:
    """Return who leads on the interval scale, and whether these are the same, or nobody who leads without it.

    Neither is said where a strict study orders systems by another statistic there.
    """
    before, after = leaders_of(result), leaders_of(placed)
    alike = result.summary.statistic == placed.summary.statistic
    return {
        "statistic": STATISTICS.get(placed.summary.statistic, placed.summary.statistic),
        "first": _named(after),
        "several": len(after) > 1,
        "same": alike and set(before) == set(after),
        "other": alike and set(before).isdisjoint(after),
        "value": written(placed.summary[placed.systems[0]], placed.summary.statistic),
    }


def _named(leaders: Sequence[str]) -> str:
    return listed(leaders, 2, "others") if leaders else "nobody"


def _claim(claim: Claim, levels: LevelsOfClaims) -> dict[str, Any]:
    return {
        "significant": claim.significant,
        "headline": claim.headline,
        "sentence": claim.sentence,
        "certificate": [*_certificate(claim), ("For which measures", levels.words(claim))],
        "reversing": levels.reversing(claim),
    }


class LevelsOfClaims:
    """For which measures one of the two systems of a claim is ahead, each pair being looked at once.

    Parameters
    ----------
    study
        The study.
    """

    def __init__(self, study: Study) -> None:
        self._matrix = study.raw.levels
        self._found: dict[tuple[str, str], Levels] = {}
        self._shown: dict[tuple[str, str], str] = {}

    def _of(self, claim: Claim) -> Levels:
        """Return the levels of the system that is ahead, or else has the better mean, over the other."""
        # where it depends on the measure, another measure may put the other one first
        ahead = claim.level.ahead or claim.ahead
        pair = ahead, claim.against if ahead == claim.system else claim.system
        if pair not in self._found:
            self._found[pair] = self._matrix.of(*pair)
        return self._found[pair]

    def words(self, claim: Claim) -> str:
        """Return under which measures one of two systems is ahead, and why not under more.

        Parameters
        ----------
        claim
            What is claimed of the two.
        """
        return " ".join(map(str, pair_findings(self._of(claim), self._matrix)))

    def reversing(self, claim: Claim) -> dict[str, Any] | None:
        """Return the measure that puts the other system first, or under which measure it was shown already.

        Parameters
        ----------
        claim
            What is claimed of the two.
        """
        found = self._of(claim)
        if found.every_measure.witness is None:
            return None
        shown = self._shown.setdefault((found.a, found.b), claim.measure)
        if shown != claim.measure:
            return {"first": found.b, "shown": shown}
        strongest = reversing_measures(found)[-1]
        return {
            "first": found.b,
            "shown": "",
            "sentence": strongest.sentence,
            "runs": [pieces(run, self._matrix.grades - 1) for run in strongest.runs[:SHOWN]],
            "more": max(0, len(strongest.runs) - SHOWN),
        }


SHOWN = 4
"""So many runs of a measure that turns an order round are shown."""


def _certificate(claim: Claim) -> Iterator[tuple[str, str]]:
    """Return what a claim rests on, line by line: a heading and what is to be said under it."""
    yield "Test", f"{claim.test}, two-sided; p {equals(claim.pvalue)} of this pair alone{claim.after_correction}"
    if claim.test != "sign test":
        yield "Sign test", f"p {equals(claim.sign)} of this pair alone; no rescaling changes it"
    if claim.statistic != "mean":
        yield "Effect", _without_means(claim)
        return
    yield "Effect", str(claim.effect)
    if claim.apart:
        yield "Other spacings of the scale", f"κ = {written_margin(claim.kappa)}: {_worth(claim)}"
    alike = claim.meaning.reading is TopicScales.ONE
    yield "All topics rescaled alike" if alike else "Every topic rescaled on its own", in_short(claim.meaning)


def _without_means(claim: Claim) -> str:
    """Return how far two systems are apart by what a scale admits that does not admit means."""
    effect, several = claim.effect, claim.effect.topics
    # systems share a scale over topics, or are compared on each alone
    delta = f", delta {effect.cliffs_delta:+.2f}" if claim.scores.one_scale else ""
    counts = f"ahead on {effect.wins}, level on {effect.ties} and behind on {effect.losses}"
    return f"{effect.a} against {effect.b}: {counts} of {counted(several, 'topic')}{delta}"


def _worth(claim: Claim) -> str:
    if isinf(claim.kappa):
        return "no increasing rescaling of the measure, the same on all topics, changes which mean is higher"
    return (
        "a rescaling that changes which mean is higher, the same on all topics, must stretch some part of the scale"
        " about so many times as much as another, or more"
    )
