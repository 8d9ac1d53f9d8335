"""A study as data for programs: everything that the page tells, as JSON and as tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from attrs import asdict

from measurand.columns import writes_parquet
from measurand.display.data import plain
from measurand.display.writing import write_files
from measurand.letters import STAND_IN, json_escaped
from measurand.report.method_paragraph import method_paragraph, study_references
from measurand.report.repeating import command, in_python
from measurand.report.study_frames import (
    TABLES,
    correlation_rows,
    effects_of,
    flip_rows,
    fusion_rows,
    mean_rows,
    results_by_scale,
    study_tables,
)
from measurand.study.fusions import Fusions
from measurand.study.plan import versions
from measurand.study.study import Study


def study_data(study: Study) -> dict[str, Any]:
    """Return a study as nested dictionaries and lists that JSON can hold; numbers that are not finite are None.

    The same study gives the same data: there is no time in it.

    Examples
    --------
    >>> import measurand as md
    >>> data = study_data(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10"))
    >>> data["systems"], data["raw"]["measures"]["P@10"]["statistic"], data["plan"]["measures"]
    (['dense-1', 'dense-2'], 'mean', ['P@10'])
    """
    found: dict[str, Any] = plain(
        {
            "versions": versions(),
            "plan": {**asdict(study.plan, recurse=False), **_measures(study)},
            "sources": [asdict(source) for source in study.sources],
            "systems": study.systems,
            "topics": study.topics,
            "queries": dict(study.queries),
            "judgments": _judgments(study),
            "coverage": _coverage(study),
            "scores": _scores(study),
            "means": mean_rows(study),
            "pairs": _pairs(study),
            "margins": study.margins(study.raw.primary.scores.measure),
            "conclusion": study.conclusion.to_dict(),
            "raw": study.raw.to_dict(),
            "interval": None if study.ranked is None else study.ranked.to_dict(margins=False),
            "interval_scaled": study.scaled,
            "tests": _tests(study),
            "agreement": _agreement(study),
            "ties": _ties(study),
            "profiles": {name: profile.to_dict() for name, profile in study.profiles.items()},
            "unanimity": None if study.unanimity is None else study.unanimity.to_dict(),
            "fusion": None if study.fusions is None else _fusions(study, study.fusions),
            "methods": {
                "paragraph": method_paragraph(study),
                "references": study_references(study),
                "command": command(study),
                "python": in_python(study),
            },
            "caveats": [caveat.to_dict() for caveat in study.caveats],
        }
    )
    return found


def write_study_data(
    study: Study,
    folder: str | os.PathLike[str],
    *,
    besides: Mapping[str, bytes] = MappingProxyType({}),
    raw: bool = False,
) -> list[Path]:
    """Write a study into a folder, as study.json, and a CSV and a parquet file for each table, and return the paths.

    Parquet files need polars or pyarrow; where neither is installed there are none.

    All are written into a new folder, which takes the place of the old one at once, so that a failure leaves what was
    there. Other files in the folder stay, tables of an earlier study go. A folder that holds other folders is refused.

    Parameters
    ----------
    besides
        What else goes with them, by name, such as the page.
    raw
        Whether text in CSV that a spreadsheet would run stays as it is; otherwise it stands behind an apostrophe.
    """
    return write_files(folder, chain(_files(study, raw=raw), besides.items()), _is_ours)


def _files(study: Study, *, raw: bool) -> Iterator[tuple[str, bytes]]:
    """Return the files of a study, one by one, with their names."""
    text = json.dumps(study_data(study), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    yield "study.json", f"{json_escaped(text)}\n".encode()
    for name, table in study_tables(study).items():
        if writes_parquet():
            yield f"{name}.parquet", table.encodable().to_parquet()
        yield f"{name}.csv", table.to_csv(raw=raw).encode(errors=STAND_IN)


def _is_ours(name: str) -> bool:
    """Return whether a file is called as one of a study is, so that it goes when another study is written."""
    stem, _, ending = name.rpartition(".")
    return name == "study.json" or (ending in ("csv", "parquet") and stem in TABLES)


def _measures(study: Study) -> dict[str, list[str]]:
    return {"measures": list(study.plan.measures), "described": list(study.plan.described)}


def _judgments(study: Study) -> dict[str, Any]:
    judged = study.judged
    return {
        "depth": judged.depth,
        "documents": judged.judged_documents,
        "grades": [plain(judged.grade_of(grade)) for grade in range(len(judged.gains))],
        "by_grade": judged.grade_counts.sum(axis=0),
        "by_topic": dict(zip(study.topics, judged.grade_counts.tolist(), strict=True)),
        "recall_base": dict(zip(study.topics, judged.recall_base.tolist(), strict=True)),
    }


def _coverage(study: Study) -> dict[str, Any]:
    coverage = study.coverage
    missing = {
        system: [topic for topic, out in zip(study.topics, row, strict=True) if out]
        for system, row in zip(study.systems, coverage.missing.tolist(), strict=True)
    }
    return {
        "judged_shares": coverage.shares,
        "missing_topics": {system: topics for system, topics in missing.items() if topics},
    }


def _scores(study: Study) -> dict[str, Any]:
    """Return the scores, systems × topics, raw and on the interval scale."""
    found: dict[str, Any] = {}
    for name in study.measures:
        ranked = study.result_on_interval(name)
        found[name] = {"raw": study.scores(name).values, "interval": None if ranked is None else ranked.scores.values}
    return found


def _pairs(study: Study) -> dict[str, Any]:
    """Return what is known of all pairs, by measure and scale; each list in the order of `systems`, pairs of places."""
    rows, columns = np.triu_indices(len(study.systems), 1)
    found: dict[str, dict[str, Any]] = {}
    for name, scale, _, result in results_by_scale(study):
        known = {name: column for name, column in effects_of(result).columns.items() if name not in ("a", "b", "test")}
        found.setdefault(name, {})[scale] = {"test": result.pairs.test, "adjusted": result.pairs.adjusted, **known}
    return {"systems": np.stack([rows, columns], axis=1), "measures": found}


def _tests(study: Study) -> dict[str, Any]:
    """Return what each test says of all pairs: p-values without correction, in the order of `pairs`."""
    rows, columns = np.triu_indices(len(study.systems), 1)
    found = []
    for measure, scale, test in study.tests:
        pairs = study.tests.of(measure, scale, test)
        adjusted = pairs.adjust(study.plan.adjust, baseline=study.plan.baseline)
        found.append(
            {
                "measure": measure,
                "scale": scale,
                "test": test,
                "adjusted": adjusted.adjusted,
                "significant": int(adjusted.significant(study.plan.alpha).sum()) // 2,
                "uncorrected": pairs.pvalues[rows, columns],
            }
        )
    return {"pairs": np.stack([rows, columns], axis=1), "found": found, "flips": flip_rows(study)}


def _ties(study: Study) -> dict[str, Any]:
    """Return what ties do; a strict study has no mean over topics or orders that the scale does not admit."""
    found = study.ties.to_dict(by_topic=True)
    for each in found["measures"]:
        scores = study.scores(each["measure"])
        if study.result(each["measure"]).by_means:
            continue
        refused = dict.fromkeys((*OVER_TOPICS, *(() if scores.one_scale else ("median",))))
        # in the order of their means they stood as well
        rows = sorted(each["systems"], key=lambda row: study.systems.index(row["system"]))
        each["systems"] = [{**row, **refused} for row in rows]
        each["topics"] = [{**row, "expected": None} for row in each["topics"]]
    return found


OVER_TOPICS = ("trec", "expected", "least", "greatest", "flattered", "hurt")
"""What is told of a system's ties that rests on means over topics, or on the mean over all orders."""


def _agreement(study: Study) -> dict[str, Any]:
    return {"pairs": correlation_rows(study), "raw_and_interval": study.agreement.selves}


def _fusions(study: Study, fusions: Fusions) -> dict[str, Any]:
    return {
        "depth": fusions.depth,
        "names": fusions.names,
        "rows": fusion_rows(study),
        "tied": fusions.tied,
        "judged_shares": fusions.coverage.shares,
        "caveats": [caveat.to_dict() for caveat in fusions.caveats],
    }
