"""Odd studies: one system, one topic, ties, a baseline, strict ones, lower is better; every page of them works."""

from __future__ import annotations

import re

import numpy as np
import pytest

import measurand as md
from measurand.report.page import document

WASTE = md.define(
    lambda run: sum(rank for rank, grade in enumerate(run[:5]) if not grade), name="waste", lower_is_better=True
)
"""Lower is better."""

UNTOLD = re.compile(r"\b(NaN|nan|undefined(?!, because)|null|None(?! of)|Infinity|\[object)\b")
"""What a program says where it has nothing to say."""


def study_of(names, measures=("P@5", "AP"), topics=9, skipping=(), twins=(), **plan) -> md.Study:
    rng = np.random.default_rng(1)
    documents = [f"d{place}" for place in range(12)]
    qrels = {f"t{topic}": {d: int(rng.integers(0, 3)) for d in documents[:9]} for topic in range(topics)}
    runs = {}
    for at, name in enumerate(names):
        runs[name] = {
            topic: {d: (len(names) - at) * judged.get(d, 0) / 3 + rng.normal() for d in documents}
            for topic, judged in qrels.items()
            if not (name in skipping and topic == "t0")
        }
    runs |= dict.fromkeys(twins, runs[names[0]])
    return md.Study.from_files(qrels, runs, measures, **{"fuse": False, **plan})


STUDIES = {
    "one system": lambda: study_of(("alone",)),
    "one system and one topic": lambda: study_of(("alone",), topics=1),
    "two systems on one topic": lambda: study_of(("a", "b"), topics=1),
    "two systems that are alike": lambda: study_of(("a",), twins=("b",)),
    "two systems, lower is better": lambda: study_of(("a", "b"), (WASTE, "P@5")),
    "two systems, strict": lambda: study_of(("a", "b"), ("AP", "P@5"), strict=True),
    "two systems, one skips a topic": lambda: study_of(("a", "b"), skipping=("b",), missing_topics="skip"),
    "two systems and a baseline, interval scales": lambda: study_of(
        ("a", "b"), ("P@5", "RR@5"), baseline="a", interval=True
    ),
    "many, some of them alike": lambda: study_of(("a", "b"), twins=("c", "d")),
    "many with a baseline, one measure": lambda: study_of(("a", "b", "c", "d"), ("P@5",), baseline="c"),
    "many, strict": lambda: study_of(("a", "b", "c"), ("AP", "RR@5", "P@5"), strict=True, fuse=True),
    "many, lower is better, one skips a topic": lambda: study_of(
        ("a", "b", "c"), (WASTE, "P@5"), skipping=("c",), missing_topics="skip", test="sign"
    ),
    "many on one topic": lambda: study_of(("a", "b", "c"), topics=1),
}


@pytest.mark.parametrize("name", STUDIES)
def test_every_page_is_whole_and_says_nothing_that_a_program_would(visit, tmp_path, name):
    study = STUDIES[name]()
    path = tmp_path / "report.html"
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    assert page.inner_text("#headline") == study.conclusion.headline
    texts = [page.inner_text("body")]
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function("document.querySelectorAll('figure.chart .canvas:empty').length === 0")
    assert page.locator("figure.chart .notice").count() == 0
    for measure in study.measures:
        page.select_option("#choice-measure", measure)
        for tile in page.locator("#tiles button").all():
            tile.click()
            texts.append(page.inner_text("#certificate"))
        texts.append(page.inner_text("body"))
    page.locator("button.topic:visible").first.click()
    page.wait_for_selector("#topic[open] table")
    texts.append(page.inner_text("#topic"))
    found = [text[max(0, at.start() - 60) : at.end() + 30] for text in texts for at in UNTOLD.finditer(text)]
    assert found == []


def test_with_a_baseline_the_leaderboard_compares_every_system_with_it_and_follows_the_test(visit, tmp_path):
    study = study_of(("a", "b", "base", "d"), ("P@5", "AP"), topics=12, baseline="base")
    path = tmp_path / "report.html"
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    assert page.locator("#board thead", has_text="base").count() == 1
    for measure in study.measures:
        page.select_option("#choice-measure", measure)
        result = study.result(measure)
        rows = page.eval_on_selector_all(
            "#board tbody tr",
            "rows => rows.map(row => [row.querySelector('th').textContent.trim(), row.className, ...['difference', 'p']"
            ".map(name => row.querySelector(`[data-shown=${name}]`).textContent)])",
        )
        assert [name for name, *_ in rows] == list(result.systems)
        for name, edge, difference, p in rows:
            if name == "base":
                assert (difference, p) == ("", "")
                continue
            effect = result.effects.of(name, "base")
            assert float(difference.replace("−", "-")) == pytest.approx(effect.mean_difference, abs=0.6e-3)
            assert float(p.replace("<", "")) == pytest.approx(result.pairs.of(name, "base"), rel=2e-3, abs=6e-4)
            side = "better" if effect.mean_difference > 0 else "worse"
            assert edge.replace("looked", "").strip() == (side if result.pairs.of(name, "base") <= 0.05 else "")
