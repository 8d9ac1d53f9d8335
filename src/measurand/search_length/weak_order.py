"""Weak orders: results of a search in which documents may share a rank.

They are written `+-|+--|++---`, or come from scores with judgments (`counts_of_scores`) or from judged runs with ties
(`counts_of_run`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from numbers import Real
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand.arrays import BoolArray, Cells
from measurand.display.result import Result
from measurand.display.tables import Document, TableView, valued
from measurand.display.wording import counted
from measurand.errors import InputError, ParameterError
from measurand.exact import LARGEST, whole_number
from measurand.judged.grades import NOTHING
from measurand.search_length.lottery import Lottery, lottery_of
from measurand.search_length.negative_hypergeometric import NegativeHypergeometric

Counts = tuple[int, int]
"""How many relevant and how many nonrelevant documents."""

PRINTED = 60
"""Up to so many documents a weak order is printed sign by sign."""

LISTED = 8
"""Up to so many ranks it is printed as pairs of numbers."""


def _relevant(count: object) -> int:
    return whole_number("the number of relevant documents of a rank", count, 0, high=LARGEST)


def _nonrelevant(count: object) -> int:
    return whole_number("the number of nonrelevant documents of a rank", count, 0, high=LARGEST)


@frozen
class Rank:
    """Documents that share a rank: so many relevant and so many nonrelevant ones; unpacks into the two.

    Parameters
    ----------
    relevant, nonrelevant
        The numbers of relevant and of nonrelevant documents.

    Examples
    --------
    >>> rank = Rank(1, 2)
    >>> rank.documents, str(rank)
    (3, '+--')
    """

    relevant: int = field(converter=_relevant)
    nonrelevant: int = field(converter=_nonrelevant)

    @property
    def documents(self) -> int:
        """How many documents share the rank."""
        return self.relevant + self.nonrelevant

    def __iter__(self) -> Iterator[int]:
        return iter((self.relevant, self.nonrelevant))

    def __str__(self) -> str:
        return "+" * self.relevant + "-" * self.nonrelevant


def as_ranks(ranks: Iterable[Rank | tuple[int, int]]) -> tuple[Rank, ...]:
    """Return ranks that were given as such or as pairs, none of them empty.

    Examples
    --------
    >>> as_ranks([(1, 2)])
    (Rank(relevant=1, nonrelevant=2),)
    """
    try:
        numbered = enumerate(ranks, 1)
    except TypeError:
        raise ParameterError(f"a weak order is made from ranks like [(1, 1), (1, 2)], not {ranks!r}") from None
    read = []
    for place, rank in numbered:
        read.append(as_rank(rank, f"rank {place}"))
        if not read[-1].documents:
            raise ParameterError(f"rank {place} is empty; a rank holds one document or more")
    if not read:
        raise ParameterError("a weak order without documents has no ranks; it needs one at least")
    return tuple(read)


def as_rank(rank: Rank | tuple[int, int], name: str) -> Rank:
    """Return a rank that was given as such or as a pair.

    Examples
    --------
    >>> as_rank((1, 2), "the last rank")
    Rank(relevant=1, nonrelevant=2)
    """
    try:
        return rank if isinstance(rank, Rank) else Rank(*rank)
    except TypeError:
        raise ParameterError(
            f"{name} is {rank!r}; a rank is a pair like (1, 2): relevant and nonrelevant documents"
        ) from None


def parsed(text: str) -> list[Counts]:
    """Return the ranks that a text like `+-|+--` writes; spaces do not matter.

    Examples
    --------
    >>> parsed("+-| +--")
    [(1, 1), (1, 2)]
    """
    if not isinstance(text, str):
        raise ParameterError(f"a weak order is written like '+-|+--|++---', not {text!r}")
    for place, sign in enumerate(text, 1):
        if sign not in "+-|" and not sign.isspace():
            raise ParameterError(
                f"{sign!r} at place {place} of {_excerpt(text, place)} is none of + (relevant), - (nonrelevant) and | "
                f"(next rank)"
            )
    if not text.strip():
        raise ParameterError("the weak order is empty; write it like '+-|+--|++---'")
    ranks = []
    place = 1
    for number, rank in enumerate(text.split("|"), 1):
        if not rank.strip():
            raise ParameterError(
                f"rank {number} of the weak order is empty, at place {place} of {_excerpt(text, place)}; a rank holds "
                f"one document or more"
            )
        ranks.append((rank.count("+"), rank.count("-")))
        place += len(rank) + 1
    return ranks


def spelled(ranks: tuple[Counts, ...]) -> str:
    """Return what follows the name of the class in the spelling of a weak order.

    Examples
    --------
    >>> spelled(((1, 1), (0, 2)))
    ".parse('+-|--')"
    >>> spelled(((3, 10**6),))
    '([(3, 1000000)])'
    """
    relevant, nonrelevant = (sum(counts) for counts in zip(*ranks, strict=True))
    if relevant + nonrelevant <= PRINTED:
        return f".parse('{'|'.join('+' * plus + '-' * minus for plus, minus in ranks)}')"
    if len(ranks) <= LISTED:
        return f"({list(ranks)})"
    listed = ", ".join(map(str, ranks[:3]))
    return f"([{listed}, … {len(ranks)} ranks of {relevant} relevant and {nonrelevant} nonrelevant documents])"


def _excerpt(text: str, place: int) -> str:
    """Return the text, or what stands around a place of a long one."""
    return repr(text) if len(text) <= PRINTED else f"'…{text[max(0, place - 20) : place + 20]}…'"


def counts_of_scores(
    scores: Mapping[Any, Any] | Sequence[Any],
    judgments: Mapping[Any, int] | Collection[Any],
    rel: int = 1,
    collection: int | None = None,
) -> list[Counts]:
    """Return the documents of each rank, by score; what was not retrieved comes last.

    Examples
    --------
    >>> counts_of_scores([1, 2, 1], [1, 0, 0])
    [(0, 1), (1, 1)]
    """
    lowest = whole_number("rel, the lowest grade that counts as relevant,", rel)
    if isinstance(scores, Mapping):
        grades = _grades(judgments, lowest)
        pairs = [(score, grades.get(document, 0), document) for document, score in scores.items()]
        missed = [grade for document, grade in grades.items() if document not in scores]
    else:
        pairs, missed = _side_by_side(scores, judgments), []
    groups: defaultdict[Any, list[bool]] = defaultdict(list)
    for score, grade, document in pairs:
        groups[_score(score, document)].append(_grade(grade, document) >= lowest)
    ranks = [_counted(groups[score]) for score in sorted(groups, reverse=True)]
    relevant, nonrelevant = _counted(_grade(grade, "a judged document") >= lowest for grade in missed)
    nonrelevant += _elsewhere(collection, len(pairs) + len(missed))
    return [*ranks, *([(relevant, nonrelevant)] if relevant + nonrelevant else [])]


def counts_of_run(
    run: Sequence[int] | Cells, tied: Sequence[bool] | BoolArray | None = None, rel: int = 1
) -> list[Counts]:
    """Return the documents of each rank of a judged run, down to where nothing stands.

    Examples
    --------
    >>> counts_of_run((1, 0, 2), (False, True, False))
    [(1, 1), (1, 0)]
    """
    lowest = whole_number("rel, the lowest grade that counts as relevant,", rel)
    cells = np.asarray(run)
    if cells.ndim != 1 or (cells.size and cells.dtype.kind not in "iub"):
        raise ParameterError(f"{run!r} is no judged run; write grades such as (1, 0, 2), -1 for unjudged")
    ties = np.zeros(cells.shape, bool) if tied is None else np.asarray(tied, bool)
    if ties.shape != cells.shape:
        raise ParameterError(f"the run has {cells.size} cells, but {ties.size} places say whether they are tied")
    ends = np.flatnonzero(cells == NOTHING)
    length = int(ends[0]) if ends.size else cells.size
    if not length:
        return []
    starts = ~ties[:length]
    starts[0] = True
    first = np.flatnonzero(starts)
    relevant = np.add.reduceat((cells[:length] >= lowest).astype(np.int64), first)
    sizes = np.diff(np.append(first, length))
    return list(zip(relevant.tolist(), (sizes - relevant).tolist(), strict=True))


def _grades(judgments: Mapping[Any, int] | Collection[Any], lowest: int) -> Mapping[Any, int]:
    """Return the grade of each judged document; the members of a set are relevant."""
    if isinstance(judgments, Mapping):
        return judgments
    if isinstance(judgments, Set):
        return dict.fromkeys(judgments, lowest)
    raise ParameterError(
        f"scores by document need the grades by document, or the set of relevant documents, not a "
        f"{type(judgments).__name__}"
    )


def _side_by_side(scores: Sequence[Any], judgments: Any) -> list[tuple[Any, Any, str]]:
    """Return each score with its grade and its place."""
    if isinstance(judgments, Mapping | Set) or not all(hasattr(part, "__len__") for part in (scores, judgments)):
        raise ParameterError("scores in a sequence need a sequence of the grades of the same documents")
    if len(scores) != len(judgments):
        raise ParameterError(f"there are {len(scores)} scores but {len(judgments)} grades; each document has both")
    lists = [part.tolist() if isinstance(part, np.ndarray) else part for part in (scores, judgments)]
    return [(score, grade, f"document {n}") for n, (score, grade) in enumerate(zip(*lists, strict=True), 1)]


def _score(score: Any, document: Any) -> Any:
    if not isinstance(score, Real | Decimal) or score != score:
        raise InputError(f"the score of {document} is {score!r}, which is no number and has no place in an order")
    return score


def _grade(grade: Any, document: Any) -> int:
    if not isinstance(grade, int | np.integer | np.bool_):
        raise InputError(f"the grade of {document} is {grade!r}; grades are whole numbers")
    return int(grade)


def _counted(relevant: Iterable[bool]) -> Counts:
    marks = list(relevant)
    return sum(marks), len(marks) - sum(marks)


def _elsewhere(collection: int | None, known: int) -> int:
    """Return how many documents of the collection were neither retrieved nor judged."""
    if collection is None:
        return 0
    size = whole_number("collection, the number of documents there are,", collection, 0)
    if size < known:
        raise ParameterError(f"a collection of {size} documents is too small for the {known} retrieved or judged ones")
    return size - known


@frozen(repr=False)
class WeakOrder(Result):
    r"""A result of a search: ranks one after another, with documents in no particular order inside a rank.

    A searcher goes through the ranks, and through each rank in random order, until `i` relevant documents are found.
    How many nonrelevant ones are inspected meanwhile is a lottery.

    Parameters
    ----------
    ranks
        Ranks, or pairs of the numbers of relevant and of nonrelevant documents, the best rank first.

    Examples
    --------
    >>> order = WeakOrder.parse("+-|+--|++---")
    >>> order.search_length(2), order.esl(2)
    (Lottery({1: '1/3', 2: '1/3', 3: '1/3'}), Fraction(2, 1))

    References
    ----------
    [BollmannRaghavan1988]_, section 2
    """

    ranks: tuple[Rank, ...] = field(converter=as_ranks)

    @classmethod
    def parse(cls, text: str) -> WeakOrder:
        """Return the weak order that is written with `+` for relevant, `-` for nonrelevant and `|` between ranks.

        Parameters
        ----------
        text
            The ranks, such as `+-|+--|++---`.

        Examples
        --------
        >>> [tuple(rank) for rank in WeakOrder.parse("+- | +-- | ++---").ranks]
        [(1, 1), (1, 2), (2, 3)]
        """
        return cls(parsed(text))

    @classmethod
    def from_scores(
        cls,
        scores: Mapping[Any, Any] | Sequence[Any],
        judgments: Mapping[Any, int] | Collection[Any],
        *,
        rel: int = 1,
        collection: int | None = None,
    ) -> WeakOrder:
        """Return the weak order of documents by score, the highest first; equal scores share a rank.

        Documents that were not retrieved come last, in one rank: those that were judged and, if `collection` is
        given, all others.

        Parameters
        ----------
        scores
            The score of each document that was retrieved.
        judgments
            The grade of each judged document, or the set of the relevant ones. If the scores are a sequence, the
            grades of the same documents in the same order.
        rel
            The lowest grade that counts as relevant. What was not judged is nonrelevant.
        collection
            How many documents there are to search in all.

        Examples
        --------
        >>> print(WeakOrder.from_scores({"a": 2.0, "b": 1.0, "c": 1.0}, {"a": 0, "c": 1, "d": 1}, collection=6))
        -|+-|+--
        >>> print(WeakOrder.from_scores([0.5, 0.7, 0.5], [1, 0, 0]))
        -|+-
        """
        return cls(counts_of_scores(scores, judgments, rel, collection))

    @classmethod
    def from_run(
        cls,
        run: Sequence[int] | Cells,
        tied: Sequence[bool] | BoolArray | None = None,
        *,
        unretrieved: Rank | Counts = (0, 0),
        rel: int = 1,
    ) -> WeakOrder:
        """Return the weak order of one judged run.

        Parameters
        ----------
        run
            Cells, first rank first (see `measurand.judged.grades`): the first code for "no document" ends the
            run; what was not judged is nonrelevant.
        tied
            Where a document ties with the one before it; without it, nothing is tied.
        unretrieved
            How many relevant and how many nonrelevant documents were not retrieved; they share the last rank.
        rel
            The lowest grade that counts as relevant.

        Examples
        --------
        >>> print(WeakOrder.from_run((0, 1, -1, 2, -2), (False, False, True, False, False), unretrieved=(1, 3)))
        -|+-|+|+---
        """
        missed = as_rank(unretrieved, "what was not retrieved")
        return cls([*counts_of_run(run, tied, rel), *([missed] if missed.documents else [])])

    def __str__(self) -> str:
        return "|".join(map(str, self.ranks))

    def __repr__(self) -> str:
        return f"WeakOrder{spelled(tuple((rank.relevant, rank.nonrelevant) for rank in self.ranks))}"

    def document(self) -> Document:
        """Return the ranks, and how many relevant and nonrelevant documents each has."""
        columns = [valued("rank", 0), valued("relevant", 1), valued("nonrelevant", 2)]
        rows = [(place, rank.relevant, rank.nonrelevant) for place, rank in enumerate(self.ranks, 1)]
        size = f"{counted(self.documents, 'document')} in {counted(len(rows), 'rank')}, {self.relevant:,} relevant"
        return Document([TableView(columns, rows, title=size)])

    @property
    def documents(self) -> int:
        """How many documents there are."""
        return self.relevant + self.nonrelevant

    @property
    def relevant(self) -> int:
        """How many of them are relevant."""
        return self._relevant_down_to[-1]

    @property
    def nonrelevant(self) -> int:
        """How many of them are not."""
        return self._nonrelevant_down_to[-1]

    @cached_property
    def _relevant_down_to(self) -> list[int]:
        return list(accumulate(rank.relevant for rank in self.ranks))

    @cached_property
    def _nonrelevant_down_to(self) -> list[int]:
        return list(accumulate(rank.nonrelevant for rank in self.ranks))

    def within(self, i: int) -> tuple[int, NegativeHypergeometric | None]:
        """Return how many nonrelevant documents precede the rank of the i-th relevant one, and the search within it.

        Where fewer than `i` documents are relevant, all nonrelevant ones are seen, and no rank ends the search.

        Parameters
        ----------
        i
            The number of relevant documents that are sought.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").within(3)
        (3, NegativeHypergeometric(relevant=2, nonrelevant=3, sought=1))
        """
        wanted = whole_number("i, how many relevant documents are wanted,", i)
        if wanted > self.relevant:
            return self.nonrelevant, None
        place = bisect_left(self._relevant_down_to, wanted)
        rank = self.ranks[place]
        found = self._relevant_down_to[place] - rank.relevant
        before = self._nonrelevant_down_to[place] - rank.nonrelevant
        return before, NegativeHypergeometric(rank.relevant, rank.nonrelevant, wanted - found)

    def search_length(self, i: int) -> Lottery:
        """Return the lottery of the number of nonrelevant documents before the i-th relevant one.

        If fewer than `i` documents are relevant, every nonrelevant one is inspected for certain.

        Parameters
        ----------
        i
            The number of relevant documents that are sought.

        Examples
        --------
        >>> WeakOrder.parse("-|++---").search_length(1)
        Lottery({1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1})

        Notes
        -----
        Different weak orders can have the same lottery: `+|-` and `+|-|-` both end a search for one document at once.

        References
        ----------
        [BollmannRaghavan1988]_, section 3
        """
        before, search = self.within(i)
        return Lottery.sure(before) if search is None else lottery_of(before, search)

    def esl(self, i: int) -> Fraction:
        r"""Return the expected search length: the mean number of nonrelevant documents before the i-th relevant one.

        .. math:: \mathrm{esl}_i = b + s\, n / (r + 1)

        where the i-th relevant document lies in a rank with r relevant and n nonrelevant documents, b nonrelevant
        ones precede that rank, and it is the s-th relevant one there. If fewer than `i` documents are relevant, all
        nonrelevant ones are inspected.

        Parameters
        ----------
        i
            The number of relevant documents that are sought.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").esl(1)
        Fraction(1, 2)
        >>> WeakOrder.parse("+|-----").esl(2) == WeakOrder.parse("+|-----|+").esl(2) == 5
        True

        References
        ----------
        [BollmannRaghavan1988]_, section 2
        """
        before, search = self.within(i)
        return before + (Fraction(0) if search is None else search.mean)

    def esls(self) -> tuple[Fraction, ...]:
        """Return the expected search lengths for 1, 2, … up to all relevant documents.

        Examples
        --------
        >>> [str(length) for length in WeakOrder.parse("+-|+--|++---").esls()]
        ['1/2', '2', '4', '5']
        """
        starts = [0, *self._nonrelevant_down_to]
        return tuple(
            start + Fraction(s * rank.nonrelevant, rank.relevant + 1)
            for start, rank in zip(starts, self.ranks, strict=False)
            for s in range(1, rank.relevant + 1)
        )

    def variance(self, i: int) -> Fraction:
        """Return the variance of the search length.

        Parameters
        ----------
        i
            The number of relevant documents that are sought.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").variance(2)
        Fraction(2, 3)
        """
        search = self.within(i)[1]
        return Fraction(0) if search is None else search.variance

    def quantile(self, i: int, share: object) -> int:
        """Return the least search length that is not exceeded with probability `share`.

        Parameters
        ----------
        i
            The number of relevant documents that are sought.
        share
            A probability from 0 to 1, read as written.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").quantile(4, "1/2")
        5
        """
        return self.search_length(i).quantile(share)
