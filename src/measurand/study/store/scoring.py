"""The scoring of one piece of a campaign, wherever that is done: its topics are judged, scored and written.

What is sent to a worker is a `Job` and a piece: paths, options and numbers. The judgments it reads itself, from the
store. What it sends back is what it wrote, and where.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any

import numpy as np
from attrs import asdict, evolve, frozen

import measurand.native as native
from measurand.columns import PlainTable
from measurand.errors import InputFileError
from measurand.judged.judge import TOP, JudgedRun, Judging
from measurand.measures import Measure, parse
from measurand.study.store.folder import MEND, Folder
from measurand.study.store.parts import PartReader, Rows, digest_of, rows_of
from measurand.study.store.store_plan import DONE, PARTS, QRELS, Piece, SourceFile, StorePlan
from measurand.trec.blocks import BLOCK, block_at, runs_of, streamed
from measurand.trec.files import FormattedFile, NamedFile
from measurand.trec.read import named_runs, read_qrels
from measurand.trec.run import Run
from measurand.trec.unpacking import unpack

AT_ONCE = 1 << 24
"""About so many ranks of judged runs are scored together."""


@frozen
class Job:
    """What all pieces of a store have in common.

    Parameters
    ----------
    place
        Where the store is.
    measures
        The measures, by canonical spelling.
    settings
        How runs are judged.
    qrels
        A digest of the judgments.
    block
        About how many bytes are read at a time.
    """

    place: str
    measures: tuple[str, ...]
    settings: tuple[tuple[str, Any], ...]
    qrels: str
    block: int = BLOCK

    @classmethod
    def of(cls, folder: Folder, plan: StorePlan) -> Job:
        """Return the job of a plan."""
        measures = tuple(dict.fromkeys(plan.measures.values()))
        return cls(folder.place, measures, tuple(plan.settings.items()), plan.qrels["sha256"], plan.block)


@frozen
class Part:
    """What was written of one system.

    Parameters
    ----------
    system, tag
        Its name, and its run tag.
    file
        The name of the file; None if no topic has judgments.
    first_row, topics
        The first of its rows there, and how many there are: one for every topic.
    other_topics
        How many topics have no judgments.
    source
        The file that it comes from.
    first_topic
        The first topic of the run.
    longest
        How many documents the longest ranking has.
    top
        How many of the first documents are judged, and how many there are.
    caveats
        What is to be known of the run: kinds and sentences.
    """

    system: str
    tag: str
    file: str | None
    first_row: int
    topics: int
    other_topics: int
    source: str
    first_topic: str
    longest: int
    top: tuple[int, int]
    caveats: tuple[tuple[str, str], ...]


_arranging = Lock()


def judging_of(job: Job) -> Judging:
    """Return how the runs of a job are judged, with the judgments; read once in every process.

    Parameters
    ----------
    job
        The job.
    """
    with _arranging:  # several threads would each read the judgments
        return _judging(job)


@lru_cache(maxsize=2)
def _judging(job: Job) -> Judging:
    folder = Folder(job.place)
    if not holds_judgments(folder, job.qrels):
        raise InputFileError(folder.path(QRELS), None, f"is damaged or gone; {MEND}")
    return Judging(read_qrels(folder.path(QRELS)), **dict(job.settings))


def holds_judgments(folder: Folder, digest: str) -> bool:
    """Return whether a store has its judgments as they were written.

    Parameters
    ----------
    folder
        The store.
    digest
        That of the judgments.
    """
    try:
        return sha256(unpack(folder.read(QRELS), QRELS)).hexdigest() == digest
    except InputFileError:
        return False


@lru_cache(maxsize=8)
def _measures(spellings: tuple[str, ...]) -> Mapping[str, Measure]:
    return {spelling: parse(spelling) for spelling in spellings}


@frozen
class ScoredPiece:
    """What was written of one piece.

    Parameters
    ----------
    parts
        What was written of each of its systems.
    digests
        The digests of its files, by name.
    """

    parts: tuple[Part, ...]
    digests: Mapping[str, str]

    @classmethod
    def sound(cls, folder: Folder, piece: Piece) -> ScoredPiece | None:
        """Return what was written of a piece before; None if it is not there any more, or not as it was written.

        Parameters
        ----------
        folder
            The store.
        piece
            The piece.
        """
        try:
            held = folder.read_sealed(f"{DONE}/{piece.name}.json")
            if any(digest_of(folder.read(file)) != digest for file, digest in held["digests"].items()):
                return None
        except (InputFileError, ValueError):
            return None
        parts = (
            Part(**part | {"top": tuple(part["top"]), "caveats": tuple(map(tuple, part["caveats"]))})
            for part in held["parts"]
        )
        return cls(tuple(parts), held["digests"])


def score_piece(job: Job, piece: Piece) -> ScoredPiece:
    """Score a piece, write what comes of it, and return what was written.

    Done twice, it writes the same files again.

    Parameters
    ----------
    job
        What all pieces have in common.
    piece
        The piece.
    """
    folder, judging = Folder(job.place), judging_of(job)
    written: list[Part] = []
    digests: dict[str, str] = {}
    for number, runs in enumerate(_runs(job, piece)):
        file, rows = f"{PARTS}/part-{piece.name}-{number:03d}.parquet", 0
        tables: list[PlainTable] = []
        for some in _side_by_side(judging, runs):
            scored = iter(_scored(job, judging, [one for _, one in some if one is not None]))
            for part, one in some:
                if one is not None:
                    tables.append(next(scored))
                    part = evolve(part, file=file, first_row=rows)
                    rows += part.topics
                written.append(part)
        if tables:
            data = (tables[0] if len(tables) == 1 else PlainTable.joined(tables)).to_parquet()
            digests[file] = digest_of(data)
            folder.write(file, data)
    held = {"parts": [asdict(part) for part in written], "digests": digests}
    folder.write_sealed(f"{DONE}/{piece.name}.json", held)
    return ScoredPiece(tuple(written), digests)


Found = tuple[Part, JudgedRun | None]
"""What is to be known of a run, and the run, judged, if any of its topics has judgments."""


def _side_by_side(judging: Judging, runs: Iterable[tuple[Run, str]]) -> Iterator[list[Found]]:
    """Return judged runs in lists of as many as are quickly scored together."""
    some: list[Found] = []
    for run, tag in runs:
        some.append(_judged(judging, run, tag))
        longest = max(part.longest for part, _ in some)
        if len(some) * len(judging.judgments.topics) * longest > AT_ONCE:
            yield some
            some = []
    yield some


def _judged(judging: Judging, run: Run, tag: str) -> Found:
    shared = judging.places_of(run) >= 0
    part = Part(
        system=run.name,
        tag=tag,
        file=None,
        first_row=0,
        topics=int(shared.sum()),
        other_topics=int((~shared).sum()),
        source=run.source,
        first_topic=run.topics[0],
        longest=0,
        top=(0, 0),
        caveats=tuple((str(caveat.kind), caveat.text) for caveat in run.caveats),
    )
    if not part.topics:
        return part, None
    one = judging.one(run)
    seen = int(np.minimum(np.diff(run.bounds)[shared], TOP).sum())
    return evolve(part, longest=int(one.lengths.max()), top=(round(one.top_judged * seen), seen)), one


def _scored(job: Job, judging: Judging, runs: Sequence[JudgedRun]) -> Iterator[PlainTable]:
    """Return the rows of some runs, with their scores."""
    if not runs:
        return
    alone = len(runs) == 1
    # two runs of one name are found out when all pieces are there
    judged = (
        judging.on_its_topics(runs[0]) if alone else judging.together({str(at): one for at, one in enumerate(runs)})
    )
    scores = {spelling: measure.scores(judged).values for spelling, measure in _measures(job.measures).items()}
    for at, one in enumerate(runs):
        present = np.ones(len(judged.topics), dtype=bool) if alone else one.lengths > 0
        topics = judged.topics if present.all() else [judged.topics[place] for place in np.flatnonzero(present)]
        yield rows_of(one, topics, {spelling: values[at, present] for spelling, values in scores.items()})


def _runs(job: Job, piece: Piece) -> Iterator[Iterator[tuple[Run, str]]]:
    """Return the runs in a piece, each with its run tag: those of small files together, of a large one by blocks."""
    if not piece.is_cut:
        yield ((run, run.name) for source in piece.sources for run in _whole(source))
        return
    [source] = piece.sources
    if piece.streamed:
        blocks = streamed(source.path, job.block)
    else:
        block = block_at(source.path, piece.start or 0, piece.end or 0)
        blocks = iter(() if block is None else (block,))
    for block in blocks:
        found = runs_of(source.path, block, compiled=native.is_there())
        yield ((run if source.name is None else evolve(run, name=source.name), run.name) for run in found)


def _whole(source: SourceFile) -> Iterator[Run]:
    """Return the runs of a small file, called as all runs are."""
    by_file = None if source.name is None or source.is_named else {source.path: source.name}
    opened: Any = source.path if source.form is None else FormattedFile(source.path, source.form)
    if source.is_named and source.name is not None:
        opened = NamedFile(source.name, source.path, source.form)
    return (run for run, _ in named_runs(opened, by_file, source.form))


def repeated_place(job: Job, where: tuple[tuple[Rows, ...], Mapping[str, str]]) -> int:
    """Return a topic, by its place, that a system has twice; -1 if there is none.

    Parameters
    ----------
    job
        What all pieces have in common.
    where
        Where the topics of the system stand, and the digests of the parts there.
    """
    every, digests = where
    reader, seen = (
        PartReader(Folder(job.place), ("place",), digests),
        np.zeros(len(judging_of(job).judgments.topics), dtype=bool),
    )
    for rows in every:
        places = np.asarray(reader.columns(rows)["place"])
        again = places[seen[places]]
        if len(again):
            return int(again[0])
        seen[places] = True
    return -1
