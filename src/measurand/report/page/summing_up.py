"""Summing up: the few sentences that a reader of the page should take home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

import numpy as np
from attrs import frozen

from measurand.display.wording import counted, listed, percent
from measurand.errors import CaveatKind
from measurand.report.method_paragraph import but_for, order_of_ties
from measurand.report.page.places import leaders_of
from measurand.study.comparison_view import CORRECTED
from measurand.study.dominance import COUNTS_ALONE, DominanceMatrix
from measurand.study.measure_result import MeasureResult
from measurand.study.study import Study

SHOWN = 8
"""So many names are told, more are counted."""

PERMITTED = "every rescaling that their scales permit"


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
        yield Sentence("Every measure", _under_every_measure(study), "comparisons")
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
    """Return who comes first under which measures."""
    under: dict[tuple[str, ...], list[str]] = {}
    for result in _standings(study):
        under.setdefault(leaders_of(result), []).append(result.scores.measure)
    # one that leads alone before several that tie
    ordered = sorted(under.items(), key=lambda item: (len(item[0]) != 1, -len(item[1])))
    total = len(study.measures)
    if len(ordered) == 1:
        leaders = ordered[0][0]
        every = f"all {total} measures" if total > 1 else next(iter(study.measures))
        come = "comes first" if len(leaders) == 1 else "share the first place"
        return f"{_named(leaders, study)} {come} under {every}, {by_average(study)}."
    told = [f"{_named(leaders, study)} under {listed(names, SHOWN)}" for leaders, names in ordered[:SHOWN]]
    rest = sum(len(names) for _, names in ordered[SHOWN:])
    more = f"; others under {counted(rest, 'more measure')}" if rest else ""
    return f"Who comes first, {by_average(study)}, depends on the measure: {'; '.join(told)}{more}.{_by_mean(study)}"


def _by_mean(study: Study) -> str:
    """Return who would come first by the mean instead, under which measures."""
    other: dict[str, list[str]] = {}
    for result in _standings(study):
        first = result.means.systems[result.means.best_first[0]]
        if first not in leaders_of(result):
            other.setdefault(first, []).append(result.scores.measure)
    told = [f"{name} under {listed(names, SHOWN)}" for name, names in other.items()]
    return f" By the mean it would be {'; '.join(told)}." if told else ""


def _named(leaders: tuple[str, ...], study: Study) -> str:
    """Return who comes first: a name, or how many tie there."""
    if len(leaders) <= 1:
        return next(iter(leaders), "nobody")
    n = len(study.systems)
    return f"{listed(leaders)} alike" if len(leaders) <= 3 else f"{len(leaders):,} of {n:,} systems alike"


def by_average(study: Study) -> str:
    """Return by what systems are ordered: what each scale admits, or the mean if the test needs it."""
    fit = all(result.summary.admitted for result in _standings(study))
    return "by the average that each scale admits" if fit else "by the mean"


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
    return f"Significantly different from {study.plan.baseline}, of {others}: {'; '.join(told)}."


def _two(study: Study) -> str:
    """Return which of two systems is significantly better, and under which measures."""
    under: dict[tuple[str, ...], list[str]] = {}
    for result in _standings(study):
        found = result.pairs.significant(study.plan.alpha)[0, 1]
        ahead = result.pairs.statistic[0, 1] > 0
        order = () if not found else study.systems if ahead else study.systems[::-1]
        under.setdefault(order, []).append(result.scores.measure)
    same = under.pop((), [])
    told = [f"{a} is significantly better than {b} under {listed(names, SHOWN)}" for (a, b), names in under.items()]
    if same:
        nothing = "no difference" if told else f"No difference between {' and '.join(study.systems)}"
        told.append(f"{nothing} is significant under {listed(same, SHOWN)}")
    return f"{'; '.join(told)}."


def _significance(study: Study) -> str:
    """Return under which measures the lead is significant, and what that was asked of."""
    results = _standings(study)
    single = len(study.systems) == 2
    corrected = "one pair needs no correction" if single else CORRECTED[results[0].pairs.adjusted]
    over = "; nothing is corrected for the number of measures" if len(results) > 1 else ""
    level = f"Called significant: p ≤ {study.plan.alpha:g}, two-sided; {corrected}{over}."
    topics = counted(len(study.topics), "topic")
    unsure = f"What is not significant may still be a difference that {topics} cannot show."
    if study.plan.baseline is not None or single:
        return f"{level} {unsure}"
    sure = [each.scores.measure for each in results if _lead(each) > 0]
    contrary = [each.scores.measure for each in results if _lead(each) < 0]
    differing = sum(each.significant for each in results)
    pairs = sum(each.robust + each.fragile for each in results)
    lead = f"under {listed(sure, SHOWN)}" if sure else "under no measure"
    lead += f" (under {listed(contrary, SHOWN)} the test puts the second ahead of the first)" if contrary else ""
    return (
        f"The lead over the second is significant {lead}; of all {counted(pairs, 'comparison')} of two systems"
        f" under one measure {differing:,} are. {level} {unsure}"
    )


def _lead(result: MeasureResult) -> float:
    """Return whom of the first two systems the test puts ahead: above 0 the first, below 0 the second, 0 neither."""
    first, second = result.order[:2]
    found = result.pairs.significant(result.alpha)[first, second]
    return float(result.pairs.statistic[first, second]) if found else 0.0


def _robustness(study: Study) -> str:
    """Return how many comparisons of means survive every permissible rescaling."""
    results = _standings(study)
    robust, fragile = sum(each.robust for each in results), sum(each.fragile for each in results)
    significant = sum(each.significant for each in results)
    both = sum(each.significant_and_robust for each in results)
    weak = [each.scores.measure for each in results if each.fragile]
    gains = any(caveat.kind is CaveatKind.GAINS for caveat in study.caveats)
    more = f"{_of_tests(results)}{' Other gains for the grades were not looked at.' if gains else ''}"
    if not weak:
        every = "The comparison" if robust == 1 else f"All {robust:,} comparisons"
        survive = "survives every rescaling that its scale permits" if robust == 1 else f"survive {PERMITTED}"
        return f"{every} of means {survive}.{more}"
    sure = f", and {both:,} of the {significant:,} significant ones" if significant else ""
    return (
        f"{robust:,} of {counted(robust + fragile, 'comparison of means')} survive {PERMITTED}{sure}; the others, under"
        f" {listed(weak, SHOWN)}, can be turned round by such a rescaling.{more}"
    )


def _of_tests(results: list[MeasureResult]) -> str:
    """Return whether the tests ask more of the scales than these give."""
    fit = "The tests need no more than each scale gives: no such rescaling changes what they decide."
    return f" {asking_too_much(results) or fit}"


def asking_too_much(results: Sequence[MeasureResult]) -> str:
    """Return that a test asks more of scales than these give, if it does."""
    unfit = [each.scores.measure for each in results if not each.pairs.needs.met_by(each.scores)]
    test = results[0].pairs.needs.statistic
    return f"The {test} asks more than the scale of {listed(unfit, SHOWN)} gives." if unfit else ""


def _under_every_measure(study: Study) -> str:
    """Return on how many topics measures that respect replacement and swap agree, and what that does not mean."""
    matrix = study.raw.dominance
    strict = len(matrix.systems) - len(matrix.undominated())
    whom = f"For {counted(strict, 'system')} there is" if strict else "For no system is there"
    return (
        "Of measures that a better document, or one further up, never lowers (replacement and swap, down to rank"
        f" {matrix.depth}): {_counts(matrix)}{'' if matrix.settled else f' {COUNTS_ALONE}.'}"
        f" {whom} another that is at least as good on every single topic{that_both_have(study)} and better on some"
        f"{', and to which no such measure gives a lower mean' if strict else ''}."
    )


def _counts(matrix: DominanceMatrix) -> str:
    """Return on how many topics two systems win, tie, lose and stand undecided, or all pairs together."""
    upper = np.triu_indices(len(matrix.systems), 1)
    found = [count[upper] for count in (matrix.wins, matrix.ties, matrix.losses, matrix.incomparable)]
    if len(upper[0]) == 1:
        first, second = matrix.systems
        kinds = zip(found, ("won", "tied", "lost", "undecided"), strict=True)
        told = [f"{counted(int(count[0]), 'topic')} {kind}" for count, kind in kinds]
        return f"{first} against {second} has {listed(told)}."
    *agreeing, undecided = (int(count.sum()) for count in found)
    return (
        f"no two of them disagree who is ahead in {sum(agreeing):,} of {sum(agreeing) + undecided:,} comparisons of two"
        f" systems on a topic, and some do in {undecided:,}; the table of pairs counts them."
    )


def that_both_have(study: Study) -> str:
    """Return that pairs share some topics alone, where it is so."""
    return " that both have" if _left_out(study) else ""


def _left_out(study: Study) -> bool:
    return study.plan.missing_topics == "skip" and bool(study.coverage.missing.any())


def _on_interval_scales(study: Study) -> str:
    """Return what changes when measures are replaced by their interval-scaled selves."""
    moved, seen = [], []
    for name in study.scaled:
        placed = study.result_on_interval(name)
        if placed is not None:
            seen.append(name)
            moved += [name] if set(leaders_of(placed)).isdisjoint(leaders_of(study.result(name))) else []
    who = f"somebody else comes first under {listed(moved, SHOWN)}" if moved else "nobody else comes first"
    taus = [study.agreement.selves[name] for name in seen if not np.isnan(study.agreement.selves[name])]
    alike = f"; between raw and interval-scaled means Kendall's tau is {_at_least(taus)}" if taus else ""
    return f"On interval scales {who}, {by_average(study)}{alike}."


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
        left_out = "are left out of averages, which then are over different topics"
        count = left_out if _left_out(study) else "count as empty results"
        yield "Gaps", f"Topics are missing from {names}; they {count}."


def _judged(systems: Sequence[str], means: Sequence[float], low: int) -> str:
    """Return how much of the top 10 of systems was judged: of each of a few, else of the worst and the middle one."""
    if len(systems) <= 3:
        shares = [f"{percent(share)} of {name}" for name, share in zip(systems, means, strict=True)]
        return f"judged of the top 10: {listed(shares)}"
    least, middle = percent(means[low]), percent(float(np.median(means)))
    return f"of the top 10 of {systems[low]} {least} are judged, of the median system's {middle}"
