"""The section "Comparisons": which systems differ, by which test, on which scale, and for which measures.

Beside the matrix of pairs stand the graphs of levels: who is ahead under every measure of a class.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, log
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import BoolArray
from measurand.display.charts import Chart
from measurand.display.wording import counted, listed, percent
from measurand.report.page.level_graph import LevelGraph, level_chart, readable_graph
from measurand.report.page.packed_numbers import (
    ONE,
    STEP,
    asked_test,
    kinds_of,
    level_texts,
    page_tests,
    pair_arrays,
    tests_of,
)
from measurand.report.page.section import Section
from measurand.statistics import AllPairs, find_test, need_of
from measurand.statistics.multiple_comparisons import SHORT as CORRECTION_NAMES
from measurand.statistics.multiple_comparisons import WHOSE
from measurand.statistics.power import POWER, minimum_detectable_difference
from measurand.study.both_scales import RANKED, RAW, TESTS
from measurand.study.certainty import alpha_of_range
from measurand.study.dominance import COUNTS_ALONE
from measurand.study.level_classes import LEVELS, Level, best_known, covered_in_words
from measurand.study.scores_view import CORRECTED, SHORT
from measurand.study.study import Study

NAME = "comparisons"

TITLE = "How sure?"

HINTS = {
    False: "every test",
    True: "every pair: tests, corrections, effect sizes, who is ahead under which measures",
}
"""What is in the section, for two systems and for more."""

SCALES = {RAW: "as it is", RANKED: "interval scale"}

METHODS = {"none": "none", **{name: whose.removesuffix("'s") for name, whose in WHOSE.items()}}

NAMED = 20
"""How many systems are named that are not drawn."""

EXCEPTIONS = 12
"""How many pairs are named that arrows connect although the first is not ahead of the last."""


@frozen(eq=False)
class LevelView:
    """A level at which systems are compared without choosing a measure, and who is ahead of whom there.

    Parameters
    ----------
    key
        What charts and choices call it.
    level
        The level.
    significant
        Whether only significant leads are meant.
    ahead
        Systems × systems: whether the row is ahead of the column.
    graph
        What is drawn of it.
    """

    key: str
    level: Level
    significant: bool
    ahead: BoolArray
    graph: LevelGraph

    @property
    def name(self) -> str:
        """What the level is called in a list."""
        return f"{self.level.class_name}{', significantly' if self.significant else ''}"

    @property
    def words(self) -> str:
        """The level as it stands in a sentence, after "ahead"."""
        return f"{self.level.words}{', significantly' if self.significant else ''}"

    @property
    def pairs(self) -> int:
        """In how many pairs one system is ahead."""
        return int(self.ahead.sum())

    def chart(self, systems: tuple[str, ...]) -> Chart:
        """Return the drawing of who is ahead of whom.

        Parameters
        ----------
        systems
            The names of all systems.
        """
        return level_chart(self.graph, systems, self.ahead, self.words)


def level_views(study: Study) -> list[LevelView]:
    """Return the levels, the strongest first, and the weakest once more with significant leads alone.

    Parameters
    ----------
    study
        The study.
    """
    matrix, order = study.raw.levels, study.raw.results[0].order
    found = [(level.strength, level, False, matrix.ahead(level)) for level in LEVELS]
    found.append((0, Level.ADDITIVE, True, matrix.significant))
    return [
        LevelView(f"level-{key}", level, significant, ahead, readable_graph(ahead, order))
        for key, level, significant, ahead in found
    ]


CHOSEN = f"level-{Level.ADDITIVE.strength}"
"""The level that is drawn first."""


def section(study: Study) -> Section:
    """Return the section."""
    if len(study.systems) < 2:
        return Section(name=NAME, title=TITLE, hint="nothing to compare", content={"pairs": 0})
    arrays, numbers = pair_arrays(study)
    # of two systems the answer says at which levels one is ahead
    views = level_views(study) if len(study.systems) > 2 else []
    return Section(
        name=NAME,
        title=TITLE,
        hint=HINTS[len(study.systems) > 2],
        content=choices(study)
        | {
            "counts": _counts(study),
            "flips": _flips(study),
            "depth": study.raw.levels.depth,
            "counts_alone": COUNTS_ALONE,
            "settled": study.raw.dominance.settled,
            "many": len(study.systems) > 2,
        }
        | _levels(study, views),
        charts={view.key: view.chart(study.systems) for view in views if view.graph.rows},
        data=numbers | _told(study),
        arrays=arrays,
    )


def _levels(study: Study, views: list[LevelView]) -> dict[str, Any]:
    """Return in how many pairs one system is ahead at each level, which measures it covers, and what is drawn."""
    matrix = study.raw.levels
    return {
        "levels": [_level(study, view) for view in views],
        "chosen_level": CHOSEN,
        "both": ", on the topics that both have" if matrix.incomplete else "",
        "by_topic": listed(names) if (names := _by_topic(matrix.grades)) else "",
        "level_test": f"{need_of(find_test(matrix.test)).statistic}s",
        "level_corrected": CORRECTED[matrix.adjusted] if _pairs(study) > 1 else "",
        "alone": int((matrix.additive_significant & matrix.tested).sum()),
        "level_caveats": [caveat for caveat in matrix.caveats if caveat not in study.caveats],
    }


def _by_topic(grades: int) -> list[str]:
    """Return the best-known measures that only the strongest level covers, since they differ from topic to topic."""
    alike = best_known(Level.EVERY_MEASURE, grades=grades)
    return [name for name in best_known(Level.TOPICS, grades=grades) if name not in alike]


def _level(study: Study, view: LevelView) -> dict[str, Any]:
    matrix = study.raw.levels
    tested = _pairs(study) if view.significant else matrix.pairs
    return {
        "key": view.key,
        "name": view.name + (f", pairs with {matrix.baseline} alone" if view.significant and matrix.baseline else ""),
        "caption": _caption(view),
        "measures": view.level.measures,
        "covered": "" if view.significant else covered_in_words(view.level, depth=matrix.depth, grades=matrix.grades),
        "significant": view.significant,
        "pairs": view.pairs,
        "of": tested,
        "share": percent(view.pairs / tested),
        "drawn": len(view.graph.drawn),
        "told": list(_graph_words(study, view)) if view.pairs else [],
    }


def choices(study: Study) -> dict[str, Any]:
    """Return what the reader can choose, and what is chosen first.

    Parameters
    ----------
    study
        The study.
    """
    plan = study.plan
    if len(study.systems) < 2:
        return {"measures": list(study.measures), "tests": {}, "systems": study.systems}
    return {
        "pairs": _pairs(study),
        "interval": plan.interval,
        "scaled": bool(study.scaled),
        "measures": list(study.measures),
        "scales": SCALES,
        "tests": {test: _test_words(test) for test in _offered(study)},
        "means": [result.scores.measure for result in study.raw.results if result.by_means],
        "strict": plan.strict,
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
    # the level at which a t test has the critical value of the studentised range of all systems
    tukey = alpha_of_range(len(study.systems), len(study.topics), study.plan.alpha)
    return {
        "systems": list(study.systems),
        "measures": list(study.measures),
        "power": power_grid(len(study.topics), study.plan.alpha, _pairs(study), tukey) | {"tukey": tukey},
        "levels": level_texts(),
        "topics": len(study.topics),
        "alpha": study.plan.alpha,
        "baseline": None if baseline is None else study.systems.index(baseline),
        "tests": {test: _told_of(test) for test in page_tests(study)},
        "asked": asked_test(study),
        "methods": CORRECTION_NAMES,
        "names": page_tests(study),
        "scales": SCALES,
        "tukey": [test for test in _offered(study) if _tukey(study, test)],
        "strict": study.plan.strict,
        "corrected": CORRECTED,
        "one": ONE,
        "step": STEP,
    }


FEW = (2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 25, 30, 40)
"""On so many topics power is computed as well, because some pairs may share few."""

MULTIPLES = (0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30, 100, 1_000)
"""At so many times the topics at hand power is computed; the page's script reckons between them."""


