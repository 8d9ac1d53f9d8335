"""The judgments that matter most to a conclusion, as a list for assessors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from attrs import asdict, evolve, frozen

from measurand.display.result import Result
from measurand.display.tables import Document, TableView, valued
from measurand.display.wording import counted
from measurand.study.margins.regrading import (
    CLOSE,
    OUTSIDE,
    Change,
    Step,
    changes_of,
    changes_view,
    effect_columns,
    seen_ranks,
)
from measurand.study.margins.regrading_tables import TopicTable

if TYPE_CHECKING:
    from measurand.study.margins.documents import PairDocuments

FIELDS: Mapping[str, type] = {
    **dict.fromkeys(("topic", "document"), str),
    **dict.fromkeys(("rank_ahead", "rank_behind", "grade", "other_grade"), int),
    "effect": float,
    "in_certificate": bool,
    "alike": int,
}
"""What a frame of judgments has."""

LISTED = 20
"""So many judgments are listed, those that matter most."""


@frozen
class ListedJudgment(Change):
    """A judgment to look at again.

    Parameters
    ----------
    effect
        By how much the mean difference changes if it alone has the other grade; negative where the lead shrinks.
    in_certificate
        Whether it is among the judgments whose change is shown to overturn the conclusion.
    alike
        How many judgments of the topic are interchangeable with it: documents of one grade that neither system
        returned within the ranks that the measure sees.
    """

    effect: float
    in_certificate: bool
    alike: int = 1


@frozen(eq=False, repr=False)
class JudgmentsList(Result):
    """The judgments that matter most to a conclusion, those with the largest effect first.

    Parameters
    ----------
    judgments : tuple of ListedJudgment
        The judgments.
    ahead, behind : str
        The names of the two systems.
    """

    judgments: tuple[ListedJudgment, ...]
    ahead: str
    behind: str

    def __len__(self) -> int:
        return len(self.judgments)

    @property
    def view(self) -> TableView:
        """The judgments, a row each."""
        title = f"{counted(len(self), 'judgment')} to look at again: {self.ahead} against {self.behind}"
        more = (*effect_columns(), valued("alike", lambda row: row.alike, dispensable=1))
        view = changes_view(self.judgments, self.ahead, self.behind, title, *more)
        about = "effect: of the other grade alone on the mean difference"
        return evolve(view, about=about, fields=FIELDS, records=[asdict(row) for row in self.judgments])

    def document(self) -> Document:
        """Return the judgments, a row each."""
        return Document([self.view])


@frozen
class _Candidate:
    """A change of one judgment, and what it does."""

    step: Step
    fall: float
    marked: bool
    alike: int


def listed(
    documents: PairDocuments, tables: Sequence[TopicTable], certificate: Sequence[Step], top: int
) -> JudgmentsList:
    """Return the judgments with the largest effects; among equal ones those of a certificate come first.

    Parameters
    ----------
    documents
        The documents of two systems.
    tables
        What changes do, topic by topic.
    certificate
        The changes that are shown to overturn a claim.
    top
        So many judgments are listed.
    """
    marked = {(step.topic, step.document, step.old): step.new for step in certificate}
    found = [each for table in tables for each in _candidates(documents, table, marked, top)]
    found.sort(key=lambda each: (-round(each.fall / CLOSE), not each.marked, each.step.topic))
    chosen = found[:top]
    changes = changes_of(documents, [each.step for each in chosen])
    rows = [
        ListedJudgment(**asdict(change), effect=-each.fall / len(tables), in_certificate=each.marked, alike=each.alike)
        for change, each in zip(changes, chosen, strict=True)
    ]
    return JudgmentsList(tuple(rows), documents.pair.ahead, documents.pair.behind)


def _candidates(
    documents: PairDocuments, table: TopicTable, marked: Mapping[tuple[int, int, int], int], top: int
) -> list[_Candidate]:
    """Return the changes of a topic with the largest effects: for each judgment the one that does the most.

    Those of the certificate have the grade that it gives them.
    """
    moves, falls = table.moves, table.singles
    seen = np.any(seen_ranks(documents, moves.topic) > 0, axis=0)
    ordered = np.argsort(-falls, kind="stable")
    ordered = ordered[falls[ordered] > CLOSE]
    _, first = np.unique(moves.kinds[ordered], return_index=True)
    best = ordered[np.sort(first)]
    if len(best) > top:
        # as many as are wanted, and all that are level with the last
        best = best[falls[best] >= falls[best[top - 1]] - CLOSE] if top > 0 else best[:0]
    found = []
    for move in best.tolist():
        start, room = int(moves.starts[moves.kinds[move]]), int(moves.room[moves.kinds[move]])
        places = moves.members[start : start + room].tolist()
        alike = 1
        if places[-1] == OUTSIDE or not seen[places[-1]]:
            places, alike = places[-1:], room
        for place in places:
            given = marked.get((moves.topic, place, int(moves.olds[move])))
            same = np.flatnonzero((moves.kinds == moves.kinds[move]) & (moves.news == given))
            chosen = move if given is None or not len(same) else int(same[0])
            step = Step(moves.topic, place, int(moves.olds[move]), int(moves.news[chosen]))
            found.append(_Candidate(step, float(falls[chosen]), given is not None, alike))
    return found
