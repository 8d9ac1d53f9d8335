"""The methods of a study in words: what was done, in sentences that a paper can take over, and what it must cite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from attrs import frozen

from measurand.display.latex import tex
from measurand.display.wording import capitalised, listed
from measurand.exact import decimal
from measurand.fusion.methods import REFERENCES
from measurand.judged import OverTies
from measurand.measures import Measure
from measurand.measures.around import innermost
from measurand.measures.ties.over_ties import TAKEN
from measurand.references import STATISTICS, author_year
from measurand.statistics import CORRECTIONS, find_test, need_of
from measurand.statistics.all_pairs import TUKEY
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.statistics.needs import references_of
from measurand.study.both_scales import TESTS
from measurand.study.certainty import OF_INTERVAL
from measurand.study.comparison_settings import AUTO, DRAWN
from measurand.study.measure_result import MeasureResult
from measurand.study.plan import versions
from measurand.study.scale_paragraphs import averages_word, grouped
from measurand.study.study import Study
from measurand.study.tie_effect import TREC_ORDER


def order_of_ties(study: Study, plain: Callable[[str], str] = str) -> str:
    """Return what was done with documents of equal score: "they were …".

    Parameters
    ----------
    study
        The study.
    plain
        What is done with the names of measures.

    Examples
    --------
    >>> import measurand as md
    >>> def study(measures, **options):
    ...     return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], measures, fuse=False, **options)
    >>> order_of_ties(study(["P@10", "ESL"]))
    'ordered by identifier, the last one first, as trec_eval does, but under ESL(i=1), which is defined on ties'
    >>> order_of_ties(study("P@10", ties="min"))
    'left in no order: scores are the least value over all their orders'
    """
    if study.plan.ties in TAKEN:
        return f"left in no order: {_over_orders(OverTies(study.plan.ties))}"
    return f"ordered {TREC_ORDER}{_but_for(study, plain)}"


def _over_orders(over: OverTies) -> str:
    """Return what scores are where the order of documents of equal score was left open."""
    own = " or, for OIE, that of the ties themselves" if over is OverTies.GROUPS else ""
    return f"scores are the {TAKEN[over]} over all their orders{own}"


def _but_for(study: Study, plain: Callable[[str], str]) -> str:
    """Return which measures take documents of equal score as such, as part of a sentence."""
    by_default = study.measures.items() if study.plan.ties is None else ()
    own = [plain(name) for name, measure in by_default if measure.on_weak_orders]
    are = "is" if len(own) == 1 else "are"
    return f", but under {listed(own, len(own))}, which {are} defined on ties" if own else ""


CORRECTIONS_IN_WORDS = {name: f"{whose} correction" for name, whose in WHOSE.items()}


def study_references(study: Study) -> dict[str, tuple[str, ...]]:
    """Return the keys of what a study used, by what it used it for; measures of one's own may have none.

    Examples
    --------
    >>> import measurand as md
    >>> found = study_references(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], "P@10"))
    >>> found["P@10"], "paired t test" in found
    (('VanRijsbergen1979',), False)
    """
    found: dict[str, tuple[str, ...]] = {}
    for thing, keys in _used(study):
        found[thing] = tuple(dict.fromkeys((*found.get(thing, ()), *keys)))
    return {thing: keys for thing, keys in found.items() if keys}


def keys_of(references: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return every key of some references once, in the order of the first mention.

    Examples
    --------
    >>> keys_of({"a": ("Holm1979",), "b": ("Cohen1988", "Holm1979")})
    ('Holm1979', 'Cohen1988')
    """
    return tuple(dict.fromkeys(key for keys in references.values() for key in keys))


def measure_references(measure: Measure) -> tuple[str, ...]:
    """Return the keys of a measure, of the one inside it, and of what its scale depends on.

    Examples
    --------
    >>> from measurand.measures import parse
    >>> measure_references(parse("interval(RR@5)"))
    ('FerranteFerroFuhr2021', 'KantorVoorhees2000')
    """
    inside = innermost(measure)
    return tuple(dict.fromkeys(filter(None, (measure.reference, inside.reference, inside.scale_reference))))


