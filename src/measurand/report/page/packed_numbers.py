"""Packed numbers: what the scripts of the page compute with, compressed in the text of the page.

Scores are packed as 32-bit floats that keep apart what differs, p-values of all pairs as small whole numbers that
decide exactly as the p-values do.
"""

from __future__ import annotations

import gzip
from base64 import b64encode
from collections.abc import Mapping
from functools import cache, partial
from math import nan
from typing import Any

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from measurand.arrays import BoolArray, FloatArray, IntArray
from measurand.display.charts import drawing_library
from measurand.display.data import finite
from measurand.display.keeping import cache_directory, keep, kept, sealed, unsealed
from measurand.report.page.places import scale_words
from measurand.statistics import CORRECTIONS, AllPairs, find_test, need_of
from measurand.study.both_scales import RANKED, RAW, TESTS
from measurand.study.certainty import intervals, widest_difference
from measurand.study.level_classes import LEVELS
from measurand.study.levels_matrix import LevelsMatrix
from measurand.study.levels_view import IN_SHORT, SIGNIFICANT
from measurand.study.margins import written_margin
from measurand.study.measure_result import MeasureResult
from measurand.study.study import Study


def packed(data: bytes) -> str:
    """Return bytes compressed, as text; the same bytes always give the same text.

    Examples
    --------
    >>> from base64 import b64decode
    >>> gzip.decompress(b64decode(packed(b"grades")))
    b'grades'
    """
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def packed_array(array: NDArray[Any]) -> str:
    """Return the numbers of an array, little end first, packed."""
    return packed(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())


@cache
def runtime() -> str:
    """Return the libraries that draw Vega-Lite figures in a browser, packed.

    They are put together once, which takes a second or two, and kept for the next time where that can be written.
    """
    from importlib.metadata import version

    directory = cache_directory()
    if directory is None:
        return _bundle()
    name = f"vega-{version('vl-convert-python')}.json"
    found = kept(directory / name, partial(unsealed, name))
    if found is None:
        found = _bundle()
        keep(directory / name, sealed(name, found))
    return str(found)


def _bundle() -> str:
    return packed(drawing_library().javascript_bundle("window.vegaEmbed = vegaEmbed;").encode())


def asked_test(study: Study) -> str:
    """Return the test that the sentences of a study go by under the primary measure."""
    return study.raw.primary.pairs.test


def page_tests(study: Study) -> list[str]:
    """Return the tests that the page knows: those of every study, and the one that was asked for.

    Of two systems an analysis of variance says what the t test says, and is left out unless it was asked for.

    Parameters
    ----------
    study
        The study.
    """
    usual = [test for test in TESTS if test != "two_way_anova" or len(study.systems) > 2]
    asked = asked_test(study)
    return usual if asked in usual else [*usual, asked]


def tests_of(study: Study, measure: str, scale: str) -> dict[str, AllPairs]:
    """Return the tests of all pairs that the page shows under a measure on a scale, before correction.

    Parameters
    ----------
    study
        The study.
    measure, scale
        The spelling of the measure, and the scale.
    """
    known = page_tests(study)
    made = [test for test in study.tests.made(measure, scale) if test in known]
    found = {test: study.tests.of(measure, scale, test) for test in made}
    own = standing_of(study, measure, scale).uncorrected
    return found if own.test in TESTS or len(study.systems) < 2 else {**found, own.test: own}


def kinds_of(study: Study) -> list[tuple[str, str]]:
    """Return the measures with the scales on which they were looked at, in the order of all packed numbers."""
    return [(measure, scale) for measure in study.measures for scale in study.tests.scales(measure)]


def standing_of(study: Study, measure: str, scale: str) -> MeasureResult:
    """Return how systems stand under a measure on a scale."""
    found = study.result(measure) if scale == RAW else study.result_on_interval(measure)
    return study.result(measure) if found is None else found


def score_places(study: Study) -> dict[tuple[str, str], int]:
    """Return where the scores of a measure on a scale stand: those of all measures as they are come first."""
    ordered = sorted(kinds_of(study), key=lambda kind: kind[1] == RANKED)
    return {kind: place for place, kind in enumerate(ordered)}


