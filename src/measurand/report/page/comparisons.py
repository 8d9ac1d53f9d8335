"""The section "Comparisons": which systems differ, by which test, on which scale, and under every measure."""

from __future__ import annotations

from typing import Any

import numpy as np

from measurand.display.wording import counted
from measurand.report.page.dominance_graph import DominanceGraph, dominance_chart, dominance_graph
from measurand.report.page.packed_scores import kinds_of, standing_of
from measurand.report.page.pair_numbers import pair_arrays
from measurand.report.page.pvalue_codes import ONE, STEP
from measurand.report.page.section import Section
from measurand.report.page.summing_up import that_both_have
from measurand.statistics import find_test, need_of
from measurand.study.both_scales import RANKED, RAW, TESTS
from measurand.study.comparison_view import CORRECTED
from measurand.study.dominance import COUNTS_ALONE
from measurand.study.measure_result import fitting_test
from measurand.study.study import Study

NAME = "comparisons"

SCALES = {RAW: "as it is", RANKED: "interval scale"}

METHODS = {"none": "none", "bonferroni": "Bonferroni", "holm": "Holm", "bh": "Benjamini and Hochberg"}

NAMED = 20
"""How many systems are named that are not drawn."""

LISTED = 500
"""How many pairs are listed that stand so on every topic."""


def section(study: Study) -> Section:
    """Return the section."""
    if len(study.systems) < 2:
        return Section(name=NAME, title="Comparisons", content={"pairs": 0})
    arrays, numbers = pair_arrays(study)
    beats = study.raw.dominance.better_everywhere
    graph = dominance_graph(beats, study.raw.results[0].order)
    return Section(
        name=NAME,
        title="Comparisons",
        content=_choices(study)
        | {
            "counts": _counts(study),
            "flips": _flips(study),
            "graph": _graph_words(study, graph),
            "beating": int(beats.sum()),
            "everywhere": _everywhere(study),
            "listed": LISTED,
            "depth": study.raw.dominance.depth,
            "both": that_both_have(study),
            "counts_alone": COUNTS_ALONE,
            "settled": study.raw.dominance.settled,
        },
        charts={"dominance": dominance_chart(graph, study.systems, beats)} if graph.levels else {},
        data=numbers | _told(study),
        arrays=arrays,
    )


def _choices(study: Study) -> dict[str, Any]:
    """Return what the reader can choose, and what is chosen first."""
    plan = study.plan
    return {
        "pairs": _pairs(study),
        "measures": list(study.measures),
        "scales": SCALES,
        "tests": {test: _test_words(test) for test in TESTS},
        "corrections": METHODS,
        "chosen": _chosen(study),
        "baseline": plan.baseline,
        "alpha": plan.alpha,
        "corrected": CORRECTED[plan.adjust],
        "systems": study.systems,
    }


def _told(study: Study) -> dict[str, Any]:
    """Return what the script has to know besides numbers of pairs."""
    baseline = study.plan.baseline
    return {
        "systems": list(study.systems),
        "topics": len(study.topics),
        "alpha": study.plan.alpha,
        "baseline": None if baseline is None else study.systems.index(baseline),
        "tests": {test: {"words": _test_words(test), "need": str(need_of(find_test(test)))} for test in TESTS},
        "names": list(TESTS),
        "scales": SCALES,
        "tukey": [test for test in TESTS if _tukey(study, test)],
        "corrected": CORRECTED,
        "one": ONE,
        "step": STEP,
    }


def _pairs(study: Study) -> int:
    n = len(study.systems)
    return n * (n - 1) // 2 if study.plan.baseline is None else n - 1


def _test_words(test: str) -> str:
    return need_of(find_test(test)).statistic + (" (Tukey)" if test == "two_way_anova" else "")


def _tukey(study: Study, test: str) -> bool:
    return study.tests.of(next(iter(study.measures)), RAW, test).adjusted == "tukey"


def _chosen(study: Study) -> dict[str, str]:
    """Return what the page shows first: the test that the plan asks for, if it is among those of a study."""
    asked = study.raw.results[0].pairs.test
    test = asked if asked in TESTS else fitting_test(study.raw.results[0].scores)
    return {"test": test, "adjust": study.plan.adjust}


def _counts(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs differ significantly, by measure and scale, under each test."""
    plan = study.plan
    rows = []
    for measure, scale in kinds_of(study):
        fits = [need_of(find_test(test)).met_by(standing_of(study, measure, scale).scores) for test in TESTS]
        tests = [study.tests.of(measure, scale, test).adjust(plan.adjust, baseline=plan.baseline) for test in TESTS]
        found = [int(np.triu(each.significant(plan.alpha), 1).sum()) for each in tests]
        cells = [{"count": count, "fits": fit} for count, fit in zip(found, fits, strict=True)]
        rows.append({"measure": measure, "scale": SCALES[scale], "cells": cells})
    return rows


def _flips(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs change between significant and not, by measure and test."""
    plan = study.plan
    rows = []
    for measure in study.measures:
        for test in TESTS:
            found = study.tests.flips(measure, test, adjust=plan.adjust, alpha=plan.alpha, baseline=plan.baseline)
            if found is not None:
                share = "–" if found.delta is None else f"{found.delta:.1f} %"
                cells = [found.sig, found.s2ns, found.ns2s, found.ranked, share]
                rows.append({"measure": measure, "test": test, "words": _test_words(test), "cells": cells})
    return rows


def _graph_words(study: Study, graph: DominanceGraph) -> list[str]:
    """Return what is and what is not in the drawing."""
    found = []
    if graph.left_out:
        found.append(
            f"Looked at are the {counted(len(study.systems) - graph.left_out, 'system')} with the most others"
            " behind them on every topic and the fewest ahead, and those that are told apart from none;"
            f" {graph.left_out} are left out of the drawing, not of the tables."
        )
    if graph.alone:
        names = ", ".join(study.systems[place] for place in graph.alone[:NAMED])
        more = f" and {len(graph.alone) - NAMED} more" if len(graph.alone) > NAMED else ""
        among = " among these" if graph.left_out else ""
        found.append(f"Without any arrow{among}, and not drawn: {names}{more}.")
    if graph.circular:
        found.append(
            f"{graph.circular} of the systems drawn are ahead of each other in a circle, which can be where pairs"
            " share different topics; arrows among systems of one level are not drawn, and none is left out."
        )
    return found


def _everywhere(study: Study) -> list[dict[str, Any]]:
    """Return the pairs of which one system is at least as good on every topic under every measure."""
    matrix = study.raw.dominance
    wins, ties = matrix.wins, matrix.ties
    return [
        {
            "ahead": study.systems[a],
            "behind": study.systems[b],
            "wins": int(wins[a, b]),
            "ties": int(ties[a, b]),
        }
        for a, b in np.argwhere(matrix.at_least_as_good)
        # two systems with the same grades everywhere are told once
        if a != b and (wins[a, b] or a < b)
    ]
