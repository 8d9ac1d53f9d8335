"""Systems and measures in a browser: sorting, choosing a measure, the slope chart."""

from __future__ import annotations

import numpy as np
import pytest


def shown(page, selector: str) -> list[str]:
    return page.eval_on_selector_all(selector, "rows => rows.map(row => row.cells[0].textContent.trim())")


def test_a_click_on_a_heading_sorts_the_best_first(page, study):
    for column, measure in ((2, "AP"), (3, "P@10")):
        page.locator("#systems-table thead button.sort").nth(column).click()
        summary = study.result(measure).summary
        best = {study.systems[place] for place in summary.best_first[:3]}
        assert set(shown(page, "#systems-table tbody tr")[:3]) == best


def test_the_table_shows_what_the_reader_asks_for(page, study):
    cells = "rows => rows.map(row => [row.cells[0].textContent.trim(), row.cells[2].firstChild.textContent.trim()])"
    rows = "#systems-table tbody tr"
    scores = study.scores("AP")
    medians = {
        name: f"{value:.4f}" for name, value in zip(study.systems, np.median(scores.values, axis=1), strict=True)
    }
    page.select_option("#systems-view", "median")
    assert dict(page.eval_on_selector_all(rows, cells)) == medians
    page.locator("#systems-table thead button.sort").nth(2).click()
    page.locator("#systems-table thead button.sort").nth(2).click()
    found = [float(value) for _, value in page.eval_on_selector_all(rows, cells)]
    assert found in (sorted(found), sorted(found, reverse=True))
    page.select_option("#systems-view", "mean")
    means = dict(zip(study.systems, scores.values.mean(axis=1), strict=True))
    shown_means = {name: float(value) for name, value in page.eval_on_selector_all(rows, cells)}
    assert shown_means == pytest.approx(means, abs=0.51e-4)


def test_without_scripts_words_and_tables_are_there(browser, sample_page, study):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sample_page.as_uri())
    assert page.locator("#headline").inner_text() == study.conclusion.headline
    assert page.locator("#board tbody tr:visible").count() == len(study.systems)
    assert page.locator("noscript").is_visible()
    page.locator("#systems summary").first.click()
    assert page.locator("#systems-table tbody tr:visible").count() == len(study.systems)
    assert page.locator("details.fold > summary:visible").count() == 7
    context.close()


def test_the_table_of_both_scales_and_the_slope_chart_follow_the_choice(scaled_page):
    page = scaled_page
    page.locator('[data-chart="systems-slope"]').scroll_into_view_if_needed()
    for measure in ("P@10", "RR@10"):
        page.select_option("#choice-measure", measure)
        page.wait_for_selector(f"[data-chart=systems-slope][aria-label*='under {measure}'] svg.marks")
        visible = page.locator(".system-detail:visible")
        assert visible.count() == 1
        assert visible.get_attribute("data-measure") == measure
        caption = page.locator('figure:has([data-chart="systems-slope"]) figcaption')
        assert f"of interval({measure}" in caption.text_content()
