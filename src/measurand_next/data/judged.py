"""Judged runs: rankings in which every document has been replaced by the code of its grade."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import evolve, field, frozen

from measurand_next.data.names import Names
from measurand_next.data.qrels import POOLED, Qrels
from measurand_next.data.rows import Value, check_names, first_positions, starts_of, whole_numbers
from measurand_next.errors import Caveat, InputError, ParameterError
from measurand_next.exact import BoolArray, IntArray, fraction
from measurand_next.show.blocks import counted

UNJUDGED = -1
"""The code of a document that nobody judged."""

NOTHING = -2
"""What fills the rectangular view where a ranking has ended; it never stands among the codes."""


def smallest_integers(highest: int) -> type[np.signedinteger[Any]]:
    """The smallest signed type of integers that holds all codes up to the highest."""
    return next(kind for bits, kind in ((7, np.int8), (15, np.int16), (31, np.int32)) if highest < 1 << bits)


@frozen(kw_only=True, eq=False, repr=False)
class JudgedRuns(Value):
    """Grades of the ranked documents of several systems on the same topics.

    There is a ranking for each system and topic. All rankings stand one after another in `codes`: system by system,
    within a system topic by topic, best document first.

    Attributes
    ----------
    systems, topics
        Their names.
    codes
        For each ranked document the number of its grade in `grade_values`, or `UNJUDGED`, or `POOLED`.
    ends
        Where each ranking ends in `codes`.
    grade_values
        What each code is worth, 0 first and ascending: grades 0 to 3 are ``(0, 1, 2, 3)``.
    grade_counts
        How many documents were judged to be of each grade, topics × grades, whether they were retrieved or not.
    tied
        Whether a document has the score of the one before it; None if the order is settled.
    weak
        Whether documents of equal score share their ranks for every measure, rather than for those defined so.
    cut
        The rank that was asked for as the last one; documents of equal score around it stay together.
    skip_missing
        Whether a topic that a system left out is left out of its averages, rather than an empty result.
    documents
        The name of each ranked document, if they were asked for, and then `qrels`, the judgments.
    caveats
        What a reader of numbers from these runs should know.

    Examples
    --------
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 2), (0, 1)], grade_counts=(5, 2, 1))
    >>> judged.grades
    array([[[ 1,  0,  2]],
    <BLANKLINE>
           [[ 0,  1, -2]]], dtype=int8)
    """

    systems: tuple[str, ...]
    topics: tuple[str, ...]
    codes: IntArray = field(converter=whole_numbers)
    ends: IntArray = field(converter=whole_numbers)
    grade_values: tuple[Fraction, ...]
    grade_counts: IntArray = field(converter=np.asarray)
    tied: BoolArray | None = None
    weak: bool = False
    cut: int | None = None
    skip_missing: bool = False
    documents: Names | None = None
    qrels: Qrels | None = None
    caveats: tuple[Caveat, ...] = ()

    def __attrs_post_init__(self) -> None:
        rows = len(self.systems) * len(self.topics)
        if self.ends.shape != (rows,) or (self.ends[-1] if rows else 0) != len(self.codes) or (self.sizes < 0).any():
            raise InputError(f"ends must divide {len(self.codes)} codes into {rows} rankings")
        if self.grade_counts.shape != (len(self.topics), len(self.grade_values)):
            wanted = f"{len(self.topics)} topics × {len(self.grade_values)} grades"
            raise InputError(f"grade_counts must be {wanted}, not {' × '.join(map(str, self.grade_counts.shape))}")
        if self.grade_counts.dtype.kind not in "iu" or (self.grade_counts < 0).any():
            raise InputError("grade_counts must be numbers of documents")
        if (
            not self.grade_values
            or self.grade_values[0] != 0
            or list(self.grade_values) != sorted(set(self.grade_values))
        ):
            raise InputError(f"grade_values must begin with 0 and ascend, not {', '.join(map(str, self.grade_values))}")
        allowed = self.codes.min(initial=0) >= POOLED and self.codes.max(initial=0) < len(self.grade_values)
        if not allowed or (self.codes == NOTHING).any():
            raise InputError(f"codes must be numbers of {len(self.grade_values)} grades, or UNJUDGED, or POOLED")
        check_names("systems", self.systems)
        check_names("topics", self.topics)
        for column in (self.tied, self.documents):
            if column is not None and len(column) != len(self.codes):
                raise InputError(f"{len(column):,} ties or documents do not belong to {len(self.codes):,} codes")
        super().__attrs_post_init__()

    @classmethod
    def on_one_topic(
        cls,
        runs: Sequence[Sequence[int]],
        grade_counts: Sequence[int],
        grade_values: Sequence[Fraction | int] | None = None,
    ) -> JudgedRuns:
        """Runs that are written down as codes, on a topic with so many judged documents of each grade."""
        flat = [code for run in runs for code in run if code != NOTHING]
        return cls(
            systems=tuple(f"run {number}" for number in range(1, len(runs) + 1)),
            topics=("topic",),
            codes=np.array(flat, dtype=smallest_integers(max([len(grade_counts), *flat]))),
            ends=np.cumsum([sum(code != NOTHING for code in run) for run in runs], dtype=np.int64),
            grade_values=tuple(map(fraction, range(len(grade_counts)) if grade_values is None else grade_values)),
            grade_counts=np.array([grade_counts], dtype=np.int64),
        )

    def __repr__(self) -> str:
        systems, topics = counted(len(self.systems), "system"), counted(len(self.topics), "topic")
        return f"<JudgedRuns: {systems} × {topics}, {counted(len(self.codes), 'document')}>"

    @cached_property
    def starts(self) -> IntArray:
        """Where each ranking begins in `codes`."""
        return starts_of(self.ends)

    @cached_property
    def sizes(self) -> IntArray:
        """How many documents each ranking has, with those of a group of equal scores that the last rank cuts."""
        return self.ends - self.starts

    @cached_property
    def lengths(self) -> IntArray:
        """How many ranks each ranking has."""
        return self.sizes if self.cut is None else np.minimum(self.sizes, self.cut)

    @cached_property
    def depth(self) -> int:
        """The last rank: that of the longest ranking, or the one that was asked for."""
        return int(self.sizes.max(initial=0)) if self.cut is None else self.cut

    @cached_property
    def grades(self) -> IntArray:
        """The codes by system, topic and rank: documents without judgments are -1, and -2 is where a ranking ended."""
        table = np.full((len(self.ends), self.depth), NOTHING, dtype=self.codes.dtype)
        shown = self.first(max(self.depth, 1), whole_groups=False)
        table[np.arange(self.depth) < self.lengths[:, None]] = np.where(shown.codes == POOLED, UNJUDGED, shown.codes)
        table.setflags(write=False)
        return table.reshape(len(self.systems), len(self.topics), self.depth)

    @property
    def judged(self) -> BoolArray:
        """Where `grades` has a judged document."""
        return self.grades >= 0

    @property
    def recall_base(self) -> IntArray:
        """How many relevant documents each topic has."""
        relevant: IntArray = self.grade_counts[:, self.code_from() :].sum(axis=1)
        return relevant

    def code_from(self, rel: Fraction | int | None = None) -> int:
        """The first code that counts as relevant: from a grade up, which is usually 1.

        Where there are grades that are not whole, it is usually half of the highest.
        """
        return code_from(self.grade_values, rel)

    def first(self, ranks: int, *, whole_groups: bool = True) -> JudgedRuns:
        """The same rankings down to a rank; where ties are open, a group of equal scores stays whole."""
        if ranks < 1:
            raise ParameterError(f"the last rank is {ranks}, and ranks begin at 1")
        ranks = ranks if self.cut is None else min(ranks, self.cut)
        if ranks >= self.sizes.max(initial=0):
            return self if ranks >= self.depth else evolve(self, cut=ranks)
        positions, sizes = first_positions(self.starts, self.sizes, ranks, self.tied if whole_groups else None)
        return evolve(
            self,
            codes=self.codes[positions],
            ends=np.cumsum(sizes),
            tied=None if self.tied is None else self.tied[positions],
            documents=None if self.documents is None else self.documents.take(positions),
            cut=ranks,
        )

    def condensed(self) -> JudgedRuns:
        """The same rankings without documents that were not judged."""
        judged = self.codes >= 0
        return evolve(
            self,
            codes=self.codes[judged],
            ends=np.concatenate(([0], np.cumsum(judged)))[self.ends],
            tied=None if self.tied is None else self._tied_among(judged),
            documents=None if self.documents is None else self.documents.take(np.flatnonzero(judged)),
        )

    def _tied_among(self, chosen: BoolArray) -> BoolArray:
        """Whether each chosen document has the score of the chosen one before it."""
        assert self.tied is not None
        groups = np.cumsum(~self.tied)[chosen]
        return np.concatenate(([False], groups[1:] == groups[:-1]))[: len(groups)]

    def ideal(self) -> JudgedRuns:
        """The best ranking that each topic allows: all documents above grade 0, best first."""
        from_the_top = self.grade_counts[:, :0:-1]
        codes = np.arange(len(self.grade_values) - 1, 0, -1, dtype=self.codes.dtype)
        return evolve(
            self,
            systems=("ideal",),
            codes=np.repeat(np.tile(codes, len(self.topics)), from_the_top.ravel()),
            ends=np.cumsum(from_the_top.sum(axis=1)),
            tied=None,
            documents=None,
            cut=None,
        )


def code_from(grade_values: Sequence[Fraction], rel: Fraction | int | None = None) -> int:
    """The first code that counts as relevant; by default grade 1, or half of the highest where some are not whole."""
    if rel is None:
        rel = 1 if all(grade.denominator == 1 for grade in grade_values) else grade_values[-1] / 2
    return max(1, sum(grade < rel for grade in grade_values))
