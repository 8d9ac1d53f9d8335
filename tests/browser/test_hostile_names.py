"""Names from strangers' files: they are shown as they are, break nothing, and run nowhere."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest

import measurand as md
from measurand.report.page import document

NAMES = (
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(2)>",
    "{{ 7*7 }}",
    "${alert(3)}",
    "line\u2028separator",
    "paragraph\u2029separator",
    "\u202eright to left",
    "__proto__",
    "constructor",
    "datum['x']",
    "a.b[0]",
    "white",
    "=HYPERLINK(1)",
    "@SUM(1)",
    "+1-2",
    "-1+2",
    'quo"te, comma',
    "x" * 200,
)


def hostile(names: tuple[str, ...], queries: bool) -> md.Study:
    documents = [f"d{place}" for place in range(4)]
    qrels = {topic: {each: place % 2 for place, each in enumerate(documents)} for topic in NAMES}
    runs = [
        md.read_run(
            {
                topic: {each: (7 * at + 3 * row + 5 * place) % 11 for place, each in enumerate(documents)}
                for row, topic in enumerate(NAMES)
            },
            name=name,
        )
        for at, name in enumerate(names)
    ]
    texts = dict(zip(NAMES, reversed(NAMES), strict=True)) if queries else None
    return md.Study.from_files(qrels, runs, "P@2 RR@3".split(), queries=texts)


@pytest.fixture(scope="module")
def hostile_path(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("hostile") / "report.html"
    path.write_text(document(hostile(NAMES, queries=False)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def hostile_page(open_page, hostile_path):
    page = open_page(hostile_path)
    page.emulate_media(reduced_motion="reduce")
    page.click("#unfold")
    yield page
    page.context.close()


def draw_everything(page):
    """Draw all figures at once, as for paper."""
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    page.wait_for_function(
        "[...document.querySelectorAll('figure.chart .canvas')]"
        ".every((each) => each.querySelector('svg, canvas, .notice'))"
    )


def test_every_figure_is_drawn_whatever_systems_and_topics_are_called(hostile_page):
    page = hostile_page
    draw_everything(page)
    assert page.locator("figure.chart .notice").count() == 0
    labels = page.locator("[data-chart='comparisons-matrix'] svg text").all_text_contents()
    assert {"__proto__", "constructor", "white", "line\u2028separator"} <= set(labels)


def test_every_two_systems_can_be_compared_whatever_they_are_called(hostile_page):
    page = hostile_page
    for first, second in (
        (NAMES[0], "__proto__"),
        ("constructor", "\u202eright to left"),
        (NAMES[-1], 'quo"te, comma'),
    ):
        page.select_option("#pair-first", label=first)
        page.select_option("#pair-second", label=second)
        page.wait_for_function(
            "shown => document.querySelector('#bars').dataset.shown === shown", arg=f"P@2|{first}|{second}"
        )
        assert first in page.text_content("#pair-title")
        assert page.locator("#bars a").count() == len(NAMES)
        assert page.locator("#rungs .rung").count() == 4


def test_every_topic_can_be_opened_and_linked_to_whatever_it_is_called(hostile_page, visit, hostile_path, close_topic):
    page = hostile_page
    for topic in ("__proto__", NAMES[0], "paragraph\u2029separator", "${alert(3)}"):
        page.locator(f"#bars a[data-topic='{NAMES.index(topic)}']").dispatch_event("click")
        page.wait_for_selector("#topic[open]")
        assert topic in page.text_content("#topic-title")
        address = page.evaluate("location.hash")
        close_topic(page)
    again = visit(hostile_path, address)
    again.wait_for_selector("#topic[open]")
    assert "${alert(3)}" in again.text_content("#topic-title")


def saved(page, button) -> str:
    with page.expect_download() as download:
        button.click()
    return Path(download.value.path()).read_text(encoding="utf-8-sig")


def test_what_a_spreadsheet_would_run_is_quoted_and_everything_else_is_kept(hostile_page):
    tools = hostile_page.locator(".scroll:has(> #board) + .tools")
    rows = list(csv.reader(StringIO(saved(hostile_page, tools.get_by_role("button", name="CSV"))), strict=True))
    found = {row[0] for row in rows[1:]}
    assert {"'=HYPERLINK(1)", "'@SUM(1)", "'+1-2", "'-1+2", 'quo"te, comma', "__proto__", NAMES[0]} <= found
    assert len({len(row) for row in rows}) == 1
    assert len(found) == len(NAMES)


def test_long_names_do_not_make_a_phone_scroll_sideways(hostile_page):
    hostile_page.set_viewport_size({"width": 390, "height": 800})
    assert hostile_page.evaluate("document.documentElement.scrollWidth") <= 390
    hostile_page.locator("#bars a").last.dispatch_event("click")
    hostile_page.wait_for_selector("#topic[open]")
    assert hostile_page.evaluate("document.documentElement.scrollWidth") <= 390
    hostile_page.keyboard.press("Escape")
    hostile_page.set_viewport_size({"width": 1280, "height": 900})


def test_two_systems_with_hostile_names_and_texts_make_a_page_too(visit, tmp_path):
    path = tmp_path / "two.html"
    path.write_text(document(hostile((NAMES[0], "__proto__"), queries=True)), encoding="utf-8")
    page = visit(path)
    assert page.locator("#forest thead").text_content().count(NAMES[0]) >= 1
    page.locator("#bars a").first.dispatch_event("click")
    page.wait_for_selector("#topic[open] #topic-moved")
    page.keyboard.press("Escape")
    for tile in page.locator("#tiles button").all():
        tile.click()
    page.click("#unfold")
    assert page.locator("#topics-table tbody tr").count() == len(NAMES)


def test_everything_that_can_be_used_has_a_name(hostile_page):
    for role in ("button", "combobox", "link"):
        assert all(_names(hostile_page.get_by_role(role))), role
    assert all(_names(hostile_page.locator("summary")))


def test_who_wants_no_motion_gets_none(hostile_page):
    assert hostile_page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_figure_that_fails_says_so_and_the_next_one_is_drawn(window, hostile_path):
    page = window.new_page()
    broken = hostile_path.read_text(encoding="utf-8").replace('"type": "tick"', '"type": "nonsense"')
    hostile_path.with_name("broken.html").write_text(broken, encoding="utf-8")
    page.goto(hostile_path.with_name("broken.html").as_uri())
    page.wait_for_selector("html[data-ready]", timeout=60_000)
    page.click("#unfold")
    draw_everything(page)
    assert page.locator("figure.chart .notice").count() >= 1
    assert page.locator("[data-chart='comparisons-matrix'] svg.marks").count() == 1
    page.close()


def _names(elements) -> list[str]:
    label = "each.getAttribute('aria-label') ?? [...(each.labels ?? [])].map((l) => l.textContent).join('')"
    found = elements.evaluate_all(f"all => all.map((each) => (({label}) || each.textContent).trim())")
    assert found
    return found
