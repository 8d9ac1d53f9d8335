"""The margin of judgments: how many of them would have to be wrong, and which to look at again.

Every topic has a table of how far 1, 2, 3, … changed judgments can lower the difference of the two systems there. How
many changes each topic gets, so that the differences sum to 0 with the fewest in all, is a knapsack over these tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from math import inf, isinf
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict, evolve, field, frozen

from measurand.arrays import FloatArray
from measurand.display.data import plain
from measurand.display.tables import Document
from measurand.display.wording import counted
from measurand.study.margins.additive_regrading import AdditiveTable, largest_first, worth_of
from measurand.study.margins.average_precision_regrading import PrecisionTable, is_average_precision
from measurand.study.margins.first_relevant_regrading import FirstRelevantTable, is_first_relevant
from measurand.study.margins.judgments_list import LISTED, JudgmentsList, listed
from measurand.study.margins.knapsack import fewest
from measurand.study.margins.margin import UNTRUE, How, Margin
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.regrading import CLOSE, Regrading, Step, seen_ranks, tries_all_grades
from measurand.study.margins.regrading_tables import TopicTable, TriedTable
from measurand.study.margins.scaled_regrading import ScaledTable, is_scaled
from measurand.study.margins.significant_regrading import fewest_for_significance

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

ROUNDS = 30
"""Tables are made longer so many times at most, where the changes that were found need their last entries."""

REFINED = 16
"""Bounds are made tighter so many times at most."""

UNKNOWN = 256
"""Where no changes are known that overturn a claim, bounds go up to so many."""


@frozen(kw_only=True, eq=False, repr=False)
class JudgmentsMargin(Margin):
    """The smallest number of judgments whose grades must change to overturn a conclusion.

    Parameters
    ----------
    of : int
        How many judgments there are of documents that one of the systems returned within the ranks that the measure
        sees. Where the number of relevant documents plays a part, other judgments may have to change as well. The
        highest grade of the campaign stays what it is, even if no document has it any more. 0 where documents are
        not looked at one by one.
    list : JudgmentsList
        The judgments that matter most.
    """

    of: int
    list: JudgmentsList = field()

    def document(self) -> Document:
        """Return what the margin says, and the judgments that matter most."""
        return Document([self.sentence, self.list.view] if len(self.list) else [self.sentence])

    def to_dict(self) -> dict[str, Any]:
        """Return the margin and its list, ready for JSON."""
        changes = () if self.certificate is None else self.certificate.changes
        return {
            **Margin.to_dict(self),
            "of": self.of,
            "certificate": [asdict(change) for change in changes],
            "list": plain(self.list.view.data),
        }


@frozen
class _Found:
    """Changes that overturn a claim, if any were found, and how many it takes at least."""

    steps: tuple[Step, ...] | None
    at_least: float
    """Infinite where nothing overturns it."""


def judgments_margin(pair: ComparedPair, documents: PairDocuments, *, top: int = LISTED) -> JudgmentsMargin:
    """Return the smallest number of judgments whose grades must change to overturn a claim.

    Each judgment may be given any grade from 0 to the highest that was given; of more than 16 grades these two alone
    are tried. Under a sum of discounts times gains
    every change counts for itself, so that the number is exact; under other measures it is exact where all sets of
    changes that matter were looked at, or where a bound shows that fewer do not suffice.

    Parameters
    ----------
    pair
        The two systems, and what is claimed of them.
    documents
        Their documents.
    top
        So many judgments are listed, those with the largest effect first.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.documents import pair_documents
    >>> from measurand.study.margins.pair import compared_pair
    >>> pair = compared_pair(JudgedRuns.on_one_topic([(1, 1, 0), (-1, -1, -1)], (5, 2)), "P@3", "s0", "s1")
    >>> margin = judgments_margin(pair, pair_documents(pair))
    >>> print(margin)
    2 of 3 judgments would have to be wrong
    >>> str(margin.certificate.changes[0]), margin.certificate.overturns()
    ('topic t, a document (ranks 1 and –): 1 → 0', True)
    """
    of = _judgments(documents)
    if not pair.holds:
        nothing = Regrading.of(documents, ())
        said = UNTRUE
        shown = JudgmentsList((), pair.ahead, pair.behind)
        return JudgmentsMargin(
            value=0, how=How.EXACT, sentence=said, certificate=nothing, at_least=0, of=of, list=shown
        )
    if documents.not_looked_at is not None:
        shown = JudgmentsList((), pair.ahead, pair.behind)
        return JudgmentsMargin(value=None, how=How.NONE, sentence=documents.not_looked_at, of=of, list=shown)
    tables = tables_of(documents)
    found = _for_order(documents, tables)
    if pair.claim is Claimed.SIGNIFICANT:
        found = _Found(*fewest_for_significance(documents, tables, found.steps))
    if not tries_all_grades(documents):
        found = evolve(found, at_least=1)
    certificate = None if found.steps is None else Regrading.of(documents, found.steps)
    return _margin(of, certificate, found, listed(documents, tables, found.steps or (), top))


def _margin(of: int, certificate: Regrading | None, found: _Found, shown: JudgmentsList) -> JudgmentsMargin:
    value = inf if certificate is None else len(certificate)
    at_least = min(found.at_least, value)
    how = How.EXACT if at_least == value else How.AT_MOST
    return JudgmentsMargin(
        value=value,
        how=how,
        sentence=_sentence(value, how, at_least, of, 0 if certificate is None else certificate.outside),
        certificate=certificate,
        at_least=at_least,
        of=of,
        list=shown,
    )


def _sentence(value: float, how: How, at_least: float, of: int, outside: int) -> str:
    judgments = counted(of, "judgment")
    if isinf(value) and how is How.EXACT:
        return f"no change of the {judgments} overturns it"
    if isinf(value):
        return f"no change of the {judgments} was found that overturns it; it takes {at_least:,} at least"
    most = "" if how is How.EXACT else "at most "
    if outside:
        which = "all" if outside == value else f"{outside:,}"
        whose = f"{which} of them of documents that neither system returned"
        return f"{most}{counted(int(value), 'judgment')} would have to be wrong, {whose}"
    return f"{most}{value:,} of {judgments} would have to be wrong"


def _judgments(documents: PairDocuments) -> int:
    """Return how many judgments there are of documents that a measure sees."""
    return sum(
        int(np.count_nonzero((here.cells >= 0) & (seen_ranks(documents, topic) > 0).any(axis=0)))
        for topic, here in enumerate(documents.topics)
    )


def tables_of(documents: PairDocuments) -> list[TopicTable]:
    """Return for every topic what so many changes of judgments can do.

    Parameters
    ----------
    documents
        The documents of two systems.
    """
    topics = range(len(documents.topics))
    worth = worth_of(documents)
    if worth is not None:
        return [AdditiveTable(documents, topic, worth) for topic in topics]
    made = next((table for table, fits in _TABLES if fits(documents)), TriedTable)
    return [made(documents, topic) for topic in topics]


_TABLES: tuple[tuple[Callable[[PairDocuments, int], TopicTable], Callable[[PairDocuments], bool]], ...] = (
    (ScaledTable, is_scaled),
    (FirstRelevantTable, is_first_relevant),
    (PrecisionTable, is_average_precision),
)
"""Tables of measures of which more is known than their values."""


def _for_order(documents: PairDocuments, tables: Sequence[TopicTable]) -> _Found:
    """Return the fewest changes that were found to overturn the order of two means, and how many it takes at least."""
    pair = documents.pair
    need = float(pair.differences.sum())
    exact_need = None if pair.exact_differences is None else sum(pair.exact_differences, Fraction(0))
    if exact_need is None:
        need -= pair.tolerance * len(pair.topics)
    additive = [table for table in tables if isinstance(table, AdditiveTable)]
    if len(additive) == len(tables):
        taken = largest_first(additive, need, exact_need)
        if taken is None:
            return _Found(None, inf)
        chosen = [[move for place, move in taken if place == topic] for topic in range(len(tables))]
        steps = _steps(table.moves.steps(moves) for table, moves in zip(tables, chosen, strict=True))
        return _Found(steps if Regrading.of(documents, steps).overturns() else None, len(taken))
    close = CLOSE * len(pair.topics) * max(1.0, float(np.abs(pair.goodness).max(initial=0)))
    return _by_tables(documents, tables, need, close)


def _steps(parts: Iterable[Sequence[Step]]) -> tuple[Step, ...]:
    """Return the changes of all topics."""
    return tuple(step for part in parts for step in part)


def _by_tables(documents: PairDocuments, tables: Sequence[TopicTable], need: float, close: float) -> _Found:
    """Return the fewest changes by tables of topics; floats propose, and exact numbers decide where there are any."""
    shares = _grown(tables, need - close)
    at_least = _at_least(tables, need - close, None if shares is None else sum(shares))
    # tables may have learned more while they were bounded
    for wanted in (need - close, need + close):
        shares = _grown(tables, wanted)
        if shares is None:
            break
        steps = _steps(table.steps(share) for table, share in zip(tables, shares, strict=True))
        if Regrading.of(documents, steps).overturns():
            return _Found(steps, at_least)
    return _Found(None, at_least)


def _grown(tables: Sequence[TopicTable], need: float) -> list[int] | None:
    """Return how many changes each topic gets; tables are made longer as far as that may help."""
    found = _fewest(tables, need)
    if found is None:
        for table in tables:
            while table.looked < table.stride and table.grow():
                pass
        found = _fewest(tables, need)
    found = None if found is None else _longer(tables, found, need)
    if found is None or any(share > table.complete for table, share in zip(tables, found, strict=True)):
        for table in tables:
            table.leap_once()
        found = _fewest(tables, need)
        found = None if found is None else _longer(tables, found, need)
    return found


def _fewest(tables: Sequence[TopicTable], need: float) -> list[int] | None:
    """Return how many changes each topic gets where the fewest suffice, as far as tables know; None if none do."""
    found = fewest([np.array(table.falls) for table in tables], need)
    return None if found is None else found[1]


def _longer(tables: Sequence[TopicTable], shares: list[int], need: float) -> list[int]:
    """Return shares once no table that is used to its end can be made longer."""
    for _ in range(ROUNDS):
        used = [table for table, share in zip(tables, shares, strict=True) if share and share >= table.looked]
        if not sum(table.grow() for table in used):
            break
        shares = _fewest(tables, need) or shares
    return shares


def _at_least(tables: Sequence[TopicTable], need: float, most: int | None) -> float:
    """Return how many changes it takes at least; infinitely many where nothing overturns the claim."""
    sizes = [table.moves.judgments for table in tables]
    cap = min(sum(sizes), UNKNOWN if most is None else most)
    at_least = 0
    for _ in range(REFINED):
        if sum(table.limit for table in tables) < need:
            return inf
        bounds = [_bounds(table, min(size, cap)) for table, size in zip(tables, sizes, strict=True)]
        found = fewest(bounds, need, cap)
        if found is None:
            return cap + 1 if cap < sum(sizes) else inf
        at_least = found[0]
        loose = [
            (table, share)
            for table, bound, share in zip(tables, bounds, found[1], strict=True)
            if share and bound[share] > table.falls[min(share, len(table.falls) - 1)] + 2 * CLOSE
        ]
        if at_least == most or not sum(table.refine(share) for table, share in loose):
            break
    return at_least


def _bounds(table: TopicTable, most: int) -> FloatArray:
    """Return what no changes of a topic exceed, for every number of them."""
    return np.maximum.accumulate([table.bound(number) for number in range(most + 1)])