def _used(study: Study) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, measure in (*study.measures.items(), *study.plan.described.items()):
        yield name, measure_references(measure)
    if study.scaled:
        yield "interval scales", STATISTICS["interval"]
    yield "ties of documents", STATISTICS["ties"]
    if len(study.systems) < 2:
        return
    yield from _tests(study)
    means = any(result.by_means for result in _results(study))
    if means:
        yield "effect size d", STATISTICS["cohens_d"]
    if any(_has_delta(result) for result in _results(study)):
        yield "effect size delta", STATISTICS["cliffs_delta"]
    if means:
        yield "rank-biserial correlation", STATISTICS["rank_biserial"]
    if study.plan.baseline is None:
        yield "letters of significance", STATISTICS["letters"]
    if means:
        yield "margin of scale κ", STATISTICS["scale_margin"]
    yield "dominance", STATISTICS["dominance"]
    yield "levels: for which measures a system is ahead", STATISTICS["levels"]
    yield "correlation of rankings", STATISTICS["kendall"]
    if study.unanimity is not None:
        yield "unanimity of measures", STATISTICS["unanimity"]
    if study.fusions is not None:
        for method in study.fusions.names:
            yield f"fusion by {method}", REFERENCES[method]


def _tests(study: Study) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the tests of the verdict, those that stand beside them, and the corrections that go with these."""
    for result in _results(study):
        yield result.pairs.needs.statistic, result.pairs.references
    made = {test for _, _, test in study.tests}
    for name in filter(made.__contains__, TESTS):
        test = find_test(name)
        yield need_of(test).statistic, references_of(test)
    for method in CORRECTIONS:
        if method in STATISTICS:
            yield CORRECTIONS_IN_WORDS[method], STATISTICS[method]


def _results(study: Study) -> Iterator[MeasureResult]:
    """Return the results under all measures, as they are and on interval scales."""
    for comparison in filter(None, (study.raw, study.ranked)):
        yield from comparison.results


def _has_delta(result: MeasureResult) -> bool:
    """Return whether Cliff's delta is shown: always, unless the comparison is strict and topics share no scale."""
    return result.scores.one_scale or not result.strict


TWO_SIDED = ("sign", "rank_sum", "signed_rank", "paired_t", "randomisation", "bootstrap")
"""The tests of which there is a one-sided one."""

CORRECTION = {name: f"{whose} method" for name, whose in WHOSE.items()}

OWN_WAY = ("Bpref", "infAP", "Judged", "RBPResidual", "Unjudged")
"""The measures to which documents without a judgment are not just nonrelevant ones."""


@frozen
class Voice:
    """How a paragraph is written.

    Parameters
    ----------
    plain
        What is done with text.
    cite
        How references are cited, by their keys.
    """

    plain: Callable[[str], str]
    cite: Callable[[Sequence[str]], str]

    def cited(self, thing: str, keys: Sequence[str]) -> str:
        """Return a thing with its references."""
        return f"{self.plain(thing)}{self.cite(keys) if keys else ''}"


def _author_years(keys: Sequence[str]) -> str:
    return f" ({'; '.join(map(author_year, keys))})"


AS_TEXT = Voice(str, _author_years)
AS_LATEX = Voice(tex, lambda keys: rf"~\cite{{{','.join(keys)}}}")


def method_paragraph(study: Study, voice: Voice = AS_TEXT) -> str:
    """Return how a study was made, ready for a paper: exactly what was done, with its references.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], "P@10")
    >>> print(method_paragraph(study)[:39])
    We evaluated 1 system on 50 topics with
    """
    return " ".join(_sentences(study, voice))


def _sentences(study: Study, voice: Voice) -> Iterator[str]:
    yield from _data(study, voice)
    yield from _measures(study, voice)
    if len(study.systems) > 1:
        yield from _comparisons(study, voice)
        yield from _beyond_tests(study, voice)
        yield from _fusions(study, voice)
    version = versions()
    yield f"All numbers were computed with measurand {version['measurand']} on Python {version['Python']}."


