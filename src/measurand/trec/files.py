"""Files and their bytes: paths, addresses, open files, directories, patterns, plain or compressed (gz, xz, bz2, zst).

Paths are handled with `os.path`: pathlib loads urllib, which takes longer than to read a small run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BufferedReader, BytesIO, FileIO
from stat import S_ISBLK, S_ISCHR, S_ISREG
from typing import IO, Any, TypeAlias, TypeGuard

from attrs import frozen

from measurand.calls import nearest
from measurand.display.writing import PathLike, check_path, write_whole
from measurand.errors import (
    Caveat,
    CaveatKind,
    InputError,
    InputFileError,
    MeasurandError,
    NotInstalled,
    ParameterError,
)
from measurand.execution.memory import MORE, Room, in_bytes
from measurand.loading import needed
from measurand.trec.addresses import addresses_of, base_name, bytes_at, is_address, is_pattern, open_address
from measurand.trec.metadata import rows_start
from measurand.trec.unpacking import (
    CHANGED,
    PARQUET,
    ReadableFile,
    drained,
    not_unpacked,
    packing_of,
    state_of,
    unpack,
    unpacking,
)

_ENDINGS = (".gz", ".xz", ".bz2", ".zst")

_FORMAT_ENDINGS = frozenset({".run", ".res", ".txt", ".trec", ".parquet", ".tsv", ".csv", ".json", ".jsonl", ".ndjson"})

FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, an address such as `s3://…`, or an open file; gz, xz, bz2 and zst are unpacked."""

HEAD = 1 << 16
"""So many bytes of a file tell what it is, from its first row on."""


class Content:
    """The bytes of a file and the name by which messages call it.

    Parameters
    ----------
    name
        The name of the file.
    data
        What it holds, unpacked; None for a file on disk that is not packed, which is read when it is asked for.
    before
        How many lines of the file stand before these bytes, so that messages count its lines.
    """

    __slots__ = ("_data", "_head", "_state", "before", "name", "size")

    def __init__(self, name: str, data: bytes | None = None, before: int = 0) -> None:
        self.name, self.before = name, before
        self._data = data
        self._head: bytes | None = None
        self._state = state_of(name) if data is None else ()
        self.size = os.stat(name).st_size if data is None else len(data)

    @property
    def data(self) -> bytes:
        """All that the file holds."""
        if self._data is None:
            self._data = bytes_of(self.name)
        return self._data

    @property
    def head(self) -> bytes:
        """What the file begins with: as much as tells what it is, however many comments stand before the first row."""
        if self._head is None:
            with self.opened() as file:
                head = more = file.read(HEAD) or b""
                while more and len(head) - rows_start(head) < HEAD:
                    more = file.read(len(head)) or b""
                    head += more
                self._head = head
        return self._head

    @contextmanager
    def opened(self) -> Iterator[BytesIO | FileIO]:
        """Open these bytes as a file without a buffer; what goes wrong with it while it is open names the file."""
        try:
            with FileIO(self.name) if self._data is None else BytesIO(self._data) as file:
                yield file
        except OSError as error:
            raise InputFileError(self.name, None, f"cannot be read ({error.strerror or error})") from None

    @property
    def is_parquet(self) -> bool:
        """Whether the file is a parquet file, by its first bytes."""
        return self.head.startswith(PARQUET)

    def check_unchanged(self) -> None:
        """Complain if the file was changed since this object was made: what was read may be of two files."""
        if self._state and state_of(self.name) != self._state:
            raise self.fail(None, CHANGED)

    @property
    def held(self) -> int:
        """How many bytes of the file are in memory."""
        return 0 if self._data is None else len(self._data)

    def check_objects(self, marks: bytes, each: int) -> None:
        """Refuse the file if the objects of Python that are made of it do not fit into memory, before they are made.

        Parameters
        ----------
        marks
            The bytes that part what becomes objects.
        each
            About how many bytes of memory there are to each of them.
        """
        text = 5 if self.data.isascii() else 10  # the bytes, the text, and pieces of it
        most = Room().beyond(text * len(self.data) + each * sum(map(self.data.count, marks)))
        if most is not None:
            raise self.too_much(most)

    def too_much(self, most: int) -> InputFileError:
        """Return the error of a file that takes more memory than there is for it.

        Parameters
        ----------
        most
            How many bytes there are for it.
        """
        return self.fail(None, f"takes more than {in_bytes(most)} of memory to read, which is the limit; {MORE}")

    def fail(self, line: int | None, why: str) -> InputFileError:
        """Return the error of the file, with its place.

        Parameters
        ----------
        line
            The number of the line, if it is about one.
        why
            What is wrong, and what to do.
        """
        # names in tables and JSON may hold line breaks, and an error is one line
        return InputFileError(self.name, line, why.replace("\n", "\\n").replace("\r", "\\r"))


