"""Every public result shows itself: in print, in notebooks, as a frame, for LaTeX and in one line."""

from __future__ import annotations

import inspect
import json
import re
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import measurand as md
from measurand import papers
from measurand.display.result import Result
from measurand.lattice import RunLattice, chain
from measurand.search_length import Lottery, WeakOrder, preferences
from measurand.study.against_baseline import against_baseline
from measurand.study.comparison_settings import Settings
from measurand.study.parameter_map import parameter_map

VALUES = """
Caveat Measure IntervalScaled Extension Space Topic Witness Certified InverseLogs Logs PowersOfTwo Quotient QuotientSum
Units
Observation Budget Ruler Universe Hits JudgedRun Multiset Pool Relevance TieGroups Cut Node Sublattice Affine Averages
Differences Increasing PerTopic Power Relabelling Significant Transformation AtRank Count Measurement Step Structure
SetResult SetUniverse TwoRuns Campaign Conventions ExactValues NamedFile Need PairResult Rank Rate Preference
AmongRuns Answered Move AcrossMeasures Best Compound Constant Correlated Number OnTopic PerMeasure Ranking
SignificantPairs Spreads Under
CalcResults Evaluator Metric Qrel RelevanceEvaluator ScoredDoc
""".split()
"""Public classes that are no results: what functions are given, and small values with a sentence of their own."""

GRADES = {"1": {"d1": 2, "d2": 1, "d3": 0}, "2": {"d1": 1, "d4": 1}, "3": {"d2": 2, "d5": 1}}
RANKED = {"a": ["d1", "d2", "d9"], "b_1": ["d3", "d2", "d1"], "c": ["d9", "d5", "d4"]}
SCORES = {"a": (3.0, 2.0, 1.0), "b_1": (2.0, 2.0, 1.0), "c": (3.0, 2.0, 2.0)}
SIGNALS = {"r1": {"d1": 3, "d2": 2, "d4": 1}, "gold": {"d1": 1, "d4": 1}}


def classes(module: ModuleType, seen: set[str]) -> dict[type, None]:
    """Return the public classes of a module and of the public modules that it lists."""
    seen.add(module.__name__)
    found: dict[type, None] = {}
    for name in getattr(module, "__all__", ()):
        value = getattr(module, name)
        if isinstance(value, ModuleType) and value.__name__ not in seen:
            found |= classes(value, seen)
        elif inspect.isclass(value) and not issubclass(value, BaseException) and not hasattr(value, "__members__"):
            found[value] = None
    return found


def two_stored() -> md.ScoreStore:
    """Return scores of two systems that were stored at an address in memory."""
    with TemporaryDirectory() as folder:
        for name, document in (("a", "d1"), ("b", "d2")):
            md.read_run({"1": {document: 2.0}, "2": {"d1": 1.0}}, name=name).to_trec(f"{folder}/{name}.run")
        return md.store_scores(GRADES, folder, "P@2", into="memory://results/two", resume=True)


def stored() -> md.ScoreStore:
    """Return scores that were stored at an address in memory."""
    with TemporaryDirectory() as folder:
        md.read_run({"1": {"d1": 2.0}}, name="a").to_trec(f"{folder}/a.run")
        return md.store_scores(GRADES, f"{folder}/a.run", "P@2", into="memory://results/scores", resume=True)


