"""The references of a study: what a paper that reports it must cite, and for what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from measurand.fusion.methods import REFERENCES
from measurand.measures import Measure
from measurand.measures.geometric_mean import innermost
from measurand.references.cited import STATISTICS
from measurand.statistics import CORRECTIONS, find_test, need_of
from measurand.statistics.needs import references_of
from measurand.study.both_scales import TESTS
from measurand.study.study import Study

CORRECTIONS_IN_WORDS = {"holm": "Holm's correction", "bh": "Benjamini and Hochberg's correction"}


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
    for name, measure in study.measures.items():
        yield name, measure_references(measure)
    if study.scaled:
        yield "interval scales", STATISTICS["interval"]
    yield "ties of documents", STATISTICS["ties"]
    if len(study.systems) < 2:
        return
    yield from _tests(study)
    yield "effect size d", STATISTICS["cohens_d"]
    yield "effect size delta", STATISTICS["cliffs_delta"]
    yield "rank-biserial correlation", STATISTICS["rank_biserial"]
    if study.plan.baseline is None:
        yield "letters of significance", STATISTICS["letters"]
    yield "robust and fragile comparisons", STATISTICS["meaning"]
    yield "dominance", STATISTICS["dominance"]
    yield "correlation of rankings", STATISTICS["kendall"]
    if study.unanimity is not None:
        yield "unanimity of measures", STATISTICS["unanimity"]
    if study.fusions is not None:
        for method in study.fusions.names:
            yield f"fusion by {method}", REFERENCES[method]


def _tests(study: Study) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Return the tests of the verdict, those that stand beside them, and the corrections that go with these."""
    for comparison in filter(None, (study.raw, study.ranked)):
        for standing in comparison.standings:
            yield standing.pairs.needs.statistic, standing.pairs.references
    for name in TESTS:
        test = find_test(name)
        yield need_of(test).statistic, references_of(test)
    for method in CORRECTIONS:
        if method in STATISTICS:
            yield CORRECTIONS_IN_WORDS[method], STATISTICS[method]