@frozen
class FormattedFile(os.PathLike[str]):
    """A file whose format is known, whatever its content looks like.

    Parameters
    ----------
    path
        Where the file is.
    format
        The name of its format.

    Examples
    --------
    >>> os.path.basename(FormattedFile("runs/dev.tsv", "msmarco"))
    'dev.tsv'
    """

    path: str
    format: str

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path


@frozen
class NamedFile(os.PathLike[str]):
    """A run file and what its system is to be called, whatever its run tag is.

    Parameters
    ----------
    name
        The name of the system.
    path
        Where the file is.
    format
        The name of its format; None to find it by the content.

    Examples
    --------
    >>> os.path.basename(NamedFile("bm25", "runs/a.txt"))
    'a.txt'
    """

    name: str
    path: str
    format: str | None = None

    def __fspath__(self) -> str:
        return self.path

    def __str__(self) -> str:
        return self.path


def format_of(source: object) -> str | None:
    """Return the name of the format that a file was given with, if any.

    Examples
    --------
    >>> format_of(FormattedFile("dev.tsv", "msmarco")), format_of("dev.tsv")
    ('msmarco', None)
    """
    return source.format if isinstance(source, FormattedFile | NamedFile) else None


def is_file(source: object) -> TypeGuard[FileLike]:
    """Return whether a source is a path or an open file rather than data."""
    return isinstance(source, str | os.PathLike) or hasattr(source, "read")


def load(source: FileLike) -> Content:
    """Return the content of a path or an open file, unpacked if it is compressed.

    Gzip, xz, bzip2 and zstandard are recognised by their first bytes, whatever the file is called.

    Parameters
    ----------
    source
        A path, or an open file.
    """
    if hasattr(source, "read"):
        name = str(getattr(source, "name", "<open file>"))
        try:
            data = drained(source, name)
        except MeasurandError:
            raise
        except (OSError, ValueError) as error:
            raise InputFileError(name, None, f"cannot be read ({error})") from None
        return Content(name, unpack(data, name))
    name = os.fspath(source)
    if not is_address(name) and os.path.isfile(name):
        with suppress(OSError, InputFileError):  # what is wrong is said below
            content = Content(name)
            if packing_of(content.head) is None:
                return content
    return Content(name, unpack(bytes_of(source), name))


def check_named(path: str) -> None:
    """Complain of an empty path, which names no file.

    Parameters
    ----------
    path
        The path.
    """
    if not path:
        raise InputError("an empty path names no file; perhaps a variable is empty")


def bytes_of(source: PathLike) -> bytes:
    """Return what a file holds as it lies on disk, packed or not; or say what is wrong with it."""
    path = os.fspath(source)
    check_named(path)
    if is_address(path):
        return bytes_at(path, lambda file: drained(file, path))
    try:
        with open(path, "rb") as file:
            mode, before = os.fstat(file.fileno()).st_mode, state_of(file.fileno())
            if S_ISBLK(mode) or (S_ISCHR(mode) and not file.isatty()):
                raise InputFileError(path, None, "is a device, and no file")
            found = drained(file, path)
            if S_ISREG(mode) and state_of(file.fileno()) != before:
                raise InputFileError(path, None, CHANGED)
            return found
    except MeasurandError:
        raise
    except FileNotFoundError:
        name = repr(path[:40]) if "\n" in path else path
        raise InputFileError(name, None, f"there is no such file; {_near(path)}") from None
    except IsADirectoryError:
        raise InputFileError(path, None, "this is a directory where one file is wanted") from None
    except OSError as error:
        raise InputFileError(path, None, f"cannot be read ({error.strerror or error})") from None
    except ValueError as error:
        raise InputFileError(repr(path), None, f"is no name of a file ({error})") from None


def _near(source: str) -> str:
    """Return what may be meant by a path where nothing is."""
    from pathlib import Path

    if "\n" in source:
        return "this is text and no path; give an open file, such as io.StringIO(text)"
    path = Path(source)
    if path.is_symlink():
        return f"this is a link to {os.readlink(source)}, which is not there"
    if not path.parent.is_dir():
        return f"check the path: there is no directory {path.parent}"
    close = nearest(path.name, _names(str(path.parent)))
    return f"did you mean {path.parent / close}?" if close else f"check the path, in {path.parent.resolve()}"


def _names(folder: str) -> list[str]:
    """Return what is in a directory; nothing if one may not see it."""
    try:
        return os.listdir(folder)
    except OSError:
        return []


