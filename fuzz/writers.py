"""Every command that writes, run in a process of its own that can be killed, and what may be found of its output then.

The process is forked from this one, where all modules are loaded, and starts as `python -m measurand` does: so a case
takes as long as the work, and not as long as Python takes to come up.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, NoReturn

from fuzz.harness import Different, Torn, temporary
from fuzz.program import Ended, contents, fill
from measurand.cli.main import COMMANDS

INPUTS = ("qrels", "other.qrels", "a.run", "b.run", "c.run.gz", "runs/d.run", "runs/e.run", "statements", "old")
"""The files that the commands here read."""

OLD = b"what was there before\n"

AGE = 3600.0
"""So many seconds old something is that SIGKILL left, when the next call finds it."""

LEFT = ".measurand-"
"""How the names of files begin that are being written."""


class Writer(NamedTuple):
    """A command that writes something.

    Parameters
    ----------
    line
        Its words, without those that name the output.
    option
        The option that names the output.
    target
        The output, below the folder `out`.
    share
        How often it is drawn: slow ones seldom.
    dated
        Whether the output says when it was made.
    """

    line: str
    option: str
    target: str
    share: float = 1
    dated: bool = False

    @property
    def path(self) -> str:
        """The output, as seen from the folder of the inputs."""
        return f"out/{self.target}"

    @property
    def words(self) -> list[str]:
        """The words of the command line."""
        return [*self.line.split(), self.option, self.path]

    @property
    def is_store(self) -> bool:
        """Whether it stores scores, a piece after the other, and goes on with what it finds."""
        return self.option == "--store"

    @property
    def is_folder(self) -> bool:
        """Whether it writes a set of files."""
        return self.is_store or "--data" in self.line or self.line.startswith("reproduce")


WRITERS = (
    Writer("evaluate qrels a.run b.run -q -f json", "-o", "new.json", 2),
    Writer("evaluate qrels runs -q -f csv", "-o", "new.csv"),
    Writer("evaluate qrels a.run b.run", "--write-reference", "new.tsv"),
    Writer("evaluate qrels a.run b.run runs", "--store", "store", 3),
    Writer("compare qrels a.run b.run -f json", "-o", "new.json"),
    Writer("convert a.run", "-o", "new.json"),
    Writer("convert a.run", "-o", "new.parquet"),
    Writer("convert --qrels qrels", "-o", "new.qrels.gz"),
    Writer("fuse a.run b.run c.run.gz", "-o", "new.run", 2),
    Writer("fuse a.run b.run", "-o", "new.parquet"),
    Writer("gate qrels a.run a.run -f junit", "-o", "new.xml"),
    Writer("gate qrels a.run", "--save-baseline", "new.json", dated=True),
    Writer("gate qrels a.run", "--save-baseline", "new.parquet", dated=True),
    Writer("interval AP@4 1,0,1,1 -f json", "-o", "new.json", dated=True),
    Writer("interval AP@4 1,0,1,1", "--plot", "new.svg", 0.3),
    Writer("measure P@3 -d 3", "--figure", "new.json", 0.5),
    Writer("order --hasse -d 3", "-o", "new.dot"),
    Writer("learn statements -f json", "-o", "new.json"),
    Writer("explain 0.5 qrels a.run -f json", "-o", "new.json"),
    Writer("portfolio qrels a.run b.run -f tsv", "-o", "new.tsv"),
    Writer("unanimity qrels a.run b.run -f json", "-o", "new.json", 0.5),
    Writer("report qrels a.run b.run --no-fusion", "-o", "new.html", 0.3, dated=True),
    Writer("report qrels a.run b.run --no-fusion -f json", "-o", "new.json", 0.5, dated=True),
    Writer("report qrels a.run b.run --no-fusion --data", "-o", "data", 0.5, dated=True),
    Writer("vectors", "-o", "new.json", 0.1),
    Writer("demo", "-o", "new.html", 0.1, dated=True),
    Writer("reproduce br1988", "-o", "figures", 0.1),
)


def prepare() -> None:
    """Load what commands load, and start no thread, so that processes can be forked; keep nothing where users do."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    os.environ["MEASURAND_CACHE"] = str(temporary())
    for name in COMMANDS:
        import_module(f"measurand.cli.{name}")
    for name in ("measurand.report.page", "measurand.report.study_data", "measurand.study.store.build", "scipy.stats"):
        import_module(name)


def draw_writer(rng: random.Random) -> Writer:
    """Return a command that writes, slow ones seldom.

    Parameters
    ----------
    rng
        Where the draws come from.
    """
    return rng.choices(WRITERS, [each.share for each in WRITERS])[0]


