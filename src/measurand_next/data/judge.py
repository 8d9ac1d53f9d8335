"""Judging: every returned document ranked as trec_eval ranks it, and its grade looked up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any, Literal, TypeAlias, TypedDict, get_args

import numpy as np
from attrs import frozen

from measurand_next import native
from measurand_next.data.judged import UNJUDGED, JudgedRuns, code_from, smallest_integers
from measurand_next.data.names import Names
from measurand_next.data.qrels import Qrels
from measurand_next.data.rows import first_positions, spread, starts_of, unwritable
from measurand_next.data.run import Run
from measurand_next.errors import Caveat, CaveatKind, InputError, NotAvailable, ParameterError, quoted, short
from measurand_next.exact import BoolArray, FloatArray, IntArray

TOP = 10
"""Among so many first documents one looks whether any are judged."""

UNUSUAL = 0.1
"""A smaller share of judged documents than this, of what is possible, is unusual."""

DEEPEST = 10**9

RANKINGS = 1 << 26
"""So many rankings a file may have, empty ones too."""

NAMED = 5
"""So many topics are named in a caveat."""

Ties: TypeAlias = Literal["trec", "file", "groups"]
Precision: TypeAlias = Literal["double", "single"]
MissingTopics: TypeAlias = Literal["zero", "skip"]


class JudgingOptions(TypedDict, total=False):
    """What can be asked of judging; `measurand_next.judge` says what each option is."""

    depth: int | None
    ties: Ties | None
    precision: Precision
    missing_topics: MissingTopics
    documents: bool


CHOICES = {
    "ties": (*get_args(Ties), None),
    "precision": get_args(Precision),
    "missing_topics": get_args(MissingTopics),
    "documents": (False, True),
}


@frozen(eq=False)
class Grouped:
    """Rows of documents in memory, group after group: of one topic and one system."""

    text: np.ndarray[Any, np.dtype[np.uint8]]  # with PAD bytes behind it
    starts: IntArray  # of the names, in the text
    lengths: IntArray
    values: FloatArray
    ends: IntArray  # of the groups
    topics: Sequence[str]  # of each group
    systems: Sequence[str]

    @classmethod
    def of(cls, run: Run) -> Grouped:
        names, several = run.documents, [run.name] * len(run.topics)
        return cls(names.text, names.starts, names.ends - names.starts, run.scores, run.ends, run.topics, several)

    @cached_property
    def sizes(self) -> IntArray:
        """How many rows each group has."""
        return np.diff(self.ends, prepend=0)

    @cached_property
    def firsts(self) -> IntArray:
        """The first row of each group."""
        return starts_of(self.ends)

    def rows_of(self, groups: IntArray) -> IntArray | slice:
        """The rows of some groups, one group after another."""
        if len(groups) == len(self.ends):
            return slice(None)
        return spread(self.firsts[groups], self.sizes[groups])

    def judged(
        self, topics: IntArray, index: native.Index | None, wanted: Iterable[str], options: int = 0
    ) -> native.Rows:
        """What the loops in C make of the rows, given the number of each group's topic in the judgments."""
        return native.judge(
            self.text,
            self.starts,
            self.lengths,
            self.values,
            self.ends,
            topics,
            index=index,
            wanted=wanted,
            options=options,
        )

    def has_repeats(self) -> bool:
        """Whether a document stands twice in a group; only where the loops in C could be built."""
        nowhere = np.full(len(self.ends), -1)
        return self.judged(nowhere, None, ()).status is native.Status.NOT_PLAIN


def groups_by_system(systems: Sequence[str]) -> dict[str, IntArray]:
    """The groups of each system, in the order of their first ones."""
    if len(set(systems)) == 1:
        return {systems[0]: np.arange(len(systems))}
    found: dict[str, list[int]] = {}
    for group, system in enumerate(systems):
        found.setdefault(system, []).append(group)
    return {system: np.array(groups) for system, groups in found.items()}