@contextmanager
def unpacked(path: str) -> Iterator[ReadableFile]:
    """Open a file that is unpacked no further than it is read; what goes wrong while it is open names the file.

    Parameters
    ----------
    path
        A path or an address.
    """
    if not is_address(path) and not os.path.isfile(path):
        bytes_of(path)  # says what is wrong
    packing = None
    try:
        with open_address(path) if is_address(path) else open(path, "rb") as file:
            packing = packing_of(file.read(8))
            file.seek(0)
            if packing is None:
                # files of fsspec do not all read so many bytes of a line
                yield BufferedReader(file) if is_address(path) else file  # type: ignore[type-var]
            else:
                with unpacking(file, packing) as stream:
                    yield stream
    except InputFileError as error:
        if error.path:
            raise
        raise InputFileError(path, error.line, error.why) from None
    except NotInstalled as error:
        raise InputFileError(path, None, str(error)) from None
    except ParameterError:
        raise
    except Exception as error:
        if packing is not None:
            raise not_unpacked(path, packing, error) from None
        if isinstance(error, OSError):
            raise InputFileError(path, None, f"cannot be read ({error.strerror or error})") from None
        raise


def expand(sources: Iterable[Any]) -> list[Any]:
    """Return the sources with directories and patterns replaced by the files they stand for, sorted.

    Parameters
    ----------
    sources
        Paths, addresses, patterns, directories, or data, which is left as it is.
    """
    found: list[Any] = []
    for source in sources:
        if not isinstance(source, str | os.PathLike):
            found.append(source)
            continue
        path = os.fspath(source)
        check_named(path)
        if isinstance(source, NamedFile) and os.path.isdir(path):
            raise InputFileError(path, None, f"{source.name} names one run, and this is a directory")
        if isinstance(source, NamedFile | FormattedFile):
            found.append(source)
        elif is_address(path):
            found.extend(addresses_of(path) if is_pattern(path) or path.endswith("/") else [path])
        elif os.path.isdir(path):
            found.extend(_of_folder(path))
        elif any(letter in path for letter in "*?[") and not os.path.exists(path):
            found.extend(_matching(path))
        else:
            found.append(path)
    return found


class FoundFile(str):
    """The path of a file that a directory or a pattern stands for; that of the first has what is to be known of all.

    Examples
    --------
    >>> FoundFile("runs/a.run") == "runs/a.run"
    True
    """

    caveats: tuple[Caveat, ...] = ()
    """What was passed over."""


def passed_over(sources: Iterable[Any]) -> tuple[Caveat, ...]:
    """Return what was passed over in the directories that sources came from.

    Parameters
    ----------
    sources
        What `expand` returned, also as files with names or formats.
    """
    paths = (os.fspath(source) for source in sources if isinstance(source, str | os.PathLike))
    return tuple(caveat for path in paths for caveat in getattr(path, "caveats", ()))


def _of_folder(folder: str) -> list[str]:
    """Return the files in a directory that may be runs; the first knows what was passed over."""
    entries = _entries(folder)
    # not `entry.is_file`, which raises where links go round in a circle
    files = [entry.path for entry in entries if entry.name[0] != "." and os.path.isfile(entry.path)]
    others = [_described(entry.path) for entry in entries if entry.name[0] == "." or not os.path.isfile(entry.path)]
    if not files:
        held = f", only {', '.join(others[:MENTIONED])}{' and others' * (len(others) > MENTIONED)}" if others else ""
        raise InputFileError(folder, None, f"this directory holds no file{held}")
    return _found(folder, files, others)


MENTIONED = 5
"""Of so many things that were passed over it is said what they are."""


