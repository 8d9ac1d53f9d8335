"""measurand: the evaluation of search systems as a measurement.

Names are loaded when they are first used, so that `import measurand` costs next to nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from measurand.deprecated import MovedModules, deprecate

__version__ = "0.2.0"

if TYPE_CHECKING:
    from measurand import (
        axioms,
        compat,
        errors,
        exact,
        fusion,
        information,
        intervals,
        judged,
        lattice,
        measures,
        orders,
        papers,
        references,
        sample,
        scales,
        scores,
        search_length,
        statistics,
        testing,
        trec,
    )
    from measurand.axioms import balance
    from measurand.axioms.balance import balancing_index
    from measurand.errors import (
        Caveat,
        InputError,
        InputFileError,
        MeasurandError,
        NoJoin,
        NoMeet,
        NotAvailable,
        NotMeaningful,
        ParameterError,
    )
    from measurand.fusion.fuse import fuse
    from measurand.intervals import Position, interval
    from measurand.judged import JudgedRuns
    from measurand.measures import Measure
    from measurand.measures.defined import define
    from measurand.measures.parse import parse
    from measurand.report.page import write_report
    from measurand.scales import meaning
    from measurand.scales.measure_effect import scale_effect
    from measurand.scores import Scale, Scores, Table
    from measurand.statistics import AllPairs
    from measurand.study.against_baseline import BaselineComparison
    from measurand.study.assessors import Assessors, assessors
    from measurand.study.compare import compare
    from measurand.study.comparison import SystemComparison
    from measurand.study.dominance import Dominance, dominance
    from measurand.study.dominance_matrix import DominanceMatrix, dominance_matrix
    from measurand.study.evaluation import evaluate
    from measurand.study.explain.by_tool import ValuesByTool, values_by_tool
    from measurand.study.explain.explanation import Explanation, explain
    from measurand.study.gate import GateResult, gate
    from measurand.study.levels import Levels, levels
    from measurand.study.levels_matrix import LevelsMatrix, levels_matrix
    from measurand.study.margins.margins import Margins, margins
    from measurand.study.margins.matrix import MarginsMatrix, margins_matrix
    from measurand.study.parameter_map import ParameterMap
    from measurand.study.portfolio import Portfolio, portfolio
    from measurand.study.profile import Profile, profile
    from measurand.study.score_comparison import ScoreComparison
    from measurand.study.simulation import Simulations, simulate
    from measurand.study.store.build import store_scores
    from measurand.study.store.score_store import ScoreStore, open_scores
    from measurand.study.study import Study
    from measurand.study.tie_effect import TieEffect, TieEffects, tie_effect
    from measurand.study.topic_difficulty import TopicDifficulty, topic_difficulty
    from measurand.study.unanimity import unanimity
    from measurand.study.without_judgments import EvaluationWithoutJudgments, evaluate_without_judgments
    from measurand.trec import Qrels, Queries, Run, judge, read_qrels, read_queries, read_run, read_runs
    from measurand.verdict import Verdict

    # the measures of the catalogue are found here as well
    Accuracy: Measure
    AP: Measure
    binG: Measure
    BPM: Measure
    BPMD: Measure
    Bpref: Measure
    Compat: Measure
    DCG: Measure
    DiscountCurve: Measure
    ERR: Measure
    ESL: Measure
    ESLR: Measure
    F: Measure
    G: Measure
    gm: Measure
    gP: Measure
    gR: Measure
    gRBP: Measure
    IAP: Measure
    infAP: Measure
    INSQ: Measure
    INST: Measure
    IPrec: Measure
    Judged: Measure
    LatticeRank: Measure
    nDCG: Measure
    nDCGRel: Measure
    nERR: Measure
    NERR10: Measure
    NERR11: Measure
    NERR8: Measure
    NERR9: Measure
    NumNonrelRet: Measure
    NumQ: Measure
    NumRel: Measure
    NumRelRet: Measure
    NumRet: Measure
    OIE: Measure
    P: Measure
    Q: Measure
    R: Measure
    RBP: Measure
    RBPResidual: Measure
    RBTO: Measure
    RelativeP: Measure
    RnDCG: Measure
    Rprec: Measure
    RR: Measure
    SBTO: Measure
    SDCG: Measure
    SetAP: Measure
    SetF: Measure
    SetP: Measure
    Success: Measure
    TBG: Measure
    Unjudged: Measure
    Utility: Measure

__all__ = [
    "AllPairs",
    "Assessors",
    "BaselineComparison",
    "Caveat",
    "Dominance",
    "DominanceMatrix",
    "EvaluationWithoutJudgments",
    "Explanation",
    "GateResult",
    "InputError",
    "InputFileError",
    "JudgedRuns",
    "Levels",
    "LevelsMatrix",
    "Margins",
    "MarginsMatrix",
    "MeasurandError",
    "Measure",
    "NoJoin",
    "NoMeet",
    "NotAvailable",
    "NotMeaningful",
    "ParameterError",
    "ParameterMap",
    "Portfolio",
    "Position",
    "Profile",
    "Qrels",
    "Queries",
    "Run",
    "Scale",
    "ScoreComparison",
    "ScoreStore",
    "Scores",
    "Simulations",
    "Study",
    "SystemComparison",
    "Table",
    "TieEffect",
    "TieEffects",
    "TopicDifficulty",
    "ValuesByTool",
    "Verdict",
    "assessors",
    "axioms",
    "balance",
    "balancing_index",
    "compare",
    "compat",
    "define",
    "dominance",
    "dominance_matrix",
    "errors",
    "evaluate",
    "evaluate_without_judgments",
    "exact",
    "explain",
    "fuse",
    "fusion",
    "gate",
    "information",
    "interval",
    "intervals",
    "judge",
    "judged",
    "lattice",
    "levels",
    "levels_matrix",
    "margins",
    "margins_matrix",
    "meaning",
    "measures",
    "open_scores",
    "orders",
    "papers",
    "parse",
    "portfolio",
    "profile",
    "read_qrels",
    "read_queries",
    "read_run",
    "read_runs",
    "references",
    "sample",
    "scale_effect",
    "scales",
    "scores",
    "search_length",
    "simulate",
    "statistics",
    "store_scores",
    "testing",
    "tie_effect",
    "topic_difficulty",
    "trec",
    "unanimity",
    "values_by_tool",
    "write_report",
]

_HOMES = {
    "axioms.balance": ("balancing_index",),
    "errors": (
        "Caveat",
        "InputError",
        "InputFileError",
        "MeasurandError",
        "NoJoin",
        "NoMeet",
        "NotAvailable",
        "NotMeaningful",
        "ParameterError",
    ),
    "fusion": ("fuse",),
    "intervals": ("Position", "interval"),
    "judged": ("JudgedRuns",),
    "measures": ("Measure", "define", "parse"),
    "study.parameter_map": ("ParameterMap",),
    "study.assessors": ("Assessors", "assessors"),
    "study.portfolio": ("Portfolio", "portfolio"),
    "study.profile": ("Profile", "profile"),
    "report.page": ("write_report",),
    "study.dominance": ("Dominance", "dominance"),
    "study.dominance_matrix": ("DominanceMatrix", "dominance_matrix"),
    "scales": ("meaning", "scale_effect"),
    "scores": ("Scale", "Scores", "Table"),
    "statistics": ("AllPairs",),
    "study.compare": ("compare",),
    "study.comparison": ("SystemComparison",),
    "study.against_baseline": ("BaselineComparison",),
    "study.score_comparison": ("ScoreComparison",),
    "study.evaluation": ("evaluate",),
    "study.explain.by_tool": ("ValuesByTool", "values_by_tool"),
    "study.explain.explanation": ("Explanation", "explain"),
    "study.gate": ("GateResult", "gate"),
    "study.levels": ("Levels", "levels"),
    "study.levels_matrix": ("LevelsMatrix", "levels_matrix"),
    "study.margins.margins": ("Margins", "margins"),
    "study.margins.matrix": ("MarginsMatrix", "margins_matrix"),
    "study.simulation": ("Simulations", "simulate"),
    "study.store.build": ("store_scores",),
    "study.store.score_store": ("ScoreStore", "open_scores"),
    "study.study": ("Study",),
    "study.tie_effect": ("TieEffect", "TieEffects", "tie_effect"),
    "study.topic_difficulty": ("TopicDifficulty", "topic_difficulty"),
    "study.unanimity": ("unanimity",),
    "study.without_judgments": ("EvaluationWithoutJudgments", "evaluate_without_judgments"),
    "trec": ("Qrels", "Queries", "Run", "judge", "read_qrels", "read_queries", "read_run", "read_runs"),
    "verdict": ("Verdict",),
}

sys.meta_path.append(
    MovedModules(
        {
            "measurand.balance": "measurand.axioms.balance",
            "measurand.dominances": "measurand.study.dominance",
            "measurand.profiles": "measurand.study.profile",
            "measurand.rulers": "measurand.intervals",
            "measurand.lattice.drawing": "measurand.lattice.hasse",
            "measurand.orders.grades": "measurand.judged.graded_runs",
        }
    )
)

_MOVED = {"balance": "axioms.balance"}
"""Rooms that have become modules of other rooms, under the names that they had."""

_RENAMED = {"rulers": "intervals"}
"""Rooms that have another name now; the old one works and warns."""


def _attribute(name: str) -> object:
    """Return what the package has under a name, loaded when it is first used."""
    if name in __all__:
        for home, names in _HOMES.items():
            if name in names:
                return getattr(import_module(f"measurand.{home}"), name)
        return import_module(f"measurand.{_MOVED.get(name, name)}")
    if name in _RENAMED:
        deprecate(f"measurand.{name}", f"measurand.{_RENAMED[name]}")
        return import_module(f"measurand.{_RENAMED[name]}")
    if not name.startswith("_"):
        measure: object = import_module("measurand.measures.catalogue").find(name)
        if measure is not None:
            return measure
    from measurand.calls import FUNCTIONS, for_example, nearest

    close = None if name.startswith("_") else nearest(name, __all__, FUNCTIONS)
    hint = f"; did you mean {close}?{for_example(close)}" if close else ""
    raise AttributeError(f"module 'measurand' has no attribute {name!r}{hint}", name=name)


if not TYPE_CHECKING:  # checkers of types read the imports above, and complain of any other name
    __getattr__ = _attribute


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
