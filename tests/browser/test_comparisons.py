"""Comparisons in a browser: what the script computes from packed numbers is what Python says."""

from __future__ import annotations

import re

import numpy as np
import pytest

import measurand as md
from measurand.report.page import document
from measurand.statistics import CORRECTIONS
from measurand.study.both_scales import RAW, TESTS

CELL = re.compile(r"(.*) \(row\), (.*) \(column\): (.*), p .*")


def choose(page, measure="AP@30", scale="raw", test="sign", method="holm", order="place"):
    wanted = {"measure": measure, "scale": scale, "correction": method, "test": test, "order": order}
    for name, value in wanted.items():
        if not page.locator(f"#comparison-{name}").is_disabled():
            page.select_option(f"#comparison-{name}", value)
    page.wait_for_selector(f'#comparisons[data-shown="{"|".join([measure, scale, test, method, order])}"]')


def number(text: str) -> float:
    return float(text.replace("*", "").replace("−", "-"))


def listed(page) -> dict[tuple[str, str], list[str]]:
    """Return all rows of the table of pairs, page after page."""
    found = {}
    while True:
        rows = page.eval_on_selector_all(
            "#pairs-table tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
        )
        found.update({(row[0], row[1]): row[2:] for row in rows})
        following = page.locator("#pairs-table .pager button").nth(1)
        if following.is_disabled():
            return found
        following.click()


def test_flips_are_those_of_python_for_every_measure_test_and_correction(page, study):
    for method in CORRECTIONS:
        choose(page, method=method)
        rows = page.eval_on_selector_all(
            "#flips-table tbody tr",
            "rows => rows.map(row => [row.dataset.measure, row.dataset.test,"
            " ...[2, 3, 4, 5].map(at => Number(row.cells[at].textContent))])",
        )
        assert len(rows) == len(study.scaled) * len(TESTS)
        for measure, test, *counts in rows:
            flips = study.tests.flips(measure, test, adjust=method, alpha=0.05)
            assert counts == [flips.sig, flips.s2ns, flips.ns2s, flips.ranked]