def _found(place: str, files: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return files of which the first says what else there was."""
    first = FoundFile(files[0])
    if others:
        more = f" and {len(others) - MENTIONED:,} more" if len(others) > MENTIONED else ""
        text = f"{place}: passed over {', '.join(others[:MENTIONED])}{more}"
        first.caveats = (Caveat(CaveatKind.FILES, text),)
    return [first, *files[1:]]


def _described(path: str) -> str:
    """Return what something in a directory is that is not read as a run: its name, and why."""
    from stat import S_ISFIFO, S_ISSOCK

    name = os.path.basename(path)
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return f"{name} (a link to nothing)" if os.path.islink(path) else f"{name} (which cannot be read)"
    if os.path.isdir(path):
        return f"{name} (a folder)"
    if S_ISREG(mode):
        return f"{name} (hidden)"
    return f"{name} ({'a pipe' if S_ISFIFO(mode) else 'a socket' if S_ISSOCK(mode) else 'a device'})"


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return what a directory holds, by name, or complain that it cannot be read."""
    try:
        return sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise InputFileError(folder, None, f"cannot be read ({error.strerror or error})") from None


def _matching(pattern: str) -> list[str]:
    """Return the files that a pattern stands for; the first knows what else matched."""
    from glob import glob

    matches = sorted(glob(pattern))
    files = list(filter(os.path.isfile, matches))
    if not files:
        held = f" (only {', '.join(map(_described, matches[:MENTIONED]))})" if matches else ""
        raise InputError(f"{pattern}: no file matches this pattern{held}")
    others = [_described(path) for path in matches if not os.path.isfile(path)]
    return _found(pattern, files, others)


def size(sources: Iterable[Any]) -> int:
    """Return how many bytes the files among the sources hold, as far as is easily known."""
    total = 0
    for source in sources:
        try:
            total += os.stat(source).st_size if isinstance(source, str | os.PathLike) else 0
        except (OSError, ValueError):
            continue
    return total


def judgments_in(folder: str) -> tuple[str, Sequence[str]]:
    """Return the file with the judgments of a folder such as BEIR's, and the names of all splits that it has.

    `qrels/test.tsv` it is, or the only split there. The folder `qrels` itself will do as well.

    Parameters
    ----------
    folder
        The folder.
    """
    inner = os.path.join(folder, "qrels")
    place = inner if os.path.isdir(inner) else folder
    splits = {
        stem(entry.name): entry.path
        for entry in _entries(place)
        if entry.is_file() and entry.name.removesuffix(".gz").endswith((".tsv", ".jsonl", ".parquet"))
    }
    if "corpus" in splits or "queries" in splits or not splits:
        raise InputFileError(folder, None, "this is a directory where one file is wanted")
    chosen = "test" if "test" in splits else next(iter(splits))
    if len(splits) > 1 and chosen != "test":
        first = splits[chosen]
        why = f"this folder has judgments of {', '.join(splits)}, and none called test; name one, such as {first}"
        raise InputFileError(folder, None, why)
    return splits[chosen], list(splits)


def distinct(paths: Sequence[str]) -> list[str]:
    """Return short names of files: their stems, with as many folders before them as distinguish them.

    Examples
    --------
    >>> distinct(["a/x.run", "b/x.run"]), distinct(["a/x.run", "b/y.run"])
    (['a/x', 'b/x'], ['x', 'y'])
    """
    from pathlib import PurePath

    folders = [PurePath(path).parent.parts for path in paths]
    for n in range(max(map(len, folders), default=0) + 1):
        names = ["/".join((*parts[len(parts) - n :], stem(path))) for parts, path in zip(folders, paths, strict=True)]
        if len(set(names)) == len(names):
            return names
    return [stem(path) for path in paths]


def stem(path: str) -> str:
    """Return a file's name without directory, packing and last ending.

    Examples
    --------
    >>> stem("runs/bm25.norm.res.gz"), stem("bm25")
    ('bm25.norm', 'bm25')
    """
    name = base_name(path) if is_address(path) else os.path.basename(path)
    for ending in _ENDINGS:
        name = name.removesuffix(ending)
    bare, ending = os.path.splitext(name)
    return bare if ending in _FORMAT_ENDINGS else name


def write_atomically(path: PathLike, chunks: Iterable[bytes], *, folders: bool = False) -> None:
    """Write a file, compressed by its ending; on failure leave what was there before.

    Parameters
    ----------
    path
        Where to write it; .gz, .xz, .bz2 and .zst are compressed.
    chunks
        What it is to hold.
    folders
        Whether folders on the way to it are made; they are taken away if nothing is written.
    """
    check_path(path, "bm25.run")
    if is_address(os.fspath(path)):
        raise InputFileError(os.fspath(path), None, "addresses are read and not written; write a file and copy it")
    pack = _pack(os.path.splitext(path)[1])
    write_whole(path, chunks if pack is None else [pack(b"".join(chunks))], folders=folders)


def _pack(ending: str) -> Callable[[bytes], bytes] | None:
    """Return what compresses a file of this ending, if anything does; each library is loaded when it is needed."""
    if ending == ".gz":
        import gzip

        return lambda data: gzip.compress(data, mtime=0)  # a fixed time makes equal content equal files
    if ending == ".xz":
        import lzma

        return lzma.compress
    if ending == ".bz2":
        import bz2

        return bz2.compress
    if ending == ".zst":
        return _zstd_pack()
    return None


def _zstd_pack() -> Callable[[bytes], bytes]:
    if sys.version_info >= (3, 14):
        from compression import zstd

        return lambda data: zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: 1})
    compressor = needed("zstandard", "zstd", "writing .zst").ZstdCompressor(write_checksum=True)
    compress: Callable[[bytes], bytes] = compressor.compress
    return compress