def _data(study: Study, voice: Voice) -> Iterator[str]:
    judged = study.judged
    counts = judged.grade_counts.sum(axis=0)
    top = int(counts.nonzero()[0].max(initial=0))
    grades = f"grades 0 to {judged.grade_name(top)}" if top else "all of grade 0"
    size = f"{_counted(len(study.systems), 'system')} on {_counted(len(study.topics), 'topic')}"
    yield f"We evaluated {size} with {_counted(int(counts.sum()), 'judgment')} ({grades})."
    if judged.relevance is not None and not judged.relevance.is_whole:
        half = decimal(judged.relevance.threshold)
        yield f"Documents of grade {half} and above counted as relevant, unless a measure's name says otherwise."
    if study.plan.depth is not None:
        yield f"Rankings were cut after {_counted(study.plan.depth, 'document')}."
    single = "; scores were compared as 32-bit floats" if study.plan.precision == "single" else ""
    yield f"Documents of equal score were {order_of_ties(study, voice.plain)}{single}."
    yield from _unjudged(study, voice)
    if study.coverage.missing.any():
        left_out = f"were left out of that system's {averages_word(study.raw.results)}"
        skip = study.plan.missing_topics == "skip"
        counted = left_out if skip else "counted as empty results"
        yield f"Topics for which a system returned nothing {counted}."


def _unjudged(study: Study, voice: Voice) -> Iterator[str]:
    if not all(map(_minds_judgments, study.measures.values())):
        yield f"Documents without a judgment counted as not relevant{but_for(study, voice)}."


def but_for(study: Study, voice: Voice = AS_TEXT) -> str:
    """Return which measures have their own way with documents without a judgment, as part of a sentence.

    Examples
    --------
    >>> import measurand as md
    >>> but_for(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], ["P@10", "Bpref"], fuse=False))
    ', but under Bpref, which has its own way with them'
    """
    own = [voice.plain(name) for name, measure in study.measures.items() if _minds_judgments(measure)]
    have = "which has its own way" if len(own) == 1 else "which have their own ways"
    return f", but under {_listed(own)}, {have} with them" if own else ""


def _minds_judgments(measure: Measure) -> bool:
    return innermost(measure).name in OWN_WAY or innermost(measure).judged_only


def _measures(study: Study, voice: Voice) -> Iterator[str]:
    named = [voice.cited(name, measure_references(measure)) for name, measure in study.measures.items()]
    yield f"{'Measures were' if len(named) > 1 else 'The measure was'} {_listed(named)}."
    described = [voice.cited(name, measure_references(measure)) for name, measure in study.plan.described.items()]
    if described:
        say, were = ("says", "was") if len(described) == 1 else ("say", "were")
        yield f"{_listed(described)} {say} how much was judged and {were} not tested."
    yield from _ordered(study, voice)
    yield from _scales(study, voice)


def _ordered(study: Study, voice: Voice) -> Iterator[str]:
    statistics = _over_topics(study, voice)
    if len(study.systems) < 2:
        yield f"We report {statistics}."
        return
    yield f"Systems were ordered by {'' if study.plan.strict else 'their '}{statistics}."
    if len(study.measures) > 1:
        primary = voice.plain(next(iter(study.measures)))
        yield f"The primary measure was {primary}; the others are further looks."


def _over_topics(study: Study, voice: Voice) -> str:
    """Return what was computed of every system over topics: means, or in a strict study what each scale admits."""
    if all(result.by_means for result in study.raw.results):
        return "means over topics"
    groups = list(grouped(study.raw.results, lambda each: each.summary.statistic).items())
    told = [f"{PLURALS[statistic]} under {_under(results, voice)}" for statistic, results in groups]
    return f"what the scale of each measure admits: {_listed(told)}"


PLURALS = {"mean": "means over topics", "median": "medians over topics", "mean rank": "mean ranks within topics"}


