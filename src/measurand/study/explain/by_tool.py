"""One run under the convention of every tool: the reverse of an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from measurand.calls import explains_calls
from measurand.display.result import Result, shortened
from measurand.display.tables import Column, Document, Part, TableView
from measurand.display.wording import counted
from measurand.errors import Caveat, ParameterError
from measurand.measures import Measure, MeasureLike, parse
from measurand.study.explain.bench import Bench, bench_of
from measurand.study.explain.convention import Convention
from measurand.study.explain.search import bench_calls, searched
from measurand.trec import QrelsLike, RunLike
from measurand.trec.sources import check_qrels, check_runs

MEASURES = ("nDCG@10", "AP", "RR@10")
"""The measures if none is named."""

USAGE = 'call values_by_tool("qrels.txt", "bm25.run", "nDCG@10")'
"""How to call `values_by_tool`."""


@frozen(eq=False)
class ToolValue:
    """What one tool gives for a measure.

    Parameters
    ----------
    tool, version, call : str
        The tool, its version, and how it is asked.
    measure : Measure
        The measure.
    value : float
        The number.
    convention : Convention
        What it does, as far as that makes a difference to the run.
    differs : str
        What it does differently from measurand that makes a difference to the run, in words.
    note : str
        What else is to be known of the tool.
    """

    tool: str
    version: str
    call: str
    measure: Measure
    value: float
    convention: Convention
    differs: str
    note: str


@frozen(kw_only=True, eq=False, repr=False)
class ValuesByTool(Result):
    """What every tool gives for one run.

    Parameters
    ----------
    system : str
        The run.
    values : tuple of ToolValue
        A value for every tool that has a measure; measurand's come first.
    whole_grades : bool
        Whether all grades are whole numbers; what other tools make of others was not checked.
    caveats : tuple of Caveat
        What is to be known of the files.
    """

    system: str
    values: tuple[ToolValue, ...]
    whole_grades: bool = True
    caveats: tuple[Caveat, ...] = ()

    @property
    def sentence(self) -> str:
        """How far tools differ, in words."""
        return " ".join(self._sentences)

    @property
    def _alone(self) -> str:
        """Why there is no other tool."""
        if self.whole_grades:
            return "no other tool is known to have it"
        return "what other tools make of grades that are no whole numbers was not checked"

    @property
    def _sentences(self) -> list[str]:
        """How far tools differ, a sentence for every measure."""
        parts = []
        for measure in dict.fromkeys(each.measure for each in self.values):
            values = [each.value for each in self.values if each.measure == measure]
            low, high = min(values), max(values)
            tools = counted(len(values) - 1, "call of another tool", "calls of other tools")
            if len(values) == 1:
                parts.append(f"{measure!r} is {low:.4f} in measurand; {self._alone}.")
            elif high - low < 5e-5:
                parts.append(f"{measure!r} is {low:.4f} in measurand and {tools}.")
            else:
                parts.append(f"{measure!r} goes from {low:.4f} to {high:.4f} over measurand and {tools}.")
        return parts

    def document(self) -> Document:
        """Return how far tools differ, and what each gives and does differently."""
        several = len({each.measure for each in self.values}) > 1
        columns = [
            *([Column("measure", "measure", left=True)] if several else []),
            Column("tool", lambda row: f"{row['tool']} {row['version']}", left=True),
            Column("call", "call", left=True),
            Column("value", lambda row: f"{row['value']:.4f}"),
            Column("differently here", lambda row: row["differs"] or "–", left=True, wrap="words"),
        ]
        names = ("measure", "tool", "version", "call", "value", "differs", "note")
        fields = {name: float if name == "value" else str for name in names}
        view = TableView(columns, self._rows(), title=self.system, fields=fields)
        notes = dict.fromkeys(f"{each.tool} {each.version}: {each.note}." for each in self.values if each.note)
        parts: list[Part] = [*self._sentences, view, *notes]
        return Document(parts, self.caveats)

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {
                "measure": repr(each.measure),
                "tool": each.tool,
                "version": each.version,
                "call": each.call,
                "value": each.value,
                "differs": each.differs,
                "note": each.note,
            }
            for each in self.values
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return the values, ready for JSON."""
        return {
            "system": self.system,
            "sentence": self.sentence,
            "values": [
                {**row, "convention": each.convention.choices(each.measure)}
                for row, each in zip(self._rows(), self.values, strict=True)
            ],
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def __repr__(self) -> str:
        return f"<ValuesByTool: {shortened(self.sentence)}>"


@explains_calls
def values_by_tool(
    qrels: QrelsLike, run: RunLike, measure: MeasureLike | None = None, *, topic: str | None = None
) -> ValuesByTool:
    """Return what every tool that is known gives for a run, and what it does differently.

    Parameters
    ----------
    qrels : path, open file, frame, dict or Qrels
        Judgments in any form that `read_qrels` accepts.
    run : path, open file, frame, dict or Run
        The run in any form that `read_run` accepts.
    measure : Measure or str, optional
        The measure; by default the usual ones.
    topic : str, optional
        A topic; by default values are averages over topics.

    Returns
    -------
    ValuesByTool
        A row for every tool and call, measurand first. The tools are not run: measurand computes what they do.

    Examples
    --------
    >>> qrels, run = {"1": {"d1": 3, "d2": 1}, "2": {"d1": 1}}, {"1": {"d2": 2.0, "d1": 1.0}}
    >>> table = values_by_tool(qrels, run, "nDCG@10")
    >>> print(table.sentence)
    nDCG@10 goes from 0.3549 to 0.7967 over measurand and 19 calls of other tools.
    >>> [(each.tool, round(each.value, 4)) for each in table.values][:4]
    [('measurand', 0.3984), ('trec_eval', 0.3984), ('trec_eval', 0.3984), ('trec_eval', 0.7967)]
    """
    from measurand import __version__

    named = searched(measure)
    if measure is not None and parse(measure) != named:
        raise ParameterError(f"tools are compared under arithmetic means, not {measure}; name {named!r}")
    check_qrels(qrels, USAGE)
    check_runs(run, USAGE)
    bench = bench_of(qrels, run)
    named_topic = bench.named(topic)
    values: list[ToolValue] = []
    for plain in [parse(each) for each in MEASURES] if named is None else [named]:
        own = Convention(measure=plain)
        value = bench.value(own, named_topic)
        values.append(ToolValue("measurand", __version__, repr(plain), plain, value, own, "", ""))
        values += _tool_values(plain, bench, named_topic)
    whole = bench.plain.relevance is None
    return ValuesByTool(
        system=bench.results.name, values=tuple(values), whole_grades=whole, caveats=bench.plain.caveats
    )


def _tool_values(plain: Measure, bench: Bench, topic: str | None) -> Iterator[ToolValue]:
    for call in bench_calls(plain, bench, topic):
        if bench.knows(call.convention):
            convention = bench.essential(call.convention)
            differs = [*convention.departures(plain)]
            if bench.tied and call.arbitrary:
                differs.append("equal scores in arbitrary order (here as usual)")
            yield ToolValue(
                call.tool.name,
                call.tool.version,
                call.written,
                plain,
                bench.value(convention, topic),
                convention,
                ", ".join(differs),
                call.tool.note,
            )
