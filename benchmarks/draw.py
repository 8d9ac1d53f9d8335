"""Draw a campaign of any size as files: `python benchmarks/draw.py [--systems N] [--topics N] [--documents N] FOLDER`.

FOLDER gets `qrels` and `runs/system-001.run`, …, or the same compressed. Some topics are drawn, written and
forgotten, then the next, so that memory grows neither with topics nor with systems. The same seed gives the same
files, and files of more topics or more systems begin with them.

Documents have a latent relevance. Systems see it through noise, some of which relatives share, each with a skill of
its own; judges see the top of a pool. Documents are called by numbers, as passages of MS MARCO, or as those of TREC's
GOV2; topics by numbers with gaps. Scores have six decimals and fall with the rank; those that do not tie are different
even as 32-bit floats.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from attrs import frozen

SEED = 20151113
FAMILIES = 4
TOP_GRADE = 3
SHARES = (0.6, 0.28, 0.12)
"""How many of the relevant documents have grade 1, 2 and 3."""

LINES = 1 << 16
"""About so many lines of a run are drawn at once."""

MOST_DOCUMENTS = 1_000_000
"""Of so many documents, each a millionth below the one before, scores stay above 0 and keys fit into 64 bits."""

KEY_BITS = 21

Array = np.ndarray[Any, Any]

THOUSAND = np.array([list(b"%03d" % number) for number in range(1000)], np.uint8)


def padded(numbers: Array, places: int) -> Array:
    """Return whole numbers as text with leading zeros: an axis more, of as many bytes as there are places.

    >>> padded(np.array([7, 2015]), 5).tobytes()
    b'0000702015'
    """
    groups = -(-places // 3)
    text = np.empty((*numbers.shape, groups, 3), np.uint8)
    left = numbers
    for group in range(groups - 1, -1, -1):
        text[..., group, :] = THOUSAND[left % 1000]
        left = left // 1000
    return text.reshape(*numbers.shape, 3 * groups)[..., 3 * groups - places :]


def unpadded(numbers: Array, places: int) -> Array:
    """Return whole numbers as text whose leading zeros are null bytes; `as_lines` leaves those out.

    >>> unpadded(np.array([0, 2015]), 6).tobytes().replace(bytes(1), b".")
    b'.....0..2015'
    """
    text = padded(numbers, places)
    shorter = numbers[..., None] < 10 ** np.arange(places - 1, -1, -1)
    shorter[..., -1] = False
    text[shorter] = 0
    return text


def as_gov2(numbers: Array) -> Array:
    """Return numbers as identifiers of 16 letters.

    >>> as_gov2(np.array([123_45_6789012])).tobytes()
    b'GX123-45-6789012'
    """
    text = np.empty((*numbers.shape, 16), np.uint8)
    text[...] = list(b"GX...-..-.......")
    text[..., [2, 3, 4, 6, 7, *range(9, 16)]] = padded(numbers, 12)
    return text


IDENTIFIERS: dict[str, tuple[int, Callable[[Array], Array]]] = {
    "passages": (8_841_823, lambda numbers: unpadded(numbers, 7)),
    "gov2": (273 * 10**9, as_gov2),
}
"""How documents can be called: below which number they are drawn, and the text of a number."""


def items(text: Array) -> Array:
    """Return text with its last axis, the letters, made one."""
    return np.ascontiguousarray(text).view(f"S{text.shape[-1]}")[..., 0]


def rows(count: int, **columns: Array | bytes | int) -> Array:
    """Return lines: of each column its texts, the text that all lines have, or how many letters are left empty."""
    texts = {
        name: np.bytes_(bytes(what)) if isinstance(what, int) else np.asarray(what) for name, what in columns.items()
    }
    lines = np.zeros(count, [(name, text.dtype) for name, text in texts.items()])
    for name, text in texts.items():
        lines[name] = text
    return lines


def as_lines(lines: Array) -> bytes:
    """Return lines as they are written, without null bytes."""
    return lines.tobytes().translate(None, bytes(1))


@frozen
class Drawing:
    """What is to be drawn.

    Parameters
    ----------
    systems, topics, documents
        How many runs there are, of how many topics, with how many documents for each.
    judgments
        How many documents of a topic are judged on average; a whole number is that of every topic.
    ties
        How large a share of scores is that of the rank before.
    finer
        Into how many each grade but 0 is split.
    identifiers
        How documents are called: ``passages`` or ``gov2``.
    compressed
        Whether files are compressed by gzip.
    seed
        Where random numbers begin.
    """

    systems: int
    topics: int
    documents: int
    judgments: float = 300
    ties: float = 0.05
    finer: int = 1
    identifiers: str = "passages"
    compressed: bool = False
    seed: int = SEED

    @property
    def lines(self) -> int:
        """The number of lines of all runs together."""
        return self.systems * self.topics * self.documents

    @property
    def candidates(self) -> int:
        """How many documents of a topic there are, of which a system returns the best."""
        return 2 * self.documents

    @property
    def ending(self) -> str:
        """How file names end."""
        return ".gz" if self.compressed else ""

    def blocks(self) -> Iterator[Block]:
        """Return the topics, some at a time."""
        size = max(1, LINES // self.documents)
        for number, first in enumerate(range(0, self.topics, size)):
            yield Block(self, number, first, min(size, self.topics - first))

    def name(self, system: int) -> str:
        """Return the name of a system, which are counted from 0."""
        return f"system-{system + 1:03d}"

    def rng(self, purpose: str, *numbers: int) -> np.random.Generator:
        """Return random numbers for one purpose; the first ones are the same however many are taken."""
        return np.random.default_rng([self.seed, int.from_bytes(purpose.encode()), *numbers])


class Block:
    """Some topics: their documents, judgments, and what each system returns for them."""

    def __init__(self, drawing: Drawing, number: int, first: int, size: int) -> None:
        self.drawing, self.number, self.size = drawing, number, size
        shape = self.shape = (size, drawing.candidates)
        collection, text = IDENTIFIERS[drawing.identifiers]
        width = collection // drawing.candidates
        numbers = np.arange(drawing.candidates) * width + self._rng("documents").integers(width, size=shape)
        self.documents = items(text(numbers))
        order = np.arange(first, first + size)
        places = len(str(GAP * (drawing.topics + FIRST)))
        self.topics = items(unpadded(GAP * (order + FIRST) + self._rng("topics").integers(GAP, size=size), places))
        self.latent = self._normal("latent")
        self.ease = self._rng("ease").normal(1.0, 0.3, (size, 1)).astype(np.float32)

    def _rng(self, purpose: str, *numbers: int) -> np.random.Generator:
        return self.drawing.rng(purpose, self.number, *numbers)

    def _normal(self, purpose: str, *numbers: int) -> Array:
        return self._rng(purpose, *numbers).standard_normal(self.shape, np.float32)

    @cached_property
    def kin(self) -> list[Array]:
        """The noise that the systems of a family share."""
        return [np.float32(0.8) * self._normal("kin", family) for family in range(FAMILIES)]

    @cached_property
    def returned(self) -> Array:
        """The lines of a run, in which documents, scores and the name of the system are missing."""
        depth = self.drawing.documents
        return rows(
            self.size * depth,
            topic=np.repeat(self.topics, depth),
            middle=b" Q0 ",
            document=self.documents.dtype.itemsize,
            space=b" ",
            rank=np.tile(items(unpadded(np.arange(1, depth + 1), len(str(depth)))), self.size),
            before=b" ",
            whole=1,
            point=b".",
            decimals=6,
            after=b" ",
            system=len(self.drawing.name(self.drawing.systems - 1)),
            end=b"\n",
        )

    def judged(self) -> bytes:
        """Return the judgments: of the best documents of a topic, as judges see them, the first are relevant."""
        drawing, one = self.drawing, (self.size, 1)
        mean = min(drawing.judgments, drawing.candidates)
        numbers = mean // 1 + (self._rng("judgments").random(one) < mean % 1)
        relevant = np.rint(self._rng("relevant").lognormal(np.log(0.3 * mean), 0.4, one))
        relevant = np.minimum(np.maximum(relevant, 1), numbers)
        seen = np.argsort(-self.latent - np.float32(0.3) * self._normal("judges"), axis=1)
        place = np.empty_like(seen)
        np.put_along_axis(place, seen, np.arange(drawing.candidates), axis=1)
        topic, document = np.nonzero(place < numbers)
        grades = 1 + np.searchsorted(np.cumsum(SHARES)[:-1], self._rng("grades").random(self.shape)[topic, document])
        parts = self._rng("parts").integers(drawing.finer, size=self.shape)[topic, document]
        grades = np.where((place < relevant)[topic, document], drawing.finer * (grades - 1) + parts + 1, 0)
        return as_lines(
            rows(
                len(topic),
                topic=self.topics[topic],
                middle=b" 0 ",
                document=self.documents[topic, document],
                space=b" ",
                grade=items(unpadded(grades, len(str(TOP_GRADE * drawing.finer)))),
                end=b"\n",
            )
        )

    def run(self, system: int) -> bytes:
        """Return the lines of a system."""
        skill = np.float32(self.drawing.rng("skill", system).uniform(0.7, 1.5))
        seen = self._normal("own", system)
        seen *= np.float32(0.6)
        seen += self.kin[system % FAMILIES]
        seen += skill * self.ease * self.latent
        keys = np.rint(1e6 * (4 + 0.2 * seen.astype(np.float64))).astype(np.int64)
        keys <<= KEY_BITS
        keys |= np.arange(self.drawing.candidates)
        keys.sort(axis=1)
        best = keys[:, : -self.drawing.documents - 1 : -1]
        scores = self._falling(best >> KEY_BITS, system).ravel()
        chosen = best & ((1 << KEY_BITS) - 1)
        chosen += self.drawing.candidates * np.arange(self.size)[:, None]
        self.returned["document"] = self.documents.ravel()[chosen.ravel()]
        self.returned["whole"] = items(padded(scores // 1_000_000, 1))
        self.returned["decimals"] = items(padded(scores, 6))
        self.returned["system"] = self.drawing.name(system).encode()
        return as_lines(self.returned)

    def _falling(self, scores: Array, system: int) -> Array:
        """Return scores, in millionths, that fall at every rank, except where they tie."""
        tied = np.less(self._rng("ties", system).random(scores.shape, np.float32), self.drawing.ties)
        tied[:, 0] = False
        steps = np.cumsum(~tied, axis=1)
        falling = np.minimum.accumulate(scores + steps, axis=1) - steps
        before = np.maximum.accumulate(np.where(tied, 0, np.arange(scores.shape[1])), axis=1)
        return np.take_along_axis(falling, before, axis=1)


GAP, FIRST = 7, 150
"""Topics are numbered from GAP * FIRST, one number drawn of every GAP."""


def write(drawing: Drawing, folder: Path) -> None:
    """Write the files of a campaign into a folder, which must not exist; it appears when all are there."""
    with whole(folder) as unfinished:
        (unfinished / "runs").mkdir()
        names = [f"{drawing.name(system)}.run{drawing.ending}" for system in range(drawing.systems)]
        for block in drawing.blocks():
            append(unfinished / f"qrels{drawing.ending}", block.judged())
            for system, name in enumerate(names):
                append(unfinished / "runs" / name, block.run(system))


@contextmanager
def whole(folder: Path) -> Iterator[Path]:
    """Return a folder to write to, which takes its name at the end, and is removed if that is not reached."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="unfinished-") as unfinished:
        made = Path(unfinished) / "made"
        made.mkdir()
        yield made
        made.rename(folder)


