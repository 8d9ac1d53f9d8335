"""The section "Verdict": what can be said of the systems, in plain sentences, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite
from typing import Any

from measurand.display.wording import listed
from measurand.report.page.places import leaders_of
from measurand.report.page.section import Section
from measurand.report.page.summing_up import by_average, sentences
from measurand.scales.meaning import Answer, Meaning, TopicScales
from measurand.scores.summary import written
from measurand.study.comparison_view import CORRECTED, STATISTICS
from measurand.study.measure_result import Claim, MeasureResult, in_short
from measurand.study.study import MANY, Study

KINDS = {
    "robust": "no permissible rescaling of the scores changes it",
    "fragile": "a permissible rescaling turns it round; the certificate shows one",
    "not meaningful": "no statement of this kind means anything on this scale",
    "undecided": "no rescaling that was tried changes it, and nothing proves that none does",
}
"""What the answers mean, for the legend."""

FITTING = "The scale admits this test: no permissible rescaling changes its decision."

UNLOOKED = "The scale does not admit this test, and nobody looked whether a permissible rescaling changes its decision."


def section(study: Study) -> Section:
    """Return the section."""
    measures = [_measure(study, study.result(name)) for name in study.measures]
    claims = [claim for measure in measures for claim in measure["claims"]]
    given = {str(claim[word]) for claim in claims for word in ("answer", "tested")}
    content = {
        "sentences": list(sentences(study)),
        "measures": measures,
        "alone": len(study.systems) < 2,
        "legend": {answer: words for answer, words in KINDS.items() if answer in given},
        "unlooked": any(claim["tested"] is None for claim in claims),
        "baseline": study.plan.baseline,
        "by": by_average(study),
        "glance": [_glance(result) for name in study.measures if (result := study.result(name)).claims],
    }
    drawn = 2 < len(study.systems) <= MANY
    return Section(
        name="verdicts", title="Verdict", content=content, charts={"places": study.plot().chart} if drawn else {}
    )


def _measure(study: Study, result: MeasureResult) -> dict[str, Any]:
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
        "how": study.raw.view(result).how(),
        "robustly": result.robustly if len(study.systems) > 2 else "",
        "claims": [_claim(result, claim) for claim in result.claims],
        "interval": None if placed is None else _on_interval(result, placed),
    }


def _glance(result: MeasureResult) -> dict[str, Any]:
    """Return the first claim under a measure in numbers."""
    claim = result.claims[0]
    effect = claim.effect
    return {
        "measure": result.scores.measure,
        "ahead": claim.ahead,
        "behind": claim.behind,
        "means": claim.means,
        "starred": not result.means.admitted,
        "difference": effect.mean_difference,
        "interval": (effect.low, effect.high) if isfinite(effect.low) else None,
        "topics": f"{effect.wins}–{effect.ties}–{effect.losses}",
        "test": claim.test,
        "pvalue": claim.pvalue,
        "significant": claim.significant,
        "answer": claim.meaning.answer,
    }


def _on_interval(result: MeasureResult, placed: MeasureResult) -> dict[str, Any]:
    """Return who leads on the interval scale, and whether these are the same, or nobody who leads without it."""
    before, after = leaders_of(result), leaders_of(placed)
    return {
        "statistic": STATISTICS.get(placed.summary.statistic, placed.summary.statistic),
        "first": _named(after),
        "several": len(after) > 1,
        "same": set(before) == set(after),
        "other": set(before).isdisjoint(after),
        "value": written(placed.summary[placed.systems[0]], placed.summary.statistic),
    }


def _named(leaders: Sequence[str]) -> str:
    return listed(leaders, 2, "others") if leaders else "nobody"


def _claim(result: MeasureResult, claim: Claim) -> dict[str, Any]:
    fits = result.pairs.needs.met_by(result.scores)
    return {
        "answer": claim.meaning.answer,
        "shared": _on_one_scale(claim.meaning),
        "tested": _tested(claim, fits),
        "fits": fits,
        "headline": claim.headline,
        "certificate": list(_certificate(claim, fits)),
    }


def _on_one_scale(meaning: Meaning) -> Answer | None:
    """Return what becomes of a claim if all topics share one scale, where that is another answer."""
    other = meaning.other
    if other is None or other.reading is not TopicScales.ONE or other.answer is meaning.answer:
        return None
    return other.answer


def _tested(claim: Claim, fits: bool) -> Answer | None:
    """Return what the decision of the test is worth: robust where the scale admits the test, None if nobody looked."""
    if fits:
        return Answer.ROBUST
    return None if claim.decision is None else claim.decision.answer


def _certificate(claim: Claim, fits: bool) -> Iterator[tuple[str, str]]:
    """Return what a claim rests on, line by line: a heading and what is to be said under it."""
    yield "Statement", f"{claim.meaning.statement}: {'true' if claim.meaning.true else 'false'} of these scores"
    yield f"Rescaling ({claim.meaning.reading})", in_short(claim.meaning)
    other = claim.meaning.other
    if other is not None:
        yield f"If there were {other.reading}", f"{other.answer}. {in_short(other)}"
    yield "How that is known", _known(claim.meaning)
    yield "Test", f"{claim.test}, two-sided; p = {claim.pvalue:.3g}, {CORRECTED[claim.adjusted]}"
    yield "What the test says", FITTING if fits else claim.decided or UNLOOKED
    yield "Effect", str(claim.effect)
    yield "Every measure", str(claim.dominance)


def _known(meaning: Meaning) -> str:
    reading = "" if meaning.reading is TopicScales.ONE else ", topic by topic"
    return f"{meaning.how}{reading}; {'certain' if meaning.certain else 'not certain'}"
