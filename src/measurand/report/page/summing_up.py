"""Summing up: the few sentences that a reader of the page should take home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

import numpy as np
from attrs import frozen

from measurand.display.wording import counted, listed, percent
from measurand.report.method_paragraph import but_for, order_of_ties
from measurand.report.page.places import leaders_of
from measurand.study.comparison_view import CORRECTED
from measurand.study.levels_view import findings, measures_apart
from measurand.study.measure_result import MeasureResult
from measurand.study.scale_paragraphs import averages_word, grouped, ordered_by
from measurand.study.study import Study

SHOWN = 8
"""So many names are told, more are counted."""


@frozen
class Sentence:
    """One thing that can be said.

    Parameters
    ----------
    about
        What it is about, in a word or two.
    shown_in
        The section that shows what it rests on.
    """

    about: str
    text: str
    shown_in: str


def sentences(study: Study) -> Iterator[Sentence]:
    """Return what can be said, most important first."""
    if len(study.systems) < 2:
        yield Sentence("One system", "There is one system, and nothing to compare it with.", "systems")
    else:
        yield Sentence("Order", _order(study), "systems")
        yield Sentence("Significance", _significance(study), "comparisons")
        yield Sentence("Scale", _scale(study), "comparisons")
        yield Sentence("For which measures", _levels(study), "comparisons")
        if study.ranked is not None:
            yield Sentence("Interval scales", _on_interval_scales(study), "systems")
    yield from (Sentence(about, text, "data") for about, text in _data(study))


def in_short(study: Study) -> list[str]:
    """Return the sentences as lines of text, each with what it is about."""
    return [f"{each.about}: {each.text}" for each in sentences(study)]


def _standings(study: Study) -> list[MeasureResult]:
    return [study.result(name) for name in study.measures]


def _order(study: Study) -> str:
    if len(study.systems) == 2:
        return _two(study)
    return _leaders(study) if study.plan.baseline is None else _against_baseline(study)


def _leaders(study: Study) -> str:
    """Return who leads under the primary measure and by how much, and who leads under the others."""
    first, *others = _standings(study)
    leading = leaders_of(first)
    lead = f"{_named(leading, study)} {_lead(leading)} on {first.scores.measure}."
    lead += f" {first.claims[0]}" if first.claims else ""
    if not others:
        return lead
    same = [each.scores.measure for each in others if leaders_of(each) == leading]
    parts = [f"{'it leads' if len(leading) == 1 else 'they lead'} on {listed(same, SHOWN)} too"] if same else []
    under: dict[tuple[str, ...], list[str]] = {}
    for each in others:
        if each.scores.measure not in same:
            under.setdefault(leaders_of(each), []).append(each.scores.measure)
    parts += [
        f"{_named(leaders, study)} {_lead(leaders)} on {listed(names, SHOWN)}" for leaders, names in under.items()
    ]
    return f"{lead} Other measures: {'; '.join(parts)}."


def _lead(leaders: tuple[str, ...]) -> str:
    return "leads" if len(leaders) == 1 else "lead"


def _named(leaders: tuple[str, ...], study: Study) -> str:
    """Return who comes first: a name, or how many tie there."""
    if len(leaders) <= 1:
        return next(iter(leaders), "nobody")
    n = len(study.systems)
    return f"{listed(leaders)} alike" if len(leaders) <= 3 else f"{len(leaders):,} of {n:,} systems alike"


def _against_baseline(study: Study) -> str:
    """Return how many systems are significantly better or worse than the baseline, by measure."""
    told, same = [], []
    for result in _standings(study):
        base = result.pairs.place(str(study.plan.baseline))
        ahead = result.pairs.statistic[:, base][result.pairs.significant(study.plan.alpha)[:, base]] > 0
        measure = result.scores.measure
        if len(ahead):
            told.append(f"{ahead.sum()} better and {(~ahead).sum()} worse under {measure}")
        else:
            same.append(measure)
    told += [f"none under {listed(same, SHOWN)}"] if same else []
    others = counted(len(study.systems) - 1, "other system")
    by = _tests(study)
    return f"Significantly different from {study.plan.baseline}, of {others} ({by}): {'; '.join(told)}."


def _tests(study: Study) -> str:
    """Return by which tests systems are compared."""
    return " or ".join(dict.fromkeys(result.pairs.needs.statistic for result in _standings(study)))


def _two(study: Study) -> str:
    """Return who is ahead of whom under the primary measure, and what the others say."""
    first, *others = _standings(study)
    if not first.claims:
        return f"{_named(leaders_of(first), study)} {_lead(leaders_of(first))} on {first.scores.measure}."
    said = [f"On {first.scores.measure}, {claim}" for claim in first.claims]
    for each in others:
        said += [f"On {each.scores.measure}, {claim.headline}" for claim in each.claims]
    return " ".join(said)


def _significance(study: Study) -> str:
    """Return how many systems the leader beats, how many pairs differ, and what is called significant."""
    first, *others = _standings(study)
    single = len(study.systems) == 2
    by = CORRECTED[first.pairs.adjusted]
    corrected = "one pair needs no correction" if single else f"{by} over the pairs of a measure"
    over = "; nothing is corrected for the number of measures" if others else ""
    level = f"Called significant: p ≤ {study.plan.alpha:g}, two-sided; {corrected}{over}."
    unsure = (
        f"What is not significant may still be a difference that {counted(len(study.topics), 'topic')} cannot show."
    )
    if study.plan.baseline is not None or single:
        return f"{level} {unsure}"
    return f"{_beaten(first)} {_differing(first)} {level} {unsure}"


def _differing(result: MeasureResult) -> str:
    """Return how many pairs of systems differ significantly under a measure."""
    differ = "differs" if result.significant == 1 else "differ"
    return f"{result.significant:,} of all {counted(result.compared, 'pair')} of systems {differ} significantly."


def _beaten(result: MeasureResult) -> str:
    """Return how many of the other systems the leader of a measure beats, and how many are too close to call."""
    leader, n = result.order[0], len(result.order) - 1
    found = result.pairs.significant(result.alpha)[leader]
    beaten = int((found & (result.pairs.statistic[leader] > 0)).sum())
    close = n - int(found.sum())
    test = result.pairs.needs.statistic
    text = f"On {result.scores.measure}, {result.systems[0]} beats {beaten} of the other {n} ({test})"
    return f"{text}; {close} {'is' if close == 1 else 'are'} too close to call." if close else f"{text}."


def _scale(study: Study) -> str:
    """Return what other spacings of the scales could change."""
    results, said = _standings(study), study.scales
    weak = [each for each in results if not each.scale.interval]
    if not weak or study.plan.strict:
        return said
    if len(study.systems) == 2:
        proof = [each.scores.measure for each in weak if each.scale_proof]
        told = f"the case under {listed(proof, SHOWN)}" if proof else "the case under none of them here"
        return (
            f"{said} Where no spacing that all topics share could change it, the order is called scale-proof: {told}."
        )
    found = [f"{each.scale_proof:,} of {each.compared:,} pairs under {each.scores.measure}" for each in weak]
    told = listed(found, SHOWN)
    return f"{said} Where no spacing that all topics share could change it, the order is called scale-proof: {told}."


def _levels(study: Study) -> str:
    """Return for which measures systems are ahead of each other, without choosing one."""
    matrix = study.raw.levels
    said = [*findings(matrix, study.raw.results[0].systems[0]), *measures_apart(matrix, list(study.measures))]
    return f"To rank {matrix.depth:,}: {' '.join(map(str, said))}"


def _left_out(study: Study) -> bool:
    return study.plan.missing_topics == "skip" and bool(study.coverage.missing.any())


def _on_interval_scales(study: Study) -> str:
    """Return what changes when measures are replaced by their interval-scaled selves.

    Where a strict study orders systems by another statistic there, that is all that is said.
    """
    both = [(study.result(name), placed) for name in study.scaled if (placed := study.result_on_interval(name))]
    alike = [(raw, placed) for raw, placed in both if raw.summary.statistic == placed.summary.statistic]
    said = [_compared_on_both(study, alike)] if alike else []
    for (own, other), several in grouped([raw for raw, _ in both], lambda each: _statistics(study, each)).items():
        if own != other:
            names = listed([each.scores.measure for each in several], SHOWN)
            said.append(
                f"Under {names} systems are ordered by the {other} on the interval scale, not by the {own}: their"
                " places there are not compared with those under the measure as it is."
            )
    return " ".join(said)


def _statistics(study: Study, result: MeasureResult) -> tuple[str, str]:
    """Return what systems are ordered by under a measure, and on its interval scale."""
    placed = study.result_on_interval(result.scores.measure) or result
    return result.summary.statistic, placed.summary.statistic


def _compared_on_both(study: Study, both: Sequence[tuple[MeasureResult, MeasureResult]]) -> str:
    """Return who else comes first on interval scales, and how alike the orders are."""
    names = [raw.scores.measure for raw, _ in both]
    moved = [raw.scores.measure for raw, placed in both if set(leaders_of(placed)).isdisjoint(leaders_of(raw))]
    who = f"somebody else comes first under {listed(moved, SHOWN)}" if moved else "nobody else comes first"
    taus = {name: study.agreement.selves[name] for name in names}
    known = [tau for tau in taus.values() if not np.isnan(tau)]
    tied = [name for name, tau in taus.items() if np.isnan(tau)]
    by = "means" if not study.plan.strict else f"orders, each by {ordered_by([raw for raw, _ in both])},"
    told = [_at_least(known)] if known else []
    told += [f"undefined under {listed(tied, SHOWN)}, where all systems tie"] if tied else []
    return f"On interval scales {who}; between raw and interval-scaled {by} Kendall's tau is {', '.join(told)}."


def _at_least(taus: Sequence[float]) -> str:
    """Return what correlations do not fall short of."""
    if len(taus) == 1:
        return f"{taus[0]:.2f}"
    # rounded down, so that none is less
    return "1 throughout" if min(taus) > 1 - 1e-9 else f"{floor(100 * min(taus)) / 100:.2f} or more"


def _data(study: Study) -> Iterator[tuple[str, str]]:
    """Return what of the data a reader must know before believing anything."""
    shares = study.coverage.shares[10]
    known = ~np.isnan(shares).all(axis=1)
    if known.any():
        means = np.nanmean(shares[known], axis=1)
        systems = np.array(study.systems, dtype=object)[known]
        low = int(means.argmin())
        if means[low] < 1:
            share = _judged(systems.tolist(), means.tolist(), low)
            yield "Judgments", f"Documents without a judgment count as not relevant{but_for(study)}; {share}."
    matters = np.any([effect.matters for effect in study.ties.values()], axis=0)
    if matters.any():
        share = f"{int(matters.sum()):,} of {matters.size:,} rankings"
        yield "Ties", f"Documents of equal score make a difference in {share}; they were {order_of_ties(study)}."
    missing = np.flatnonzero(study.coverage.missing.any(axis=1)).tolist()
    if missing:
        names = listed([study.systems[place] for place in missing], SHOWN)
        left_out = f"are left out of {averages_word(study.raw.results)}, which then are over different topics"
        count = left_out if _left_out(study) else "count as empty results"
        yield "Gaps", f"Topics are missing from {names}; they {count}."


def _judged(systems: Sequence[str], means: Sequence[float], low: int) -> str:
    """Return how much of the top 10 of systems was judged: of each of a few, else of the worst and the middle one."""
    if len(systems) <= 3:
        shares = [f"{percent(share)} of {name}" for name, share in zip(systems, means, strict=True)]
        return f"judged of the top 10: {listed(shares)}"
    least, middle = percent(means[low]), percent(float(np.median(means)))
    return f"of the top 10 of {systems[low]} {least} are judged, of the median system's {middle}"
