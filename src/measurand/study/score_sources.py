"""Scores by system and topic that another tool computed: frames, tables and files of them.

A frame or a CSV or parquet file has a row for every system, topic and measure, in columns that go by our names or by
those of PyTerrier (`name, qid, measure, value`: what `pt.Experiment(perquery=True)` returns and what its `save_dir`
gets as `perquery.csv`). Files of stored scores (`measurand gate --save-baseline`) have the same columns. Files that
hold means alone, as those of MTEB and sentence-transformers do, are refused: means have no topics to be tested on.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import inf, isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
from attrs import evolve

from measurand.columns import Columns, columns_of, parquet_names, read_parquet, values_of
from measurand.display.wording import listed
from measurand.errors import CallError, Caveat, CaveatKind, InputError, InputFileError, ParameterError
from measurand.letters import unharmed
from measurand.measures import Measure, parse
from measurand.measures.geometric_mean import GeometricMean
from measurand.scores import Aggregation, Scores, Table
from measurand.statistics.needs import LARGEST
from measurand.study.evaluation import averaging_caveats, plainly_averaged, spellings_of
from measurand.study.stored_scores import MARK, StoredScores, head_of, is_stored, read_stored
from measurand.trec.files import Content, bytes_of, stem
from measurand.trec.predictions import FIRST, MEANS_ONLY, instead_of_means
from measurand.trec.sources import is_frame, looked_at
from measurand.trec.unpacking import PARQUET, unpack

if TYPE_CHECKING:
    from measurand.trec.sources import FrameLike

    ScoresLike: TypeAlias = Scores | Table | StoredScores | FrameLike | str | "os.PathLike[str]"
    """Scores by system and topic, in any form that they can be compared in."""

NEAR = 1e-6
"""How far beyond the range of a measure single precision may bring a score."""

COLUMNS: Mapping[str, tuple[str, ...]] = {
    "system": ("system", "name", "run", "model"),
    "topic": ("topic", "qid", "query_id", "query"),
    "measure": ("measure", "metric"),
    "score": ("score", "value"),
}
"""What the columns of a frame of scores may be called."""


@looked_at
def is_scores(source: object) -> bool:
    """Return whether this holds scores of systems by topic (or their means), rather than runs or judgments.

    Parameters
    ----------
    source : object
        What was given.

    Examples
    --------
    >>> import polars as pl
    >>> is_scores(pl.DataFrame({"name": ["a"], "qid": ["1"], "measure": ["AP"], "value": [0.5]}))
    True
    >>> is_scores({"1": {"d1": 1}}), is_scores("nowhere.csv")
    (False, False)
    """
    if isinstance(source, Scores | Table | StoredScores):
        return True
    if isinstance(source, list):
        return bool(source) and all(map(is_scores, source))
    if isinstance(source, str | os.PathLike):
        return Path(source).is_file() and _is_score_file(Path(source))
    held = _per_query(source)
    return is_frame(held) and _named(_names(held)) is not None


def read_scores(source: Any, *, percent: bool = False) -> Table:
    """Return scores by measure, with all systems and topics that there are; complain of values outside the range.

    Parameters
    ----------
    source : Scores, Table, StoredScores, frame, or path of a CSV, parquet or JSON file; or a list of these
        The scores; several sources, a file for every system, say, become one table.
    percent : bool, default False
        Whether they are in percent, under measures that go from 0 to 1.

    Examples
    --------
    >>> import polars as pl
    >>> frame = pl.DataFrame({"name": ["a", "b"], "qid": ["1", "1"], "measure": ["AP", "AP"], "value": [0.5, 0.2]})
    >>> read_scores(frame)
    <Table: 2 systems × 1 topic under AP>
    """
    if isinstance(source, list):
        return _joined(source, percent)
    if isinstance(source, Table | Scores) and percent:
        raise ParameterError("percent is for tables and files of scores; divide the values of Scores by 100")
    if isinstance(source, Table | Scores):
        table = source if isinstance(source, Table) else Table(by_measure={source.measure: source})
        for scores in table:
            _check_range(scores)
        return table
    if isinstance(source, StoredScores):
        return _table(_stored_rows(source), "the stored scores", percent)
    if isinstance(source, str | os.PathLike):
        return _read_file(os.fspath(source), percent)
    return _table(_rows_of(columns_of(_per_query(source)), "the frame"), "the frame", percent)


def _per_query(source: Any) -> Any:
    """Return the scores by topic where PyTerrier gave means as well."""
    return getattr(source, "perquery", source) if isinstance(source, tuple) else source


def _joined(sources: Sequence[Any], percent: bool) -> Table:
    """Return the scores of several sources as one table."""
    rows, said = [], []
    for source in sources:
        table = read_scores(source, percent=percent)
        said += [each for each in table.caveats if each.kind is CaveatKind.BOUNDS]
        for scores in table:
            for system in scores.systems:
                rows += [(system, topic, scores.measure, value) for topic, value in scores[system].items()]
    joined = _table(rows, "the scores")
    return evolve(joined, caveats=(*joined.caveats, *dict.fromkeys(said)))


def chosen(table: Table, measures: Any, primary: Any) -> Table:
    """Return a table with the measures that are wanted, the primary one first.

    A measure under which some system has no score at all, or no two share a topic, is left out, and refused if it was
    asked for.

    Parameters
    ----------
    table
        The scores.
    measures
        Measures or their spellings; None for all that there are.
    primary
        The primary measure; None for the first.
    """
    several = [measures] if isinstance(measures, str | Measure) else measures
    lacking = {each.measure: words for each in table if (words := _lacking(each))}
    complete = [each for each in table if each.measure not in lacking]
    wanted = complete if several is None else [table.scores(each) for each in several]
    if primary is not None:
        first = table.scores(primary)
        wanted = [first, *(each for each in wanted if each is not first)]
    asked = [lacking[each.measure] for each in wanted if each.measure in lacking]
    if asked or (lacking and not wanted):
        words = "; ".join(asked or lacking.values())
        others = f"compare under {listed([each.measure for each in complete])}" if complete else "compare other systems"
        raise InputError(f"{words}; {others}")
    if not wanted:
        raise ParameterError(f"no measure was asked for; there is {listed(list(table.measures))}")
    plain = [_plainly_averaged(each) for each in wanted]
    known = [each for each in (_known(scores.measure) for scores in wanted) if each is not None]
    left_out = [Caveat(CaveatKind.LEFT_OUT, f"{words}: the measure is left out") for words in lacking.values()]
    return Table(
        by_measure={each.measure: each for each in plain},
        caveats=(*table.caveats, *(left_out if several is None else ()), *averaging_caveats(known)),
        canonical=_spellings,
    )


def _lacking(scores: Scores) -> str:
    """Return which systems have no score under a measure, or that no two share a topic, in words; else nothing."""
    there = ~np.isnan(scores.values)
    if there.any(axis=1).all() and len(there) > 1 and there.sum(axis=0).max(initial=0) < 2:
        who = listed(scores.systems) if len(there) == 2 else "the systems"
        return f"{who} share no topic that has a score under {scores.measure}"
    without = [name for name, row in zip(scores.systems, scores.values, strict=True) if np.isnan(row).all()]
    verb = "has" if len(without) == 1 else "have"
    return f"{listed(without)} {verb} no score under {scores.measure}" if without else ""


def _plainly_averaged(scores: Scores) -> Scores:
    """Return scores under the name of what is averaged: comparisons are of plain means."""
    known = _known(scores.measure)
    if not isinstance(known, GeometricMean):
        return scores
    [inside] = plainly_averaged({scores.measure: known}).values()
    return evolve(scores, measure=repr(inside), aggregation=Aggregation.MEAN)


def _is_score_file(path: Path) -> bool:
    try:
        head = head_of(path, FIRST)
        if not head.startswith(PARQUET):
            return instead_of_means(head) is not None or _named(_header(head)) is not None or is_stored(path)
        return _named(parquet_names(_content(path))) is not None
    except Exception:  # noqa: BLE001 - the file is damaged, and the reader of runs says how
        return False


def _content(path: str | os.PathLike[str]) -> bytes:
    return unpack(bytes_of(path), os.fspath(path)).removeprefix(MARK)


def _header(data: bytes) -> list[str]:
    """Return the columns that the first line of a CSV or TSV file names."""
    line = data.partition(b"\n")[0].decode("utf-8", "replace").strip()
    return [name.strip(' "') for name in line.split("\t" if "\t" in line else ",")]


def _read_file(path: str, percent: bool) -> Table:
    held = Content(path, _content(path))
    data, numbers = held.data, None
    instead = instead_of_means(data)
    if instead is not None:
        raise InputFileError(path, None, f"{MEANS_ONLY}; {instead}")
    if data.startswith(b"{"):
        return _table(_stored_rows(read_stored(path)), path, percent)
    try:
        if data.startswith(PARQUET):
            columns = read_parquet(data)
        else:
            held.check_objects(b",\t\n", 150)
            columns, numbers = _csv_columns(data)
    except InputFileError:
        raise
    except (InputError, ValueError, csv.Error) as error:
        raise InputFileError(path, None, f"is no table of scores ({error})") from None
    return _table(_rows_of(columns, path, called=stem(path)), path, percent, numbers)


def _csv_columns(data: bytes) -> tuple[Columns, list[int]]:
    """Return the columns of a CSV or TSV file with a header, all as they are written, and in what lines rows end."""
    delimiter = "\t" if b"\t" in data.partition(b"\n")[0] else ","
    reader = csv.reader(io.StringIO(data.decode(), newline=""), delimiter=delimiter, strict=True)
    found = [(reader.line_num, row) for row in reader]
    if not found:
        raise ValueError("it is empty")
    header, *rows = ([unharmed(text) for text in row] for _, row in found)
    twice = [name for name, many in Counter(name.strip().lower() for name in header).items() if many > 1]
    if set(twice) & {*chain.from_iterable(COLUMNS.values())}:
        raise ValueError(f"two columns are called {twice[0]}; remove one")
    for number, row in enumerate(rows, 2):
        if row and len(row) != len(header):
            raise ValueError(f"row {number} has {len(row)} columns where the header has {len(header)}")
    columns = zip(*filter(None, rows), strict=True)
    numbers = [number for number, row in found[1:] if row]
    return dict(zip(header, columns, strict=False)) or dict.fromkeys(header, ()), numbers


def _stored_rows(stored: StoredScores) -> list[tuple[str, str, str, float]]:
    return [
        (stored.system, topic, measure, value)
        for measure, each in stored.scores.items()
        for topic, value in each.items()
    ]


def _names(frame: Any) -> list[str]:
    """Return the names of the columns of a frame of polars, pandas or Arrow."""
    if hasattr(frame, "collect_schema"):
        return list(frame.collect_schema().names())
    columns = frame.column_names if hasattr(frame, "column_names") else getattr(frame, "columns", ())
    return list(map(str, columns))


def _named(columns: Sequence[str]) -> dict[str, str] | None:
    """Return which column is what, or None if these are not the columns of scores; a file may leave its system out."""
    plain = {name.strip().lower(): name for name in columns}
    found = {what: next((plain[name] for name in names if name in plain), None) for what, names in COLUMNS.items()}
    if found["topic"] is None or found["measure"] is None or found["score"] is None:
        return None
    return {what: name for what, name in found.items() if name is not None}


def _rows_of(columns: Columns | None, place: str, called: str | None = None) -> list[tuple[str, str, str, Any]]:
    named = None if columns is None else _named(list(columns))
    if columns is None or named is None:
        raise CallError(f"{place} is no table of scores: it needs the columns name, qid, measure and value")
    if "system" not in named and called is None:
        raise InputError(f"{place} has no column that names the system; add one called name")
    taken = {what: values_of(columns[name]) for what, name in named.items()}
    for what in named.keys() - {"score"}:
        if None in taken[what]:
            raise InputError(f"{place}: column {named[what]!r} has missing values")
    systems = taken.get("system", [called] * len(taken["topic"]))
    rows = zip(systems, taken["topic"], taken["measure"], taken["score"], strict=True)
    return [(str(system), str(topic), str(name), score) for system, topic, name, score in rows]


def _table(
    rows: Sequence[tuple[str, str, str, Any]],
    place: str,
    percent: bool = False,
    numbers: Sequence[int] | None = None,
) -> Table:
    """Return scores as a table, NaN where there is none; complain of two scores in one place, or of what is none."""
    if not rows:
        raise InputError(f"{place}: there are no scores")
    systems, topics, names = (list(dict.fromkeys(row[i] for row in rows)) for i in range(3))
    spelled = {name: _canonical(name) for name in names}
    found: dict[str, dict[tuple[str, str], float]] = {measure: {} for measure in spelled.values()}
    for row, (system, topic, name, value) in enumerate(rows):
        at, measure = (system, topic), spelled[name]
        if at in found[measure]:
            raise InputError(f"{place}: {system} has two scores on topic {topic} under {measure}; keep one")
        why, score = _number(value)
        if why:
            line = "" if numbers is None else f":{numbers[row]}"
            raise InputError(f"{place}{line}: {value!r} {why}, of {system} on topic {topic} under {measure}; repair it")
        found[measure][at] = score
    said = [caveat for name, each in found.items() for caveat in _in_range(name, each, place, percent)]
    topics.sort(key=_by_number)
    by_measure = {name: _scores(name, each, systems, topics) for name, each in found.items()}
    unknown = [name for name in found if _known(name) is None]
    return Table(by_measure=by_measure, aliases=spelled, caveats=(*_caveats(unknown), *said), canonical=_spellings)


def _in_range(name: str, values: dict[tuple[str, str], float], place: str, percent: bool | None) -> Iterator[Caveat]:
    """Complain of scores that a known measure cannot have; percentages become shares, and a caveat says so."""
    known = _known(name)
    low, high = (None, None) if known is None else known.bounds
    share = (low, high) == (0, 1)
    unit = 100 if percent and share else 1
    for (system, topic), value in values.items():
        below, above = low is not None and value < unit * low - NEAR, high is not None and value > unit * high + NEAR
        if below or above:
            edge = f"{'below' if below else 'above'} {unit * cast(int, low if below else high)}{' %' * (unit > 1)}"
            fix = "say --percent (percent=True)" if percent is not None else "divide by 100"
            fix = f"; for percentages {fix}" if share and 1 < value <= 100 and unit == 1 else ""
            said = f"{system} has {value:g} on topic {topic}, and {name} is never {edge}"
            raise InputError(f"{place}: {said}; repair it, or rename the measure if its tool means another{fix}")
    if unit > 1:
        there = [value for value in values.values() if not isnan(value)]
        for at in values:
            values[at] /= unit
        if there:
            text = f"scores under {name} are read as percentages: from {min(there):g} % to {max(there):g} %"
            yield Caveat(CaveatKind.BOUNDS, text)


def _check_range(scores: Scores) -> None:
    """Complain of values that a known measure cannot have, where somebody made the scores."""
    known, there = _known(scores.measure), ~np.isnan(scores.values)
    low, high = (None, None) if known is None else known.bounds
    beyond = there & (
        (scores.values < (-inf if low is None else low - NEAR))
        | (scores.values > (inf if high is None else high) + NEAR)
    )
    for system, topic in np.argwhere(beyond)[:1].tolist():
        named = {(scores.systems[system], scores.topics[topic]): float(scores.values[system, topic])}
        list(_in_range(scores.measure, named, "the scores", percent=None))


def _by_number(topic: str) -> tuple[int, str]:
    return (int(topic), "") if topic.isdecimal() else (1 << 62, topic)


def _number(value: Any) -> tuple[str, float]:
    """Return what is wrong with a score, nothing as a rule, and its number."""
    if value is None or value == "":
        return "", float("nan")
    try:
        found = float("inf" if isinstance(value, str) and "_" in value else value)
    except (TypeError, ValueError):
        found = float("inf")
    if isinstance(value, bool) or found in (float("inf"), float("-inf")):
        return "is no score", found
    return f"is beyond {LARGEST}, the largest score that can be summed" if abs(found) > LARGEST else "", found


def _known(name: str) -> Measure | None:
    """Return the measure of a name that another tool has for it, if there is one of ours."""
    try:
        return parse(name)
    except ParameterError:
        return None


def _spellings(name: str) -> list[str]:
    return [name] if _known(name) is None else spellings_of(name)


def _canonical(name: str) -> str:
    known = _known(name)
    return name if known is None else repr(known)


def _scores(
    name: str, values: Mapping[tuple[str, str], float], systems: Sequence[str], topics: Sequence[str]
) -> Scores:
    """Return scores on the scale that can be granted without rankings and judgments: ordinal, topic by topic."""
    known = _known(name)
    shared = known is not None and not known.uses_recall_base
    return Scores(
        measure=name,
        values=np.array([[values.get((system, topic), np.nan) for topic in topics] for system in systems]),
        systems=systems,
        topics=topics,
        scale="ordinal",
        one_scale=shared,
        lower_is_better=known is not None and known.lower_is_better,
    )


def _caveats(unknown: Sequence[str]) -> Iterable[Caveat]:
    if unknown:
        text = f"{listed(list(unknown))}: no measure of ours, so that higher values are taken as better"
        yield Caveat(CaveatKind.ASSUMPTION, text)
