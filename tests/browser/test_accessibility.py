"""The page for people who do not see it, or not well: axe finds nothing serious, and everything has a name."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise

import pytest
from axe_playwright_python.sync_playwright import Axe

DRAWN = ["svg"]
"""What libraries draw: each figure has a role and a name, which is looked at with the rest of the page."""

OTHERWISE = ["color-contrast", "scrollable-region-focusable", "target-size"]
"""The rules whose answer depends on colours and on the size of the screen."""


@pytest.fixture(scope="module")
def axe() -> Axe:
    return Axe()


def serious(axe, page, *, within: str = "html", rules: list[str] | None = None) -> list[str]:
    """Return what is seriously or critically wrong on a page as it is now."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = axe.run(page, context={"include": [[within]], "exclude": [DRAWN]}, options=options).response["violations"]
    return [
        f"{each['id']}: {node['target']} {node['failureSummary']}"
        for each in found
        if each["impact"] in ("serious", "critical") or each["id"] in ("heading-order", "page-has-heading-one")
        for node in each["nodes"]
    ]


@pytest.fixture(scope="module", params=["two", "many"])
def fresh(request, open_page):
    """Both pages as they open, without what is alike: further rows of a table, profiles of further measures."""
    page = open_page(request.getfixturevalue("two_page" if request.param == "two" else "sample_page"))
    page.add_style_tag(
        content="tbody tr:nth-child(n + 4), details.profile ~ details.profile { display: none !important; }"
    )
    yield page
    page.context.close()


def dark(page, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.wait_for_selector(f"html[data-theme='{scheme}']")


@contextmanager
def dark_phone(page):
    """Show a page in the dark on a phone, for a while."""
    dark(page, "dark")
    page.set_viewport_size({"width": 390, "height": 800})
    yield
    dark(page, "light")
    page.set_viewport_size({"width": 1280, "height": 900})


def test_nothing_serious_is_wrong_with_the_answer_on_a_light_desk_and_on_a_dark_phone(fresh, axe):
    fresh.locator("#tiles button").nth(1).click()
    assert serious(axe, fresh) == []
    with dark_phone(fresh):
        assert serious(axe, fresh, within="#answer", rules=OTHERWISE) == []
    fresh.locator("#tiles button").nth(1).click()


def test_nothing_serious_is_wrong_with_the_rankings_of_a_topic(fresh, axe):
    fresh.locator("#extremes button.topic").first.click()
    fresh.wait_for_selector("#topic[open] #topic-moved")
    assert serious(axe, fresh, within="#topic") == []
    with dark_phone(fresh):
        assert serious(axe, fresh, within="#topic", rules=OTHERWISE) == []
    fresh.keyboard.press("Escape")


def test_nothing_serious_is_wrong_with_what_is_folded(fresh, axe):
    fresh.evaluate("window.dispatchEvent(new Event('beforeprint'))")  # which unfolds and draws everything at once
    fresh.wait_for_function("document.querySelectorAll('figure.chart .canvas:empty').length === 0")
    assert serious(axe, fresh, within="#closer") == []
    with dark_phone(fresh):
        assert serious(axe, fresh, within="#closer", rules=OTHERWISE) == []


def test_headings_go_down_by_one_level_at_a_time(fresh):
    levels = fresh.eval_on_selector_all(
        "h1, h2, h3, h4, h5, h6",
        "all => all.filter(each => each.checkVisibility()).map(each => Number(each.tagName[1]))",
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(levels) > 20


def without(page, selector: str, name: str) -> list[str]:
    """Return the elements that lack a name, which an expression looks for."""
    nameless = f"all.filter((each) => each.checkVisibility() && !({name}))"
    return page.eval_on_selector_all(selector, f"(all) => {nameless}.map((each) => each.outerHTML.slice(0, 100))")


def test_every_choice_has_a_label_and_every_figure_a_name(fresh):
    assert without(fresh, "select, input", "each.labels?.length || each.getAttribute('aria-label')") == []
    assert without(fresh, "figure", "each.querySelector('[role][aria-label]')") == []
    assert without(fresh, "[role='img']", "each.getAttribute('aria-label')") == []
    assert fresh.locator("figure").count() > 8


def test_tiles_say_their_tone_in_words_and_whether_they_are_open(fresh):
    tiles = fresh.locator("#tiles button")
    for tile in tiles.all():
        assert tile.get_attribute("aria-expanded") == "false"
        assert tile.get_attribute("aria-controls") == "certificate"
        assert tile.locator(".unseen").inner_text().strip()
    assert fresh.locator("#rungs .rung .unseen").count() == fresh.locator("#rungs .rung").count()


def test_who_tabs_through_the_page_meets_the_answer_first(fresh):
    first = fresh.locator("a[href], button, select, input, summary, [tabindex='0']").first
    assert first.get_attribute("href") == "#headline"
    first.press("Enter")
    assert fresh.evaluate("document.activeElement.id") == "headline"
    order = fresh.eval_on_selector_all("#answer, #closer, #topic", "all => all.map(each => each.id)")
    assert order == ["answer", "closer", "topic"]
