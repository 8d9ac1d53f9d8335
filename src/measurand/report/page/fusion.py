"""The section "Fusion": what combining the runs would give, and how far that can be trusted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from measurand.display.charts import ACCENT, GREY, INK, Chart
from measurand.display.wording import counted, percent
from measurand.fusion.methods import REFERENCES
from measurand.measures.around import innermost
from measurand.references import author_year
from measurand.report.method_paragraph import but_for
from measurand.report.page.data import by_kind, mean_shares, shown_ranks
from measurand.report.page.section import Section
from measurand.report.study_frames import fusion_rows
from measurand.statistics.multiple_comparisons import CORRECTED
from measurand.study.fusions import Fusions, described
from measurand.study.margins import margin_of
from measurand.study.scale_paragraphs import averages_word, ordered_by
from measurand.study.scores_view import value_of
from measurand.study.study import Study

MOSTLY = 0.5
"""A fusion of which a larger share of documents tie hardly ranks them."""


TITLE = "What would combining them give?"


def section(study: Study) -> Section:
    """Return the section: every fusion against the best system, and what to keep in mind."""
    if study.fusions is None:
        why = "With one system there is nothing to combine." if len(study.systems) < 2 else "Nobody asked for it."
        return Section(name="fusion", title=TITLE, content={"why": why})
    rows = fusion_rows(study)
    return Section(
        name="fusion",
        title=TITLE,
        hint="fusion: one ranking from several, judged on the same judgments",
        content={
            "why": "",
            "summary": list(_summary(study, rows)),
            "rows": [row | _shown(row) for row in rows],
            "measures": list(study.measures),
            "alpha": study.plan.alpha,
            "corrected": _corrected(study.fusions),
            "cautions": list(_cautions(study, study.fusions)),
            "methods": _methods(study, study.fusions),
            "ordered_by": ordered_by(study.raw.results),
            "means": [result.scores.measure for result in study.raw.results if result.by_means],
            "strict": study.plan.strict,
            "ahead_of": _ahead_of(study),
            "ranks": shown_ranks(study),
            "test": _tests(study),
            "caveats": by_kind(study.fusions.caveats),
        },
        data={"chart": _chart(), "systems": study.systems, "measures": _drawn(study, rows)},
    )


def _tests(study: Study) -> str:
    """Return by which tests fusions are compared with the best system."""
    assert study.fusions is not None  # nobody asks otherwise
    return " or ".join(dict.fromkeys(study.fusions.of(name).pairs.needs.statistic for name in study.measures))


def _ahead_of(study: Study) -> str:
    """Return what it means that a fusion is ahead of so many systems."""
    several = list(dict.fromkeys(result.summary.statistic for result in study.raw.results))
    shared = [statistic for statistic in several if statistic != "mean rank"]
    found = [f"how many of the systems have a worse {' or '.join(shared)}"] if shared else []
    return "; ".join([*found, *(["mean ranks tell nothing of that"] if shared != several else [])])


def _shown(row: dict[str, Any]) -> dict[str, Any]:
    """Return the number and the margin of scale of a row as people read them, and whether it is the best system's."""
    is_best = row["system"] == row["best"]
    margin = "" if is_best else margin_of(row)
    return {"margin": margin, "is_best": is_best, "number": value_of(row, row["statistic"])}


def _corrected(fusions: Fusions) -> str:
    kinds = dict.fromkeys(comparison.results[0].pairs.adjusted for comparison in fusions.comparisons.values())
    several = " or ".join(CORRECTED[kind] for kind in kinds)
    over = (
        ""
        if kinds.keys() <= {"none", "tukey"}
        else f" over the {len(fusions.names)} fusions under a measure, not over measures"
    )
    return f"{several}{over}"


def _summary(study: Study, rows: list[dict[str, Any]]) -> Iterator[str]:
    assert study.fusions is not None  # nobody asks otherwise
    names, fused = study.fusions.names, [row for row in rows if row["significant"] is not None]
    several = f"All {len(study.systems)} systems together" if len(study.systems) > 2 else "Both systems together"
    yield f"{several}, combined in {len(names)} ways: {', '.join(names.values())}."
    ways = ((1, "ahead of"), (-1, "behind"))
    for sign, words in ways:
        found = [row for row in fused if row["significant"] and row["direction"] == sign]
        if not found:
            yield f"Nowhere is a fusion significantly {words} the best system."
            continue
        times = Counter(row["system"] for row in found)
        who = ", ".join(f"{name} under {counted(times[name], 'measure')}" for name in names.values() if times[name])
        level = f"{_tests(study)}, p ≤ {study.plan.alpha:g}, {_corrected(study.fusions)}"
        pairs = f"{len(found)} of {counted(len(fused), 'comparison')}"
        yield f"In {pairs} a fusion is significantly {words} the best system ({level}): {who}."
    blind = [f"{name} ({percent(share)})" for name, share in study.fusions.tied.items() if share > MOSTLY]
    if blind:
        yield (
            f"Most documents of {', '.join(blind)} share their fused score with another of their topic and stand by"
            " identifier: what it scores here says little about it."
        )


