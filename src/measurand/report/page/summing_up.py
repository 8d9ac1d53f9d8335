"""Summing up: the few sentences that a reader of the page should take home."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.report.compare_words import CORRECTED
from measurand.report.page.wording import percent
from measurand.study.standing import Standing
from measurand.study.study import Study
from measurand.wording import counted, listed

SHOWN = 5
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
        yield Sentence("Robustness", _robustness(study), "comparisons")
        yield Sentence("Without a measure", _whatever_the_measure(study), "comparisons")
        if study.ranked is not None:
            yield Sentence("Interval scales", _on_interval_scales(study), "systems")
    yield from (Sentence(about, text, "data") for about, text in _data(study))


def in_short(study: Study) -> list[str]:
    """Return the sentences as lines of text, each with what it is about."""
    return [f"{each.about}: {each.text}" for each in sentences(study)]


def _standings(study: Study) -> list[Standing]:
    return [study.standing(name) for name in study.measures]


def _order(study: Study) -> str:
    if len(study.systems) == 2:
        return _two(study)
    return _leaders(study) if study.plan.baseline is None else _against_baseline(study)


def _leaders(study: Study) -> str:
    """Return who comes first under which measures, by what each scale admits."""
    under: dict[str, list[str]] = {}
    for standing in _standings(study):
        under.setdefault(standing.systems[0], []).append(standing.scores.measure)
    ordered = sorted(under.items(), key=lambda item: -len(item[1]))
    total = len(study.measures)
    if len(ordered) == 1:
        every = f"all {total} measures" if total > 1 else next(iter(study.measures))
        return f"{ordered[0][0]} comes first under {every}, by the average that each scale admits."
    told = [f"{name} under {listed(names, SHOWN)}" for name, names in ordered[:SHOWN]]
    more = f"; {counted(len(ordered) - SHOWN, 'other system')} under others" if len(ordered) > SHOWN else ""
    return f"Who comes first depends on the measure: {'; '.join(told)}{more}."


def _against_baseline(study: Study) -> str:
    """Return how many systems are significantly better or worse than the baseline, by measure."""
    told = []
    for standing in _standings(study):
        base = standing.pairs.place(str(study.plan.baseline))
        ahead = standing.pairs.statistic[:, base][standing.pairs.significant(study.plan.alpha)[:, base]] > 0
        told.append(f"{ahead.sum()} and {(~ahead).sum()} under {standing.scores.measure}")
    others = counted(len(study.systems) - 1, "other system")
    return f"Of {others}, so many are significantly better and worse than {study.plan.baseline}: {'; '.join(told)}."


def _two(study: Study) -> str:
    """Return which of two systems is significantly better, and under which measures."""
    under: dict[tuple[str, ...], list[str]] = {}
    for standing in _standings(study):
        found = standing.pairs.significant(study.plan.alpha)[0, 1]
        ahead = standing.pairs.statistic[0, 1] > 0
        order = () if not found else study.systems if ahead else study.systems[::-1]
        under.setdefault(order, []).append(standing.scores.measure)
    same = under.pop((), [])
    told = [f"{a} is significantly better than {b} under {listed(names, SHOWN)}" for (a, b), names in under.items()]
    if same:
        between = "" if told else f" between {' and '.join(study.systems)}"
        told.append(f"no difference{between} is significant under {listed(same, SHOWN)}")
    return f"{'; '.join(told)}."


def _significance(study: Study) -> str:
    """Return under which measures the lead is significant, and what that was asked of."""
    standings = _standings(study)
    single = len(study.systems) == 2
    corrected = "one pair needs no correction" if single else CORRECTED[standings[0].pairs.adjusted]
    over = "; nothing is corrected for the number of measures" if len(standings) > 1 else ""
    level = f"Called significant: p ≤ {study.plan.alpha:g}, two-sided; {corrected}{over}."
    topics = counted(len(study.topics), "topic")
    unsure = f"What is not significant may still be a difference that {topics} cannot show."
    if study.plan.baseline is not None or single:
        return f"{level} {unsure}"
    sure = [each.scores.measure for each in standings if each.claims and each.claims[0].significant]
    differing = sum(each.significant for each in standings)
    pairs = sum(each.robust + each.fragile for each in standings)
    lead = f"under {listed(sure, SHOWN)}" if sure else "under no measure"
    return (
        f"The lead over the second is significant {lead}; of all {counted(pairs, 'comparison')} of two systems"
        f" under one measure {differing:,} are. {level} {unsure}"
    )


def _robustness(study: Study) -> str:
    """Return how many comparisons of means survive every permissible rescaling."""
    standings = _standings(study)
    robust, fragile = sum(each.robust for each in standings), sum(each.fragile for each in standings)
    significant = sum(each.significant for each in standings)
    both = sum(each.significant_and_robust for each in standings)
    weak = [each.scores.measure for each in standings if each.fragile]
    if not weak:
        return f"All {robust:,} comparisons of means survive every rescaling that their scales permit."
    return (
        f"{robust:,} of {robust + fragile:,} comparisons of means survive every rescaling that their scales permit, and"
        f" {both:,} of the {significant:,} significant ones; the others, under {listed(weak, SHOWN)}, are statements"
        " about the numbers that were chosen for the values, not about the systems alone."
        f"{_of_tests(standings)}"
    )


def _of_tests(standings: list[Standing]) -> str:
    """Return whether the tests ask more of the scales than these give."""
    unfit = [each.scores.measure for each in standings if not each.pairs.needs.met_by(each.scores)]
    if unfit:
        return f" The {standings[0].pairs.needs.statistic} asks more than the scale of {listed(unfit, SHOWN)} gives."
    return " The tests themselves ask no more than each scale gives."


def _whatever_the_measure(study: Study) -> str:
    """Return what holds under every measure that respects replacement and swap."""
    matrix = study.raw.dominance
    holm = matrix.adjust("holm")
    upper = np.triu_indices(len(matrix.systems), 1)
    differing = int((holm.pvalues[upper] <= study.plan.alpha).sum())
    strict = len(matrix.systems) - len(matrix.undominated())
    everywhere = (
        f" {counted(strict, 'system is', 'systems are')} at most as good as some other on every single topic."
        if strict
        else " No system is at most as good as another on every single topic."
    )
    pairs = len(upper[0])
    differ = f"{differing:,} of {counted(pairs, 'pair')} differ (sign test, Holm)"
    if pairs == 1:
        ahead = matrix.systems[int(matrix.wins[0, 1] < matrix.losses[0, 1])]
        differ = f"{f'{ahead} is significantly ahead' if differing else 'the two do not differ'} (sign test)"
    return (
        f"Whatever measure is chosen, if it respects replacement and swap down to rank {matrix.depth}: counting the"
        f" topics on which no two such measures disagree, {differ}.{everywhere}"
    )


def _on_interval_scales(study: Study) -> str:
    """Return what changes when measures are replaced by their interval-scaled selves."""
    moved, seen = [], []
    for name in study.scaled:
        placed = study.standing_on_interval(name)
        if placed is not None:
            seen.append(name)
            moved += [name] if placed.systems[0] != study.standing(name).systems[0] else []
    who = f"somebody else comes first under {listed(moved, SHOWN)}" if moved else "the same systems come first"
    who = f"{who}, by the average that each scale admits"
    taus = [study.agreement.selves[name] for name in seen if not np.isnan(study.agreement.selves[name])]
    alike = f"; between raw and interval-scaled means Kendall's tau is {_at_least(min(taus))}" if taus else ""
    return f"On interval scales {who}{alike}."


def _at_least(tau: float) -> str:
    """Return a correlation that others do not fall short of."""
    return "1 throughout" if tau > 1 - 1e-9 else f"{tau:.2f} or more"


def _data(study: Study) -> Iterator[tuple[str, str]]:
    """Return what of the data a reader must know before believing anything."""
    shares = study.coverage.shares[10]
    known = ~np.isnan(shares).all(axis=1)
    if known.any():
        means = np.nanmean(shares[known], axis=1)
        systems = np.array(study.systems, dtype=object)[known]
        low = int(means.argmin())
        if means[low] < 1:
            least, middle = percent(float(means[low])), percent(float(np.median(means)))
            share = f"of the top 10 of {systems[low]} {least} are judged, of the median system's {middle}"
            yield "Judgments", f"Unjudged documents count as not relevant: {share}."
    matters = np.any([effect.matters for effect in study.ties.values()], axis=0)
    if matters.any():
        share = f"{int(matters.sum()):,} of {matters.size:,} rankings"
        yield "Ties", f"Documents of equal score make a difference in {share}; they stand in trec_eval's order here."
    missing = np.flatnonzero(study.coverage.missing.any(axis=1)).tolist()
    if missing:
        names = listed([study.systems[place] for place in missing], SHOWN)
        count = "are left out of averages" if study.plan.missing_topics == "skip" else "count as empty results"
        yield "Gaps", f"Topics are missing from {names}; they {count}."
