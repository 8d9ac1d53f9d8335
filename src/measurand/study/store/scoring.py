"""The scoring of one piece of a campaign, wherever that is done: its topics are judged, scored and written.

What is sent to a worker is a `Job` and a piece: paths, options and numbers. The judgments it reads itself, from the
store. What it sends back is what it wrote, and where.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from attrs import asdict, evolve, frozen

import measurand.native as native
from measurand.errors import InputFileError
from measurand.judged.judge import TOP, Judging
from measurand.measures import Measure, parse
from measurand.study.store.folder import Folder
from measurand.study.store.parts import part_bytes, part_name, read_part
from measurand.study.store.store_plan import DONE, QRELS, Piece, StorePlan
from measurand.trec.blocks import BLOCK, block_at, runs_of, streamed
from measurand.trec.files import FormattedFile, NamedFile
from measurand.trec.read import named_runs, read_qrels
from measurand.trec.run import Run


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
    topics
        How many topics it has there.
    other_topics
        How many topics have no judgments.
    first
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
    topics: int
    other_topics: int
    first: str
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
    return Judging(read_qrels(folder.path(QRELS)), **dict(job.settings))


@lru_cache(maxsize=8)
def _measures(spellings: tuple[str, ...]) -> Mapping[str, Measure]:
    return {spelling: parse(spelling) for spelling in spellings}


def score_piece(job: Job, piece: Piece) -> list[Part]:
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
    parts: list[Part] = []
    for tag, run in _runs(job, piece):
        parts.append(_score(job, folder, judging, run, tag, part_name(run.name, piece.name, len(parts))))
    folder.write(f"{DONE}/{piece.name}.json", json.dumps([asdict(part) for part in parts]).encode())
    return parts


def parts_of(folder: Folder, name: str) -> list[Part] | None:
    """Return what was written of a piece before; None if it was not finished.

    Parameters
    ----------
    folder
        The store.
    name
        The name of the piece.
    """
    try:
        held = json.loads(folder.read(f"{DONE}/{name}.json"))
        return [
            Part(**part | {"top": tuple(part["top"]), "caveats": tuple(map(tuple, part["caveats"]))}) for part in held
        ]
    except (InputFileError, ValueError, TypeError, KeyError):
        return None


def _runs(job: Job, piece: Piece) -> Iterator[tuple[str, Run]]:
    """Return the runs in a piece, each with its run tag; those of a large file block after block."""
    source = piece.source
    if piece.start is None and not piece.streamed:
        by_file = None if source.name is None or source.is_named else {source.path: source.name}
        opened: Any = source.path if source.form is None else FormattedFile(source.path, source.form)
        if source.is_named and source.name is not None:
            opened = NamedFile(source.name, source.path, source.form)
        yield from ((run.name, run) for run, _ in named_runs(opened, by_file, source.form))
        return
    if piece.streamed:
        blocks = streamed(source.path, job.block)
    else:
        block = block_at(source.path, piece.start or 0, piece.end or 0)
        blocks = iter(() if block is None else (block,))
    for block in blocks:
        for run in runs_of(source.path, block, compiled=native.is_there()):
            yield run.name, run if source.name is None else evolve(run, name=source.name)


def _score(job: Job, folder: Folder, judging: Judging, run: Run, tag: str, name: str) -> Part:
    """Judge and score one run, and write what comes of it."""
    shared = judging.places_of(run) >= 0
    written = Part(
        system=run.name,
        tag=tag,
        file=None,
        topics=0,
        other_topics=int((~shared).sum()),
        first=run.topics[0],
        longest=0,
        top=(0, 0),
        caveats=tuple((str(caveat.kind), caveat.text) for caveat in run.caveats),
    )
    if not shared.any():
        return written
    one = judging.one(run)
    judged = judging.on_its_topics(one)
    scores = {spelling: measure.scores(judged).values[0] for spelling, measure in _measures(job.measures).items()}
    folder.write(name, part_bytes(one, judged.topics, scores))
    seen = int(np.minimum(np.diff(run.bounds)[shared], TOP).sum())
    top = round(one.top_judged * seen), seen
    return evolve(written, file=name, topics=len(judged.topics), longest=int(one.lengths.max()), top=top)


def repeated_place(job: Job, files: tuple[str, ...]) -> int:
    """Return a topic, by its place, that stands in two parts of a system; -1 if there is none.

    Parameters
    ----------
    job
        What all pieces have in common.
    files
        The names of the parts of the system.
    """
    folder, seen = Folder(job.place), np.zeros(len(judging_of(job).judgments.topics), dtype=bool)
    for name in files:
        places = np.asarray(read_part(folder, name, ("place",))["place"])
        again = places[seen[places]]
        if len(again):
            return int(again[0])
        seen[places] = True
    return -1
