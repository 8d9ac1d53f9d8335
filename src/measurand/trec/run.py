"""Runs and judgments: what TREC files hold, and how it is written back to them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np
from attrs import evolve

from measurand.columns import Columns, PlainTable
from measurand.display.writing import PathLike
from measurand.errors import CallError, Caveat, CaveatKind, InputError
from measurand.exact import whole_number
from measurand.judged import Judgments, Results, bounds_of
from measurand.judged.content import compact, documents_at
from measurand.judged.ranking import Precision, Ties
from measurand.judged.ranking import rank as ranked
from measurand.trec.files import write_atomically
from measurand.trec.metadata import Metadata, metadata_of


class ReadBy(type):
    """The type of classes whose objects are read by functions, to which what other tools have is referred."""

    if not TYPE_CHECKING:  # checkers of types are to see the classes as they are

        def __getattr__(cls, name):
            """Refer constructors such as ranx's `from_file` and `from_dict` to the function."""
            reader = f"read_{cls.__name__.lower()}"
            hint = f"; use {reader}(…)" if name.startswith(("from_", "read", "load")) else ""
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}{hint}", name=name, obj=cls)

        def __call__(cls, *args, **kwargs):
            """Make an object; refer data that stands by place to the function."""
            if args:
                reader = f"read_{cls.__name__.lower()}"
                example = f'{reader}("path") or {reader}({{"1": {{"d1": 2}}}})'
                raise CallError(f"{cls.__name__} is made by a function: {example}")
            return super().__call__(**kwargs)


class Run(Results, metaclass=ReadBy):
    """One system's results.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> read_run({"1": {"d1": 2.0, "d2": 1.5}}, name="bm25")
    <Run 'bm25': 1 topic, 2 documents>
    """

    __slots__ = ()

    @property
    def metadata(self) -> Metadata | None:
        """The metadata among its comments, as ir_metadata has them: `text` in YAML and `fields`; None without them."""
        return metadata_of(self.comments)

    def down_to(self, rank: int) -> Run:
        """Return the best documents of each topic, best first and no more than so many.

        Of documents of equal score those with the last identifiers come first, as trec_eval has it.

        Parameters
        ----------
        rank
            The number of documents that are kept of each topic.

        Examples
        --------
        >>> from measurand.trec import read_run
        >>> read_run({"1": {"d1": 1.5, "d2": 2.0, "d3": 2.0}}, name="bm25").down_to(2).documents
        ['d3', 'd2']
        """
        whole_number("rank", rank)
        rows = ranked(self, np.arange(len(self.topics)), Ties.TREC, Precision.DOUBLE).rows
        sizes = np.diff(self.bounds)
        kept = rows[np.arange(len(rows)) - np.repeat(self.bounds[:-1], sizes) < rank]
        return evolve(
            self,
            bounds=bounds_of(np.minimum(sizes, min(rank, len(rows)))),
            documents=compact(documents_at(self.documents, kept)),
            scores=self.document_scores[kept],
        )

    def to_trec(self, path: PathLike) -> None:
        """Write the run as a TREC file, ranked by score; a name ending in .gz, .xz, .bz2 or .zst is compressed.

        Reading it back gives the same scores to the last bit, and the comments at its head.

        Parameters
        ----------
        path
            Where to write it.
        """
        write_atomically(path, self.trec_lines())

    def to_json(self, path: PathLike) -> None:
        """Write the run as JSON, `{topic: {document: score}}`, as BEIR and pytrec_eval have runs in memory.

        Reading it back gives the same scores to the last bit and documents in the same order. The name of the system
        and comments are not in such a file.

        Parameters
        ----------
        path
            Where to write it; .gz, .xz, .bz2 and .zst are compressed.
        """
        write_atomically(path, self._json())

    def to_parquet(self, path: PathLike) -> None:
        """Write the run as a parquet file with the columns topic, document, score and system (needs polars or pyarrow).

        Reading it back gives the same run: names, scores to the last bit, and the order of documents. Comments are not
        in such a file.

        Parameters
        ----------
        path
            Where to write it.
        """
        write_atomically(path, _parquet({**self._columns(), "system": [self.name] * len(self)}))

    def to_msmarco(self, path: PathLike) -> None:
        """Write the run as MS MARCO has it: topic, document and rank, with tabs between; no scores and no name.

        Documents of equal score get different ranks, those with the last identifiers first, as trec_eval has it.

        Parameters
        ----------
        path
            Where to write it; .gz, .xz, .bz2 and .zst are compressed.
        """
        _check_tabs(self.topics, self.documents)
        _check_words("topic", self.topics)  # who reads such files parts them at spaces too
        _check_words("document", list(self.documents))
        write_atomically(path, (self._ranks(i) for i in range(len(self.topics))))

    def trec_lines(self) -> Iterator[bytes]:
        r"""Return what a TREC file of the run holds, topic after topic.

        Examples
        --------
        >>> from measurand.trec import read_run
        >>> list(read_run({"1": {"d1": 1.5, "d2": 2.0}}, name="bm25").trec_lines())
        [b'1 Q0 d2 1 2.0 bm25\n1 Q0 d1 2 1.5 bm25\n']
        """
        _check_words("run name", [self.name])
        _check_words("topic", self.topics)
        return chain(_head(self.comments), (self._lines(i) for i in range(len(self.topics))))

    def _lines(self, position: int) -> bytes:
        topic, ranked = self.topics[position], self._ranked(position)
        _check_words("document", [document for document, _ in ranked])
        lines = (f"{topic} Q0 {document} {i} {score!r} {self.name}\n" for i, (document, score) in enumerate(ranked, 1))
        return "".join(lines).encode()

    def _ranks(self, position: int) -> bytes:
        topic, ranked = self.topics[position], self._ranked(position)
        return "".join(f"{topic}\t{document}\t{i}\n" for i, (document, _) in enumerate(ranked, 1)).encode()

    def _ranked(self, position: int) -> list[tuple[str, float]]:
        """Return the documents of a topic with their scores, best first, as trec_eval ranks them."""
        return sorted(self._pairs(position), key=itemgetter(1, 0), reverse=True)