def campaign_results() -> dict[str, Any]:
    """Return what is made of runs and judgments."""
    qrels = md.read_qrels(GRADES)
    runs = [
        md.read_run({topic: dict(zip(order, SCORES[name], strict=True)) for topic in GRADES}, name=name)
        for name, order in RANKED.items()
    ]
    judged = md.judge(runs, qrels)
    table = md.evaluate(judged, ["AP", "P@2"])
    scores = table.scores("AP")
    comparison = md.compare(judged, ["AP", "P@2"])
    ties = md.tie_effect(qrels, runs, "RR")
    effect = md.scale_effect(judged, ["AP", "P"], 3, tests=["sign", "paired_t"])
    table_2 = papers.information_tables(qrels, runs, samples=3)
    doubles = papers.float_effect(judged, "AP", 3, tests=["sign"])
    effects = md.statistics.effects(scores)
    dominance = md.dominance_matrix(judged)
    unanimity = md.unanimity(judged, ["AP", "RR"], constraints=False)
    simulations = md.simulate(judged, "RR@2", tests="sign", repetitions=2)
    simulation = simulations["RR@2"]
    return {
        "Qrels": qrels,
        "Queries": md.read_queries({"1": "blue whales"}),
        "Run": runs[0],
        "Judgments": md.judged.Judgments.from_mapping(GRADES),
        "Results": md.judged.Results.from_mapping("a", {"1": {"d1": 2.0}}),
        "JudgedRuns": judged,
        "Table": table,
        "Scores": scores,
        "Summary": scores.mean(),
        "AllPairs": md.statistics.paired_t(scores).adjust("holm"),
        "Effects": effects,
        "Effect": effects.of("a", "c"),
        "Correlation": md.statistics.kendall(table.scores("AP"), table.scores("P@2")),
        "SystemComparison": comparison,
        "ScoreComparison": md.compare(table),
        "ScoreStore": stored(),
        "BaselineComparison": against_baseline(two_stored(), ["P@2"], Settings(baseline="a")),
        "MeasureResult": comparison.results[0],
        "Claim": comparison.results[0].claims[0],
        "Dominance": dominance.of("a", "c"),
        "DominanceMatrix": dominance,
        "GateResult": md.gate(qrels, runs[0], runs[2], ["AP", "P@2"]),
        "Levels": md.levels(judged, "a", "c"),
        "LevelsMatrix": md.levels_matrix(judged),
        "Margins": md.margins(judged, "RR", "a", "c"),
        "MarginsMatrix": md.margins_matrix(judged, "RR"),
        "ParameterMap": parameter_map(judged, "a", "c", "RBP"),
        "Portfolio": md.portfolio(judged),
        "Assessors": md.assessors({"Ann": judged}),
        "EvaluationWithoutJudgments": md.evaluate_without_judgments(runs, top=2, against=qrels),
        "Explanation": md.explain("0.5", qrels, runs[0], "P@2"),
        "ValuesByTool": md.values_by_tool(qrels, runs[0], "P@2"),
        "TopicDifficulty": md.topic_difficulty(runs, qrels),
        "TieEffects": ties,
        "TieEffect": ties["RR"],
        "ScaleEffect": effect,
        "MeasureEffect": effect.effects[0],
        "Flips": effect.effects[0].flips["sign"],
        "PairCorrelation": next(iter(effect.correlations.values())),
        "Simulations": simulations,
        "Simulation": simulation,
        "SimulatedTest": simulation.of("sign"),
        "ScaleChange": simulation.change("sign"),
        "UnanimityTable": unanimity,
        "Unanimity": unanimity.unanimity,
        "MeasureUnanimity": unanimity.unanimity.rows[0],
        "Meaning": md.meaning.check("mean of a exceeds mean of c", scores),
        "MeanRobustness": md.meaning.mean_robustness(scores),
        "Study": md.Study.from_files(qrels, runs, ["AP@3", "P@2"], fuse=False),
        "InformationTables": table_2,
        "InformationRow": table_2.rows[0],
        "ConsistencyScatter": table_2.consistency,
        "Mergeability": table_2.mergeability,
        "FusionGain": table_2.fusion,
        "FloatEffect": doubles,
        "FloatShift": doubles.shifts[0],
        "DecisionShift": doubles.shifts[0].tests["sign"],
        "ScaleTables": papers.scale_tables(qrels, runs, depths=[2]),
    }