def packed_scores(study: Study) -> NDArray[np.float32]:
    """Return the scores of all measures on all scales, × systems × topics, in the order of `score_places`."""
    kinds = score_places(study)
    return np.stack([kept_apart(standing_of(study, *kind).scores.values) for kind in kinds])


def kept_apart(values: FloatArray) -> NDArray[np.float32]:
    """Return scores with fewer digits, such that those that differ on a topic still do, and in the same order.

    Examples
    --------
    >>> kept_apart(np.array([[0.5], [0.5 + 1e-15], [0.25]])).argsort(axis=0).ravel().tolist()
    [2, 0, 1]
    """
    with np.errstate(over="ignore"):
        short = values.astype(np.float32)
    for column, topic in zip(short.T, values.T, strict=True):
        levels, places = np.unique(topic[~np.isnan(topic)], return_inverse=True)
        with np.errstate(over="ignore"):
            apart = levels.astype(np.float32)
        for place in np.flatnonzero(np.diff(apart) <= 0) + 1:
            # what moves up may reach what lies above it
            while place < len(apart) and apart[place] <= apart[place - 1]:
                apart[place] = np.nextafter(apart[place - 1], np.float32(np.inf))
                place += 1
        column[~np.isnan(topic)] = apart[places]
    return short


STEP = 0.00036
"""What neighbouring codes differ by, as a share of the p-value."""

ONE = 64_000
"""The code of p = 1. That of 1e-10 is near 0, and so are all below, which the page does not tell apart."""

UNTESTED = 65_535
"""The code of a pair that was not tested, because it is without the baseline."""

NONE = -1
"""The cutoff where no pair is significant."""


@frozen(eq=False)
class PvalueCodes:
    """The p-values of all pairs before correction, as codes, and up to which code a pair is significant.

    Parameters
    ----------
    codes
        A number for every pair, in the order of `numpy.triu_indices(n, 1)`; the smaller, the smaller p.
    cutoffs
        By correction: the largest code that is significant after it, -1 if none is.
    """

    codes: NDArray[np.uint16]
    cutoffs: Mapping[str, int]


def coded(pvalues: FloatArray) -> NDArray[np.int64]:
    """Return the codes of p-values, each within 0.02 % of its p-value unless that is below 1e-10.

    Examples
    --------
    >>> codes = coded(np.array([1.0, 0.05, 0.0]))
    >>> codes.tolist(), decoded(codes).round(4).tolist()
    ([64000, 55679, 0], [1.0, 0.05, 0.0])
    """
    with np.errstate(divide="ignore"):
        steps = np.log(pvalues) / STEP
    return np.asarray(np.rint(np.maximum(steps, -ONE))).astype(np.int64) + ONE


def decoded(codes: NDArray[np.integer[Any]]) -> FloatArray:
    """Return the p-values of codes, as the page's script does."""
    return np.asarray(np.minimum(1.0, np.exp((codes.astype(np.int64) - ONE) * STEP)))


def pvalue_codes(pairs: AllPairs, alpha: float, baseline: str | None = None) -> PvalueCodes:
    """Return the codes of what a test says before correction, such that they decide as the p-values do.

    Every correction calls exactly those pairs significant whose p-value before it is not above some cutoff. Where the
    last p-value below a cutoff and the first above it would share a code, all from the latter on move up by one.

    Examples
    --------
    >>> from measurand.scores import Scores
    >>> from measurand.statistics import sign
    >>> scores = Scores(measure="RR", values=[[1.0] * 6, [0.5] * 6, [0.25] * 5 + [1]], systems="abc", topics="123456")
    >>> found = pvalue_codes(sign(scores), 0.05)
    >>> decoded(found.codes).round(2).tolist(), found.codes.tolist()[0] == found.cutoffs["none"], found.cutoffs["holm"]
    ([0.03, 0.06, 0.22], True, -1)
    """
    upper = np.triu_indices(len(pairs.systems), 1)
    tested = _tested(pairs, baseline)[upper]
    codes = np.full(len(tested), UNTESTED, dtype=np.int64)
    decisions = {name: pairs.adjust(name, baseline=baseline).significant(alpha)[upper][tested] for name in CORRECTIONS}
    codes[tested] = _separated(pairs.pvalues[upper][tested], list(decisions.values()))
    cutoffs = {name: int(codes[tested][found].max(initial=NONE)) for name, found in decisions.items()}
    return PvalueCodes(codes.astype(np.uint16), cutoffs)


