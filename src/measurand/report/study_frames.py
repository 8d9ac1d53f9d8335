"""A study as tables: one for each kind of thing that the page shows, as plain columns and as frames of polars."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict

from measurand.arrays import BoolArray, Cells
from measurand.columns import PlainTable
from measurand.display.data import finite
from measurand.judged import JudgedRuns
from measurand.scores.scores import rounding
from measurand.statistics import AllPairs
from measurand.statistics.effects import EFFECTS
from measurand.study.both_scales import RANKED, RAW, TESTS
from measurand.study.certainty import detectable_differences
from measurand.study.claim import Claim
from measurand.study.comparison import SystemComparison
from measurand.study.comparison_view import FIELDS
from measurand.study.fusions import Fusions
from measurand.study.lead import OF_MEANS
from measurand.study.margins.matrix import ENDS, NUMBERS
from measurand.study.measure_result import MeasureResult
from measurand.study.shown_documents import ABSENT, shown_documents
from measurand.study.study import Study
from measurand.study.summary_interval import summary_interval

if TYPE_CHECKING:
    import polars as pl

STRIP = 100
"""So many ranks of each ranking are in the frames, grade by grade."""

LEVELS = {
    "system": str,
    "against": str,
    "level": str,
    "ahead": str,
    "significant": bool,
    "p": float,
    "p_corrected": float,
}

FLIPS = {
    "measure": str,
    "test": str,
    "significant_raw": int,
    "significant_interval": int,
    "s2ns": int,
    "ns2s": int,
    "change_percent": float,
}
"""What is known of pairs that change between significant and not."""

AGAINST_BEST = (
    *("system", "value", "mean", "difference", "low", "high", "cohens_d", "cliffs_delta"),
    *("wins", "ties", "losses", "p", "p_corrected", "p_sign", "kappa", "scale_proof"),
)
"""What is known of a fusion, and of the best system as far as it goes, …"""

FUSION = {
    "measure": str,
    "best": str,
    "statistic": str,
    "test": str,
    "adjusted": str,
    **{name: FIELDS[name] for name in AGAINST_BEST},
    "significant": bool,
    "direction": int,
    "scale": str,
    "sentence": str,
    "beaten": int,
}
"""… and with what it was made of."""


def study_tables(study: Study) -> dict[str, PlainTable]:
    """Return the tables of a study by name; numbers that are not finite are None.

    - scores: measure, scale (raw or interval), system, topic, value
    - systems: a row for each measure, scale and system, best first
    - means: the mean of each system under each measure with its interval over topics; in a strict study the median or
      the mean rank where the scale does not admit means
    - pairs: what each test says of two systems, p of the pair alone and corrected; with a baseline, corrected p of
      other pairs is None
    - effects: how far two systems are apart under a measure on a scale, the margin of scale κ (None: infinite), what
      the test of the study says of them, and the smallest difference that a t test would detect
    - margins: what would overturn that one of two systems is ahead under the primary measure (`proof`: nothing would)
    - topics: texts, grades and recall base of each topic; rankings: grades (-1 unjudged, -2 nothing) and documents of
      each ranking
    - coverage: judged shares of each system, topic and rank
    - levels: for every two systems under which measures one is ahead of the other (`ahead` is None where neither is;
      level "this measure": that depends on the measure), with p under every additive measure, alone and corrected
    - correlations, flips, dominance, ties, unanimity, profiles, fusion, sources, caveats

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> tables = study_tables(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10"))
    >>> list(tables["scores"].columns), tables["scores"].height
    (['measure', 'scale', 'system', 'topic', 'value'], 100)
    """
    return {name: make(study).finite() for name, make in TABLES.items()}


def study_frames(study: Study) -> dict[str, pl.DataFrame]:
    """Return the tables of a study by name as frames of polars (needs polars); `study_tables` says what is in them.

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> frames = study_frames(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10"))
    >>> frames["scores"].columns, frames["scores"].height
    (['measure', 'scale', 'system', 'topic', 'value'], 100)
    """
    return {name: table.to_polars("study_frames") for name, table in study_tables(study).items()}


def results_by_scale(study: Study) -> Iterator[tuple[str, str, SystemComparison, MeasureResult]]:
    """Return every result with the measure and the scale that it is about.

    Parameters
    ----------
    study
        The study.
    """
    for name in study.measures:
        yield name, RAW, study.raw, study.result(name)
    for name in study.scaled:
        ranked = study.result_on_interval(name)
        if study.ranked is not None and ranked is not None:
            yield name, RANKED, study.ranked, ranked


def flip_rows(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs change between significant and not when scores become interval-scaled.

    There is a row for every test and every measure that has an interval scale, corrected as the study says.

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", interval=True, fuse=False)
    >>> rows = flip_rows(study)
    >>> [(row["test"], row["s2ns"], row["ns2s"]) for row in rows][:2]
    [('sign', 0, 0), ('signed_rank', 0, 0)]
    """
    plan = study.plan
    found = []
    for measure in study.scaled:
        for test in TESTS:
            flips = study.tests.flips(measure, test, adjust=plan.adjust, alpha=plan.alpha, baseline=plan.baseline)
            if flips is not None:
                values = (measure, test, flips.sig, flips.ranked, flips.s2ns, flips.ns2s, flips.delta)
                found.append(dict(zip(FLIPS, values, strict=True)))
    return found


def fusion_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for the best system and for every fusion under each measure; none if nothing was fused.

    Differences are those of means, fusion less best system; where a strict study does not admit means they are None,
    and the value is the median, or the mean rank among the best system and the fusions. `direction` is 1 where the
    test puts the fusion ahead, -1 where it puts the best system ahead, 0 where it favours neither.

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10")
    >>> [row["system"] for row in fusion_rows(study)], fusion_rows(study)[1]["best"]
    (['dense-1', 'rrf', 'combsum', 'borda', 'bordalog'], 'dense-1')
    """
    if study.fusions is None:
        return []
    return [row for measure in study.measures for row in _fusions_of(study, study.fusions, measure)]


def _fusions_of(study: Study, fusions: Fusions, measure: str) -> list[dict[str, Any]]:
    comparison, result = fusions.comparisons[measure], fusions.of(measure)
    best = str(comparison.baseline)
    made = {
        "measure": measure,
        "best": best,
        "statistic": result.summary.statistic,
        "test": result.pairs.test,
        "adjusted": result.pairs.adjusted,
    }
    rows = {row["system"]: row for row in comparison.view(result).rows()}
    claims = {claim.system: claim for claim in result.claims}
    kept = [
        {**made, **{name: rows[system][name] for name in AGAINST_BEST}} for system in (best, *fusions.names.values())
    ]
    for row in kept:
        row |= _claimed(result, row["system"], claims.get(row["system"]))
        row["beaten"] = _beaten(study, result, row["system"])
    return kept


def _claimed(result: MeasureResult, name: str, claim: Claim | None) -> dict[str, Any]:
    """Return what is claimed of a fusion against the best system, and what it is worth."""
    if claim is None:
        return dict.fromkeys(("significant", "direction", "scale", "sentence"))
    places = result.pairs.place(name), result.pairs.place(claim.against)
    return {
        "significant": claim.significant,
        "direction": int(np.sign(result.pairs.statistic[places])),
        "scale": claim.scale_words if result.by_means else None,
        "sentence": claim.sentence,
    }


def _beaten(study: Study, result: MeasureResult, name: str) -> int | None:
    """Return how many systems have a worse mean or median than something; None for mean ranks, which are among few."""
    raw = study.result(result.scores.measure)
    if raw.summary.statistic not in ("mean", "median"):
        return None
    mine = result.summary.goodness[result.pairs.place(name)]
    return int((mine - raw.summary.goodness > rounding(raw.scores)).sum())


def correlation_rows(study: Study) -> list[dict[str, Any]]:
    """Return how alike each two measures rank the systems, raw and on interval scales.

    Parameters
    ----------
    study
        The study.
    """
    return [
        {"a": a, "b": b, "raw": pair.raw, "interval": pair.ranked, "change_percent": pair.delta}
        for (a, b), pair in study.agreement.pairs.items()
    ]


def _scores(study: Study) -> PlainTable:
    tables = []
    for name, scale, _, result in results_by_scale(study):
        scores, (n, t) = result.scores, result.scores.values.shape
        values = {"value": scores.values.reshape(-1)}
        names = {"system": np.repeat(np.array(scores.systems, dtype=object), t), "topic": list(scores.topics) * n}
        tables.append(PlainTable(names | values, {"value": float}).labelled(measure=name, scale=scale))
    return PlainTable.joined(tables)


def _systems(study: Study) -> PlainTable:
    rows = [
        {**row, "measure": name, "scale": scale}
        for name, scale, comparison, result in results_by_scale(study)
        for row in comparison.view(result).rows()
    ]
    return PlainTable.of_rows(rows, {"measure": str, "scale": str, **FIELDS})


MEANS = {
    **dict.fromkeys(("measure", "scale", "system", "statistic"), str),
    **dict.fromkeys(("value", "low", "high", "confidence"), float),
    "topics": int,
}
"""What is known of a system's mean, or of what stands for it."""


def mean_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every system under every measure: its mean and the interval of that over topics.

    Systems stand in the order in which they were read. A strict study has the median or the mean rank in the place of
    a mean that the scale does not admit; measures that say how much was judged come last.

    Parameters
    ----------
    study
        The study.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", fuse=False)
    >>> [(row["system"], *(round(row[name], 3) for name in ("value", "low", "high"))) for row in mean_rows(study)]
    [('dense-1', 0.654, 0.575, 0.733), ('dense-2', 0.644, 0.561, 0.727)]
    """
    several = [(name, scale, result.scores, result.summary) for name, scale, _, result in results_by_scale(study)]
    several += [(each.measure, RAW, each, each.mean()) for each in study.raw.described]
    found = []
    for name, scale, scores, summary in several:
        interval = summary_interval(scores, summary.statistic)
        topics = (~np.isnan(scores.values)).sum(axis=1).tolist()
        for place, system in enumerate(scores.systems):
            ends = (float(summary[place]), float(interval.low[place]), float(interval.high[place]), interval.confidence)
            values = (name, scale, system, summary.statistic, *map(finite, ends), topics[place])
            found.append(dict(zip(MEANS, values, strict=True)))
    return found


MARGINS = {
    **dict.fromkeys(("measure", "system", "against"), str),
    "difference": float,
    "holds": bool,
    **dict.fromkeys((*NUMBERS, *ENDS, "p"), float),
    "significant": bool,
    "proof": str,
}
"""What is known of the margins of two systems; `proof` names those that nothing overturns."""


def _margins(study: Study) -> PlainTable:
    matrix = study.margins(study.raw.primary.scores.measure)
    if matrix is None:
        return PlainTable.of_rows([], MARGINS)
    rows = [
        {"measure": matrix.scores.measure, **row, "proof": " ".join(name for name in NUMBERS if row[name] == inf)}
        for row in matrix.rows()
    ]
    return PlainTable.of_rows(rows, MARGINS)


def _pairs(study: Study) -> PlainTable:
    """Return what each test says of every two systems, without and with correction."""
    return PlainTable.joined(
        [
            _pairs_of(study, study.tests.of(measure, scale, test)).labelled(measure=measure, scale=scale, test=test)
            for measure, scale, test in study.tests
        ]
    )


PAIRS = {"a": str, "b": str, "difference": float, "statistic": float, "topics": int, "p": float}
"""What a test says of two systems, …"""

CORRECTED = {"correction": str, "p_corrected": float, "significant": bool}
"""… and what of both if there are several pairs."""


def _pairs_of(study: Study, pairs: AllPairs) -> PlainTable:
    plan = study.plan
    adjusted = pairs.adjust(plan.adjust, baseline=plan.baseline)
    upper = np.triu_indices(len(pairs.systems), 1)
    a, b = (np.array(pairs.systems, dtype=object)[each] for each in upper)
    tested = np.ones(len(a), dtype=bool) if plan.baseline is None else (a == plan.baseline) | (b == plan.baseline)
    p = adjusted.pvalues[upper]
    numbers = (pairs.differences, pairs.statistic, pairs.topics, pairs.pvalues)
    columns = (a, b, *(each[upper] for each in numbers), [adjusted.adjusted] * len(a))
    decided = (_where(tested, p), _where(tested, p <= plan.alpha))
    kinds = PAIRS | CORRECTED
    return PlainTable(dict(zip(kinds, (*columns, *decided), strict=True)), kinds)


def _where(kept: BoolArray, values: Any) -> list[Any]:
    """Return some values, None where they are not kept."""
    return [value if keep else None for keep, value in zip(kept.tolist(), values.tolist(), strict=True)]


def _effects(study: Study) -> PlainTable:
    """Return how far every two systems are apart, and how uneven a rescaling must be to change their order."""
    several = results_by_scale(study)
    return PlainTable.joined(
        [effects_of(result).labelled(measure=name, scale=scale) for name, scale, _, result in several]
    )


TESTED = {
    "kappa": float,
    "scale_proof": bool,
    "test": str,
    "p": float,
    "p_corrected": float,
    "significant": bool,
    "detectable": float,
}
"""What is known of two systems besides effects."""


def effects_of(result: MeasureResult) -> PlainTable:
    """Return what is known of all pairs under a measure; a strict comparison has no effect that the scale forbids.

    Parameters
    ----------
    result
        The comparison of the systems under the measure.
    """
    upper = np.triu_indices(len(result.order), 1)
    p, compared = result.pairs.pvalues[upper], _compared(result)[upper]
    columns: dict[str, Any] = {
        **result.effects.columns(),
        "kappa": list(map(finite, result.scale.kappa[upper].tolist())),
        "scale_proof": result.scale.proof[upper],
        "test": [result.pairs.test] * len(p),
        "p": result.uncorrected.pvalues[upper],
        "p_corrected": _where(compared, p),
        "significant": _where(compared, p <= result.alpha),
        "detectable": detectable_differences(result),
    }
    columns |= {name: list(map(finite, columns[name].tolist())) for name in ("low", "high")}
    told = result.by_means and result.pairs.test in OF_MEANS
    refused = (result.view.refused & set(columns)) | (set() if told else {"detectable"})
    return PlainTable(columns | {name: [None] * len(p) for name in refused}, {**EFFECTS, **TESTED})


def _compared(result: MeasureResult) -> BoolArray:
    """Return which pairs are tested: all, or those with the baseline."""
    tested = np.ones((len(result.order),) * 2, dtype=bool)
    if result.baseline is not None:
        place = result.pairs.place(result.baseline)
        tested[:] = False
        tested[place] = tested[:, place] = True
    return tested


def _correlations(study: Study) -> PlainTable:
    """Return how alike measures rank the systems, and each with its interval-scaled self."""
    selves = study.agreement.selves.items()
    rows = correlation_rows(study)
    rows += [{"a": name, "b": study.scaled[name], "raw_with_interval": tau} for name, tau in selves]
    numbers = ("raw", "interval", "change_percent", "raw_with_interval")
    return PlainTable.of_rows(rows, {"a": str, "b": str, **dict.fromkeys(numbers, float)})


def _dominance(study: Study) -> PlainTable:
    """Return how every two systems stand, topic by topic, under every measure that respects replacement and swap."""
    matrix = study.raw.dominance
    rows, columns = np.triu_indices(len(study.systems), 1)
    names = np.array(study.systems, dtype=object)
    counts = {"wins": matrix.wins, "ties": matrix.ties, "losses": matrix.losses, "undecided": matrix.incomparable}
    found = {"a": names[rows], "b": names[columns]} | {name: count[rows, columns] for name, count in counts.items()}
    return PlainTable(found, {"a": str, "b": str, **dict.fromkeys(counts, int)})


def _topics(study: Study) -> PlainTable:
    counts = study.judged.grade_counts
    grades = {f"grade_{study.judged.grade_name(grade)}": counts[:, grade] for grade in range(counts.shape[1])}
    return PlainTable(
        {
            "topic": list(study.topics),
            "recall_base": study.judged.recall_base,
            **grades,
            "systems_without": study.coverage.missing.sum(axis=0),
            "text": [study.queries.get(topic) for topic in study.topics],
        },
        {"text": str},
    )


def _rankings(study: Study) -> PlainTable:
    grades = study.judged.grades[:, :, :STRIP]
    systems, topics, _ = grades.shape
    kind = list[np.int8] if study.judged.relevance is None else list[float]
    return PlainTable(
        {
            "system": np.repeat(np.array(study.systems, dtype=object), topics),
            "topic": list(study.topics) * systems,
            "grades": _values_of(study.judged, grades.reshape(systems * topics, -1)),
            "documents": _documents(study),
        },
        {"grades": kind, "documents": list[str]},
    )


def _values_of(judged: JudgedRuns, rows: Cells) -> list[list[Any]]:
    """Return the grades of rankings, a list each: whole numbers, or floats where grades are fractions."""
    if judged.relevance is None:
        return list(rows.tolist())
    gains = np.array([float(gain) for gain in judged.gains])
    found: list[list[Any]] = np.where(rows < 0, rows, gains[np.maximum(rows, 0)]).tolist()
    return found


def _documents(study: Study) -> list[list[str]]:
    """Return the names of the documents of each ranking, system by system."""
    shown = shown_documents(study.judged, STRIP)
    return [
        [names[place] for place in ranking if place != ABSENT]
        for rankings in shown.places.tolist()
        for names, ranking in zip(shown.names, rankings, strict=True)
    ]


def _coverage(study: Study) -> PlainTable:
    n, t = len(study.systems), len(study.topics)
    return PlainTable.joined(
        [
            PlainTable(
                {
                    "rank": np.full(n * t, rank),
                    "system": np.repeat(np.array(study.systems, dtype=object), t),
                    "topic": list(study.topics) * n,
                    "judged_share": shares.reshape(-1),
                    "missing": study.coverage.missing.reshape(-1),
                },
                {"rank": int, "judged_share": float, "missing": bool},
            )
            for rank, shares in study.coverage.shares.items()
        ]
    )


def _ties(study: Study) -> PlainTable:
    """Return the scores of every ranking over the orders of equal scores; strictly no mean that is not admitted."""
    kept = {name for name in study.measures if study.result(name).by_means}
    columns = study.ties.columns()
    admitted = zip(columns["measure"], columns["expected"], strict=True)
    columns["expected"] = [value if name in kept else None for name, value in admitted]
    return PlainTable(columns, dict.fromkeys(("trec", "expected", "least", "greatest"), float))


def _unanimity(study: Study) -> PlainTable:
    rows = [] if study.unanimity is None else study.unanimity.view().rows
    kept = {"measure": str, "unanimity": float, "tie_rate": float, "tied": int}
    return PlainTable.of_rows([{name: row[name] for name in kept} for row in rows], kept)


def _profiles(study: Study) -> PlainTable:
    """Return a row for every property of every measure."""
    rows = [
        {"measure": name, "property": axiom, "holds": found.holds, "how": str(found.how), "checked": str(found.checked)}
        for name, profile in study.profiles.items()
        for axiom, found in profile.axioms.items()
    ]
    return PlainTable.of_rows(rows, {"measure": str, "property": str, "holds": bool, "how": str, "checked": str})


def _levels(study: Study) -> PlainTable:
    """Return at which level one of two systems is ahead; pairs without the baseline have no corrected p-value."""
    matrix, rows = study.raw.levels, []
    for i, j in zip(*np.triu_indices(len(matrix.systems), 1), strict=True):
        untested = {} if matrix.tested[i, j] else {"p_corrected": None, "significant": None}
        rows.append(matrix.pair_at(int(i), int(j)).to_dict() | untested)
    return PlainTable.of_rows([{name: row[name] for name in LEVELS} for row in rows], LEVELS)


def _sources(study: Study) -> PlainTable:
    rows = [asdict(source) for source in study.sources]
    kinds = {"role": str, "name": str, "sha256": str, "size": int, "system": str, "dataset": bool}
    return PlainTable.of_rows(rows, kinds)


TABLES: Mapping[str, Callable[[Study], PlainTable]] = {
    "scores": _scores,
    "systems": _systems,
    "means": lambda study: PlainTable.of_rows(mean_rows(study), MEANS),
    "pairs": _pairs,
    "effects": _effects,
    "margins": _margins,
    "topics": _topics,
    "coverage": _coverage,
    "correlations": _correlations,
    "flips": lambda study: PlainTable.of_rows(flip_rows(study), FLIPS),
    "dominance": _dominance,
    "levels": _levels,
    "ties": _ties,
    "unanimity": _unanimity,
    "profiles": _profiles,
    "fusion": lambda study: PlainTable.of_rows(fusion_rows(study), FUSION),
    "rankings": _rankings,
    "sources": _sources,
    "caveats": lambda study: PlainTable.of_rows([each.to_dict() for each in study.caveats], {"kind": str, "text": str}),
}