class Qrels(Judgments, metaclass=ReadBy):
    """Relevance judgments.

    Examples
    --------
    >>> from measurand.trec import read_qrels
    >>> read_qrels({"1": {"d1": 2, "d2": 0}})
    <Qrels: 1 topic, 2 judgments>
    """

    __slots__ = ()

    def to_trec(self, path: PathLike) -> None:
        """Write the judgments as a TREC file; a name ending in .gz, .xz, .bz2 or .zst is compressed.

        Parameters
        ----------
        path
            Where to write it.
        """
        write_atomically(path, self.trec_lines())

    def trec_lines(self) -> Iterator[bytes]:
        """Return the lines of a TREC file of these judgments, topic by topic."""
        _check_words("topic", self.topics)
        return chain(_head(self.comments), (self._lines(i) for i in range(len(self.topics))))

    def to_json(self, path: PathLike) -> None:
        """Write the judgments as JSON, `{topic: {document: grade}}`, as BEIR and pytrec_eval have them in memory.

        Reading it back gives the same judgments, in the same order; a grade that no float spells, such as 1/3, becomes
        the nearest float. Comments are not in such a file.

        Parameters
        ----------
        path
            Where to write it; .gz, .xz, .bz2 and .zst are compressed.
        """
        write_atomically(path, self._json())

    def to_beir(self, path: PathLike) -> None:
        """Write the judgments as BEIR and MTEB have them: a table with tabs and the header query-id, corpus-id, score.

        Reading it back gives the same judgments, in the same order.

        Parameters
        ----------
        path
            Where to write it, in BEIR's folders `qrels/test.tsv`; .gz, .xz, .bz2 and .zst are compressed.
        """
        _check_tabs(self.topics, self.documents)
        rows = (
            "".join(f"{topic}\t{document}\t{grade}\n" for document, grade in self._spelled(position)).encode()
            for position, topic in enumerate(self.topics)
        )
        write_atomically(path, chain([b"query-id\tcorpus-id\tscore\n"], rows))

    def to_parquet(self, path: PathLike) -> None:
        """Write the judgments as a parquet file with the columns topic, document and grade (needs polars or pyarrow).

        Reading it back gives the same judgments, in the same order; a grade that no float spells, such as 1/3, becomes
        the nearest float.

        Parameters
        ----------
        path
            Where to write it.
        """
        write_atomically(path, _parquet(self._columns()))

    def _spelled(self, position: int) -> list[tuple[str, str]]:
        """Return the documents of a topic and their grades, as text that is read back as the same numbers."""
        rows = slice(int(self.bounds[position]), int(self.bounds[position + 1]))
        return list(zip(list(self.documents[rows]), self.coded.spelled(rows), strict=True))

    def _lines(self, position: int) -> bytes:
        pairs = self._spelled(position)
        _check_words("document", [document for document, _ in pairs])
        return "".join(f"{self.topics[position]} 0 {document} {grade}\n" for document, grade in pairs).encode()


def repeated(n: int, place: str) -> tuple[Caveat, ...]:
    """Return the caveat that `n` judgments of a source are repetitions, if any are."""
    if not n:
        return ()
    text = f"{place}: {n} judgment{'s' if n > 1 else ''} said more than once, always with the same grade"
    return (Caveat(CaveatKind.REPEATED_JUDGMENT, text),)


def _parquet(columns: Columns) -> Iterator[bytes]:
    """Return what a parquet file of some columns holds."""
    yield PlainTable(columns).to_parquet()


def _head(comments: Iterable[str]) -> Iterator[bytes]:
    """Return comments as lines of a file."""
    for comment in comments:
        if not comment.strip().startswith("#") or "\n" in comment:
            raise InputError(f"{comment!r} is no comment that a TREC file can hold: a line that begins with #")
        yield f"{comment}\n".encode()


def _check_tabs(topics: Iterable[str], documents: Iterable[str]) -> None:
    """Complain of names that would not survive in a table with tabs."""
    for what, names in (("topic", topics), ("document", documents)):
        for name in names:
            _encoded(what, name)
            if not name or name != name.strip() or name[0] in '#"\ufeff' or len(re.split(r"[\t\n\r\v\f]", name)) > 1:
                raise InputError(f"{what} {name!r} cannot stand in a table whose columns are parted by tabs")


def _encoded(what: str, word: str) -> bytes:
    try:
        return word.encode()
    except UnicodeEncodeError:
        raise InputError(f"{what} {word!r} cannot be written as UTF-8; rename it") from None


def _check_words(what: str, words: list[str] | tuple[str, ...]) -> None:
    for word in words:
        encoded = _encoded(what, word)
        if encoded.split() != [encoded] or (what == "topic" and word.startswith(("#", "\ufeff"))):
            raise InputError(f"{what} {word!r} cannot stand in a TREC file, whose columns are parted by spaces")