def append(path: Path, data: bytes) -> None:
    """Write to the end of a file; compressed data may follow each other in a file of gzip."""
    with path.open("ab", buffering=0) as file:
        file.write(gzip.compress(data, 1, mtime=0) if path.suffix == ".gz" else data)


def main() -> None:
    drawing, folder = arguments()
    start = perf_counter()
    write(drawing, folder)
    taken = perf_counter() - start
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(
        f"{folder}: {drawing.lines:,} lines of runs, {size / 1e6:,.0f} MB with judgments, {taken:.1f} s",
        file=sys.stderr,
    )


def arguments() -> tuple[Drawing, Path]:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="must not exist")
    parser.add_argument("--systems", type=number(int, 1), default=10, metavar="N", help="runs; default 10")
    parser.add_argument("--topics", type=number(int, 1), default=50, metavar="N", help="topics of each; default 50")
    parser.add_argument(
        "--documents",
        type=number(int, 1, MOST_DOCUMENTS),
        default=1000,
        metavar="N",
        help="of each topic; default 1000",
    )
    parser.add_argument(
        "--judgments", type=number(float, 0.01), default=300, metavar="N", help="of each topic, on average; default 300"
    )
    parser.add_argument("--ties", type=number(float, 0, 1), default=0.05, metavar="SHARE", help="default 0.05")
    parser.add_argument("--identifiers", choices=IDENTIFIERS, default="passages", help="default passages")
    parser.add_argument("--compressed", action="store_true", help="by gzip")
    parser.add_argument("--seed", type=number(int, 0), default=SEED, metavar="N", help=f"default {SEED}")
    options = vars(parser.parse_args())
    folder: Path = options.pop("folder")
    if folder.exists() or not folder.resolve().parent.is_dir():
        parser.error(f"{folder} is there already" if folder.exists() else f"there is no folder {folder.parent}")
    return Drawing(**options), folder


def number(kind: Callable[[str], Any], least: float, most: float = float("inf")) -> Callable[[str], Any]:
    """Return what reads a number between two."""

    def read(text: str) -> Any:
        found = kind(text)
        if not least <= found <= most:
            raise argparse.ArgumentTypeError(f"{text} is not between {least} and {most}")
        return found

    return read


if __name__ == "__main__":
    main()
