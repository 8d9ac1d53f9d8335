"""The page on a phone: nothing is wider than it, what is wide says so, and a finger hits what it aims at."""

from __future__ import annotations

import pytest

PHONE = {"width": 390, "height": 800, "has_touch": True}

WIDE = """() => {
  const found = [];
  for (const table of document.querySelectorAll("main table, dialog[open] table")) {
    if (!table.checkVisibility()) continue;
    const name = table.id || table.dataset.name || table.caption?.textContent.slice(0, 60) || "a table";
    const place = table.closest(".scroll");
    if (!place && table.getBoundingClientRect().width > innerWidth) found.push(`${name}: cannot be scrolled`);
    if (!place || place.scrollWidth <= place.clientWidth + 2) continue;
    let tools = place.nextElementSibling;
    while (tools && !tools.matches(".tools")) tools = tools.nextElementSibling;
    if (!tools?.querySelector(".hint")?.checkVisibility()) found.push(`${name}: no hint`);
    const row = [...table.tBodies[0].rows].find((each) => each.checkVisibility());
    const first = [...(row?.cells ?? [])].find((each) => each.checkVisibility());
    const before = first?.getBoundingClientRect().left;
    place.scrollLeft = 60;
    if (Math.abs(first?.getBoundingClientRect().left - before) > 2) found.push(`${name}: the first column moves`);
    place.scrollLeft = 0;
  }
  return found;
}"""
"""The tables that are wider than the screen and do not say so, or whose first column is not frozen."""

SMALL = """() => [...document.querySelectorAll("a[href], button, select, input, summary")].filter((each) => {
  if (!each.checkVisibility({ visibilityProperty: true }) || each.closest("figure.bars svg, .canvas svg")) return false;
  if (each.matches("a") && each.closest("p, li, figcaption, caption, small")) return false;
  const box = each.getBoundingClientRect();
  return box.width > 0 && box.right > 0 && Math.min(box.width, box.height) < 23.5;
}).map((each) => `${each.closest("section, dialog, header, footer")?.id} ${each.outerHTML.slice(0, 90)} `
  + `${each.getBoundingClientRect().width.toFixed(0)}×${each.getBoundingClientRect().height.toFixed(0)}`)"""
"""What a finger would miss: links of running text and bars apart."""


@pytest.fixture(scope="module")
def two_phone(open_page, two_page):
    page = open_page(two_page, **PHONE)
    yield page
    page.context.close()


@pytest.fixture(params=["two", "many"])
def small(request):
    """Both pages on a phone, folded."""
    page = request.getfixturevalue("two_phone" if request.param == "two" else "phone")
    yield page
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = false; })")


def unfold(page):
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")


def next_frame(page):
    """Wait until what has just appeared has measured itself."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def width(page) -> int:
    return page.evaluate("document.documentElement.scrollWidth")


def test_nothing_is_wider_than_a_phone(small):
    assert width(small) <= 390
    unfold(small)
    assert width(small) <= 390


def test_the_answer_stands_within_two_screens(small):
    assert (
        small.locator("p.lead[data-about]").last.evaluate("each => each.getBoundingClientRect().bottom + scrollY")
        < 1600
    )


def test_tables_that_are_wider_say_so_and_keep_their_first_column(small):
    assert small.locator(".scroll.wide").count() > 0
    unfold(small)
    next_frame(small)
    assert small.evaluate(WIDE) == []


def test_a_finger_hits_what_it_aims_at(small):
    unfold(small)
    small.locator("#tiles button").nth(1).click()
    assert small.evaluate(SMALL) == []


def test_rankings_of_a_topic_fit_a_phone_too(small):
    small.locator("#extremes button.topic").first.click()
    small.wait_for_selector("#topic[open] #topic-moved")
    next_frame(small)
    assert width(small) <= 390
    assert small.evaluate(WIDE) == []
    assert [each for each in small.evaluate(SMALL) if each.startswith("topic ")] == []
    small.locator("#topic button.close").click()


def test_what_a_finger_touches_says_what_it_is(small):
    bar = small.locator("#bars a").nth(2)
    bar.tap()
    small.wait_for_selector("#topic[open]")
    small.locator("#topic button.close").tap()
    assert not small.locator("#topic").is_visible()