COARSER = 4.0
"""Levels of significance at which power is computed lie at most so many times apart."""


def power_grid(topics: int, alpha: float, pairs: int = 1, strictest: float = 1.0) -> dict[str, Any]:
    """Return the smallest effect d that a t test finds four times of five, by level of significance and topics.

    Parameters
    ----------
    topics
        How many topics there are.
    alpha
        The level of significance.
    pairs
        How many pairs it may be shared by.
    strictest
        A level that may be lower still.

    Examples
    --------
    >>> found = power_grid(50, 0.05)
    >>> found["alphas"], round(found["d"][0][found["topics"].index(50)], 3)
    ([0.05], 0.404)
    """
    if alpha >= POWER:
        return {"topics": [], "alphas": [], "d": []}
    last = min(alpha / pairs, strictest)
    levels = np.geomspace(alpha, last, 1 + ceil(log(alpha / last, COARSER))).tolist()
    several = sorted({*FEW, *(max(2, round(times * topics)) for times in MULTIPLES)})
    least = [[minimum_detectable_difference(1.0, each, share) for each in several] for share in levels]
    return {"topics": list(several), "alphas": levels, "d": least}


def _offered(study: Study) -> list[str]:
    """Return the tests that were made under some measure: all, or those that a strict study admits."""
    made = {test for kind in kinds_of(study) for test in tests_of(study, *kind)}
    return [test for test in page_tests(study) if test in made]


def _pairs(study: Study) -> int:
    return study.raw.levels.compared


