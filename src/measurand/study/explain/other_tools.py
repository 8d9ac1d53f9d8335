"""What other tools do: the convention of every call, at the version that was looked at.

Every entry was run beside measurand on small runs, or read in the source of the version named. A tool that is not here
was not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from attrs import field, frozen

from measurand.exact import spell
from measurand.measures import Measure
from measurand.study.explain.convention import Barren, Base, Convention, Negative, Order, Topics, binary_gains

TREC = {"order": Order.TREC, "negative": Negative.UNJUDGED}
SINGLE = {"order": Order.SINGLE, "negative": Negative.UNJUDGED}


@frozen
class Call:
    """How a tool is asked for a measure, and what it does then that it does not always do.

    Parameters
    ----------
    written : str
        The call; {k} is the cutoff, {p} the persistence, {rel} the lowest relevant grade, {measure} measurand's
        spelling.
    does : mapping
        Fields of the convention.
    changes : mapping
        Parameters of the measure; `"binary"` as a gain is 1 for every relevant grade.
    most : int or None
        The highest grade that it accepts.
    needs_relevant : bool
        Whether it fails where a topic has no relevant document.
    needs_judged : bool
        Whether it fails where the run has a topic without judgments.
    """

    written: str
    does: Mapping[str, Any] = field(factory=dict)
    changes: Mapping[str, Any] = field(factory=dict)
    most: int | None = None
    needs_relevant: bool = False
    needs_judged: bool = False


@frozen(kw_only=True)
class Tool:
    """Another tool, at one version.

    Parameters
    ----------
    name, version : str
        Its name and its version.
    does : mapping
        Fields of the convention that all its calls share.
    calls : mapping
        Calls by measure, such as `"nDCG@"` with a cutoff and `"nDCG"` without; several where it has several.
    level : str
        What is put behind a call to ask for a lowest relevant grade, {rel}; nothing if it cannot be asked for.
    arbitrary : bool
        Whether documents of equal score stand in an arbitrary order.
    note : str
        What else is to be known of it.
    """

    name: str
    version: str
    does: Mapping[str, Any]
    calls: Mapping[str, tuple[Call, ...]]
    level: str = ""
    arbitrary: bool = False
    note: str = ""


@frozen
class ToolCall:
    """A call of a tool for a measure, with the convention that it follows.

    Parameters
    ----------
    tool : Tool
        The tool.
    written : str
        The call.
    convention : Convention
        What it does.
    """

    tool: Tool
    written: str
    convention: Convention

    @property
    def arbitrary(self) -> bool:
        """Whether documents of equal score stand in an arbitrary order."""
        return self.tool.arbitrary and self.convention.order is Order.TREC

    def label(self, *, tied: bool = False) -> str:
        """Return the tool, its version and the call.

        Parameters
        ----------
        tied : bool
            Whether the run has documents of equal score.
        """
        doubt = " (equal scores in any order)" if tied and self.arbitrary else ""
        return f"{self.tool.name} {self.tool.version} {self.written}{doubt}"


def _named(prefix: str = "", **written: str) -> dict[str, tuple[Call, ...]]:
    """Return one call for each measure; `_at` at the end of a name stands for a cutoff."""
    return {name.replace("_at", "@"): (Call(f"{prefix}{text}"),) for name, text in written.items()}


_TREC_NAMES = {
    "nDCG_at": "ndcg_cut{dot}{{k}}",
    "nDCG": "ndcg",
    "AP_at": "map_cut{dot}{{k}}",
    "AP": "map",
    "P_at": "P{dot}{{k}}",
    "R_at": "recall{dot}{{k}}",
    "RR": "recip_rank",
    "Success_at": "success{dot}{{k}}",
    "Rprec": "Rprec",
    "Bpref": "bpref",
    "SetP": "set_P",
    "SetF": "set_F",
    "infAP": "infAP",
}


def _trec(dot: str, prefix: str = "") -> dict[str, tuple[Call, ...]]:
    return _named(prefix, **{name: text.format(dot=dot) for name, text in _TREC_NAMES.items()})


_OWN_SPELLING = ("nDCG@", "nDCG", "AP@", "AP", "P@", "R@", "RR", "Success@", "Rprec", "Bpref", "SetP", "SetF", "infAP")

_RANX: dict[str, tuple[Call, ...]] = {
    **_named(
        AP_at="map@{k}", AP="map", P_at="precision@{k}", R_at="recall@{k}", R="recall", RR_at="mrr@{k}", RR="mrr",
        Success_at="hit_rate@{k}", Rprec="r-precision", F_at="f1@{k}", SetF="f1", SetP="precision",
        DCG_at="dcg@{k}", DCG="dcg",
    ),
    "nDCG@": (Call("ndcg@{k}"), Call("ndcg_burges@{k}", changes={"gain": "exp2"})),
    "nDCG": (Call("ndcg"), Call("ndcg_burges", changes={"gain": "exp2"})),
    "RBP": (Call("rbp.{digits}", {"base": Base.RAW}),),
}  # fmt: skip

_TRECTOOLS: dict[str, tuple[Call, ...]] = {
    "nDCG@": (
        Call("get_ndcg(depth={k})", {"order": Order.ASCENDING}),
        Call("get_ndcg(depth={k}, trec_eval=False)", {"order": Order.ASCENDING}, {"gain": "exp2"}),
    ),
    **_named(
        AP_at="get_map(depth={k})", P_at="get_precision(depth={k})", R_at="get_recall(depth={k})",
        RR_at="get_reciprocal_rank(depth={k})",
    ),
    "RBP": (Call("get_rbp(p={p})", {"order": Order.EXPECTED}, {"rel": 1, "cutoff": 1000}),),
}  # fmt: skip

_BEIR: dict[str, tuple[Call, ...]] = {
    **_named(nDCG_at="NDCG@{k}", AP_at="MAP@{k}", P_at="P@{k}"),
    "R@": (
        Call("Recall@{k}"),
        Call(
            "recall_cap",
            {"order": Order.STABLE, "topics": Topics.JUDGED, "base": Base.CAPPED},
            needs_relevant=True,
            needs_judged=True,
        ),
    ),
    "RR@": (Call("mrr", {"order": Order.STABLE, "topics": Topics.JUDGED}, needs_judged=True),),
    "Success@": (Call("top_k_accuracy", {"order": Order.STABLE, "topics": Topics.JUDGED}, needs_judged=True),),
}

_MTEB = {
    name: (Call(f"{written}_at_{{k}}", {"order": order}, needs_judged=True),)
    for name, written, order in (
        ("nDCG@", "ndcg", Order.SINGLE),
        ("AP@", "map", Order.SINGLE),
        ("P@", "precision", Order.SINGLE),
        ("R@", "recall", Order.SINGLE),
        ("Success@", "hit_rate", Order.SINGLE),
        ("RR@", "mrr", Order.TREC),
    )
}

_GIVEN = "called topic by topic with the retrieved documents alone"

_IDEAL_RETRIEVED = {"order": Order.EXPECTED, "base": Base.RETRIEVED}
"""nDCG as scikit-learn has it, and others after it."""

_LEARNING = {
    "order": Order.STABLE,
    "topics": Topics.SHARED,
    "negative": Negative.ZERO,
    "barren": Barren.NOTHING_FOUND_ONE,
}
"""What the metrics of libraries for learning to rank share."""

TOOLS: tuple[Tool, ...] = (
    Tool(
        name="trec_eval",
        version="10.0",
        does=TREC,
        calls=_trec(".", "-c -m ") | {"RR@": (Call("-c -M {k} -m recip_rank"),)},
        level=" -l {rel}",
        note="without -c it stops where the run misses a topic",
    ),
    Tool(
        name="trec_eval",
        version="9.0.8",
        does=SINGLE,
        calls=_trec(".", "-c -m ") | {"RR@": (Call("-c -M {k} -m recip_rank"),)},
        level=" -l {rel}",
    ),
    Tool(
        name="trec_eval",
        version="9.0.8",
        does={**SINGLE, "topics": Topics.SHARED},
        calls=_trec(".", "-m ") | {"RR@": (Call("-M {k} -m recip_rank"),)},
        level=" -l {rel}",
    ),
    Tool(
        name="pytrec_eval",
        version="0.5.11",
        does={**SINGLE, "topics": Topics.SHARED},
        calls=_trec("_"),
        level=" relevance_level={rel}",
        note="the pytrec-eval-terrier package",
    ),
    Tool(
        name="ir_measures",
        version="0.4.3",
        does=SINGLE,
        calls={name: (Call("{measure}"),) for name in _OWN_SPELLING}
        | {
            "nDCG@": (
                Call("{measure}"),
                Call("nDCG(dcg='exp-log2')@{k}", {"order": Order.TREC}, {"gain": "exp2"}, most=4),
            ),
            "RR@": (Call("{measure}", {"order": Order.ASCENDING}),),
            "RBP": (Call("RBP(rel={rel},p={p})", {"order": Order.STABLE}, {"rel": 1}),),
            "ERR@": (Call("ERR@{k}", {"order": Order.TREC}, {"gmax": 4}, most=4),),
        },
        note="PyTerrier 1.1.2 computes with it; exp-log2 and ERR need perl, and topics that are numbers",
    ),
    Tool(
        name="ranx",
        version="0.3.21",
        does={"negative": Negative.ZERO},
        calls=_RANX,
        level="-l{rel}",
        arbitrary=True,
        note="with make_comparable=True; it stops where topics differ otherwise",
    ),
    Tool(
        name="trectools",
        version="0.0.50",
        does={"topics": Topics.RUN},
        calls=_TRECTOOLS,
        note="get_rbp takes the end of a topic and the start of the next for a tie where their scores are equal, which"
        " is not computed here",
    ),
    Tool(
        name="BEIR",
        version="2.2.0",
        does={**SINGLE, "topics": Topics.SHARED},
        calls=_BEIR,
        note="it drops documents that have the id of the topic, and rounds to 5 decimals",
    ),
    Tool(
        name="MTEB",
        version="2.26.24",
        does={**SINGLE, "topics": Topics.SHARED},
        calls=_MTEB,
        note="it rounds to 5 decimals, but for mrr",
    ),
    Tool(
        name="sentence-transformers",
        version="6.2.0",
        does={"order": Order.ASCENDING, "barren": Barren.SKIPPED},
        calls=_named(P_at="precision@{k}", R_at="recall@{k}", RR_at="mrr@{k}", Success_at="accuracy@{k}")
        | {
            "nDCG@": (Call("ndcg@{k}", changes={"gain": "binary"}),),
            "AP@": (Call("map@{k}", {"base": Base.CAPPED}),),
        },
        note="InformationRetrievalEvaluator, which retrieves by itself",
    ),
    Tool(
        name="scikit-learn",
        version="1.9.1",
        does={"order": Order.EXPECTED, "topics": Topics.SHARED, "base": Base.RETRIEVED, "negative": Negative.ZERO},
        calls=_named(nDCG_at="ndcg_score(k={k})", nDCG="ndcg_score()"),
        note=_GIVEN,
    ),
    Tool(
        name="torchmetrics",
        version="1.9.0",
        does={"topics": Topics.SHARED, "negative": Negative.ZERO},
        calls=_named(
            P_at="RetrievalPrecision(top_k={k})", RR_at="RetrievalMRR(top_k={k})", RR="RetrievalMRR()",
            Success_at="RetrievalHitRate(top_k={k})",
        )
        | {
            "nDCG@": (Call("RetrievalNormalizedDCG(top_k={k})", _IDEAL_RETRIEVED),),
            "nDCG": (Call("RetrievalNormalizedDCG()", _IDEAL_RETRIEVED),),
            "AP@": (Call("RetrievalMAP(top_k={k})", {"base": Base.FIRST}),),
            "AP": (Call("RetrievalMAP()", {"base": Base.RETRIEVED}),),
            "R@": (Call("RetrievalRecall(top_k={k})", {"base": Base.RETRIEVED}),),
        },
        arbitrary=True,
        note="given the retrieved documents alone; all but nDCG take documents of score 0 or less for not relevant",
    ),
    Tool(
        name="LightGBM",
        version="4.7.0",
        does=_LEARNING,
        calls={
            "nDCG@": (Call("ndcg@{k}", {"base": Base.RETRIEVED}, {"gain": "exp2"}),),
            "AP@": (Call("map@{k}", {"base": Base.CAPPED_RETRIEVED}),),
        },
        note="given the retrieved documents alone",
    ),
    Tool(
        name="XGBoost",
        version="3.2.0",
        does=_LEARNING,
        calls={
            "nDCG@": (
                Call("ndcg@{k}", {"base": Base.RETRIEVED}, {"gain": "exp2"}),
                Call("ndcg@{k} with ndcg_exp_gain=False", {"base": Base.RETRIEVED}),
                Call("ndcg@{k}-", {"base": Base.RETRIEVED, "barren": Barren.OWN}, {"gain": "exp2"}),
            ),
            "nDCG": (Call("ndcg", {"base": Base.RETRIEVED}, {"gain": "exp2"}),),
            "AP@": (Call("map@{k}", {"base": Base.CAPPED_RETRIEVED}, most=1),),
            "P@": (Call("pre@{k}", {"base": Base.SHORT, "barren": Barren.OWN}, most=1),),
        },
        note="given the retrieved documents alone",
    ),
)  # fmt: skip
"""The tools that were looked at."""


def tool_calls(
    measure: Measure, top: int, *, barren: bool = False, unjudged_topics: bool = False
) -> Iterator[ToolCall]:
    """Return the calls of all tools that have a measure, with the conventions that they follow.

    Parameters
    ----------
    measure : Measure
        The measure; of its parameters, only the cutoff, p, beta 1 and the lowest relevant grade can be asked for.
    top : int
        The highest grade of the judgments.
    barren : bool
        Whether some topic has no relevant document.
    unjudged_topics : bool
        Whether some topic of the run has no judgments.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> [call.label() for call in tool_calls(AP @ 10, 1)][:2]
    ['trec_eval 10.0 -c -m map_cut.10', 'trec_eval 9.0.8 -c -m map_cut.10']
    """
    plain = _plain(measure)
    name = f"{measure.name}{'' if measure.cutoff is None else '@'}"
    for tool in TOOLS:
        for call in tool.calls.get(name, ()):
            written = _written(tool, call, measure)
            failing = (barren and call.needs_relevant) or (unjudged_topics and call.needs_judged)
            if written is not None and (call.most is None or top <= call.most) and not failing:
                yield ToolCall(tool, written, _convention(tool, call, plain, top))


def _plain(measure: Measure) -> Measure:
    """Return a measure with what tools can be asked for, all else as usual."""
    kept = {name: value for name, value in measure.parameters().items() if name in ("cutoff", "p", "rel")}
    return type(measure)(**kept)


def _written(tool: Tool, call: Call, measure: Measure) -> str | None:
    """Return how a tool is asked for a measure, None if it cannot be asked for its p or its lowest relevant grade."""
    known = measure.parameters()
    p, rel = known.get("p"), known.get("rel")
    digits = "" if p is None else spell(p).removeprefix("0.")
    if ("{p}" in call.written or "{digits}" in call.written) and not digits.isdecimal():
        return None
    written = call.written.format(
        k=measure.cutoff, p=f"0.{digits}", digits=digits, rel=rel or 1, measure=repr(_plain(measure))
    )
    if rel in (None, 1) or "{measure}" in call.written or "{rel}" in call.written:
        return written
    return f"{written}{tool.level.format(rel=rel)}" if tool.level else None


def _convention(tool: Tool, call: Call, plain: Measure, top: int) -> Convention:
    changes = dict(call.changes)
    if "{rel}" in call.written and plain.parameters()["rel"] is not None:
        del changes["rel"]
    if changes.get("gain") == "binary":
        changes["gain"] = binary_gains(top)
    does = {**tool.does, **call.does}
    if does.get("base") is Base.RAW and top < 2:
        del does["base"]
    return Convention(measure=plain(**changes) if changes else plain, **does)