class Process:
    """The program, at work.

    Parameters
    ----------
    words
        Its words.
    folder
        The folder that it is called in.
    more
        What is done in the process before the program starts.
    """

    def __init__(self, words: list[str], folder: Path, more: Callable[[], None] = lambda: None) -> None:
        self._streams = TemporaryDirectory(prefix="measurand-fuzz-")
        self._paths = [Path(self._streams.name, name) for name in ("out", "err")]
        for path in self._paths:
            path.touch()
        self.code: int | None = None
        sys.stdout.flush()
        sys.stderr.flush()
        self.pid = os.fork()
        if self.pid == 0:
            _become(words, folder, self._paths, more)

    def is_done(self) -> bool:
        """Return whether it has ended."""
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None

    def kill(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if not self.is_done():
            os.kill(self.pid, number)

    def end(self) -> Ended:
        """Wait for its end; after a while that is nobody's patience, end it."""
        try:
            while not self.is_done():
                time.sleep(0.001)
        finally:
            self.kill(signal.SIGKILL)
        out, err = (path.read_bytes() for path in self._paths)
        self._streams.cleanup()
        return Ended(self.code or 0, out, err)


def _become(words: list[str], folder: Path, paths: list[Path], more: Callable[[], None]) -> NoReturn:
    """Go on as the program; never come back."""
    code = 70
    try:
        for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        for place, path in enumerate((Path(os.devnull), *paths)):
            os.dup2(os.open(path, os.O_WRONLY if place else os.O_RDONLY), place)
        sys.stdin, sys.stdout, sys.stderr = (
            open(place, "w" if place else "r", encoding="utf-8", closefd=False)  # noqa: SIM115
            for place in range(3)
        )
        os.chdir(folder)
        sys.argv = ["measurand", *words]
        more()
        code = _ended()
    finally:
        os._exit(code)


def _ended() -> int:
    """Run the program, and return how Python would end it."""
    from measurand.__main__ import start

    try:
        start()
        code = 0
    except SystemExit as stop:
        code = stop.code if isinstance(stop.code, int) else 0 if stop.code is None else 1
    except BaseException:  # noqa: BLE001 - whatever it is, Python shows it
        traceback.print_exc()
        code = 1
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except OSError:
        return 120  # as Python does where it cannot flush
    return code


def at_place(found: dict[str, bytes | None], writer: Writer) -> dict[str, bytes | None]:
    """Return what is at the place of an output, with all that is in it; nothing where nothing is.

    Parameters
    ----------
    found
        What is in the folder.
    writer
        The command.
    """
    return {name: data for name, data in found.items() if name == writer.path or name.startswith(f"{writer.path}/")}


class Usual(NamedTuple):
    """What a command does where nobody disturbs it.

    Parameters
    ----------
    output
        What it writes.
    same
        Whether it writes the same each time.
    seconds
        How long it takes.
    """

    output: dict[str, bytes | None]
    same: bool
    seconds: float


@cache
def usual(writer: Writer) -> Usual:
    """Return what a command does where nobody disturbs it, tried twice.

    Parameters
    ----------
    writer
        The command.
    """
    outputs, seconds = [], 0.0
    for _ in range(2):
        with TemporaryDirectory(prefix="measurand-fuzz-") as place:
            folder = Path(place)
            fill(folder, INPUTS)
            begin = time.monotonic()
            ended = Process(writer.words, folder).end()
            seconds = time.monotonic() - begin
            outputs.append(at_place(contents(folder), writer))
            if ended.code != 0 or not outputs[-1]:
                raise Different(f"{' '.join(writer.words)} ends with {ended.code} and writes nothing: {ended.err!r}")
    return Usual(outputs[0], outputs[0] == outputs[1] and not writer.dated, seconds)


def is_new(found: dict[str, bytes | None], writer: Writer) -> bool:
    """Return whether an output is that of the command, whole.

    Parameters
    ----------
    found
        What is there, with other files that were there before.
    writer
        The command.
    """
    expected = usual(writer)
    if expected.same:
        return all(found.get(name, 0) == data for name, data in expected.output.items())
    return found.keys() >= expected.output.keys() and all(
        _alike(found[name], data) for name, data in expected.output.items()
    )


def _alike(one: bytes | None, other: bytes | None) -> bool:
    """Return whether two files that need not be the same have about the same length, and the same end."""
    if one is None or other is None:
        return one is other
    if other.startswith(b"{"):
        return one.startswith(b"{") and json.loads(one).keys() == json.loads(other).keys()
    return abs(len(one) - len(other)) < 100 and one[-8:] == other[-8:]


def check_next(folder: Path, writer: Writer) -> None:
    """Raise a failure unless the next call works, and leaves nothing but its output.

    Parameters
    ----------
    folder
        The folder of the inputs.
    writer
        What is called again.
    """
    long_ago = time.time() - AGE
    for path in (folder / "out").glob(f"{LEFT}*"):
        os.utime(path, (long_ago, long_ago))
    begun = writer.is_store and (folder / writer.path / "measurand.json").exists()
    again = Process([*writer.words, *(["--resume"] if begun else [])], folder).end()
    if again.code != 0:
        raise Different(f"the next call ends with exit status {again.code}: {again.err.decode()!r}")
    left = [path.name for path in (folder / "out").glob(f"{LEFT}*")]
    if left and not writer.is_store:
        raise Torn(f"the next call leaves {left}")
    if not writer.is_store:
        if not is_new(at_place(contents(folder), writer), writer):
            raise Torn(f"the next call does not write {writer.path} as usual")
        return
    if means(folder, writer) != _usual_means(writer):
        raise Different("what is stored in the end is not what is stored where nobody disturbs")


def means(folder: Path, writer: Writer) -> bytes:
    """Return the means of stored scores, as they are printed.

    Parameters
    ----------
    folder, writer
        Where and what was stored.
    """
    stored = Process(["evaluate", writer.path, "-f", "json"], folder).end()
    if stored.code != 0:
        raise Different(f"what is stored cannot be read: {stored.err.decode()}")
    return stored.out


@cache
def _usual_means(writer: Writer) -> bytes:
    with TemporaryDirectory(prefix="measurand-fuzz-") as place:
        fill(Path(place), INPUTS)
        Process(writer.words, Path(place)).end()
        return means(Path(place), writer)


def prepare_output(rng: random.Random, folder: Path, writer: Writer) -> None:
    """Put something where the output goes, or nothing.

    Parameters
    ----------
    rng
        Where the draws come from.
    folder, writer
        Where and what will be written.
    """
    if writer.is_store or rng.random() < 0.5:
        return
    target = folder / writer.path
    if not writer.is_folder:
        target.write_bytes(OLD)
        return
    target.mkdir()
    names = [Path(name).name for name in usual(writer).output if name != writer.path]
    for name in (*names[:3], "of-somebody-else"):
        (target / name).write_bytes(OLD)