def check_pairs(page, study, measure, scale, test, method):
    """Compare the table of pairs with what Python says."""
    choose(page, measure, scale, test, method)
    baseline = study.plan.baseline
    standing = study.result(measure) if scale == RAW else study.result_on_interval(measure)
    pairs = study.tests.of(measure, scale, test).adjust(method, baseline=baseline)
    significant, fragile = pairs.significant(study.plan.alpha), standing.robustness.fragile
    rows = listed(page)
    n = len(study.systems)
    assert len(rows) == (n * (n - 1) // 2 if baseline is None else n - 1)
    for (a, b), (mean, d, topics, p, differs, robust, every) in rows.items():
        effect, at = standing.effects.of(a, b), (pairs.place(a), pairs.place(b))
        numbers = re.fullmatch(r"(\S+) \[(\S+), (\S+)\]", mean).groups()
        wanted = effect.mean_difference, effect.low, effect.high
        assert [number(each) for each in numbers] == pytest.approx(wanted, abs=0.6e-4)
        assert ("*" in mean) is not standing.means.admitted
        assert number(d) == pytest.approx(effect.cohens_d, abs=0.006)
        assert topics == f"{effect.wins}–{effect.ties}–{effect.losses}"
        assert p == "<0.0001" or float(p) == pytest.approx(pairs.pvalues[at], rel=2e-3, abs=1e-3)
        assert differs == ("yes" if significant[at] else "no")
        assert robust == ("fragile" if fragile[at] else "robust")
        found = study.raw.dominance.of(a, b)
        assert every == f"{found.wins}–{found.ties}–{found.losses}–{found.incomparable}"


def check_matrix(page, study, measure, test):
    """Compare who is ahead with what Python says, without correction."""
    choose(page, measure, "raw", test, "none")
    labels = page.eval_on_selector_all(
        '[data-chart="comparisons-matrix"] .mark-rect path',
        "marks => marks.map(mark => mark.getAttribute('aria-label'))",
    )
    pairs = study.tests.of(measure, "raw", test)
    n, found = len(study.systems), {}
    for label in labels:
        a, b, says = CELL.fullmatch(label).groups()
        found[a, b] = says
    assert len(found) == (n * (n - 1) if study.plan.baseline is None else 2 * (n - 1))
    for (a, b), says in found.items():
        at = pairs.place(a), pairs.place(b)
        ahead = "row is ahead" if pairs.statistic[at] > 0 else "column is ahead"
        assert says == (ahead if pairs.significant(study.plan.alpha)[at] else "not significant")
    return set(found.values())


def test_the_table_of_pairs_has_python_s_numbers(page, study):
    check_pairs(page, study, "AP@30", "raw", "sign", "holm")
    check_pairs(page, study, "RBP(p=0.8)@30", "interval", "paired_t", "bh")


def test_the_matrix_says_who_is_ahead_by_the_test(visit, sample_page, study):
    page = visit(sample_page)
    for test in TESTS:
        assert len(check_matrix(page, study, "nDCG@10", test)) == 3


def test_a_baseline_left_out_topics_and_lower_values_are_told_as_in_python(visit, tmp_path):
    rng = np.random.default_rng(5)
    qrels = {str(topic): {f"d{place}": int(rng.integers(0, 2)) for place in range(30)} for topic in range(12)}
    runs = []
    for quality in range(5):
        found = {t: {d: 2 * quality * g + rng.normal() for d, g in judged.items()} for t, judged in qrels.items()}
        for left_out in range(quality % 3):
            del found[str(left_out)]
        runs.append(md.read_run(found, name=f"system {quality}"))
    waste = md.define(
        lambda run: sum(rank for rank, g in enumerate(run[:5]) if not g), name="waste", lower_is_better=True
    )
    options = {"baseline": "system 2", "missing_topics": "skip", "alpha": 0.1, "fuse": False}
    study = md.Study.from_files(qrels, runs, ["P@5", waste], **options)
    path = tmp_path / "report.html"
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    check_pairs(page, study, "waste", "raw", "paired_t", "holm")
    check_pairs(page, study, "P@5", "interval", "signed_rank", "bonferroni")
    for test in TESTS:
        assert "not significant" in check_matrix(page, study, "waste", test)


def test_pairs_without_a_common_topic_have_no_difference_and_levels_end_at_alpha(visit, tmp_path):
    qrels = {topic: {"x": 1, "y": 0} for topic in "123"}
    found = {"a": "12", "b": "3", "c": "123"}
    runs = [md.read_run({topic: {"x": 1.0} for topic in topics}, name=name) for name, topics in found.items()]
    study = md.Study.from_files(qrels, runs, "P@1", missing_topics="skip", alpha=0.005, fuse=False)
    path = tmp_path / "report.html"
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    rows = listed(page)
    assert rows["a", "b"][:3] == ["– [–, –]", "–", "0–0–0"]
    assert rows["b", "c"][:2] == ["0.0000 [-∞, +∞]", "–"]
    assert "(p ≤ 0.001, p ≤ 0.005)" in page.locator("#matrix-words").text_content()


def test_the_page_says_which_test_the_verdict_goes_by(page):
    choose(page, "P@10", "raw", "sign")
    assert "The verdict on P@10 goes by the paired t test instead." in page.locator("#comparison-count").text_content()
    choose(page, "P@10", "raw", "paired_t")
    assert "verdict" not in page.locator("#comparison-count").text_content()


def test_the_page_says_whether_the_scale_admits_the_test(page):
    choose(page, "RR@10", "raw", "paired_t")
    assert "does not admit this test" in page.locator("#comparison-words .badge").text_content()
    choose(page, "RR@10", "interval", "paired_t")
    assert page.locator("#comparison-words .badge").text_content() == "the scale admits this test"


def test_pairs_are_filtered_by_system_and_sorted(page, study):
    system = study.systems[3]
    page.select_option("#pairs-system", label=system)
    rows = listed(page)
    assert len(rows) == len(study.systems) - 1
    assert all(system in pair for pair in rows)
    page.locator("#pairs-table button.sort", has_text="p, corrected").click()
    p = [float(row[3].replace("<", "")) for row in listed(page).values()]
    assert p == sorted(p)
    page.select_option("#pairs-which", "yes")
    assert {row[4] for row in listed(page).values()} <= {"yes"}


def test_systems_can_be_ordered_by_name(page, study):
    choose(page, order="name")
    labels = page.locator('[data-chart="comparisons-matrix"] .role-axis-label text').all_text_contents()
    assert np.array_equal(labels[: len(study.systems)], sorted(study.systems))
