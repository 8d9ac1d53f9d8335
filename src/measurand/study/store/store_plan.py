"""The plan of a store: what is scored, how, and in which pieces; written before anything is scored."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from attrs import asdict, field, frozen

from measurand import __version__
from measurand.display.keeping import unsealed
from measurand.errors import Caveat, CaveatKind, InputFileError, ParameterError
from measurand.study.store.folder import Folder
from measurand.trec.blocks import BLOCK, can_be_cut, changed_at, is_packed, ranges_of, size_of
from measurand.trec.files import NamedFile, format_of

PLAN, INDEX, QRELS, DONE, PARTS = "measurand.json", "index.json", "qrels.trec.gz", "done", "parts"
"""What the files and folders of a store are called."""

PACKED = 8
"""A packed file may become so many times as large, and some more."""

TOGETHER = 64
"""So many small files at most are one piece."""

BEGINNING = 64
"""One in so many small files begins a piece wherever it stands, so that files that are added change few pieces."""

FORMAT = 2
"""Raised whenever stores of an earlier kind could be misread."""


@frozen
class SourceFile:
    """A run file, as it was when it was first looked at.

    Parameters
    ----------
    path
        Its absolute path, or its address.
    size
        How many bytes it has; None where nobody tells.
    changed
        When it was last changed, in nanoseconds; at an address what it tells of its version, if anything.
    name
        What its system is called; None where that is its run tag.
    is_named
        Whether somebody gave it that name.
    form
        The format that it is said to have, if any.
    """

    path: str
    size: int | None
    changed: int | str | None
    name: str | None = None
    is_named: bool = False
    form: str | None = None


@frozen
class Piece:
    """What is scored in one go: some small run files, or a range of bytes of a large one.

    Parameters
    ----------
    number
        Its number in the plan.
    sources
        The files; one alone if it is large.
    start, end
        The range in which the topics begin; None for whole files.
    streamed
        Whether the file is read block after block, because it does not fit into memory.
    """

    number: int
    sources: tuple[SourceFile, ...]
    start: int | None = None
    end: int | None = None
    streamed: bool = False

    @property
    def name(self) -> str:
        """What its files are called: the same as long as its sources do not change."""
        told = [[asdict(source) for source in self.sources], self.start, self.end, self.streamed]
        return sha256(json.dumps(told).encode()).hexdigest()[:16]

    @property
    def is_cut(self) -> bool:
        """Whether a file is taken in blocks, by this piece or several."""
        return self.streamed or self.start is not None


Cut = tuple[int, int, int | None, int | None, bool]
"""A piece: the numbers of its first source and of the one behind its last, its range of bytes, if it is streamed."""


@frozen(kw_only=True)
class StorePlan:
    """What is scored and how.

    Parameters
    ----------
    measures
        The spellings in which measures were asked for, with their canonical spellings, the primary one first.
    settings
        How runs are read and judged: the options of `judge`.
    qrels
        The judgments: where they came from, a digest, and how many there are.
    sources
        The run files.
    cut
        The pieces, by numbers.
    caveats
        What is to be known of the judgments and the names of systems.
    block
        About how many bytes a piece has.
    version
        The version of measurand.
    """

    measures: Mapping[str, str]
    settings: Mapping[str, Any]
    qrels: Mapping[str, Any]
    sources: tuple[SourceFile, ...]
    cut: tuple[Cut, ...] = field(repr=False)
    caveats: tuple[Caveat, ...] = ()
    block: int = BLOCK
    version: str = __version__

    @property
    def pieces(self) -> Iterator[Piece]:
        """The pieces, one by one."""
        for number, (first, behind, start, end, streamed) in enumerate(self.cut):
            yield Piece(number, self.sources[first:behind], start, end, streamed)

    def scored(self, folder: Folder) -> int:
        """Return how many of the pieces are scored; those of files that have changed since are none of them.

        Parameters
        ----------
        folder
            The store.
        """
        finished = set(folder.names(DONE))
        return sum(f"{piece.name}.json" in finished for piece in self.pieces)

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as it stands in a file."""
        caveats = [[str(caveat.kind), caveat.text] for caveat in self.caveats]
        return {"format": FORMAT, **asdict(self), "caveats": caveats}

    @classmethod
    def from_dict(cls, held: dict[str, Any]) -> StorePlan:
        """Return the plan that stands in a file.

        Parameters
        ----------
        held
            What `to_dict` returned.
        """
        return cls(
            **{name: value for name, value in held.items() if name != "format"}
            | {
                "sources": tuple(SourceFile(**source) for source in held["sources"]),
                "cut": tuple(tuple(piece) for piece in held["cut"]),
                "caveats": tuple(Caveat(CaveatKind(kind), text) for kind, text in held["caveats"]),
            }
        )

    @classmethod
    def read(cls, folder: Folder) -> StorePlan:
        """Return the plan of a store, or complain that there is none.

        Parameters
        ----------
        folder
            The store.
        """
        if not folder.has(PLAN):
            what = "holds no scores" if folder.has() else "there is no such folder"
            raise InputFileError(folder.place, None, f"{what}; measurand evaluate QRELS RUN... --store FOLDER makes it")
        data = folder.read(PLAN)
        try:
            held = unsealed(PLAN, data)
        except ValueError:
            _check_format(folder, _before_seals(data))
            raise InputFileError(folder.path(PLAN), None, "is damaged; store the scores anew") from None
        _check_format(folder, held)
        return cls.from_dict(held)

    def check_goes_on_with(self, begun: StorePlan, folder: Folder) -> None:
        """Complain if this plan does not go on with one that was begun; other run files are no hindrance.

        Parameters
        ----------
        begun
            The plan that the store was begun with.
        folder
            The store.
        """
        if self.version != begun.version:
            why = f"was begun with measurand {begun.version}, and this is {self.version}"
            raise InputFileError(folder.place, None, f"{why}; go on with that version, or store the scores anew")
        for other, differ in (
            ("measures", self.measures != begun.measures),
            ("options", self.settings != begun.settings),
            ("judgments", self.qrels["sha256"] != begun.qrels["sha256"]),
        ):
            if differ:
                why = f"was begun with other {other}; name the same ones, or another folder"
                raise InputFileError(folder.place, None, why)


