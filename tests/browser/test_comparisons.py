"""Comparisons in a browser: what the script computes from packed numbers is what Python says."""

from __future__ import annotations

import re

import numpy as np
import pytest

import measurand as md
from measurand.report.page import document
from measurand.statistics import ALPHA, CORRECTIONS, detectable, minimum_detectable_difference
from measurand.study.both_scales import RAW, TESTS
from measurand.study.certainty import deciding_alphas
from measurand.study.level_classes import Level
from measurand.study.levels_view import IN_SHORT, SIGNIFICANT
from measurand.study.margins import written_margin

CELL = re.compile(r"(.*) \(row\), (.*) \(column\): (.*), p .*")


def choose(page, measure="P@10", scale="raw", test="sign", method="holm", order="place"):
    wanted = {"measure": measure, "scale": scale, "correction": method, "test": test, "order": order}
    for name, value in wanted.items():
        if page.locator(f"#choice-{name}").is_enabled() and page.locator(f"#choice-{name}").is_visible():
            page.select_option(f"#choice-{name}", value)
    page.wait_for_selector(f'#comparisons[data-shown="{"|".join([measure, scale, test, method, order])}"]')


def near_square(page):
    """Scroll to the square of all pairs, which is drawn when a reader comes near."""
    page.locator("#square").scroll_into_view_if_needed()
    page.locator('[data-chart="comparisons-matrix"] .mark-rect path').first.wait_for()


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def listed(page) -> dict[tuple[str, str], list[str]]:
    """Return all rows of the table of pairs, page after page, without the columns that are not shown."""
    found = {}
    while True:
        rows = page.eval_on_selector_all(
            "#pairs-table tbody tr",
            "rows => rows.map(row => [...row.cells].filter(cell => !cell.hidden).map(cell => cell.textContent))",
        )
        found.update({(row[0], row[1]): row[2:] for row in rows})
        following = page.locator("#pairs-table .pager button").nth(1)
        if following.is_disabled():
            return found
        following.click()