@frozen(eq=False)
class JudgedRun:
    """One system's documents, ranked and judged, topic after topic in the order of the judgments."""

    name: str
    codes: IntArray
    ends: IntArray
    tied: BoolArray | None
    documents: Names | None
    unjudged_topics: int
    top_judged: float
    caveats: tuple[Caveat, ...]


@frozen
class Judging:
    """How runs are judged: the judgments, and what was asked for."""

    qrels: Qrels
    depth: int | None = None
    ties: Ties | None = "trec"
    precision: Precision = "double"
    missing_topics: MissingTopics = "zero"
    documents: bool = False

    def __attrs_post_init__(self) -> None:
        for name, known in CHOICES.items():
            value = getattr(self, name)
            if not any(value is each or (isinstance(value, str) and value == each) for each in known):
                raise ParameterError(f"{name} is {quoted(value)}; it can be {', '.join(map(repr, known))}")
        depth: Any = self.depth
        whole = isinstance(depth, int | np.integer) and type(depth) is not bool
        if depth is not None and not (whole and 1 <= depth <= DEEPEST):
            raise ParameterError(f"depth is {quoted(depth)}; it is a whole number from 1 to {DEEPEST:,}")

    @property
    def wanted(self) -> set[str]:
        """The columns that the loops in C are asked for."""
        open_ties = self.ties in (None, "groups")
        return {"codes", *["tied"] * open_ties, *["starts", "lengths"] * self.documents}

    @property
    def options(self) -> int:
        """What the loops in C are told."""
        return native.SINGLE * (self.precision == "single") | native.AS_THEY_STAND * (self.ties == "file")

    def judge(self, grouped: Grouped, source: str = "", caveats: tuple[Caveat, ...] = ()) -> list[JudgedRun]:
        """Rank and judge rows in memory; one for each system, in the order of their first groups."""
        numbers = {topic: number for number, topic in enumerate(self.qrels.topics)}
        topics = np.array([numbers.get(topic, -1) for topic in grouped.topics], dtype=np.int64)
        if native.library():
            rows = grouped.judged(topics, self.qrels.index, self.wanted, self.options)
        else:
            rows = _rank_in_python(self, grouped, topics)
        if rows.status is not native.Status.DONE:
            raise InputError(f"a document of {quoted(grouped.systems[0])} stands twice in a topic; remove one", source)
        return self.arrange(rows, grouped.text, grouped.systems, grouped.topics, source, caveats)

    def arrange(
        self,
        rows: native.Rows,
        text: Any,
        systems: Sequence[str],
        topics: Sequence[str],
        source: str,
        caveats: tuple[Caveat, ...] = (),
    ) -> list[JudgedRun]:
        """Arrange what the loops gave, of which systems and topics are those of its groups, system by system."""
        found, several = [], groups_by_system(systems)
        if len(several) * len(self.qrels.topics) > RANKINGS:
            why = f"{len(several):,} systems on {len(self.qrels.topics):,} topics are too many rankings for one file"
            raise NotAvailable(f"{source or 'the run'}: {why}; divide it")
        for name, own in several.items():
            groups = rows.groups[own]
            known = groups[groups["topic"] >= 0]
            if not len(known):
                raise nothing_in_common(source or name, topics[own[0]], self.qrels)
            known = known[np.argsort(known["topic"])]
            lengths = np.zeros(len(self.qrels.topics), dtype=np.int64)
            lengths[known["topic"]] = known["count"]
            found.append(self._judged_run(rows, text, name, known["first"], lengths, len(groups) - len(known), caveats))
        return found

    def _judged_run(
        self,
        rows: native.Rows,
        text: Any,
        name: str,
        firsts: IntArray,
        lengths: IntArray,
        unjudged_topics: int,
        caveats: tuple[Caveat, ...],
    ) -> JudgedRun:
        sizes = lengths[lengths > 0]
        ends = np.cumsum(lengths)
        order: IntArray | slice = slice(int(firsts[0]), int(firsts[0] + ends[-1]))
        if (np.diff(firsts) != sizes[:-1]).any():  # topics stand in another order, or something between them
            order = spread(firsts, sizes)
        codes = rows.codes[order].astype(smallest_integers(len(self.qrels.grade_values)))
        starts = np.cumsum(sizes) - sizes
        within = np.arange(min(TOP, int(sizes.max())))
        top = codes[(starts[:, None] + within)[within < sizes[:, None]]]
        top_judged = np.count_nonzero(top >= 0) / len(top)
        tied = rows.tied[order] if "tied" in self.wanted else None
        documents = Names.cut(text, rows.starts[order], rows.lengths[order]) if self.documents else None
        if self.depth is not None and sizes.max() > self.depth:
            chosen, cut = first_positions(ends - lengths, lengths, self.depth, tied)
            codes, ends = codes[chosen], np.cumsum(cut)
            tied = None if tied is None else tied[chosen]
            documents = None if documents is None else documents.take(chosen)
        return JudgedRun(name, codes, ends, tied, documents, unjudged_topics, top_judged, caveats)

    def together(self, several: Iterable[JudgedRun], caveats: tuple[Caveat, ...] = ()) -> JudgedRuns:
        """The judged runs of several systems."""
        qrels, each = self.qrels, list(several)
        if not each:
            raise InputError("no run to judge; name at least one")
        before = np.cumsum([0, *(len(one.codes) for one in each[:-1])])
        documents = [one.documents for one in each if one.documents is not None]
        tied = [one.tied for one in each if one.tied is not None]
        return JudgedRuns(
            systems=tuple(one.name for one in each),
            topics=qrels.topics,
            codes=unwritable(np.concatenate([one.codes for one in each])),
            ends=np.concatenate([one.ends + start for one, start in zip(each, before.tolist(), strict=True)]),
            grade_values=qrels.grade_values,
            grade_counts=qrels.grade_counts,
            tied=unwritable(np.concatenate(tied)) if tied else None,
            weak=self.ties == "groups",
            cut=self.depth,
            skip_missing=self.missing_topics == "skip",
            documents=Names.joined(documents) if documents else None,
            qrels=qrels if self.documents else None,
            caveats=tuple(dict.fromkeys((*caveats, *qrels.caveats, *self._suspicions(each)))),  # files share theirs
        )

    def _suspicions(self, ranked: Collection[JudgedRun]) -> Iterable[Caveat]:
        """What a reader of the scores should know about the data."""
        qrels, n = self.qrels, len(self.qrels.topics)
        counts = qrels.grade_counts
        if qrels.is_sparse:
            text = f"judgments are sparse: {len(qrels) / n:.1f} documents a topic, all of them relevant"
            yield Caveat(CaveatKind.SPARSE_JUDGMENTS, f"{text}; most returned documents are not judged")
        # where a topic has a judgment or two no run can have many judged documents
        possible = float(np.minimum(counts.sum(axis=1), TOP).mean() / TOP)
        for one in ranked:
            yield from one.caveats
            missing = int((np.diff(one.ends, prepend=0) == 0).sum())
            if missing:
                skipped = self.missing_topics == "skip"
                effect = "left out of its averages" if skipped else "counted as empty results"
                text = f"{short(one.name)}: no documents for {missing} of the {n} judged topics, {effect}"
                yield Caveat(CaveatKind.MISSING_TOPICS, text)
            if one.unjudged_topics:
                have, are = ("topic has", "is") if one.unjudged_topics == 1 else ("topics have", "are")
                text = f"{short(one.name)}: {one.unjudged_topics} {have} no judgments and {are} ignored"
                yield Caveat(CaveatKind.UNJUDGED_TOPICS, text)
            if one.top_judged < UNUSUAL * possible and not qrels.is_sparse:
                share = f"only {one.top_judged:.1%} of its top {TOP} documents are judged"
                yield Caveat(CaveatKind.FEW_JUDGED, f"{short(one.name)}: {share}; do the files belong together?")
        relevant = counts[:, code_from(qrels.grade_values) :].sum(axis=1)
        barren = [topic for topic, number in zip(qrels.topics, relevant.tolist(), strict=True) if not number]
        if barren:
            have, topics = ("has", "topic") if len(barren) == 1 else ("have", "topics")
            names = ", ".join(map(short, barren[:NAMED])) + ", …" * (len(barren) > NAMED)
            text = f"{len(barren)} of the {n} topics {have} no relevant document ({topics} {names})"
            yield Caveat(CaveatKind.NO_RELEVANT, f"{text}; most measures score 0 there")
        if any(value.denominator > 1 for value in qrels.grade_values):
            highest = float(qrels.grade_values[-1])
            text = f"some grades are not whole numbers; from {highest / 2:g} up, half of the highest grade, documents"
            text = f"{text} count as relevant, unless a measure sets another grade, as AP(rel={highest:g}) does"
            yield Caveat(CaveatKind.GRADES, text)
        # scores of a run hardly repeat in a topic, and grades of judges do
        if counts[:, 1:].sum() >= NAMED * n and counts[:, 1:].max() == 1:
            text = "no two documents of a topic have the same grade above 0, as if these were scores"
            yield Caveat(CaveatKind.GRADES, f"{text}; is this a run, in the place of judgments?")