def _scales(study: Study, voice: Voice) -> Iterator[str]:
    if study.scaled:
        which = "every measure" if len(study.scaled) == len(study.measures) else _listed(map(voice.plain, study.scaled))
        scaled = map(voice.plain, study.scaled.values())
        interval = voice.cited("interval scale", STATISTICS["interval"])
        yield f"Beside its own values, {which} was brought to an {interval}: {_listed(scaled)}."
    for name, measure in study.measures.items():
        if measure.scale_for:
            whom = voice.cited(f"for {measure.scale_for}", (innermost(measure).scale_reference,))
            yield f"The scale of {voice.plain(name)} is {measure.scale}, {whom}."
    own = [result for result in study.raw.results if not result.scores.one_scale]
    if own:
        still = (
            "; the interval transform does not change that"
            if any(each.scores.measure in study.scaled for each in own)
            else ""
        )
        yield f"Under {_under(own, voice)} every topic has a scale of its own, because recall bases differ{still}."


def _comparisons(study: Study, voice: Voice) -> Iterator[str]:
    groups = list(grouped(study.raw.results, lambda each: each.pairs.test).items())
    tests = [_test(results, voice) for _, results in groups]
    under = [f" under {_under(results, voice)}" if len(groups) > 1 else "" for _, results in groups]
    yield f"Pairs of systems were compared by {'; by '.join(map(''.join, zip(tests, under, strict=True)))}."
    others = list(dict.fromkeys(each.pairs.needs.statistic for each in study.raw.results if each.pairs.test != "sign"))
    if others:
        sign = voice.cited("sign test", references_of(find_test("sign")))
        beside = "it" if len(groups) == 1 else f"the {' and the '.join(others)}"
        yield f"Beside {beside} stands the {sign}, which no rescaling of a measure changes; claims go by the former."
    yield _corrected(study, voice)
    yield (
        f"Of two systems that differ on k topics no p-value is below {voice.plain('2/2^k')}, the least that exchanging"
        " them topic by topic can reach."
    )
    if study.ranked is not None:
        fitting = study.plan.test == AUTO or study.plan.strict
        which = "with the test that each of them admits" if fitting else "with the same test"
        yield f"The same was done on the interval scales, {which}."
    yield from _sizes(study, voice)


def _sizes(study: Study, voice: Voice) -> Iterator[str]:
    """Return which differences, intervals and effect sizes are given, under which measures if not under all."""
    means = [result for result in study.raw.results if result.by_means]
    deltas = [result for result in study.raw.results if _has_delta(result)]
    d, delta, wins = (STATISTICS[name] for name in ("cohens_d", "cliffs_delta", "rank_biserial"))
    if means:
        ended = [result for result in means if result.pairs.test == OF_INTERVAL]
        where = f" under {_under(ended, voice)}" if 0 < len(ended) < len(study.raw.results) else ""
        interval = f"Mean differences are given with {voice.plain('95%')} confidence intervals from the t distribution"
        sizes = [voice.cited("d", d), voice.cited("Cliff's delta", delta)]
        sizes.append(voice.cited("rank-biserial correlation", wins))
        if ended:
            yield f"{interval}{where}, not corrected for their number; effect sizes are {_listed(sizes)}."
        else:
            yield f"Effect sizes are {_listed(sizes)}."
    others = [result for result in deltas if not result.by_means]
    if others:
        size = voice.cited("Cliff's delta", delta)
        yield f"The effect size under {_under(others, voice)} is {size}."


def _test(results: Sequence[MeasureResult], voice: Voice) -> str:
    pairs = results[0].pairs
    sided = "two-sided " if pairs.test in TWO_SIDED else ""
    drawn = [f" with {int(pairs.details[lots]):,} {lots}" for lots in DRAWN.values() if lots in pairs.details]
    at_once = " (its p-values hold for all pairs at once)" if pairs.adjusted == TUKEY else ""
    return f"the {voice.cited(sided + pairs.needs.statistic, pairs.references)}{''.join(drawn[:1])}{at_once}"