def _cautions(study: Study, fusions: Fusions) -> Iterator[tuple[str, str]]:
    """Return what a sceptical reader should know, each with a heading."""
    n = len(study.systems)
    yield (
        "The same judgments.",
        "Fusions are made of these very runs and scored on the same topics and judgments as the runs. Nothing was held"
        " back to check on, so this says what combining gave here, not what it will give elsewhere.",
    )
    best = (
        f"the best of {n} by {ordered_by(study.raw.results)}"
        if study.plan.strict
        else f"the one with the best mean of {n}"
    )
    averages = averages_word(study.raw.results)
    numbers = "The p-values and intervals take" if averages == "averages" else "The p-values take"
    yield (
        "The system to beat was chosen after looking.",
        f"It is {best} under the measure, on these topics. The best of several observed"
        f" {averages} tends to be too good, the more so the more systems there are and the closer they lie; on new"
        f" topics that system should be expected to do worse. {numbers} it as if it had been named"
        " beforehand. As far as this choice goes, gains over it are on the safe side and losses against it look larger"
        " and more certain than they are.",
    )
    yield (
        "The same goes for the best of the fusions.",
        "Picked from this table, its lead is too high by the same argument. To report one, name it beforehand,"
        " or try it on topics that played no part in the choice.",
    )
    yield (
        "Nothing was tuned.",
        "All systems take part, with equal weight, good or bad; near copies of a system vote as often as there are of"
        " them. Constants are those of the literature (k = 60 in rrf, scores mapped to 0…1 within each topic in"
        " combsum). Whether the systems themselves were tuned on these judgments, the files do not tell.",
    )
    yield from _of_depth(study, fusions)


def _of_depth(study: Study, fusions: Fusions) -> Iterator[tuple[str, str]]:
    deep = [
        name for name, each in study.measures.items() if (innermost(each).cutoff or study.judged.depth) > fusions.depth
    ]
    told = f"The first {fusions.depth} documents of each run and topic are fused, and as many are kept."
    if deep and study.judged.depth > fusions.depth:
        told += (
            f" The best system is cut there as well, so under {', '.join(deep)} its numbers are not those of the other"
            " sections, and it may have been chosen by documents that are cut here."
        )
    yield (
        "Depth and documents without a judgment.",
        f"{told} Documents without a judgment count as not relevant{but_for(study)}; the shares that were judged are"
        " below.",
    )


def _methods(study: Study, fusions: Fusions) -> list[dict[str, Any]]:
    shares = {rank: mean_shares(fusions.coverage, rank).tolist() for rank in shown_ranks(study)}
    return [
        {
            "name": name,
            "described": described(method),
            "tied": fusions.tied[name],
            "references": "; ".join(map(author_year, REFERENCES[method])),
            "shares": [shares[rank][fusions.coverage.systems.index(name)] for rank in shown_ranks(study)],
        }
        for method, name in fusions.names.items()
    ]


def _drawn(study: Study, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what is drawn under each measure: the means of all systems and of the fusions, or what stands for them."""
    found = []
    for measure in study.measures:
        result = study.result(measure)
        mine = [row for row in rows if row["measure"] == measure]
        statistic = result.summary.statistic
        lower = ", lower is better" if result.summary.lower_is_better else ""
        # ranks among the best system and the fusions cannot be set beside those among all systems
        alone = statistic == "mean rank"
        among = ", among the best system and the fusions" if alone else ""
        found.append(
            {
                "measure": measure,
                "title": f"{statistic}{' by' if alone else ''} {measure} over topics{among}{lower}",
                "statistic": statistic,
                "means": [None if mean != mean or alone else round(mean, 5) for mean in result.summary],
                "best": mine[0]["system"],
                "fusions": [_dot(row) for row in mine],
            }
        )
    return found


def _dot(row: dict[str, Any]) -> dict[str, Any]:
    words = value_of(row, row["statistic"])
    return {"name": row["system"], "mean": row["value"], "words": words, "beaten": row["beaten"]}


def _chart() -> Chart:
    """Return the drawing without its data, which the script puts in: systems in one row, each fusion in its own."""
    x = {"field": "mean", "type": "quantitative", "axis": {"grid": True}}
    y = {"field": "row", "type": "nominal", "title": None, "sort": None}
    tooltip = [{"field": "name", "title": "name"}, {"field": "mean", "type": "quantitative", "format": ".4f"}]
    dot = {"type": "point", "filled": True, "size": 90, "opacity": 1}
    label: Chart = {"type": "text", "fontSize": 11, "color": INK}
    text: Chart = {"text": {"field": "label"}}
    sides: dict[str, Chart] = {"right": {"align": "left", "dx": 9}, "left": {"align": "right", "dx": -9}}
    labels: list[Chart] = [
        {"transform": [{"filter": f"datum.side == '{side}'"}], "mark": {**label, **place}, "encoding": text}
        for side, place in sides.items()
    ]
    kind = "datum.kind == "
    return {
        "width": "container",
        "height": 150,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "encoding": {"x": x, "y": y, "tooltip": tooltip},
        "layer": [
            {
                "transform": [{"filter": f"{kind}'system'"}],
                "mark": {"type": "tick", "color": GREY, "thickness": 2, "height": 16},
            },
            {"transform": [{"filter": f"{kind}'best'"}], "mark": {**dot, "color": INK, "shape": "diamond"}},
            {"transform": [{"filter": f"{kind}'fusion'"}], "mark": {**dot, "color": ACCENT}},
            *labels,
        ],
    }
