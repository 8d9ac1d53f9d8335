"""Names from strangers' files: they are shown as they are, and break nothing."""

from __future__ import annotations

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
    "x" * 300,
)


@pytest.fixture(scope="module")
def hostile_page(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "report.html"
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
        for at, name in enumerate(NAMES)
    ]
    path.write_text(document(md.Study.from_files(qrels, runs, "P@2 RR@3".split())), encoding="utf-8")
    return path


def test_every_figure_is_drawn_whatever_systems_and_topics_are_called(visit, hostile_page):
    page = visit(hostile_page)
    empty = "figure.chart .canvas:not(:has(svg, canvas))"
    assert [each.get_attribute("data-chart") for each in page.locator(empty).all()] == []
    labels = page.locator("[data-chart='comparisons-matrix'] svg text").all_text_contents()
    assert {"__proto__", "constructor", "white", "line\u2028separator"} <= set(labels)


def test_long_names_do_not_make_a_phone_scroll_sideways(visit, hostile_page):
    page = visit(hostile_page, viewport={"width": 390, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    page.locator("button.topic").last.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_everything_that_can_be_used_has_a_name(visit, hostile_page):
    page = visit(hostile_page)
    for role in ("button", "combobox", "link"):
        assert all(_names(page.get_by_role(role))), role
    assert all(_names(page.locator("summary")))


def test_who_wants_no_motion_gets_none(visit, hostile_page):
    page = visit(hostile_page, reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


def test_a_figure_that_fails_says_so_and_the_next_one_is_drawn(browser, hostile_page):
    page = browser.new_page()
    broken = hostile_page.read_text(encoding="utf-8").replace('"type": "tick"', '"type": "nonsense"')
    hostile_page.with_name("broken.html").write_text(broken, encoding="utf-8")
    page.goto(hostile_page.with_name("broken.html").as_uri())
    page.wait_for_selector("html[data-ready]", timeout=60_000)
    assert page.get_by_text("This figure could not be drawn.").count() >= 1
    assert page.locator("[data-chart='comparisons-matrix'] svg.marks").count() == 1
    page.close()


def _names(elements) -> list[str]:
    label = "each.getAttribute('aria-label') ?? [...(each.labels ?? [])].map((l) => l.textContent).join('')"
    found = elements.evaluate_all(f"all => all.map((each) => (({label}) || each.textContent).trim())")
    assert found
    return found
