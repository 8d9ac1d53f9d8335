"""The page opens from disk, on any screen, in light and dark, and prints."""

from __future__ import annotations


def test_the_page_opens_from_disk_without_an_error_or_a_request(page):
    assert page.title() == "Evaluation report"


def test_every_entry_of_the_navigation_leads_to_a_section(page):
    anchors = page.eval_on_selector_all("nav a", "links => links.map(link => link.hash.slice(1))")
    assert anchors == ["verdicts", "data", "systems", "comparisons", "topics", "measures", "fusion", "methods"]
    assert all(page.locator(f"section#{anchor} h2").count() == 1 for anchor in anchors)


def test_nothing_is_wider_than_a_phone(phone):
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_reader_chooses_between_light_and_dark(visit, sample_page):
    page = visit(sample_page, color_scheme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (dark, light) == ("rgb(20, 23, 28)", "rgb(255, 255, 255)")


def test_every_figure_is_drawn_and_says_what_it_shows(page):
    places = page.locator("[data-chart]")
    assert places.count() == page.locator("[data-chart][aria-label] .chart-wrapper").count()


def test_the_page_prints(page, tmp_path):
    path = tmp_path / "report.pdf"
    page.pdf(path=str(path))
    assert path.read_bytes().startswith(b"%PDF")