def _told_of(test: str) -> dict[str, str]:
    short = SHORT.get(test, test.replace("_", " "))
    return {"words": _test_words(test), "short": short, "need": str(need_of(find_test(test)))}


def _test_words(test: str) -> str:
    return need_of(find_test(test)).statistic + (" (Tukey)" if test == "two_way_anova" else "")


def _tukey(study: Study, test: str) -> bool:
    made = (tests_of(study, *kind) for kind in kinds_of(study))
    return any(found[test].adjusted == "tukey" for found in made if test in found)


def _chosen(study: Study) -> dict[str, str]:
    """Return what the page shows first: the test and the correction that the plan asks for."""
    return {"test": asked_test(study), "adjust": study.plan.adjust}


def _counts(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs differ significantly, by measure and scale, under each test."""
    plan = study.plan
    rows = []
    for measure, scale in kinds_of(study):
        made = tests_of(study, measure, scale)
        tests = {test: each.adjust(plan.adjust, baseline=plan.baseline) for test, each in made.items()}
        found = {test: _count(each, plan.alpha) for test, each in tests.items()}
        cells = [found.get(test, "–") for test in _offered(study)]
        rows.append({"measure": measure, "scale": SCALES[scale], "cells": cells})
    return rows


def _count(pairs: AllPairs, alpha: float) -> float:
    """Return how many pairs differ significantly, or of two systems the p-value."""
    if len(pairs.systems) == 2:
        return float(pairs.pvalues[0, 1])
    return int(np.triu(pairs.significant(alpha), 1).sum())


def _flips(study: Study) -> list[dict[str, Any]]:
    """Return how many pairs change between significant and not, by measure and test."""
    plan = study.plan
    rows = []
    for measure in study.measures:
        for test in (test for test in page_tests(study) if test in TESTS):
            found = study.tests.flips(measure, test, adjust=plan.adjust, alpha=plan.alpha, baseline=plan.baseline)
            if found is not None:
                share = "–" if found.delta is None else f"{found.delta:.1f} %"
                cells = [found.sig, found.s2ns, found.ns2s, found.ranked, share]
                rows.append({"measure": measure, "test": test, "words": _test_words(test), "cells": cells})
    return rows


def _caption(view: LevelView) -> str:
    """Return what an arrow means."""
    if view.level is Level.TOPICS:
        return "An arrow leads from a system to one that is nowhere ahead of it, on no topic, and behind it on some"
    surely = "significantly " if view.significant else ""
    return f"An arrow leads from a system to one that is {surely}behind it {view.level.words}"


def _graph_words(study: Study, view: LevelView) -> Iterator[str]:
    """Return what is and what is not in the drawing of a level."""
    graph, systems = view.graph, study.systems
    if not graph.rows:
        yield "Nothing is drawn: of the systems looked at none is ahead of another. The table of pairs above has all."
        return
    yield from _left_out_arrows(study, view)
    if graph.left_out:
        which = (
            "spread over all from those with the most others behind them to those with the most ahead"
            if graph.spread
            else "with the most others behind them and the fewest ahead"
        )
        yield (
            f"Looked at are {counted(len(systems) - graph.left_out, 'system')}: those {which}, and those without any"
            f" arrow; {graph.left_out} are left out of the drawing, not of the tables."
        )
    if graph.alone:
        names = ", ".join(systems[place] for place in graph.alone[:NAMED])
        more = f" and {len(graph.alone) - NAMED} more" if len(graph.alone) > NAMED else ""
        among = " among these" if graph.left_out else ""
        yield f"Without any arrow{among}, and not drawn: {names}{more}."


def _left_out_arrows(study: Study, view: LevelView) -> Iterator[str]:
    """Return which arrows are left out of a drawing, and what that they lead somewhere does not mean."""
    graph, found, systems = view.graph, view.graph.exceptions, study.systems
    if graph.circular:
        yield (
            f"{graph.circular} of the systems drawn are ahead of each other in a circle, which can be where pairs"
            " share different topics; arrows among systems of one row are not drawn, and no other is left out."
        )
        return
    carried = "Where arrows lead from one system to another by way of others, it is ahead of that one too"
    if not found:
        if len(graph.arrows) < view.ahead[np.ix_(graph.drawn, graph.drawn)].sum():
            yield f"{carried}, and no arrow of its own is drawn."
        return
    if view.significant and study.plan.baseline is not None:
        yield f"Only pairs with {study.plan.baseline} are tested: what arrows connect by way of it is not."
        return
    by = ", significantly," if view.significant else ""
    several = [f"{systems[a]} and {systems[b]}" for a, b in found]
    named = f": {'; '.join(several)}" if len(found) <= EXCEPTIONS else ", which the table of pairs above tells"
    yield f"{carried}{by} but for {counted(len(found), 'pair')}{named}."
    if view.significant and not study.raw.levels.incomplete:
        yield "In these it is ahead as well, but that could be chance."
