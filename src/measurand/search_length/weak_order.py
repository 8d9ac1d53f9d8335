"""Weak orders: results of a search in which documents may share a rank."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from attrs import field, frozen

from measurand.arrays import BoolArray, Cells
from measurand.exact import whole_number
from measurand.search_length.long_lottery import lottery_of
from measurand.search_length.lottery import Lottery
from measurand.search_length.rank import Counts, Rank, as_rank, as_ranks, parsed, spelled
from measurand.search_length.sources import counts_of_run, counts_of_scores
from measurand.search_length.within_rank import WithinRank


@frozen(repr=False)
class WeakOrder:
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
            Cells, first rank first (see `measurand.judged.grades`): the first that says that nothing is there ends the
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

    def within(self, i: int) -> tuple[int, WithinRank | None]:
        """Return how many nonrelevant documents precede the rank of the i-th relevant one, and the search within it.

        Where fewer than `i` documents are relevant, all nonrelevant ones are seen, and no rank ends the search.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").within(3)
        (3, WithinRank(relevant=2, nonrelevant=3, sought=1))
        """
        wanted = whole_number("i, how many relevant documents are wanted,", i)
        if wanted > self.relevant:
            return self.nonrelevant, None
        place = bisect_left(self._relevant_down_to, wanted)
        rank = self.ranks[place]
        found = self._relevant_down_to[place] - rank.relevant
        before = self._nonrelevant_down_to[place] - rank.nonrelevant
        return before, WithinRank(rank.relevant, rank.nonrelevant, wanted - found)

    def search_length(self, i: int) -> Lottery:
        """Return the lottery of how many nonrelevant documents are inspected before the i-th relevant one.

        If fewer than `i` documents are relevant, every nonrelevant one is inspected for certain.

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

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").variance(2)
        Fraction(2, 3)
        """
        search = self.within(i)[1]
        return Fraction(0) if search is None else search.variance

    def quantile(self, i: int, share: object) -> int:
        """Return the least search length that is not exceeded with probability `share`.

        Examples
        --------
        >>> WeakOrder.parse("+-|+--|++---").quantile(4, "1/2")
        5
        """
        return self.search_length(i).quantile(share)
