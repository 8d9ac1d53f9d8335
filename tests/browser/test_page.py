"""The page opens from disk, unfolds, goes light and dark, and prints."""

from __future__ import annotations

import re

import pytest

SECTIONS = ["systems", "comparisons", "topics", "measures", "fusion", "data", "methods"]

MEGABYTE = 1_000_000


def test_the_page_opens_from_disk_without_an_error_or_a_request(page, two, study, two_study):
    for each, made in ((page, study), (two, two_study)):
        assert each.title() == "Evaluation report"
        assert each.inner_text("#headline") == made.conclusion.headline
        assert each.locator("p.lead[data-about]").count() == len(made.conclusion.lines)
        assert (
            each.evaluate("performance.getEntriesByType('resource').filter((one) => !/^(data|blob):/.test(one.name))")
            == []
        )


def test_every_entry_of_the_navigation_leads_to_a_section(page):
    anchors = page.eval_on_selector_all("nav a", "links => links.map(link => link.hash.slice(1))")
    assert anchors == ["headline", *SECTIONS]
    assert all(page.locator(f"section#{anchor} h2").count() == 1 for anchor in SECTIONS)


def test_pages_are_small_and_short(sample_page, two_page, visit):
    for path, size, height in ((two_page, MEGABYTE, 12_000), (sample_page, 1.2 * MEGABYTE, 15_000)):
        assert path.stat().st_size < size
        page = visit(path)
        assert page.evaluate("document.documentElement.scrollHeight") < height
        page.set_viewport_size({"width": 390, "height": 800})
        assert page.evaluate("document.documentElement.scrollHeight") < height


def open_folds(page) -> list[str]:
    return page.eval_on_selector_all("details.fold[open]", "all => all.map(each => each.parentElement.id)")


def drawn(page, section: str) -> list[bool]:
    return page.eval_on_selector_all(
        f"#{section} figure.chart .canvas",
        "all => all.map(each => each.querySelector('svg.marks, canvas.marks') !== null)",
    )


def test_folds_open_by_a_link_and_their_figures_are_drawn_then(visit, sample_page):
    page = visit(sample_page)
    assert open_folds(page) == []
    assert not any(drawn(page, "data"))
    page.locator("footer a[href='#data']").click()
    page.wait_for_selector("#data details.fold[open]")
    assert open_folds(page) == ["data"]
    assert page.evaluate("document.activeElement.closest('section')?.id") == "data"
    for figure in page.locator("#data figure.chart .canvas").all():
        figure.scroll_into_view_if_needed()
        figure.locator("svg.marks").wait_for()
    assert all(drawn(page, "data"))
    assert not any(drawn(page, "systems"))
    page.locator("#systems summary").first.press("Enter")
    assert open_folds(page) == ["systems", "data"]
    page.click("#unfold")
    assert open_folds(page) == SECTIONS
    page.click("#unfold")
    assert open_folds(page) == []


@pytest.mark.parametrize("address", ["#data", "#measure=AP&at=data"])
def test_a_section_that_the_address_names_is_open(visit, two_page, address):
    page = visit(two_page, address)
    assert open_folds(page) == ["data"]
    assert page.locator("#data .inside").is_visible()
    page.wait_for_function("Math.abs(document.querySelector('#data').getBoundingClientRect().top) < 300")
    assert page.input_value("#choice-measure") == ("AP" if "AP" in address else "nDCG@10")


def test_the_reader_chooses_between_light_and_dark(two):
    def paper():
        return two.evaluate("getComputedStyle(document.body).backgroundColor")

    two.emulate_media(color_scheme="dark")
    two.wait_for_selector("html[data-theme='dark']")
    dark = paper()
    two.click("#theme")
    light = paper()
    assert (dark, light) == ("rgb(20, 23, 28)", "rgb(255, 255, 255)")
    two.click("#theme")
    assert paper() == dark
    two.emulate_media(color_scheme="light")
    two.wait_for_selector("html[data-theme='light']")
    assert paper() == light


def test_every_figure_is_drawn_and_says_what_it_shows(page):
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "[...document.querySelectorAll('figure.chart .canvas')].every((each) => each.querySelector('.chart-wrapper'))"
    )
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    labels = page.eval_on_selector_all(
        "figure.chart .canvas, figure.bars svg",
        "all => all.map(each => [each.getAttribute('role'), each.getAttribute('aria-label')])",
    )
    assert len(labels) > 8
    assert all(role in ("group", "img") and len(label) > 20 for role, label in labels)
    assert page.locator("figure.chart .notice").count() == 0


def test_what_is_folded_is_printed(visit, two_page, tmp_path):
    page = visit(two_page)
    path = tmp_path / "report.pdf"
    page.pdf(path=str(path))
    pages = len(re.findall(rb"/Type\s*/Page\b", path.read_bytes()))
    on_screen = page.evaluate("document.documentElement.scrollHeight") / 1000
    assert pages > 2 * on_screen
    assert open_folds(page) == []
    # on paper nothing can be scrolled to, chosen or pressed
    page.emulate_media(media="print")
    for gone in ("#toolbar", "#theme", ".tools", ".pager"):
        assert page.locator(f"{gone}:visible").count() == 0
