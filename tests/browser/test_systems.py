"""Systems and measures in a browser: sorting, choosing a measure, the slope chart."""

from __future__ import annotations


def shown(page, selector: str) -> list[str]:
    return page.eval_on_selector_all(selector, "rows => rows.map(row => row.cells[0].textContent.trim())")


def test_a_click_on_a_heading_sorts_the_best_first(page, study):
    for column, measure in ((2, "AP"), (3, "P@10")):
        page.locator("#systems-overview thead button.sort").nth(column).click()
        summary = study.result(measure).summary
        best = {study.systems[place] for place in summary.best_first[:3]}
        assert set(shown(page, "#systems-overview tbody tr")[:3]) == best


def test_one_table_by_measure_is_shown_at_a_time(page):
    page.select_option("#systems-measure", "RR")
    visible = page.locator("details.system-detail:visible")
    assert visible.count() == 1
    assert visible.get_attribute("data-measure") == "RR"
    assert visible.locator("table").is_visible()


def test_without_scripts_all_tables_are_there(browser, sample_page, study):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(sample_page.as_uri())
    assert page.locator("details.system-detail summary:visible").count() == len(study.measures)
    assert page.locator("#systems-overview tbody tr:visible").count() == len(study.systems)
    context.close()


def test_the_slope_chart_follows_the_choice(scaled_page):
    page = scaled_page
    for measure in ("P@10", "RR@10"):
        page.select_option("#systems-measure", measure)
        page.wait_for_function(
            "words => document.querySelector('[data-chart=systems-slope]').getAttribute('aria-label').includes(words)",
            arg=f"under {measure}",
        )
        assert page.input_value("#slope-measure") == measure
        assert page.locator('[data-chart="systems-slope"] svg.marks').count() == 1
        assert f"of interval({measure}" in page.locator("#systems figcaption").text_content()
