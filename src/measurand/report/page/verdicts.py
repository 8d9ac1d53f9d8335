"""The section "Verdict": what can be said of the systems, in plain sentences, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from measurand.report.compare_words import CORRECTED, STATISTICS, how
from measurand.report.page.section import Section
from measurand.report.page.summing_up import sentences
from measurand.report.page.wording import averaged
from measurand.scales.meaning import Answer, Meaning, Reading
from measurand.study.claims import Claim, in_short
from measurand.study.places_chart import MANY
from measurand.study.standing import Standing
from measurand.study.study import Study

KINDS = {
    "robust": "no permissible rescaling of the scores changes it",
    "fragile": "a permissible rescaling turns it round; the certificate shows one",
    "not meaningful": "no statement of this kind means anything on this scale",
    "undecided": "no rescaling that was tried changes it, and nothing proves that none does",
}
"""What the answers mean, for the legend."""


def section(study: Study) -> Section:
    """Return the section."""
    measures = [_measure(study, study.standing(name)) for name in study.measures]
    given = {str(claim[word]) for measure in measures for claim in measure["claims"] for word in ("answer", "tested")}
    content = {
        "sentences": list(sentences(study)),
        "measures": measures,
        "alone": len(study.systems) < 2,
        "legend": {answer: words for answer, words in KINDS.items() if answer in given},
        "baseline": study.plan.baseline,
    }
    drawn = 1 < len(study.systems) <= MANY
    return Section(
        name="verdicts", title="Verdict", content=content, charts={"places": study.plot().chart} if drawn else {}
    )


def _measure(study: Study, standing: Standing) -> dict[str, Any]:
    scores, summary = standing.scores, standing.summary
    first = standing.systems[0]
    placed = study.standing_on_interval(scores.measure)
    return {
        "name": scores.measure,
        "scale": f"{scores.scale} scale" + ("" if scores.one_scale else ", another one on every topic"),
        "statistic": STATISTICS.get(summary.statistic, summary.statistic),
        "lower": scores.lower_is_better,
        "first": first,
        "value": averaged(summary, first),
        "how": how(study.raw, standing),
        "robustly": standing.robustly if len(study.systems) > 1 else "",
        "claims": [_claim(claim) for claim in standing.claims],
        "interval": None if placed is None else _on_interval(standing, placed),
    }


def _on_interval(standing: Standing, placed: Standing) -> dict[str, Any]:
    """Return who leads on the interval scale, and whether that is somebody else."""
    return {
        "measure": placed.scores.measure,
        "statistic": STATISTICS.get(placed.summary.statistic, placed.summary.statistic),
        "first": placed.systems[0],
        "other": placed.systems[0] != standing.systems[0],
        "value": averaged(placed.summary, placed.systems[0]),
    }


def _claim(claim: Claim) -> dict[str, Any]:
    return {
        "answer": claim.meaning.answer,
        "tested": _tested(claim),
        "fits": claim.decision is None,
        "headline": claim.headline,
        "certificate": list(_certificate(claim)),
    }


def _tested(claim: Claim) -> Answer:
    """Return what the decision of the test is worth: it is robust where the scale admits the test."""
    return Answer.ROBUST if claim.decision is None else claim.decision.answer


def _certificate(claim: Claim) -> Iterator[tuple[str, str]]:
    """Return what a claim rests on, line by line: a heading and what is to be said under it."""
    yield "Statement", f"{claim.meaning.statement}: {'true' if claim.meaning.true else 'false'} of these scores"
    yield f"Rescaling ({claim.meaning.reading})", in_short(claim.meaning)
    other = claim.meaning.other
    if other is not None:
        yield f"If there were {other.reading}", f"{other.answer}. {in_short(other)}"
    yield "How that is known", _known(claim.meaning)
    yield "Test", f"{claim.test}, two-sided; p = {claim.pvalue:.3g}, {CORRECTED[claim.adjusted]}"
    if claim.decision is None:
        yield "What the test says", "The scale admits this test: no permissible rescaling changes its decision."
    else:
        yield "What the test says", f"{claim.decision.answer}. {claim.decision.certificate or in_short(claim.decision)}"
    yield "Effect", str(claim.effect)
    yield "Whatever the measure", str(claim.dominance)


def _known(meaning: Meaning) -> str:
    reading = "" if meaning.reading is Reading.ONE else ", topic by topic"
    return f"{meaning.how}{reading}; {'certain' if meaning.certain else 'not certain'}"