def theory_results() -> dict[str, Any]:
    """Return what needs no campaign."""
    order = WeakOrder.parse("+-|+--|++---")
    lattice = RunLattice("swap", 4, 2)
    learned = md.lattice.learn({("1,0,0", "0,1,1"): 2, ("0,1,1", "1,0,0"): 1}, slack=True)
    ladder = md.orders.from_moves(md.orders.adjacent_swaps, name="ladder")
    stated = preferences.represent([(0, ">", 1), (1, ">", 0)])
    report = preferences.check([(0, ">", 1), (1, "~", {0: "1/2", 2: "1/2"})])
    signals = md.information.Signals.of(SIGNALS, 10)
    matrix = md.axioms.constraint_matrix(["AP", "RR"], collection=1000, recall_base=10, depth=4)
    readings = md.intervals.readings(md.interval("AP@4"), [(0, 1, 0, 1)])
    image = md.scales.image("AP", 4)
    added = SIGNALS | {"r2": {"d2": 1}}
    return {
        "Verdict": md.axioms.priority("P", depth=3),
        "MeasurementVerdict": md.axioms.is_measurement("AP", 3, 2),
        "ScaleType": md.scales.scale_type("AP", 4),
        "KnownScale": md.scales.known_scale(md.parse("RBP(p=0.8)")),
        "ConstraintMatrix": matrix,
        "Contest": md.axioms.contest("RBP(p=0.8)", collection=1000, recall_base=10),
        "Curve": md.balance.balancing_curve("RBP(p=0.8)", [5, 10]),
        "Profile": md.profile("RR", depth=3),
        "Position": md.interval("AP@4").position((0, 1, 0, 1)),
        "Reading": readings.runs[0],
        "Readings": readings,
        "Image": image,
        "Outline": md.scales.image("DCG(b=2)", depth=30),
        "Uneven": image.spacing().witness,
        "Distribution": md.intervals.distribution("P", depth=2),
        "RunShares": md.intervals.run_shares("AP", 4, runs=100),
        "RunPosition": md.scales.position_among_runs("Q@30", (0, 1), samples=50),
        "PositionsAmongRuns": md.scales.among_runs("Q@30", samples=50).positions([(0, 1), (1,)]),
        "Question": preferences.questionnaire().question,
        "Questionnaire": preferences.questionnaire("1=1"),
        "Lottery": order.search_length(2),
        "WeakOrder": order,
        "Realisation": md.search_length.realisation(Lottery.uniform(1, 3), 1),
        "Report": report,
        "Representation": stated,
        "Contradiction": stated.contradiction,
        "Statement": stated.statements[0],
        "Certificate": preferences.Certificate((Lottery.uniform(0, 1),), "an even chance"),
        "RunLattice": lattice,
        "Runs": md.lattice.Runs("swap", 4, 2),
        "Irreducibles": lattice.join_irreducibles(),
        "RunInterval": lattice.interval((0, 0, 0, 1), (0, 1, 1, 0)),
        "Bounds": lattice.bounds("AP", (1, 0, 0, 1), (0, 1, 1, 0)),
        "Closest": md.lattice.closest_bounds((1, 0, 0, 1), (0, 1, 1, 0)),
        "Learned": learned,
        "Disagreement": learned.disagreements[0],
        "RunStatement": learned.statements[0],
        "RunContradiction": learned.contradiction,
        "CompletionElement": md.lattice.RunLattice("swap", 2, 3).completed_join((0, 2), (1, 0)),
        "SeveralRuns": md.lattice.compare_runs((1, 0, 0, 1), (0, 1, 1, 0), (0, 0, 1, 1)),
        "Combination": md.lattice.combinations("ranks")[0],
        "Poset": chain(3),
        "Hasse": lattice.hasse("AP"),
        "Violation": md.lattice.violations("ab", lambda x, y: x != y)[0],
        "Comparison": md.orders.explain((1, 0, 0), (0, 1, 1)),
        "OwnOrder": ladder,
        "ComparisonByMoves": ladder.explain((0, 0, 1), (1, 0, 0)),
        "OwnLattice": md.lattice.OwnLattice(ladder, 3),
        "ByAssessor": md.orders.compare_by(["d1"], ["d2"], {"x": {"d1": 1}, "y": {"d2": 1}}),
        "Signals": signals,
        "Outscorers": md.information.outscorers(signals, "d2"),
        "Reproduction": papers.reproduce("br1988"),
        "Erratum": papers.errata("br1988")[0],
        "PrintedTables": papers.printed_tables(),
        "PrintedMeasure": papers.printed_unanimity()[0],
        "FloatImage": papers.float_image("RBP(p=0.3)", depth=4, digits=2),
        "CountedSums": papers.count_sums(4, np.array([0.0, 0.5])),
        "Rejections": papers.rejection_rate("P", 20, repetitions=2, topics=3, rng=1),
        "EffectivenessAdditivity": papers.effectiveness_additivity(added, "r2", "gold", collection_size=10),
    }


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """Return an example of every public result, by the name of its class."""
    return {**campaign_results(), **theory_results()}


def failing(shown: dict[str, Any], check: Any) -> dict[str, str]:
    """Return what goes wrong, by the name of the result."""
    found = {}
    for name, result in shown.items():
        try:
            wrong = check(result)
        except Exception as error:  # noqa: BLE001 - whatever goes wrong is told with its name
            wrong = repr(error)
        if wrong:
            found[name] = wrong
    return found


def test_every_public_class_is_a_result_with_an_example_or_a_plain_value(shown):
    public = {each.__name__ for each in classes(md, set())}
    assert public - set(VALUES) - set(shown) == set()
    assert set(VALUES) - public == set()
    assert {name for name, result in shown.items() if type(result).__name__ != name} == set()
    assert {name for name, result in shown.items() if not isinstance(result, Result)} == set()


def test_print_gives_short_lines_and_short_numbers(shown):
    def wrong(result):
        text = str(result)
        # what is said in one sentence is left to the terminal to break
        lines = [line for line in text.splitlines() if len(line) > 120 and "\n" in text]
        return re.findall(r"<[A-Z].*|\d{20,}|Fraction\(|array\(|np\.", text) or lines or not text.strip()

    assert failing(shown, wrong) == {}


def test_repr_is_one_short_line(shown):
    assert failing(shown, lambda result: len(repr(result)) > 130 or re.findall(r"\n|array\(", repr(result))) == {}


def test_to_dict_is_ready_for_json(shown):
    assert failing(shown, lambda result: not json.dumps(result.to_dict(), allow_nan=False)) == {}


def test_both_frames_have_the_same_columns_and_rows(shown):
    def wrong(result):
        ours, theirs = result.to_polars(), result.to_pandas()
        return ours.columns != list(theirs.columns) or ours.shape != theirs.shape or not ours.width

    assert failing(shown, wrong) == {}


def test_latex_and_notebooks_get_tables(shown):
    assert failing(shown, lambda result: r"\begin{tabular}" not in result.to_latex()) == {}
    assert failing(shown, lambda result: not re.match(r"<(p|table|figure)\b", result._repr_html_())) == {}
