"""The section "Fusion" in a browser."""

from __future__ import annotations


def shown(page) -> list[str]:
    rows = page.locator("#fusion-table tbody tr").all()
    return [row.get_attribute("data-measure") for row in rows if row.is_visible()]


def test_the_table_and_the_figure_follow_the_choice_of_measure(page):
    assert shown(page) == ["nDCG@10"] * 5
    page.locator("#fusion-chart").scroll_into_view_if_needed()
    page.select_option("#choice-measure", "P@10")
    page.wait_for_selector("#fusion-chart[aria-label*='P@10'] svg.marks")
    assert shown(page) == ["P@10"] * 5
    assert "mean P@10 over topics" in page.locator("#fusion-chart svg.marks").inner_html()
    page.select_option("#choice-measure", "nDCG@10")
    assert shown(page) == ["nDCG@10"] * 5


def test_the_certificate_of_a_fusion_is_one_click_away(page):
    why = page.locator("#fusion-table tr:not(.beside) details.why").first
    why.locator("summary").click()
    assert len(why.inner_text()) > 30


def test_all_measures_are_printed(page, study):
    page.emulate_media(media="print")
    assert len(shown(page)) == len(study.measures) * 5
    page.emulate_media(media="screen")
