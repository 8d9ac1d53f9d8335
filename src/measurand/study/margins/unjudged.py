"""The margin of unjudged documents: what their grades can do to a conclusion, and which to assess first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import inf, isinf
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import asdict, evolve, field, frozen

from measurand.arrays import Cells, IntArray
from measurand.display.data import finite, plain
from measurand.display.result import Result
from measurand.display.tables import Document, TableView
from measurand.display.wording import counted
from measurand.study.margins.assumed_grades import Convention, as_convention
from measurand.study.margins.knapsack import fewest
from measurand.study.margins.margin import UNTRUE, How, Margin
from measurand.study.margins.pair import Claimed, ComparedPair
from measurand.study.margins.regrading import effect_columns, place_columns
from measurand.study.margins.unjudged_topics import TopicExtremes, TopicFalls, UnjudgedTopics

if TYPE_CHECKING:
    from measurand.judged import JudgedRuns
    from measurand.study.margins.documents import PairDocuments

FIELDS: Mapping[str, type] = {
    **dict.fromkeys(("topic", "document"), str),
    **dict.fromkeys(("rank_ahead", "rank_behind"), int),
    "effect": float,
    "in_certificate": bool,
}
"""What a frame of unjudged documents has."""

LISTED = 20
"""So many documents are shown to people; programs get all."""

STEPS = 256
"""So many documents are given the highest grade, one after the other, to overturn a claim of significance."""

CLOSE = 1e-12
"""Sums that are closer than that, for each topic, are told apart by exact numbers."""


@frozen
class UnjudgedDocument:
    """An unjudged document.

    Parameters
    ----------
    topic, document
        Their names; None for a document whose name was not kept.
    rank_ahead, rank_behind
        Where the better system and the other returned it; None where a system did not.
    effect
        By how much the mean difference changes if it has the highest grade, and other unjudged documents grade 0.
    in_certificate
        Whether it has a grade above 0 among those that are shown to overturn the conclusion.
    """

    topic: str
    document: str | None
    rank_ahead: int | None
    rank_behind: int | None
    effect: float
    in_certificate: bool


@frozen(eq=False, repr=False)
class UnjudgedList(Result):
    """Unjudged documents, those first whose relevance would speak most against a conclusion.

    Parameters
    ----------
    documents : tuple of UnjudgedDocument
        The documents.
    ahead, behind : str
        The names of the two systems.
    """

    documents: tuple[UnjudgedDocument, ...]
    ahead: str
    behind: str

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def view(self) -> TableView:
        """The documents, a row each."""
        columns = (*place_columns(self.ahead, self.behind), *effect_columns())
        title = f"{counted(len(self), 'unjudged document')} to assess: {self.ahead} against {self.behind}"
        about = "effect: of the highest grade of this document alone on the mean difference"
        records = [asdict(row) for row in self.documents]
        return TableView(columns, self.documents, title=title, about=about, fields=FIELDS, records=records)

    def document(self) -> Document:
        """Return the documents, a row each."""
        return Document([self.view])


@frozen(eq=False, repr=False)
class AssumedGrades(Result):
    """Grades of all unjudged documents that overturn a conclusion.

    Parameters
    ----------
    grades
        For the place of a topic the grades of documents by their places, of every unjudged document that the measure
        sees.
    convention
        What the ideal ranking and the recall base hold.
    """

    grades: Mapping[int, Mapping[int, int]]
    convention: Convention
    _documents: Any

    def __len__(self) -> int:
        return sum(grade > 0 for here in self.grades.values() for grade in here.values())

    def named(self) -> list[tuple[str, str | None, int | Fraction]]:
        """Return topic, name and grade of the documents with a grade above 0; None where the name was not kept."""
        pair = self._documents.pair
        return [
            (pair.topics[topic], self._documents.name(topic, place), pair.judged.grade_of(grade))
            for topic, here in self.grades.items()
            for place, grade in here.items()
            if grade
        ]

    def apply(self) -> JudgedRuns:
        """Return the judged runs of both systems, the better first, with these grades."""
        grown = self.convention is Convention.GROWN
        changed: JudgedRuns = self._documents.changed(self.grades, counted=grown)
        return changed

    def overturns(self) -> bool:
        """Return whether the conclusion is untrue once the grades are applied: all values are computed anew."""
        pair, changed = self._documents.pair, self.apply()
        return not evolve(pair, judged=changed, scores=pair.measure.scores(changed)).holds

    def document(self) -> Document:
        """Return how many documents have a grade above 0."""
        return Document([f"{counted(len(self), 'unjudged document')} with a grade above 0, all others with grade 0"])


@frozen(kw_only=True, eq=False, repr=False)
class UnjudgedMargin(Margin):
    """How many unjudged documents must have the highest grade to overturn a conclusion, and what their grades can do.

    The others have grade 0. Where only lower grades overturn it, the number is that of documents with any such grade.

    Parameters
    ----------
    low, high : float
        The lowest and the highest mean difference, better system less other, over all grades of unjudged documents.
    reached : bool
        Whether some grades lead to these; if not, the mean difference is certain to lie between them.
    overturns : bool or None
        Whether some grades of unjudged documents overturn the conclusion; None if that is not known.
    documents : int
        How many unjudged documents there are within the ranks that the measure sees, one in both runs once.
    convention : Convention
        What the ideal ranking and the recall base hold.
    """

    low: float
    high: float
    reached: bool
    overturns: bool | None
    documents: int
    convention: Convention
    _topics: UnjudgedTopics = field()

    @property
    def proof(self) -> bool:
        """Whether it is certain that no grades of unjudged documents overturn the conclusion."""
        return self.overturns is False

    @property
    def list(self) -> UnjudgedList:
        """All unjudged documents, those to assess first."""
        return self.to_assess()

    def to_assess(self, top: int | None = None) -> UnjudgedList:
        """Return the unjudged documents, those first whose relevance would speak most against the conclusion.

        Parameters
        ----------
        top
            So many at most; by default all.
        """
        pair = self._topics.documents.pair
        taken = {} if self.certificate is None else self.certificate.grades
        opened = self._topics.open
        places, topics = np.concatenate([[], *opened]), np.repeat(np.arange(len(opened)), list(map(len, opened)))
        found = [self._topics.effects(topic) for topic, here in enumerate(opened) if len(here)]
        effects = np.concatenate([[], *found]) / max(1, len(pair.topics))
        rows = np.lexsort((places, topics, effects))[:top]
        columns = (effects[rows].tolist(), topics[rows].tolist(), places[rows].astype(np.int64).tolist())
        listed = tuple(
            self._listed(effect, topic, place, taken.get(topic, {}).get(place, 0) > 0)
            for effect, topic, place in zip(*columns, strict=True)
        )
        return UnjudgedList(listed, pair.ahead, pair.behind)

    def _listed(self, effect: float, topic: int, place: int, in_certificate: bool) -> UnjudgedDocument:
        documents = self._topics.documents
        first, second = documents.topics[topic].ranks[:, place].tolist()
        name = documents.name(topic, place)
        return UnjudgedDocument(
            documents.pair.topics[topic], name, first or None, second or None, effect, in_certificate
        )

    @property
    def _named(self) -> Sequence[tuple[str, str | None, int | Fraction]]:
        """Topic, name and grade of the documents of the certificate with a grade above 0."""
        return () if self.certificate is None else self.certificate.named()

    @property
    def range(self) -> str:
        """Between what the mean difference lies, in a sentence."""
        if isinf(self.low) or isinf(self.high):
            return "Nothing is known that bounds the mean difference, whatever their grades."
        sure = "" if self.reached else " at most"
        return f"The mean difference is from {self.low:.4f} to {self.high:.4f}{sure}, whatever their grades."

    def document(self) -> Document:
        """Return what the margin says, what the difference can be, and the documents to assess first."""
        if not self.documents:
            return Document([self.sentence])
        assumed = self.convention.words
        parts = [self.sentence, self.range, *([f"Here {assumed}."] if depends_on_pool(self._topics) else [])]
        return Document([*parts, self.to_assess(LISTED).view])

    def _main(self) -> TableView:
        return self.to_assess().view

    def to_dict(self) -> dict[str, Any]:
        """Return the margin and the documents to assess first, ready for JSON."""
        return {
            **Margin.to_dict(self),
            "low": finite(self.low),
            "high": finite(self.high),
            "bounds": "exact" if self.reached else "certified",
            "overturns": self.overturns,
            "documents": self.documents,
            "convention": str(self.convention),
            "certificate": [
                dict(zip(("topic", "document", "grade"), plain(each), strict=True)) for each in self._named
            ],
            "list": plain(self.to_assess(LISTED).view.data),
        }


def depends_on_pool(topics: UnjudgedTopics) -> bool:
    """Return whether values depend on what the ideal ranking or the recall base holds.

    Parameters
    ----------
    topics
        The unjudged documents of two systems under a measure.
    """
    return topics.measure.uses_recall_base or topics.measure.needs_grade_counts


def unjudged_margin(
    pair: ComparedPair, documents: PairDocuments, *, convention: str = Convention.GROWN
) -> UnjudgedMargin:
    """Return what the grades of unjudged documents can do to a claim.

    Every unjudged document that one of the systems returned within the ranks that the measure sees may have any grade,
    from 0 to the highest of the collection; one that both returned has the same grade in both runs.

    Parameters
    ----------
    pair
        The two systems, and what is claimed of them.
    documents
        Their documents.
    convention
        "grown": the ideal ranking and the recall base grow by what is assumed to be relevant; "known": they hold judged
        documents alone.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.margins.documents import pair_documents
    >>> from measurand.study.margins.pair import compared_pair
    >>> pair = compared_pair(JudgedRuns.on_one_topic([(1, 1, 0), (-1, -1, -1)], (5, 2)), "P@3", "s0", "s1")
    >>> margin = unjudged_margin(pair, pair_documents(pair))
    >>> print(margin)
    holds unless 2 of the 3 unjudged documents in the first 3 ranks are relevant
    >>> round(margin.low, 4), round(margin.high, 4), margin.certificate.overturns()
    (-0.3333, 0.6667, True)
    """
    topics = UnjudgedTopics(documents, as_convention(convention))
    if documents.not_looked_at is not None and pair.holds:
        return _not_looked_for(topics, documents.not_looked_at)
    if not topics.number or not pair.holds:
        return _trivial(topics)
    return _Weighing(topics, [topics.extremes(topic) for topic in range(len(topics.open))]).margin()


def _not_looked_for(topics: UnjudgedTopics, why: str) -> UnjudgedMargin:
    return UnjudgedMargin(
        value=None,
        how=How.NONE,
        sentence=why,
        low=-inf,
        high=inf,
        reached=False,
        overturns=None,
        documents=0,
        convention=topics.convention,
        topics=topics,
    )


def _trivial(topics: UnjudgedTopics) -> UnjudgedMargin:
    """Return the margin where there is no unjudged document, or nothing to overturn."""
    pair, number = topics.documents.pair, topics.number
    extremes = [topics.extremes(topic) for topic in range(len(topics.open))] if number else []
    now = float(pair.differences.mean()) if pair.topics else 0.0
    sentence = f"there is no unjudged document {topics.where}"
    if not pair.holds:
        sentence = UNTRUE
    return UnjudgedMargin(
        value=inf if pair.holds else 0,
        how=How.EXACT,
        sentence=sentence,
        at_least=inf if pair.holds else 0,
        low=_mean(each.low for each in extremes) if extremes else now,
        high=_mean(each.high for each in extremes) if extremes else now,
        reached=all(each.exact for each in extremes),
        overturns=not pair.holds,
        documents=number,
        convention=topics.convention,
        topics=topics,
    )


def _mean(values: Any) -> float:
    found = list(values)
    return float(sum(found) / len(found))


@frozen(eq=False, slots=False)
class _Weighing:
    """What the topics can do together.

    Parameters
    ----------
    topics
        The unjudged documents.
    extremes
        The lowest and the highest difference of each topic.
    """

    topics: UnjudgedTopics
    extremes: Sequence[TopicExtremes]

    @cached_property
    def falls(self) -> list[TopicFalls]:
        """How far the difference on each topic falls if so many documents have the highest grade."""
        return [self.topics.falls(topic) for topic in range(len(self.topics.open))]

    @property
    def pair(self) -> ComparedPair:
        """The two systems, and what is claimed of them."""
        return self.topics.documents.pair

    @property
    def close(self) -> float:
        """What sums may differ by because of rounding."""
        largest = max(1.0, float(np.abs(self.pair.goodness).max(initial=0)))
        return CLOSE * len(self.topics.open) * largest

    def margin(self) -> UnjudgedMargin:
        """Return the margin."""
        certificate, at_least, overturns = self._found()
        value = inf if certificate is None else len(certificate)
        how = How.EXACT if at_least == value else How.AT_MOST
        only_top = certificate is None or self._only_top(certificate)
        return UnjudgedMargin(
            value=value,
            how=how,
            sentence=self._sentence(value, how, overturns=overturns, only_top=only_top),
            certificate=certificate,
            at_least=at_least,
            low=_mean(each.low for each in self.extremes),
            high=_mean(each.high for each in self.extremes),
            reached=all(each.exact for each in self.extremes),
            overturns=overturns,
            documents=self.topics.number,
            convention=self.topics.convention,
            topics=self.topics,
        )

    def _found(self) -> tuple[AssumedGrades | None, float, bool | None]:
        """Return grades that overturn the claim, how many it takes at least, and whether any grades do."""
        if self._is_safe:
            return None, inf, False
        significance = self.pair.claim is Claimed.SIGNIFICANT
        certificate, at_least = self._for_order()
        if significance:
            # level means are not significant, so that it never takes more than for the order
            found, at_least = self._for_significance()
            several = [each for each in (found, certificate) if each is not None]
            certificate = min(several, key=len, default=None)
        if certificate is not None:
            return certificate, at_least, True
        certificate = self._lower_grades()
        if certificate is not None:
            return certificate, min(1, len(certificate)), True
        return None, 1, None

    @cached_property
    def _is_safe(self) -> bool:
        """Whether it is certain that no grades overturn the claim."""
        if self.pair.claim is Claimed.SIGNIFICANT:
            # nothing that the grades can do changes a difference
            now = self.pair.differences
            return all(each.low == each.high == now[topic] for topic, each in enumerate(self.extremes))
        least = sum(each.low for each in self.extremes)
        if least > max(self.close, self.pair.tolerance * len(self.extremes)):
            return True
        # too close to call in floats: the grades themselves decide
        exact = all(each.exact for each in self.extremes)
        return exact and not self._certificate([each.lowest for each in self.extremes]).overturns()

    def _certificate(self, assigned: Sequence[Cells]) -> AssumedGrades:
        """Return grades of the unjudged documents of all topics."""
        grades = {
            topic: dict(zip(places.tolist(), given.tolist(), strict=True))
            for topic, (places, given) in enumerate(zip(self.topics.open, assigned, strict=True))
            if len(places)
        }
        return AssumedGrades(grades, self.topics.convention, self.topics.documents)

    def _with_top(self, sets: Sequence[IntArray]) -> AssumedGrades:
        return self._certificate([self.topics.with_top(topic, chosen) for topic, chosen in enumerate(sets)])

    def _only_top(self, certificate: AssumedGrades) -> bool:
        return all(grade in (0, self.topics.top) for here in certificate.grades.values() for grade in here.values())

    def _for_order(self) -> tuple[AssumedGrades | None, float]:
        """Return the fewest documents of the highest grade that overturn the order, and how many it takes at least."""
        tables = [each.falls for each in self.falls]
        need = float(self.topics.zero.sum())
        if self.pair.exact is None:
            need -= self.pair.tolerance * len(tables)
        complete = all(each.complete for each in self.falls)
        at_least = inf if complete else float(need > 0)
        for slack in (-self.close, 0.0, self.close):
            found = fewest(tables, need + slack)
            if found is None:
                break
            at_least = min(at_least, found[0]) if complete else at_least
            certificate = self._with_top([each.sets[share] for each, share in zip(self.falls, found[1], strict=True)])
            if certificate.overturns():
                return certificate, at_least if complete else min(at_least, len(certificate))
        return None, at_least

    def _lower_grades(self) -> AssumedGrades | None:
        """Return grades that overturn the claim, not all of them the highest or 0, if they were found."""
        certificate = self._certificate([each.lowest for each in self.extremes])
        return certificate if certificate.overturns() else None

    def _for_significance(self) -> tuple[AssumedGrades | None, float]:
        """Return documents of the highest grade that overturn a claim of significance, the largest falls first."""
        shares = [0] * len(self.falls)
        zeros = [self.topics.zeros(topic) for topic in range(len(shares))]
        goodness = np.stack([self.topics.goodness(topic, zero[None])[0] for topic, zero in enumerate(zeros)], axis=1)
        for step in range(STEPS + 1):
            if self.pair.overturned(goodness):
                chosen = [each.sets[share] for each, share in zip(self.falls, shares, strict=True)]
                certificate = self._with_top(chosen)
                if certificate.overturns():
                    return certificate, min(1, len(certificate))
            topic = self._steepest(shares)
            if topic is None or step == STEPS:
                break
            shares[topic] += 1
            given = self.topics.with_top(topic, self.falls[topic].sets[shares[topic]])
            goodness[:, topic] = self.topics.goodness(topic, given[None])[0]
        return None, 1

    def _steepest(self, shares: Sequence[int]) -> int | None:
        """Return the topic on which one more document lowers the difference most; None if none does."""
        best, most = None, 0.0
        for topic, (each, share) in enumerate(zip(self.falls, shares, strict=True)):
            if share + 1 < len(each.falls) and each.falls[share + 1] - each.falls[share] > most:
                best, most = topic, float(each.falls[share + 1] - each.falls[share])
        return best

    def _sentence(self, value: float, how: How, *, overturns: bool | None, only_top: bool) -> str:
        """Return what the margin says."""
        number = self.topics.number
        every = f"the {counted(number, 'unjudged document')} {self.topics.where}"
        if overturns is False:
            one = f"no grade of the one unjudged document {self.topics.where} changes it"
            return f"no grades of {every} change it" if number > 1 else one
        if value == inf:
            return f"no grades of {every} were found that change it"
        if value == 0:
            return f"fails even if {every} {'is' if number == 1 else 'are'} not relevant"
        if not only_top:
            return f"fails for some grades of {every}"
        some = f"{int(value):,} of {every}" if number > 1 else f"the one unjudged document {self.topics.where}"
        several = value > 1
        relevant = f"{'are' if several else 'is'} relevant"
        if self._binary and how is How.EXACT:
            return f"holds unless {some} {relevant}"
        highest = f"{'have' if several else 'has'} the highest grade"
        fewer = ("; fewer are not enough" if how is How.EXACT else "; fewer may do") if several else ""
        return f"fails if {some} {relevant if self._binary else highest}{fewer}"

    @property
    def _binary(self) -> bool:
        """Whether a document is relevant or not, and no more, to the measure."""
        topics = self.topics
        return topics.top == 1 or (len(topics.grades) == 2 and topics.measure.lowest == 1)
