"""OIE lets almost empty results lead: they are named wherever it ranks systems, and never praised (D19)."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest

import measurand as md

TOPICS = [str(topic) for topic in range(1, 9)]
COLLECTION = 600


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    """Write judgments and three runs whose documents are mostly not relevant, and EMPTY, with one no document has."""
    monkeypatch.chdir(tmp_path)
    draw = random.Random(19)
    relevant = {topic: {f"d{n}" for n in draw.sample(range(200), 10)} for topic in TOPICS}
    judged = (f"{topic} 0 d{n} {int(f'd{n}' in found)}\n" for topic, found in relevant.items() for n in range(200))
    Path("qrels").write_text("".join(judged))
    for name in "abc":
        lines = []
        for topic in TOPICS:
            some = draw.sample(sorted(relevant[topic]), 4)
            rest = [f"d{n}" for n in draw.sample(range(200), 60) if f"d{n}" not in some]
            order = sorted([*some, *rest], key=lambda d, some=some: draw.random() - 0.2 * (d in some))
            lines += [f"{topic} Q0 {d} {at} {-at} {name}\n" for at, d in enumerate(order, 1)]
        Path(f"{name}.run").write_text("".join(lines))
    Path("EMPTY.run").write_text("".join(f"{topic} Q0 nothing-there 1 1.0 EMPTY\n" for topic in TOPICS))
    return [f"{name}.run" for name in ("a", "b", "c", "EMPTY")]


def empty_score(relevant, *, beta=1.2, size=COLLECTION):
    """Return what nothing at all scores on a topic: the information of the judgments, once less β times."""
    return (1 - beta) * relevant * math.log(size / relevant) / size


def named(text, systems):
    return "no more than an empty result" in text and all(system in text for system in systems)


def test_systems_at_or_below_an_empty_result_are_named_with_the_reason(call, campaign):
    """D19, evaluate: exactly those whose mean is not above that of nothing, by the definition."""
    table = md.evaluate("qrels", campaign, f"OIE(collection={COLLECTION})")
    means = next(iter(table)).mean().to_dict()
    low = [system for system, mean in means.items() if mean <= empty_score(10)]
    assert "EMPTY" in low
    assert max(means, key=means.get) == "EMPTY"
    [said] = [str(c) for scores in table for c in scores.caveats if "empty result would" in str(c)]
    assert named(said, low)
    assert "not relevant lowers a score" in said
    assert said in " ".join(call("evaluate", "qrels", *campaign, "-m", f"OIE(collection={COLLECTION})").err.split())


def test_systems_above_an_empty_result_are_not_named():
    """D19: a mark where there is reason for one, and none elsewhere; an empty run is no more than itself."""
    qrels = {"1": {"x": 1, "y": 1}, "2": {"x": 1}}
    runs = {"good": {"1": {"x": 2.0, "y": 1.0}, "2": {"x": 1.0}}, "none": {"1": {}, "2": {"z": 1.0}}}
    scores = md.evaluate(qrels, runs, "OIE(collection=1000)")
    said = [str(c) for c in next(iter(scores)).caveats if "empty result would" in str(c)]
    assert len(said) == 1
    assert "none scores no more than an empty result" in said[0]
    assert not any("empty result would" in str(c) for c in next(iter(md.evaluate(qrels, runs, "AP"))).caveats)


@pytest.mark.parametrize("measures", [("OIE",), ("AP", "OIE")])
def test_a_comparison_names_them_first_of_what_to_check(campaign, measures):
    """D19, compare: whether OIE is the first measure or another one."""
    told = md.compare("qrels", campaign, list(measures)).conclusion
    first = told.to_dict()["checks"][0]
    assert first["kind"] == "not-above-empty"
    assert first["systems"][0] == "EMPTY"
    assert named(first["sentence"], ["EMPTY"])
    [line] = [line.text for line in told.lines if line.strong == "Check first:"]
    assert line.startswith("under OIE")


def test_the_page_names_them(call, campaign):
    """D19, report."""
    assert call("report", "qrels", *campaign, "-m", "OIE", "-o", "page.html").code == 0
    assert "no more than an empty result would" in Path("page.html").read_text()


def test_without_judgments_nobody_agrees_most_who_returns_nothing(call, campaign):
    """D19: AP comes first; EMPTY, first under OIE, neither agrees most nor is the best by judgments."""
    found = call("evaluate", "--without-judgments", *campaign, "--against", "qrels")
    shown = " ".join(found.out.split())
    assert shown.index("AP") < shown.index("OIE")
    assert "EMPTY agrees most" not in shown
    assert "EMPTY under OIE" not in shown
    assert "best system by judgments, EMPTY" not in shown
    assert "nobody is said to agree most" in shown
    assert "not relevant lowers a score" in shown
    assert "between 0.2 and 0.9" in shown
    alone = call("evaluate", "--without-judgments", *campaign, "-m", "OIE").out
    assert "agrees most" not in alone
    assert "empty result" in alone


def test_without_judgments_programs_are_told_as_well(campaign):
    """D19: the names, by measure; under OIE the one that is first is among them."""
    found = md.evaluate_without_judgments(campaign, against="qrels")
    assert [measure.partition("(")[0] for measure in found.measures] == ["AP", "OIE"]
    [(measure, systems)] = found.not_above_empty.items()
    assert measure == found.measures[1]
    assert systems[0] == found.leaders[measure] == "EMPTY"
    assert found.to_dict()["without_judgments"]["not_above_empty"] == {measure: list(systems)}
    assert "EMPTY" in found.agreement(measure).not_above_empty
    assert found.agreement("AP").not_above_empty == ()


def test_a_system_that_agrees_under_both_measures_is_still_said_to(call):
    """D19: on the built-in sample no system scores as little as an empty result, and nothing is said of that."""
    found = md.evaluate_without_judgments(md.sample.runs())
    assert found.not_above_empty == {}
    assert not any("empty result" in sentence for sentence in found.sentences())