def test_flips_are_those_of_python_for_every_measure_test_and_correction(scaled_page, scaled_study):
    page, study = scaled_page, scaled_study
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
    alone = study.tests.of(measure, scale, test)
    pairs = alone.adjust(method, baseline=baseline)
    significant = pairs.significant(study.plan.alpha)
    standing_detectable, alphas = detectable(standing.scores, ALPHA), deciding_alphas(pairs, study.plan.alpha)
    columns = ["difference", "d", "topics", "p", "corrected", "sign", "seen", "differs", "kappa", "dominance", "level"]
    unseen = {"corrected"} if method == "none" else set()
    shown = [name for name in columns if name not in unseen | ({"sign"} if test == "sign" else set())]
    rows = listed(page)
    n = len(study.systems)
    assert len(rows) == (n * (n - 1) // 2 if baseline is None else n - 1)
    for (a, b), cells in rows.items():
        told = dict(zip(shown, cells, strict=True))
        effect, at = standing.effects.of(a, b), (pairs.place(a), pairs.place(b))
        numbers = re.fullmatch(r"(\S+)(?: \[(\S+), (\S+)\])?", told["difference"]).groups()
        # the interval is that of the t test
        ended = test == "paired_t" and np.isfinite(effect.low)
        wanted = (effect.mean_difference, *((effect.low, effect.high) if ended else ()))
        assert [number(each) for each in numbers if each is not None] == pytest.approx(wanted, abs=0.6e-4)
        assert number(told["d"]) == pytest.approx(effect.cohens_d, abs=0.006)
        assert told["topics"] == f"{effect.wins}–{effect.ties}–{effect.losses}"
        for name, wanted in (("p", alone), ("corrected", pairs), ("sign", study.tests.of(measure, scale, "sign"))):
            p = told.get(name, "<0.0001")
            assert p == "<0.0001" or float(p) == pytest.approx(wanted.pvalues[at], rel=2e-3, abs=6e-4)
        assert told["differs"] == ("yes" if significant[at] else "no")
        n, level, differing = effect.topics, float(alphas[at]), effect.topics - effect.ties
        known = [minimum_detectable_difference(1.0, n, each) for each in (level, ALPHA)]
        seen = standing_detectable[at] * known[0] / known[1]
        assert (told["seen"] == "") is bool(significant[at])
        if told["seen"] == "too few topics":
            assert seen > 0.999 or 2 * 0.5**differing > level
        elif told["seen"].strip("–"):
            assert number(told["seen"]) == pytest.approx(seen, rel=0.02, abs=0.6e-3)
        assert told["kappa"] == written_margin(standing.scale.of(a, b))
        found = study.raw.dominance.of(a, b)
        assert told["dominance"] == f"{found.wins}–{found.ties}–{found.losses}–{found.incomparable}"
        pair = study.raw.levels.pair(a, b)
        who = {a: "first: ", b: "second: ", None: "level: " if pair.tied else "depends"}[pair.ahead]
        word = "" if pair.level is Level.THIS_MEASURE else IN_SHORT[pair.level]
        assert told["level"] == f"{who}{word}{SIGNIFICANT if pair.significant else ''}"


def check_matrix(page, study, measure, test):
    """Compare who is ahead with what Python says, without correction."""
    near_square(page)
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


def test_the_table_of_pairs_has_python_s_numbers(page, study, scaled_page, scaled_study):
    check_pairs(page, study, "AP", "raw", "sign", "holm")
    check_pairs(page, study, "nDCG@10", "raw", "paired_t", "none")
    check_pairs(scaled_page, scaled_study, "RR@10", "interval", "paired_t", "bh")


def test_the_matrix_says_who_is_ahead_by_the_test(page, study):
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
    options = {"baseline": "system 2", "missing_topics": "skip", "alpha": 0.1, "fuse": False, "interval": True}
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
    page.click("#unfold")
    near_square(page)
    rows = listed(page)
    assert rows["a", "b"][:3] == ["–", "–", "0–0–0"]
    assert rows["b", "c"][:2] == ["0.0000", "–"]
    assert "p ≤ 0.001, p ≤ 0.005)" in page.locator("#matrix-words").text_content()


def test_the_page_says_which_test_the_sentences_go_by_if_another_one_is_chosen(page):
    said = page.locator("#comparisons .comparison-count")
    choose(page, "P@10", "raw", "sign")
    assert "paired t test" in said.text_content()
    choose(page, "P@10", "raw", "two_way_anova")
    assert "paired t test" in said.text_content()
    choose(page, "P@10", "raw", "paired_t")
    assert said.text_content().count("paired t test") == 1
    assert page.locator("#answer .comparison-count").text_content() == said.text_content()


def test_the_page_says_whether_another_spacing_could_change_what_the_test_says(scaled_page):
    words = scaled_page.locator("#comparison-scale")
    choose(scaled_page, "RR@10", "raw", "paired_t")
    assert "Another spacing of its values could change what the test says" in words.text_content()
    choose(scaled_page, "RR@10", "interval", "paired_t")
    assert "No rescaling that this scale permits changes what the test says." in words.text_content()


def test_the_heading_of_a_column_of_p_values_names_test_and_correction(page):
    def heads():
        return [text for text in page.locator("#pairs-table th:visible").all_inner_texts() if text.startswith("p (")]

    choose(page, "P@10", "raw", "paired_t", "bonferroni")
    assert heads() == ["p (t)", "p (t, Bonferroni)", "p (sign)"]
    choose(page, "P@10", "raw", "sign", "holm")
    assert heads() == ["p (sign)", "p (sign, Holm)"]
    choose(page, "P@10", "raw", "two_way_anova", "holm")
    assert heads() == ["p (ANOVA, Tukey)", "p (sign)"]


def test_pairs_are_filtered_by_system_and_sorted(page, study):
    system = study.systems[3]
    choose(page, test="paired_t")
    page.select_option("#pairs-system", label=system)
    rows = listed(page)
    assert len(rows) == len(study.systems) - 1
    assert all(system in pair for pair in rows)
    page.locator("#pairs-table button.sort", has_text="p (t, Holm)").click()
    p = [float(row[4].replace("<", "")) for row in listed(page).values()]
    assert p == sorted(p)
    page.select_option("#pairs-which", "yes")
    assert {row[7] for row in listed(page).values()} == {"yes"}
    page.select_option("#pairs-which", "all")
    page.select_option("#pairs-system", label="any")


def test_pairs_are_sorted_by_level_the_first_ahead_on_top(page):
    choose(page, test="paired_t")
    page.locator("#pairs-table button.sort", has_text="ahead under").click()
    found = [row[-1] for row in listed(page).values()]
    places = [0 if word.startswith("first") else 2 if word.startswith("second") else 1 for word in found]
    assert places == sorted(places)
    assert {0, 1} <= set(places)


def test_a_level_is_chosen_by_keyboard_and_its_graph_is_drawn(visit, tmp_path):
    good, other, bad = ({"x": 3.0, "y": 2.0, "z": 1.0}, {"z": 3.0, "x": 2.0, "y": 1.0}, {"z": 1.0})
    runs = [md.read_run(dict.fromkeys("1234", run), name=n) for n, run in (("a", good), ("b", other), ("c", bad))]
    study = md.Study.from_files({t: {"x": 2, "y": 1} for t in "1234"}, runs, "P@3", fuse=False)
    path = tmp_path / "report.html"
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    page.click("#unfold")

    def shown():
        return page.eval_on_selector_all(
            ".level-view", "views => views.filter(view => !view.hidden).map(view => view.dataset.level)"
        )

    assert shown() == [page.input_value("#level-choice")] == ["level-1"]
    page.focus("#level-choice")
    page.keyboard.press("Home")
    assert shown() == [page.input_value("#level-choice")] == ["level-3"]
    chart = page.locator('[data-chart="comparisons-level-3"]')
    chart.locator("svg.marks").wait_for()
    assert chart.get_attribute("aria-label").startswith("Who is ahead on every topic: 3 systems in 3 rows")
    assert {"a", "b", "c"} <= set(chart.locator("svg text").all_text_contents())
    page.emulate_media(media="print")
    assert page.locator(".level-view:visible").count() == len(page.locator("#level-choice option:enabled").all())


def test_systems_can_be_ordered_by_name(page, study):
    choose(page, order="name")
    labels = page.locator('[data-chart="comparisons-matrix"] .role-axis-label text').all_text_contents()
    assert np.array_equal(labels[: len(study.systems)], sorted(study.systems))


def test_a_strict_page_offers_the_tests_and_numbers_that_the_scale_of_a_measure_admits(visit, tmp_path):
    path = tmp_path / "strict.html"
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], ["P@10", "RR@10"], strict=True)
    path.write_text(document(study), encoding="utf-8")
    page = visit(path)
    page.click("#unfold")
    offered = "options => options.filter(option => !option.disabled).map(option => option.value)"
    heads = "heads => heads.filter(head => !head.hidden).map(head => head.textContent)"
    told = {}
    for measure, test in (("P@10", "paired_t"), ("RR@10", "sign")):
        page.select_option("#choice-measure", measure)
        page.wait_for_selector(f'#comparisons[data-shown="{measure}|raw|{test}|holm|place"]')
        shown = page.eval_on_selector_all("#pairs-table th", heads)
        told[measure] = (
            page.eval_on_selector_all("#choice-test option", offered),
            [head for head in ("mean difference [95 %]", "d", "κ") if head in shown],
        )
    assert told == {"P@10": (list(TESTS), ["mean difference [95 %]", "d", "κ"]), "RR@10": (["sign"], [])}
    page.locator("#fusion").scroll_into_view_if_needed()
    page.wait_for_selector("#fusion-chart svg.marks")
    assert "median" in page.locator("#fusion-chart").inner_text()