def nothing_in_common(source: str, topic: str, qrels: Qrels) -> InputError:
    """The error that a run and the judgments have no topic in common."""
    return InputError(
        f"no topic in common with the judgments (the run has {quoted(topic)}, …; the judgments"
        f" {quoted(qrels.topics[0])}, …); are these files of one collection?",
        source,
    )


def _rank_in_python(judging: Judging, grouped: Grouped, topics: IntArray) -> native.Rows:
    """What the loops in C do, where they could not be built."""
    qrels, scores = judging.qrels, grouped.values
    if judging.precision == "single":
        with np.errstate(over="ignore"):
            scores = scores.astype(np.float32).astype(np.float64)
    text, judged_names = grouped.text.tobytes(), qrels.documents.bytes_of()
    judged_starts = starts_of(qrels.ends).tolist()
    groups = np.zeros(len(topics), native.GROUP)
    groups["topic"] = topics
    codes, order = [np.empty(0, np.int32)], [np.empty(0, np.int64)]
    status, first = native.Status.DONE, 0
    starts = grouped.firsts.tolist()
    for group, (topic, start, end) in enumerate(zip(topics.tolist(), starts, grouped.ends.tolist(), strict=True)):
        groups["first"][group], groups["count"][group] = first, end - start
        spans = zip(grouped.starts[start:end].tolist(), grouped.lengths[start:end].tolist(), strict=True)
        names = [text[at : at + length] for at, length in spans]
        if len(set(names)) < len(names):
            status = native.Status.NOT_PLAIN
        if topic < 0:
            continue
        judged = slice(judged_starts[topic], int(qrels.ends[topic]))
        code_of = dict(zip(judged_names[judged], qrels.judged_codes[judged].tolist(), strict=True))
        if len(code_of) < judged.stop - judged.start:
            raise native.twice_judged()
        rows = list(range(end - start))
        if judging.ties != "file":
            own = scores[start:end].tolist()
            rows.sort(key=lambda row: (own[row], names[row]), reverse=True)
        codes.append(np.array([code_of.get(names[row], UNJUDGED) for row in rows], dtype=np.int32))
        order.append(np.array(rows, dtype=np.int64) + start)
        first += end - start
    ranked = np.concatenate(order)
    tied = np.zeros(len(ranked), dtype=np.bool_)
    tied[1:] = scores[ranked][1:] == scores[ranked][:-1]
    tied[groups["first"][(groups["topic"] >= 0) & (groups["count"] > 0)]] = False
    columns = {"codes": np.concatenate(codes), "tied": tied, "groups": groups}
    columns |= {"starts": grouped.starts[ranked], "lengths": grouped.lengths[ranked]}
    return native.Rows(status, False, columns)
