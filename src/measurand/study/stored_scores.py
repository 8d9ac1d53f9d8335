"""Stored scores: what a system scored on every topic, kept in a file so that later runs can be compared with it.

The file is parquet, JSON or CSV, by its ending. Beside the scores it holds what they belong to: the name of the system,
a digest of the judgments, how runs were judged, the version of measurand and the date. Parquet and CSV have a row for
every topic and measure, with these facts in columns of their own; JSON has them once. So it is with a digest of all of
this, by which a file is refused that is no longer what was written.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from hashlib import sha256
from math import isnan
from pathlib import Path
from typing import Any

from attrs import field, frozen

from measurand import __version__
from measurand.columns import PlainTable, check_parquet, parquet_names, read_parquet, values_of
from measurand.display.data import csv_text
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, cells_view
from measurand.display.wording import counted, listed
from measurand.display.writing import PathLike, check_path, write_whole
from measurand.errors import InputError, InputFileError, ParameterError
from measurand.judged import Judgments
from measurand.letters import STAND_IN, harmless, json_escaped, unharmed
from measurand.trec.files import bytes_of, unpacked
from measurand.trec.unpacking import PARQUET, unpack

FACTS = ("system", "qrels", "judging", "version", "date")
"""What the scores belong to."""

SEAL = "sha256"
"""Where the digest of scores and facts stands."""

FIELDS: Mapping[str, type] = {"topic": str, "measure": str, "score": float, **dict.fromkeys((*FACTS, SEAL), str)}
"""The columns of parquet and CSV."""

ENDINGS = (".parquet", ".json", ".csv")
"""The files that scores are stored in."""

KIND = "measurand scores"
"""What a JSON file says it is."""

HEAD = 64
"""So many bytes tell what a file is."""

MARK = b"\xef\xbb\xbf"
"""What some programs write before the first letter."""

SHOWN = 4
"""So many topics are named in a complaint."""


@frozen(kw_only=True, repr=False, eq=False)
class StoredScores(Result):
    """The scores of one system by measure and topic, and what they belong to.

    Parameters
    ----------
    system : str
        The name of the system.
    scores : mapping of str to mapping of str to float
        The scores by the spelling of the measure and by topic; NaN where there is none.
    qrels : str
        The digest of the judgments.
    judging : str
        How runs were judged, as far as it was not the usual way.
    version : str
        The version of measurand.
    date : str
        When they were computed, in UTC.

    Examples
    --------
    >>> stored = StoredScores(system="bm25", scores={"RR": {"1": 0.5}}, qrels="e7351492")
    >>> stored
    <StoredScores of bm25: RR on 1 topic>
    """

    system: str
    scores: Mapping[str, Mapping[str, float]]
    qrels: str
    judging: str = ""
    version: str = __version__
    date: str = field(factory=lambda: datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S"))

    def __repr__(self) -> str:
        return f"<StoredScores of {self.system}: {listed(list(self.scores))} on {counted(len(self.topics), 'topic')}>"

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics."""
        return tuple(dict.fromkeys(topic for each in self.scores.values() for topic in each))

    def document(self) -> Document:
        """Return what is stored: the facts, and a row for every topic and measure."""
        said = (
            f"{self.system}: {listed(list(self.scores))} on {counted(len(self.topics), 'topic')}, stored {self.date}."
        )
        rows = [[row["topic"], row["measure"], f"{row['score']:.4f}"] for row in self._rows()]
        return Document([said, cells_view(["topic", "measure", "score"], rows, left=2)])

    def _main(self) -> TableView:
        return TableView([], list(self._rows()), fields=FIELDS)

    @property
    def sha256(self) -> str:
        """A digest of the scores and of what they belong to; the order of topics and measures does not matter."""
        return sha256(json.dumps(self._content(), sort_keys=True).encode()).hexdigest()

    def _rows(self) -> Iterator[dict[str, Any]]:
        facts = {**{name: getattr(self, name) for name in FACTS}, SEAL: self.sha256}
        for measure, scores in self.scores.items():
            for topic, score in scores.items():
                yield {"topic": topic, "measure": measure, "score": score, **facts}

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and what they belong to, ready for JSON; a score that is none is None.

        Examples
        --------
        >>> StoredScores(system="a", scores={"RR": {"1": 0.5}}, qrels="0").to_dict()["scores"]
        {'RR': {'1': 0.5}}
        """
        return {"kind": KIND, SEAL: self.sha256, **self._content()}

    def _content(self) -> dict[str, Any]:
        scores = {
            measure: {topic: None if isnan(score) else score for topic, score in each.items()}
            for measure, each in self.scores.items()
        }
        return {**{name: getattr(self, name) for name in FACTS}, "scores": scores}

    def write(self, path: PathLike) -> None:
        """Write the scores to a file; on failure leave what was there before.

        Parameters
        ----------
        path : path
            Where to: .parquet, .json or .csv.
        """
        write_whole(path, self._bytes(check_ending(path)))

    def _bytes(self, ending: str) -> bytes:
        if ending == ".json":
            return f"{json_escaped(json.dumps(self.to_dict(), ensure_ascii=False, indent=1))}\n".encode()
        if ending == ".csv":
            # what Python writes of a float is read back to the last bit
            rows = (row | {"score": "" if isnan(row["score"]) else repr(row["score"])} for row in self._rows())
            cells = ([harmless(str(row[name])) for name in FIELDS] for row in rows)
            return csv_text([list(FIELDS), *cells]).encode(errors=STAND_IN)
        return PlainTable.of_rows(list(self._rows()), FIELDS).to_parquet()

    def under(self, measure: str, topics: tuple[str, ...], name: str) -> list[float]:
        """Return the scores under a measure on some topics; complain where the file has others.

        Parameters
        ----------
        measure : str
            The spelling of the measure.
        topics : tuple of str
            The topics.
        name : str
            What messages call the file.
        """
        if measure not in self.scores:
            there = listed(list(self.scores))
            raise InputError(f"{name} has no scores under {measure}, only under {there}; store it anew with {measure}")
        scores = self.scores[measure]
        missing = [topic for topic in topics if topic not in scores]
        more = [topic for topic in scores if topic not in set(topics)]
        for which, what in ((missing, "lacks"), (more, "has also")):
            if which:
                named = f"{'topic' if len(which) == 1 else 'topics'} {listed(which, SHOWN)}"
                raise InputError(f"{name} {what} {named} under {measure}; store it anew with these judgments")
        return [scores[topic] for topic in topics]

    def check(self, qrels: str, judging: str, name: str) -> None:
        """Complain if the scores were computed with other judgments, or judged in another way.

        Parameters
        ----------
        qrels : str
            The digest of the judgments at hand.
        judging : str
            How runs are judged now.
        name : str
            What messages call the file.
        """
        if self.qrels != qrels:
            digests = f"digest {self.qrels[:8]} there, {qrels[:8]} here"
            raise InputError(f"{name} was scored with other judgments ({digests}); store it anew with these")
        if self.judging != judging:
            there, here = (text or "as usual" for text in (self.judging, judging))
            raise InputError(f"{name} was judged otherwise ({there}; now {here}); store it anew, or judge alike")


def check_ending(path: PathLike) -> str:
    """Return the ending of a file to store scores in, or complain that there is none such.

    Parameters
    ----------
    path : path
        The file.

    Examples
    --------
    >>> check_ending("main.parquet")
    '.parquet'
    >>> check_ending("main.txt")
    Traceback (most recent call last):
    ...
    measurand.errors.ParameterError: main.txt: scores are stored in files called .parquet, .json or .csv
    """
    check_path(path, "baseline.parquet")
    ending = Path(path).suffix
    if ending not in ENDINGS:
        raise ParameterError(f"{os.fspath(path)}: scores are stored in files called {', '.join(ENDINGS[:-1])} or .csv")
    if ending == ".parquet":
        check_parquet()
    return ending


def is_stored(source: object) -> bool:
    """Return whether this is a file of stored scores, by what it holds, rather than a run.

    Parameters
    ----------
    source : object
        What may be the path of one.

    Examples
    --------
    >>> is_stored({"1": {"d1": 2.0}}), is_stored("nowhere")
    (False, False)
    """
    if not isinstance(source, str | os.PathLike) or not Path(source).is_file():
        return False
    try:
        head = head_of(Path(source))
        if not head.startswith(PARQUET):
            return head.startswith(b"topic,measure,score,") or re.match(rb'\{\s*"kind"', head) is not None
        names = parquet_names(unpack(bytes_of(source), os.fspath(source)))
        return {"topic", "measure", "score"} <= set(names)
    except Exception:  # noqa: BLE001 - the file is damaged, and the reader of runs says how
        return False


def head_of(path: Path, size: int = HEAD) -> bytes:
    """Return the first bytes that a file holds, unpacked.

    Parameters
    ----------
    path : Path
        The file.
    size : int
        How many bytes.
    """
    with unpacked(os.fspath(path)) as file:
        head: bytes = file.read(size)
    return head.removeprefix(MARK)


def read_stored(path: PathLike) -> StoredScores:
    """Return stored scores from a file.

    Parameters
    ----------
    path : path
        A file that `StoredScores.write` wrote, as parquet, JSON or CSV; plain or compressed.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     StoredScores(system="a", scores={"RR": {"1": 1 / 3}}, qrels="0").write(f"{folder}/a.csv")
    ...     read_stored(f"{folder}/a.csv").scores
    {'RR': {'1': 0.3333333333333333}}
    """
    data = unpack(bytes_of(path), os.fspath(path)).removeprefix(MARK)
    try:
        if data.startswith(b"{"):
            return _from_json(json.loads(data))
        rows = _parquet_rows(data) if data.startswith(PARQUET) else _csv_rows(data)
        return _from_rows(rows)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = "; store it anew with measurand gate --save-baseline"
        raise InputFileError(os.fspath(path), None, f"is no file of stored scores ({_brief(error)}){why}") from None


def _brief(error: Exception) -> str:
    words = " ".join(str(error).split())
    return f"it has no {words}" if isinstance(error, KeyError) else words


def _from_json(data: Any) -> StoredScores:
    scores = {
        str(measure): {str(topic): _score(score) for topic, score in each.items()}
        for measure, each in data["scores"].items()
    }
    return _unsealed(scores, {name: str(data[name]) for name in (*FACTS, SEAL)})


def _parquet_rows(data: bytes) -> list[dict[str, Any]]:
    columns = {name: values_of(column) for name, column in read_parquet(data).items()}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _csv_rows(data: bytes) -> list[dict[str, Any]]:
    rows = csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))
    return [{name: unharmed(text) if isinstance(text, str) else text for name, text in row.items()} for row in rows]


def _from_rows(rows: list[dict[str, Any]]) -> StoredScores:
    if not rows:
        raise ValueError("it has no rows")
    scores: dict[str, dict[str, float]] = {}
    for row in rows:
        of_measure = scores.setdefault(str(row["measure"]), {})
        if row["topic"] in of_measure:
            raise ValueError(f"topic {row['topic']} has two scores under {row['measure']}")
        of_measure[str(row["topic"])] = _score(row["score"])
    facts = {name: {str(row[name]) for row in rows} for name in (*FACTS, SEAL)}
    mixed = [name for name, values in facts.items() if len(values) > 1]
    if mixed:
        raise ValueError(f"it has more than one {mixed[0]}")
    return _unsealed(scores, {name: values.pop() for name, values in facts.items()})


def _unsealed(scores: dict[str, dict[str, float]], facts: dict[str, str]) -> StoredScores:
    """Return stored scores; complain if they are not those that the digest was made of."""
    if not scores or not all(scores.values()):
        raise ValueError("it has no scores")
    seal = facts.pop(SEAL)
    found = StoredScores(scores=scores, **facts)
    if found.sha256 != seal:
        raise ValueError("it is damaged, or somebody changed it: its digest is another")
    return found


def _score(value: Any) -> float:
    if value is None or value == "":
        return float("nan")
    found = float(value)
    if isinstance(value, bool) or found in (float("inf"), float("-inf")):
        raise ValueError(f"{value} is no score")
    return found


def qrels_digest(qrels: Judgments) -> str:
    """Return a digest of judgments that depends on what is judged, not on the file: order and packing do not matter.

    Parameters
    ----------
    qrels : Judgments
        The judgments.

    Examples
    --------
    >>> one = Judgments.from_mapping({"1": {"d1": 1, "d2": 0}})
    >>> other = Judgments.from_mapping({"1": {"d2": 0, "d1": 1}})
    >>> qrels_digest(one) == qrels_digest(other), qrels_digest(one)[:8]
    (True, 'e7351492')
    """
    digest = sha256()
    for topic in sorted(qrels.topics):
        documents, grades = qrels.documents_of(topic), qrels.grades[qrels.rows(topic)].tolist()
        pairs = sorted(zip(map(str, documents), grades, strict=True))
        digest.update(json.dumps([topic, pairs]).encode())
    return digest.hexdigest()