def _corrected(study: Study, voice: Voice) -> str:
    n, plan = len(study.systems), study.plan
    level = f"differences with p at or below {plan.alpha:g} are called significant"
    if all(result.pairs.adjusted == TUKEY for result in study.raw.results):
        return f"{capitalised(level)}."
    if n == 2:
        return f"There is one pair under each measure, so p-values need no correction within it; {level}."
    which = f"the {n * (n - 1) // 2:,} pairs of systems"
    if plan.baseline is not None:
        which = f"the {_counted(n - 1, 'comparison')} with the baseline {voice.plain(plan.baseline)}"
    if plan.adjust == "none":
        return f"The p-values of {which} under each measure were not corrected for their number; {level}."
    method = voice.cited(CORRECTION[plan.adjust], STATISTICS.get(plan.adjust, ()))
    return f"The p-values were corrected by {method} over {which} under each measure, not over measures; {level}."


def _beyond_tests(study: Study, voice: Voice) -> Iterator[str]:
    means = [result for result in study.raw.results if result.by_means]
    if means:
        margin = voice.cited("margin of scale", STATISTICS["scale_margin"])
        where = "" if len(means) == len(study.raw.results) else f" under {_under(means, voice)}"
        yield (
            f"The {margin} of a pair{where}, kappa, is the smallest ratio between the largest and the smallest slope of"
            " an increasing rescaling, one for all topics, that changes the order of the two means; where all topics"
            " share a scale, the order is called scale-proof if no rescaling does."
        )
    yield from _levels(study, voice)
    if len(study.measures) > 1:
        kendall = voice.cited("Kendall's tau", STATISTICS["kendall"])
        what = "these orders of the systems" if study.plan.strict else "the systems' means"
        yield f"How alike measures rank the systems is told by {kendall} of {what}."


def _levels(study: Study, voice: Voice) -> Iterator[str]:
    """Return how it was decided for which measures a system is ahead of another."""
    matrix = study.raw.levels
    order, theorem, hall, union = STATISTICS["levels"]
    swap = voice.cited("replacement and swap", (order,))
    matching = voice.cited("matching of topics", (theorem, hall))
    yield (
        f"Without choosing a measure, systems were compared at three levels, down to rank {matrix.depth}, documents"
        " without a judgment counting as not relevant: a system is at least as good as another on every topic, under"
        f" every measure that respects {swap}, if on every topic it has at least as many documents of every grade or"
        " more down to every rank; under every such measure that is the same on all topics if there is a perfect"
        f" {matching} in which each of its runs is at least as good as its partner; under every additive measure if"
        " over all topics together it has at least as many documents of every grade or more down to every rank."
    )
    test = f"{need_of(find_test(matrix.test)).statistic}s"
    corrected = ""
    if len(study.systems) > 2 and matrix.adjusted != "none":
        method = voice.cited(CORRECTION[matrix.adjusted], STATISTICS.get(matrix.adjusted, ()))
        corrected = f", corrected by {method} over pairs"
    yield (
        f"The latter was tested by an {voice.cited('intersection-union test', (union,))}: one-sided {test} of these"
        f" counts of documents, and twice the largest p-value{corrected}."
    )
    yield (
        "Of each pair the topics won, tied, lost and undecided under every measure that respects replacement and swap"
        " were counted, without a test."
    )


def _fusions(study: Study, voice: Voice) -> Iterator[str]:
    if study.fusions is None:
        return
    methods = [voice.cited(method, REFERENCES[method]) for method in study.fusions.names]
    yield f"The first {study.fusions.depth} documents of all systems were fused by {_listed(methods)}, without tuning."
    adjusted = {study.fusions.of(name).pairs.adjusted for name in study.measures}
    corrected = f", with p-values corrected over the {len(methods)} fusions" if adjusted - {"none", TUKEY} else ""
    yield (
        f"Each fusion was compared with the {'best system' if study.plan.strict else 'system with the best mean'} under"
        f" the measure at hand, on the same topics and judgments{corrected}."
    )


def _under(results: Iterable[MeasureResult], voice: Voice) -> str:
    return _listed(voice.plain(result.scores.measure) for result in results)


def _listed(things: Iterable[str]) -> str:
    """Return things with commas and a last "and" between."""
    several = list(things)
    return " and ".join(filter(None, [", ".join(several[:-1]), several[-1]]))


def _counted(amount: int, thing: str) -> str:
    return f"{amount:,} {thing if amount == 1 else f'{thing}s'}"
