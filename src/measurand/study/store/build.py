"""Storing the scores of a campaign of any size: planned, scored piece by piece, and checked at the end."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from attrs import evolve

from measurand.calls import explains_calls
from measurand.columns import check_parquet
from measurand.display.keeping import tell
from measurand.display.wording import counted
from measurand.display.writing import PathLike, remove_leftovers
from measurand.errors import InputError, InputFileError, ParameterError
from measurand.exact import whole_number
from measurand.execution import Progress, check_progress, mapped, silent, takes_executor
from measurand.judged.judge import (
    Judging,
    JudgingOptions,
    MissingTopicsLike,
    PrecisionLike,
    TiesLike,
    nothing_in_common,
)
from measurand.measures import Measure, MeasuresLike, parse
from measurand.measures.campaigns import in_collection, with_usual_threshold
from measurand.scale import GradeScale
from measurand.study.evaluation import DEFAULT_MEASURES, read_measures
from measurand.study.store.folder import Folder
from measurand.study.store.parts import Rows
from measurand.study.store.score_store import ScoreStore
from measurand.study.store.scoring import (
    Job,
    Part,
    ScoredPiece,
    holds_judgments,
    judging_of,
    repeated_place,
    score_piece,
)
from measurand.study.store.store_plan import DONE, INDEX, PARTS, PLAN, QRELS, Piece, StorePlan, cut_sources, source_file
from measurand.trec import Names, Qrels, QrelsLike, RunsLike, read_qrels, several_sources
from measurand.trec.blocks import BLOCK, changed_at, joined_caveats
from measurand.trec.naming import naming
from measurand.trec.read import same_name

if TYPE_CHECKING:
    from concurrent.futures import Executor


@explains_calls
@takes_executor
def store_scores(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasuresLike | None = None,
    *,
    into: PathLike,
    resume: bool = False,
    depth: int | None = None,
    ties: TiesLike | None = None,
    precision: PrecisionLike = "double",
    missing_topics: MissingTopicsLike = "zero",
    grade_scale: GradeScale | None = None,
    names: Names = "auto",
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
    block: int = BLOCK,
    progress: Progress = silent,
) -> ScoreStore:
    """Score run files of any size, and write the scores into a folder as a parquet data set.

    Files are read in blocks, so that memory does not grow with them, and each block's scores are written as soon as
    they are there. What was written stays where the work is interrupted, and `resume=True` goes on from there.

    Parameters
    ----------
    qrels : path, open file, frame, dict or Qrels
        Judgments in any form that `read_qrels` accepts; they must fit into memory.
    runs : path, address, directory or pattern, or several
        Run files. A large one must be in TREC's format, with the lines of each topic together.
    measures : Measure or str, or an iterable of these, optional
        The measures; by default nDCG@10, AP, P@10, RR and Judged@10.
    into : path or address
        The folder that scores are written into; an address such as `s3://…` where several machines share the work.
    resume : bool
        Whether to go on with a store that was begun. What was scored before is kept, unless its run file has changed;
        run files may have been added.
    depth, ties, precision, missing_topics, grade_scale
        How runs are judged, as for `judge`.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Workers read the files themselves.
    block : int
        About how many bytes of a file are read at a time.
    progress : callable, optional
        Shows how many blocks have been scored.

    Returns
    -------
    ScoreStore
        The scores, read back when they are asked for.

    Examples
    --------
    >>> import measurand as md
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     store = store_scores(md.sample.qrels(), md.sample.runs()[:2], "P@10", into=f"{folder}/scores")
    ...     store, store.means("P@10").round(3).tolist()
    (<ScoreStore: 2 systems × 50 topics under P@10>, [0.654, 0.644])
    """
    check_parquet("a store of scores")
    check_progress(progress)
    options: JudgingOptions = {
        "depth": None if depth is None else whole_number("depth", depth),
        "ties": ties,
        "precision": precision,
        "missing_topics": missing_topics,
        "grade_scale": grade_scale,
    }
    folder, wanted = Folder.at(into), read_measures(DEFAULT_MEASURES if measures is None else measures)
    begun, size = _begun(folder, resume=resume), whole_number("block", block)
    plan, judgments = _plan(qrels, runs, wanted, names, size if begun is None else begun.block, options)
    if begun is not None:
        plan.check_goes_on_with(begun, folder)
    if begun is None or not holds_judgments(folder, plan.qrels["sha256"]):
        folder.write(QRELS, gzip.compress(judgments, compresslevel=6, mtime=0))
    if plan != begun:
        folder.write_sealed(PLAN, plan.to_dict())
    _finish(folder, plan, _scored(folder, plan, progress))
    return ScoreStore.open(folder)


def _begun(folder: Folder, *, resume: bool) -> StorePlan | None:
    """Return the plan that a store was begun with, None for a new folder; or complain that it may not be touched."""
    if folder.has(PLAN):
        if not resume:
            done = "holds scores already" if folder.has(INDEX) else "holds scores that were begun and not finished"
            deed = "add runs to them" if folder.has(INDEX) else "go on"
            why = f"{done}; {deed} with --resume (resume=True in Python), name another folder, or remove it"
            raise InputFileError(folder.place, None, why)
        return StorePlan.read(folder)
    # one that was interrupted before its plan was written has judgments at most
    if not folder.is_remote and folder.names("") not in ([], [QRELS]):
        raise InputFileError(folder.place, None, "holds other files; name a new folder")
    return None


def _storable(measures: Mapping[str, Measure], judging: Judging) -> dict[str, str]:
    """Return the canonical spellings of measures by those asked for, or complain of one that cannot be stored."""
    empty = judging.on_no_topics()
    found = {}
    for spelling, given in measures.items():
        measure = with_usual_threshold(given, empty)
        if in_collection(measure, 1) != measure:
            raise ParameterError(
                f"{measure!r} needs the size of the collection here: {in_collection(measure, 10**6)!r}"
            )
        try:
            known = parse(repr(measure)) == measure
        except ParameterError:
            known = False
        if not known:
            raise ParameterError(f"{measure!r} is a measure of your own, which workers do not know; take evaluate")
        found[spelling] = repr(measure)
    return found


def _plan(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: Mapping[str, Measure],
    names: str,
    block: int,
    options: JudgingOptions,
) -> tuple[StorePlan, bytes]:
    """Return the plan of a store, and the judgments as text, which workers and this process read from the store."""
    judgments = read_qrels(qrels)
    storable = _storable(measures, Judging(judgments, **options))
    many = several_sources(runs)
    called = naming(many, names)
    sources = tuple(source_file(source, called.by_file) for source in many)
    for path, number in Counter(source.path for source in sources).most_common(1):
        if number > 1:
            raise InputFileError(path, None, "is named twice; name each file once")
    lines = _lines_of(judgments)
    plan = StorePlan(
        measures=storable,
        settings={
            name: None if value is None else value if isinstance(value, int) else str(value)
            for name, value in options.items()
        },
        qrels={
            "source": judgments.source,
            "sha256": sha256(lines).hexdigest(),
            "topics": len(judgments.topics),
            "judgments": len(judgments),
        },
        sources=sources,
        cut=tuple(cut_sources(sources, block)),
        caveats=(*judgments.caveats, *called.caveats),
        block=block,
    )
    return plan, lines


def _lines_of(judgments: Qrels) -> bytes:
    """Return judgments as they are kept in a store, or complain of names that cannot be."""
    try:
        return b"".join(evolve(judgments, comments=()).trec_lines())
    except InputError as error:
        raise InputError(f"{error}, and a store keeps judgments in one; rename it, or take evaluate") from None


def _scored(folder: Folder, plan: StorePlan, progress: Progress) -> list[tuple[Piece, ScoredPiece]]:
    """Return what was written of each piece, before and now; what is not as it was written is made anew."""
    pieces, finished = list(plan.pieces), set(folder.names(DONE))
    noted = [piece for piece in pieces if f"{piece.name}.json" in finished]
    checking = mapped(partial(ScoredPiece.sound, folder), noted, in_threads=True)
    checked = zip(noted, progress(checking, len(noted), "checking"), strict=True) if noted else ()
    scored = {piece: found for piece, found in checked if found is not None}
    left = [piece for piece in pieces if piece not in scored]
    if len(scored) < len(noted):
        lost = counted(len(noted) - len(scored), "piece was", "pieces were")
        tell(f"{folder.place}: {lost} damaged or lost; scoring anew")
    scoring = mapped(partial(score_piece, Job.of(folder, plan)), left, in_threads=True)
    scored |= zip(left, progress(scoring, len(left), "scoring"), strict=True)
    return [(piece, scored[piece]) for piece in pieces]


def _finish(folder: Folder, plan: StorePlan, scored: Sequence[tuple[Piece, ScoredPiece]]) -> None:
    """Check that everything is there once, and write the index; until then that of an earlier call is good."""
    _check_unchanged(plan)
    systems: dict[str, list[Part]] = {}
    tags: dict[str, str] = {}
    digests = {file: digest for _, found in scored for file, digest in found.digests.items()}
    for piece, found in scored:
        for part in found.parts:
            if piece.is_cut and piece.sources[0].name is not None:
                _check_one_tag(part, tags)
            known = systems.setdefault(part.system, [])
            if known and known[0].source != part.source:
                raise same_name(part.system, part.source, known[0].source)
            known.append(part)
    _check_topics(folder, plan, systems, digests)
    entries = [_entry(name, parts) for name, parts in systems.items()]
    folder.write_sealed(INDEX, {"plan": plan.to_dict(), "systems": entries, "digests": digests})
    _tidy(folder, plan, digests)


def _check_unchanged(plan: StorePlan) -> None:
    """Complain of a run file that was written to while it was scored, so that its pieces may not fit together."""
    for source in plan.sources:
        with suppress(FileNotFoundError):  # what is gone now was whole when it was read
            if changed_at(source.path) != source.changed:
                why = "changed while it was scored; when it is whole, go on with --resume (resume=True in Python)"
                raise InputFileError(source.path, None, why)


def _tidy(folder: Folder, plan: StorePlan, digests: Container[str]) -> None:
    """Remove what was written of run files that have changed or are not wanted any more, and by killed programs."""
    for name in folder.names(PARTS):
        if f"{PARTS}/{name}" not in digests:
            folder.remove(f"{PARTS}/{name}")
    notes = {f"{piece.name}.json" for piece in plan.pieces}
    for name in folder.names(DONE):
        if name not in notes:
            folder.remove(f"{DONE}/{name}")
    if not folder.is_remote:
        for under in (PARTS, DONE):
            remove_leftovers(folder.path(under))


def _check_one_tag(part: Part, tags: dict[str, str]) -> None:
    first = tags.setdefault(part.source, part.tag)
    if part.tag != first:
        why = f"holds the run tags {first} and {part.tag}, and is one run by its name; split the file, or call its runs"
        raise InputFileError(part.source, None, f'{why} by their tags (--names tag; names="tag" in Python)')


def _check_topics(
    folder: Folder, plan: StorePlan, systems: Mapping[str, Sequence[Part]], digests: Mapping[str, str]
) -> None:
    """Complain of a system without topics, and of a topic whose lines do not stand together."""
    job = Job.of(folder, plan)
    judgments = judging_of(job).judgments
    for parts in systems.values():
        if not any(part.topics for part in parts):
            raise nothing_in_common(parts[0].source, parts[0].first_topic, judgments)
    where = {name: tuple(_where(parts)) for name, parts in systems.items()}
    several = [name for name, rows in where.items() if len(rows) > 1]
    asked = [(where[name], {rows.file: digests[rows.file] for rows in where[name]}) for name in several]
    found = mapped(partial(repeated_place, job), asked, in_threads=True)
    for name, place in zip(several, found, strict=True):
        if place >= 0:
            why = f"topic {judgments.topics[place]} stands in two places; put the lines of each topic together"
            raise InputFileError(systems[name][0].source, None, f"{why} (sort -s -k1,1), and go on with --resume")


def _where(parts: Iterable[Part]) -> Iterator[Rows]:
    """Return where the topics of a system stand."""
    return (Rows(part.file, part.first_row, part.topics) for part in parts if part.file is not None)


def _entry(name: str, parts: Sequence[Part]) -> dict[str, Any]:
    """Return what the index has about a system."""
    return {
        "system": name,
        "rows": list(_where(parts)),
        "topics": sum(part.topics for part in parts),
        "other_topics": sum(part.other_topics for part in parts),
        "longest": max(part.longest for part in parts),
        "top": [sum(part.top[i] for part in parts) for i in range(2)],
        "caveats": joined_caveats(caveat for part in parts for caveat in part.caveats),
    }
