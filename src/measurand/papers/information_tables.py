"""The experiments of the paper on observational information, on any campaign: Table 2 and Figures 1 to 3.

The paper's own runs, those of TREC 2004 Terabyte, may not be passed on. Whoever has them gets its table again; on other
runs only the marks can be the same.

`information_tables` computes them, and the documents below are what is shown of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from attrs import frozen

from measurand.axioms import CONSTRAINTS
from measurand.calls import explains_calls
from measurand.display.charts import Figure
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words, facts, listing, valued
from measurand.display.wording import counted, listed
from measurand.errors import Caveat, CaveatKind
from measurand.execution import Progress, Rng, silent
from measurand.judged import judge
from measurand.measures import parse
from measurand.papers.agms2018.campaign import Campaign, most_systems, read_campaign
from measurand.papers.agms2018.fusion_gain import FusionGain, fusion_gain
from measurand.papers.agms2018.scatters import (
    ConsistencyScatter,
    Mergeability,
    Scatter,
    consistency_scatter,
    mergeability,
)
from measurand.papers.printed.unanimity import HEADS, PrintedMeasure, printed_unanimity
from measurand.study.unanimity import TypicalTopic, paper_measures, unanimity
from measurand.study.unanimity_table import UnanimityRow, UnanimityTable, sign
from measurand.trec import Names, QrelsLike, RunsLike, read_qrels, read_runs
from measurand.verdict import How

DEPTH = 100
"""How many documents of each system the paper looks at."""

SYSTEMS = 5
"""How many systems the paper draws for a point of Figures 1 and 2."""

HALF_A_DIGIT = 0.0005 + 1e-12
"""Unanimities are printed with three digits."""

ELSEWHERE = Caveat(
    CaveatKind.ASSUMPTION,
    "printed unanimities are those of the TREC 2004 Terabyte runs; on other runs they only show what is usual",
)
"""What is to be known of the printed column."""

CROWDED = Caveat(
    CaveatKind.DEGENERATE,
    "on the typical topic all documents of the collection are relevant: there is nothing to look at the constraints on",
)
"""Why constraints are left out."""


@frozen(kw_only=True, repr=False)
class InformationRow(Result):
    """One measure of Table 2 on a campaign, with what the paper prints of it.

    Parameters
    ----------
    found
        Its unanimity and the verdicts on the constraints.
    printed
        What the paper prints of it.
    rankings
        How many rankings were compared.
    """

    found: UnanimityRow
    printed: PrintedMeasure
    rankings: int

    def document(self) -> Document:
        """Return the unanimity, ours and the printed one, and the constraints that are met, ours."""
        printed = [("printed_label", self.printed.label), ("printed_mu", self.printed.mu)]
        ours = [(name, getattr(self, name)) for name in ("measure", "mu", "tie_rate", "mu_with_self_pairs")]
        return Document([facts([*ours, *printed, *self.met.items()])])

    @property
    def measure(self) -> str:
        """The measure's spelling, without the size of the collection."""
        known = parse(self.found.measure)
        return repr(known(collection=None) if "collection" in known.parameters() else known)

    @property
    def mu(self) -> float | None:
        """Metric unanimity; None if no pair is unanimous."""
        return self.found.found.value

    @property
    def mu_with_self_pairs(self) -> float | None:
        """Metric unanimity where each system is also compared with itself, as the paper's formula has it."""
        return self.found.found.with_self_pairs(self.rankings).value

    @property
    def tie_rate(self) -> float | None:
        """How often the measure ties where no measure disagrees."""
        rate = self.found.found.tie_rate
        return None if rate is None else float(rate)

    @property
    def met(self) -> dict[str, bool | None]:
        """Whether each constraint is met, by the name it has in the table; None where nobody knows."""
        if self.found.constraints is None:
            return dict.fromkeys(HEADS)
        verdicts = [self.found.constraints.verdicts[name] for name in CONSTRAINTS]
        known = [None if verdict.how is How.FAILED else bool(verdict) for verdict in verdicts]
        return dict(zip(HEADS, known, strict=True))

    @property
    def difference(self) -> float | None:
        """Our unanimity with self pairs, as in the printed formula, less the printed one; None if one is not known."""
        ours, printed = self.mu_with_self_pairs, self.printed.mu
        return None if ours is None or printed is None else ours - float(printed)

    @property
    def agrees(self) -> bool | None:
        """Whether our unanimity with self pairs is the printed one, to its digits; None where one is not known."""
        return None if self.difference is None else abs(self.difference) <= HALF_A_DIGIT

    @property
    def differing(self) -> dict[str, str]:
        """The constraints on which ours is not the printed mark, each with its erratum, or nothing.

        Where there is no erratum the mark depends on how many documents there are and how many of them are relevant.
        """
        heads = dict(zip(CONSTRAINTS, HEADS, strict=True))
        return {heads[name]: erratum for name, erratum in self.found.differing.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the row, ready for JSON."""
        mu = self.printed.mu
        beside = {"mu": None if mu is None else float(mu), **self.printed.met}
        compared: dict[str, Any] = {"mu_agrees": self.agrees, "mu_difference": self.difference}
        compared["differing"] = {head: erratum or None for head, erratum in self.differing.items()}
        told: dict[str, Any] = {"label": self.printed.label, "mu": self.mu, "tie_rate": self.tie_rate}
        told["mu_with_self_pairs"] = self.mu_with_self_pairs
        return {**told, **self.met, "printed": {**beside, **compared}}


@frozen(kw_only=True, eq=False, repr=False)
class InformationTables(Result):
    """Table 2 and Figures 1 to 3 for a campaign.

    Parameters
    ----------
    unanimity
        What Table 2 is made of; without constraints where every document is relevant.
    consistency, mergeability
        Figures 1 and 2; None where no topic has two systems that retrieve two documents for it.
    fusion
        Figure 3.
    collection, depth
        How many documents there are, as said or as assumed, and how many of each system were looked at.
    caveats
        What is to be known of the result.
    """

    unanimity: UnanimityTable
    consistency: ConsistencyScatter | None
    mergeability: Mergeability | None
    fusion: FusionGain
    collection: int
    depth: int
    caveats: tuple[Caveat, ...] = ()

    def __repr__(self) -> str:
        found = self.unanimity.unanimity
        return f"<InformationTables of {found.systems} systems on {found.topics} topics>"

    @property
    def rows(self) -> tuple[InformationRow, ...]:
        """Table 2, in the order of the constraint matrix; the paper ranks by unanimity."""
        found = {row.name: row for row in self.unanimity}
        return tuple(
            InformationRow(found=found[spelling], printed=printed, rankings=self.unanimity.unanimity.rankings)
            for printed in printed_unanimity()
            for spelling in printed.spellings
        )

    def document(self) -> Document:
        """Return Table 2: the unanimity of each measure beside the printed one, and the constraints that it meets."""
        marks = [valued(head, partial(_met, head), _sign, mark=True) for head in HEADS]
        columns = [
            Column("measure", lambda row: row.measure, left=True),
            valued("MU", lambda row: row.mu),
            valued("with self pairs", lambda row: row.mu_with_self_pairs),
            Column("printed", lambda row: row.printed.mu or "–"),
            *marks,
        ]
        found = self.unanimity.unanimity
        size = f"{counted(found.systems, 'system')} on {counted(found.topics, 'topic')}"
        return Document([TableView(columns, self.rows, title=f"Table 2 for {size}")], self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists, ready for JSON; a figure that was left out is None."""
        return {
            "table2": {row.measure: row.to_dict() for row in self.rows},
            "figure1": _scatter_data(self.consistency),
            "figure2": _merged_data(self.mergeability),
            "figure3": _fusion_data(self.fusion),
            "collection": self.collection,
            "depth": self.depth,
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def drawings(self) -> dict[str, Figure]:
        """Return the figures by the names of their files, those left out that could not be made."""
        charts = {"figure-1": self.consistency, "figure-2": self.mergeability, "figure-3": self.fusion}
        return {name: Figure(result.chart()) for name, result in charts.items() if result is not None}


def _met(head: str, row: InformationRow) -> bool | None:
    return row.met[head]


def _sign(met: bool | None) -> str:
    return "?" if met is None else "✓" if met else "✗"


def _scatter_data(scatter: Scatter | None) -> dict[str, Any] | None:
    if scatter is None:
        return None
    counts = {"above": scatter.above, "on": scatter.on, "below": scatter.below}
    means = {"mean_of_one": float(scatter.one.mean()), "mean_of_all": float(scatter.many.mean())}
    return {"picks": len(scatter), "systems": len(scatter.picks[0].systems), **counts, **means}


def _merged_data(merged: Mergeability | None) -> dict[str, Any] | None:
    data = _scatter_data(merged)
    if merged is None or data is None:
        return None
    above, picks = merged.printed
    return {**data, "printed": {"picks": picks, "above": above}}


def _fusion_data(gain: FusionGain) -> dict[str, Any]:
    [measure] = gain.scores
    means = gain.scores[measure].summary().to_dict()
    systems = [name for name, kind in gain.kinds.items() if kind == "system"]
    best = max(systems, key=means.__getitem__)
    others = [name for name in gain.kinds if name not in systems]
    return {
        "measure": measure,
        "systems": len(systems),
        "best_system": {"name": best, "mean": means[best]},
        "fusions": {name: {"mean": means[name], "beaten": gain.beaten(name)} for name in others},
    }


@explains_calls
def information_tables(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    collection_size: int | None = None,
    depth: int = DEPTH,
    samples: int = 400,
    rng: Rng = 0,
    names: Names = "auto",
    progress: Progress = silent,
) -> InformationTables:
    """Return Table 2 and Figures 1 to 3 of the paper for a campaign, with what the paper prints.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept; two systems at least.
    collection_size
        How many documents there are; by default those that are judged or retrieved, which is noted.
    depth
        How many documents of each system are looked at; measures without a cutoff end there.
    samples
        How often systems are drawn for Figures 1 and 2, five at a time or as many as there are.
    rng
        A generator of random numbers, or a seed for one.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    progress
        Shows how far it is.

    Examples
    --------
    >>> from measurand.sample import Campaign
    >>> tables = information_tables(*Campaign(systems=6, topics=3, depth=8, candidates=12, pool=8).draw(), samples=5)
    >>> tables
    <InformationTables of 6 systems on 3 topics>
    >>> row = tables.to_dict()["table2"]["AP"]
    >>> row["Deep"], row["printed"]["Deep"], row["printed"]["differing"]["Deep"]
    (False, True, 'E-A-5')

    References
    ----------
    [Amigo2018]_, Table 2, Figures 1 to 3
    """
    judgments, several = read_qrels(qrels), read_runs(runs, names=names)
    campaign = read_campaign(judgments, several, depth=depth)
    size, assumed = campaign.size(collection_size)
    measures, judged = paper_measures(size), judge(several, judgments, depth=depth)
    crowded = () if TypicalTopic.of(judged, measures, size).recall_base < size else (CROWDED,)
    table = unanimity(judged, measures, collection=size, constraints=not crowded, progress=progress)
    systems, fewer = _drawn(campaign)
    pictures: list[Any] = [None, None]
    if systems:
        how: dict[str, Any] = {"samples": samples, "signals": systems, "depth": depth, "rng": rng, "progress": progress}
        pictures = [draw(judgments, several, **how) for draw in (consistency_scatter, mergeability)]
    gain = fusion_gain(judgments, several, collection_size=size, depth=depth, progress=progress)
    results = [result for result in (table, *pictures, gain) if result is not None]
    found = (caveat for result in results for caveat in result.caveats)
    return InformationTables(
        unanimity=table,
        consistency=pictures[0],
        mergeability=pictures[1],
        fusion=gain,
        collection=size,
        depth=depth,
        caveats=tuple(dict.fromkeys((ELSEWHERE, *assumed, *crowded, *fewer, *found))),
    )


def _drawn(campaign: Campaign) -> tuple[int, tuple[Caveat, ...]]:
    """Return how many systems are drawn for a point, and what is to be known where it is not the paper's number."""
    most = most_systems(campaign)
    if most >= SYSTEMS:
        return SYSTEMS, ()
    few = f"no topic with a relevant document has {SYSTEMS} systems with two documents or more, as the paper draws them"
    if most < 2:
        return 0, (Caveat(CaveatKind.DEGENERATE, f"{few}, nor 2: Figures 1 and 2 are left out"),)
    return most, (Caveat(CaveatKind.DEGENERATE, f"{few}; Figures 1 and 2 draw {most}"),)


WIDTH = 100
"""The text is never wider."""


def information_tables_document(tables: InformationTables) -> Document:
    """Return Table 2 of a campaign beside the printed one, and what Figures 1 to 3 show, in a sentence each.

    Parameters
    ----------
    tables
        The tables and figures of a campaign.

    Examples
    --------
    >>> from measurand.papers.information_tables import information_tables
    >>> from measurand.sample import Campaign
    >>> campaign = Campaign(systems=6, topics=3, depth=8, candidates=12, pool=8).draw()
    >>> document = information_tables_document(information_tables(*campaign, samples=5))
    >>> print(document.tables[0].title, *document.tables[0].headings[:6], sep="; ")
    Table 2 of Amigó and others (2018) on 6 systems and 3 topics; measure; MU; tie rate; self pairs; printed; difference
    """
    return Document(list(_parts(tables)), tables.caveats)


def _parts(tables: InformationTables) -> Iterator[Part]:
    found = tables.unanimity.unanimity
    on = f"{counted(found.systems, 'system')} and {counted(found.topics, 'topic')}"
    title = f"Table 2 of Amigó and others (2018) on {on}"
    about = f"First {tables.depth:,} ranks; {tables.collection:,} documents."
    yield TableView(list(_columns(tables)), tables.rows, title=title, about=about)
    yield ""
    yield Paragraph(_agreement(tables), indent=1)
    yield from _other_marks(tables)
    yield ""
    yield Paragraph("Figures", "strong")
    yield listing(_figures(tables))
    yield ""
    yield Paragraph(Legend.TITLE, "strong faint")
    yield listing(_legend(tables), tones=["strong faint", "faint"])


def _columns(tables: InformationTables) -> Iterator[Column]:
    yield Column("measure", lambda row: row.measure, left=True)
    yield Column("MU", lambda row: _number(row.mu))
    yield Column("tie rate", lambda row: "–" if row.tie_rate is None else f"{row.tie_rate:.1%}", dispensable=3)
    yield Column("self pairs", lambda row: _number(row.mu_with_self_pairs), dispensable=1)
    yield Column("printed", lambda row: row.printed.mu or "–")
    yield Column("difference", lambda row: _number(row.difference, "+"), dispensable=2)
    if tables.unanimity.constraints is not None:
        for name, head in zip(CONSTRAINTS, HEADS, strict=True):
            yield Column(head, partial(_mark, name, head), left=True, mark=True)


def _number(value: float | None, sign: str = "") -> str:
    return "–" if value is None else f"{value:{sign}.3f}"


def _mark(name: str, head: str, row: InformationRow) -> Words:
    if row.found.constraints is None:
        return Words()
    return sign(row.found.constraints.verdicts[name]) + Words.of("*" if head in row.differing else "", "unsure")


def _agreement(tables: InformationTables) -> str:
    """Return how many cells are the printed ones, in words."""
    known = [row.agrees for row in tables.rows if row.agrees is not None]
    marks, other = len(HEADS) * len(tables.rows), sum(len(row.differing) for row in tables.rows)
    numbers = f"{sum(known)} of {counted(len(known), 'unanimity', 'unanimities')} (with self pairs)"
    same = f", {marks - other} of {marks} marks" if tables.unanimity.constraints is not None else ""
    return f"As printed: {numbers}{same}."


def _other_marks(tables: InformationTables) -> Iterator[Part]:
    """Return where the paper has another mark: because it errs, or because its topic is another one."""
    differing = [(row.measure, head, why) for row in tables.rows for head, why in row.differing.items()]
    if not differing:
        return
    wrong = [f"{measure} {head} ({why})" for measure, head, why in differing if why]
    elsewhere = [f"{measure} {head}" for measure, head, why in differing if not why]
    yield Paragraph("* The paper has the opposite mark:", indent=1)
    more = "measurand reproduce agms2018 --erratum ID tells why"
    lines = [("  wrong there", f"{', '.join(wrong)}; {more}")] if wrong else []
    if elsewhere:
        why = "this depends on how many documents there are and how many are relevant"
        lines.append(("  other topic", f"{', '.join(elsewhere)}: {why}"))
    yield listing(lines)


def _figures(tables: InformationTables) -> Iterator[tuple[str, str]]:
    yield "Figure 1", _scatter(tables.consistency, "consistent with the judgments")
    yield "Figure 2", _scatter(tables.mergeability, "effective across all topics") + _reported(tables.mergeability)
    yield "Figure 3", _fusions(tables)


def _scatter(scatter: Scatter | None, what: str) -> str:
    if scatter is None:
        return "Left out: no topic has two systems that retrieve two documents for it."
    together = f"{counted(len(scatter.picks[0].systems), 'system')} together"
    equal = f", in {scatter.on:,} equally so" if scatter.on else ""
    return (
        f"In {scatter.above:,} of {counted(len(scatter), 'pick')}, {together} are more {what} than one of them"
        f"{equal}, in {scatter.below:,} less."
    )


def _reported(merged: Mergeability | None) -> str:
    if merged is None:
        return ""
    above, picks = merged.printed
    return f" The paper reports {above:,} of {picks:,} more."


def _fusions(tables: InformationTables) -> str:
    gain = tables.fusion
    beaten = [f"{name} beats {gain.beaten(name):,}" for name in gain.fusions()]
    systems = len(gain.kinds) - len(gain.fusions())
    return f"Of {counted(systems, 'system')} {listed(beaten)}."


def _legend(tables: InformationTables) -> Iterator[tuple[str, str]]:
    ties = "metric unanimity, log2(2 − tie rate): how rarely a measure ties on systems that no measure orders otherwise"
    yield "MU", f"{ties}. By the other reading of the paper's footnote 6 it is 1 + log2(1 − tie rate) (E-A-14)."
    yield "self pairs", "MU where each system is also compared with itself, as the paper's formula has it."
    yield "printed", "MU on the runs of TREC 2004 Terabyte, by its formula with self pairs; other runs have other ties."
    yield "difference", "self pairs less printed."
    matrix = tables.unanimity.constraints
    if matrix is not None:
        topic = f"{counted(matrix.recall_base, 'relevant document')} among {matrix.collection:,}"
        tried = any(verdict and not verdict.certain for row in matrix for verdict in row.verdicts.values())
        unsure = " (✓): no run that was tried breaks it." if tried else ""
        yield "✓ ✗", f"whether the constraint is met, on a topic with {topic}.{unsure}"