def _untested(systems: int) -> PvalueCodes:
    """Return the codes of a test that was not made, because the scale does not admit it and the study is strict."""
    codes = np.full(systems * (systems - 1) // 2, UNTESTED, dtype=np.uint16)
    return PvalueCodes(codes, dict.fromkeys(CORRECTIONS, NONE))


def _tested(pairs: AllPairs, baseline: str | None) -> BoolArray:
    n = len(pairs.systems)
    if baseline is None:
        return np.ones((n, n), dtype=bool)
    among = np.arange(n) == pairs.place(baseline)
    return np.asarray(among[:, None] | among)


def _separated(pvalues: FloatArray, decisions: list[BoolArray]) -> NDArray[np.int64]:
    """Return codes of which none is shared by p-values that some decision tells apart."""
    codes = coded(pvalues)
    for found in sorted(decisions, key=lambda found: int(found.sum())):
        last, first = codes[found].max(initial=NONE), codes[~found].min(initial=UNTESTED)
        if first <= last:
            codes = np.where(found, codes, np.maximum(codes, last + 1))
    return codes


FIRST, SECOND = 1, 2
"""Who is ahead of two systems, in a code."""

SURE, APART = 16, 32
"""What is added to a code if the lead is significant, and the code of two systems without a topic in common."""


def level_codes(matrix: LevelsMatrix) -> NDArray[np.uint8]:
    """Return the level of every pair as a number, in the order of `numpy.triu_indices(n, 1)`.

    A code is the strength of the level, 4 times who is ahead (0 if nobody is), and 16 if that is significant after
    correction; 32 if the two have no topic in common. `level_texts` says what codes mean.

    Parameters
    ----------
    matrix
        The levels of all pairs.

    Examples
    --------
    >>> import measurand as md
    >>> found = md.levels_matrix(md.JudgedRuns.on_one_topic([(0, 1, 0), (1, 0, 0), (0, 1, 1)], (3, 2)))
    >>> [level_texts()[code] for code in level_codes(found).tolist()]
    ['second: every topic', 'second: every topic', 'depends']
    """
    upper = np.triu_indices(len(matrix.systems), 1)
    mine, other = matrix.strongest[upper], matrix.strongest.T[upper]
    codes = np.maximum(mine, other) + 4 * np.where(mine > 0, FIRST, np.where(other > 0, SECOND, 0))
    codes = codes + SURE * (matrix.significant | matrix.significant.T)[upper]
    nobody = (mine == 0) & (other == 0)
    for level in reversed(LEVELS):
        weak = matrix.at(level)
        codes[nobody & (weak & weak.T)[upper]] = level.strength
    return np.where(matrix.topics_compared[upper] > 0, codes, APART).astype(np.uint8)


def level_texts() -> dict[int, str]:
    """Return what the codes of levels mean, in the words of other tables.

    Examples
    --------
    >>> from measurand.study.level_classes import Level
    >>> level_texts()[Level.ADDITIVE.strength + 4 * FIRST + SURE]
    'first: every additive†'
    """
    found = {0: "depends", APART: "–"}
    for level in LEVELS:
        found[level.strength] = f"level: {IN_SHORT[level]}"
        for who, name in ((FIRST, "first"), (SECOND, "second")):
            code, text = level.strength + 4 * who, f"{name}: {IN_SHORT[level]}"
            found |= {code: text, code + SURE: f"{text}{SIGNIFICANT}"}
    return found


SMALL = 255
"""Up to how many topics counts fit into a byte, …"""

MANY = 65_535
"""… and into two."""

LARGE = 10_000
"""For more topics than these the page's script computes the factors of intervals by a series."""


def pair_arrays(study: Study) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return packed numbers of all pairs, and what is to be known of each measure, scale and test.

    The numbers: `pvalues`, codes by test, measure and scale, and pair; `ahead`, who is ahead by the test
    that was asked for, by measure and scale and pair; `kappa`, the margin of scale, and `ended`, whether there is a t
    interval, by measure and scale and pair; `dominance`, wins, ties, losses and undecided topics by pair; `levels`,
    codes of who is ahead under which measures, by pair.
    """
    plan, n = study.plan, len(study.systems)
    upper, tests = np.triu_indices(n, 1), page_tests(study)
    codes, kappa, kinds, ahead, ended = [], [], [], [], []
    for measure, scale in kinds_of(study):
        result, made = standing_of(study, measure, scale), tests_of(study, measure, scale)
        found = {test: pvalue_codes(each, plan.alpha, plan.baseline) for test, each in made.items()}
        found |= {test: _untested(n) for test in tests if test not in made}
        codes.append([found[test].codes for test in tests])
        ahead.append(np.sign(result.pairs.statistic[upper]))
        ended.append(np.isfinite(intervals(result.scores)[1][upper]))
        margins = result.scale.kappa[upper].tolist()
        kappa.append([_as_written(each) if result.by_means else nan for each in margins])
        exact = {test: float(each.pvalues[0, 1]) for test, each in made.items()} if n == 2 else None
        cutoffs = {test: found[test].cutoffs for test in tests}
        kinds.append(_kind(study, measure, scale) | {"cutoffs": cutoffs, "exact": exact})
    arrays: dict[str, NDArray[Any]] = {
        # the same test on both scales side by side, because it often says the same
        "pvalues": np.array(codes, dtype=np.uint16).swapaxes(0, 1),
        "kappa": np.array(kappa, dtype=np.float32),
        # who is ahead by the test that was asked for, which the script cannot make anew
        "ahead": np.nan_to_num(np.array(ahead)).astype(np.int8),
        "ended": np.array(ended, dtype=np.uint8),
        "dominance": _counts(study)[:, *upper].astype(_narrowest(len(study.topics))),
        "levels": level_codes(study.raw.levels),
    }
    return arrays, {"kinds": kinds, "quantiles": _quantiles(len(study.topics))}


def _narrowest(most: int) -> type[np.integer[Any]]:
    """Return the smallest type of whole numbers that holds counts up to some number."""
    return np.uint8 if most <= SMALL else np.uint16 if most <= MANY else np.int32


def _as_written(kappa: float) -> float:
    """Return a margin with the digits that are shown, so that no script rounds it in another way."""
    text = written_margin(kappa).replace(",", "")
    return float(text) if text[-1].isdigit() and text[0] != ">" else kappa


def _kind(study: Study, measure: str, scale: str) -> dict[str, Any]:
    """Return what is to be known of a measure on a scale: who stands where, and which tests suit it."""
    result = standing_of(study, measure, scale)
    fits = [test for test in page_tests(study) if need_of(find_test(test)).met_by(result.scores)]
    return {
        "measure": measure,
        "scale": scale,
        "scores": score_places(study)[measure, scale],
        "words": scale_words(result.scores),
        "order": list(result.order),
        "lower": result.scores.lower_is_better,
        "fits": fits,
        "means": result.by_means,
        "most": finite(widest_difference(result.scores)),
        "told_by": [result.pairs.test, result.pairs.needs.statistic],
    }


def _counts(study: Study) -> IntArray:
    matrix = study.raw.dominance
    return np.stack([matrix.wins, matrix.ties, matrix.losses, matrix.incomparable])


def _quantiles(topics: int) -> list[float]:
    """Return the factors of 95 % intervals for means over 0, 1, 2, … topics; 0 where there is no interval."""
    from scipy.special import stdtrit

    topics = min(topics, LARGE)
    return [0.0, 0.0, *np.round(stdtrit(np.arange(1, topics), 0.975), 9).tolist()][: topics + 1]