def _before_seals(data: bytes) -> dict[str, Any]:
    """Return the plan of a store of format 1, which had no digests, as far as it is one."""
    try:
        held = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return held if isinstance(held, dict) and held.get("format") == 1 else {}


def _check_format(folder: Folder, held: Mapping[str, Any]) -> None:
    if held.get("format", FORMAT) != FORMAT:
        why = f"was written by measurand {held.get('version')}, which stored scores otherwise; store them anew"
        raise InputFileError(folder.place, None, why)


def source_file(source: Any, by_file: Mapping[str, str] | None) -> SourceFile:
    """Return a run file as a source of a plan, or complain of what is no file.

    Parameters
    ----------
    source
        A path, an address, or a file with a name or a format.
    by_file
        What systems are called by their files; None where they are called by their run tags.
    """
    if not isinstance(source, str | os.PathLike):
        raise ParameterError(
            "scores are stored of run files, which are read piece by piece; write the runs to files, or take evaluate"
        )
    path, named = os.fspath(source), isinstance(source, NamedFile)
    name = source.name if isinstance(source, NamedFile) else None if by_file is None else by_file.get(path)
    place = Folder.at(path).place
    return SourceFile(place, size_of(place), changed_at(place), name, named, format_of(source))


def _begins(source: SourceFile) -> bool:
    return sha256(source.path.encode(errors="surrogateescape")).digest()[0] % BEGINNING == 0


def cut_sources(sources: Sequence[SourceFile], block: int) -> Iterator[Cut]:
    """Return the pieces of some run files: small files together, large ones of TREC's format by ranges of bytes.

    Parameters
    ----------
    sources
        The files.
    block
        About how many bytes a piece has.
    """
    first, held = 0, 0
    for number, source in enumerate(sources):
        size = source.size
        if size is not None and size <= block // PACKED:
            full = held + size > block // PACKED or number - first >= TOGETHER
            if full or (first < number and _begins(source)):
                yield first, number, None, None, False
                first, held = number, 0
            held += size
            continue
        if first < number:
            yield first, number, None, None, False
        first, held = number + 1, 0
        if not can_be_cut(source.path, source.form):
            yield number, number + 1, None, None, False
        elif size is None or is_packed(source.path):
            yield number, number + 1, None, None, True
        else:
            for start, end in ranges_of(size, block):
                yield number, number + 1, start, end, False
    if first < len(sources):
        yield first, len(sources), None, None, False
