"""Tables are sorted, found in, copied and saved; figures are saved."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import numpy as np
import pytest


def tools(page, table: str):
    """Return the buttons below a table."""
    return page.locator(f".scroll:has(> {table}) + .tools, .scroll:has(> {table}) ~ .tools").first


def downloaded(page, button) -> tuple[str, str]:
    with page.expect_download() as download:
        button.click()
    return download.value.suggested_filename, Path(download.value.path()).read_text(encoding="utf-8-sig")


def saved(page, table: str) -> list[list[str]]:
    name, text = downloaded(page, tools(page, table).get_by_role("button", name="CSV"))
    assert name.endswith(".csv")
    return list(csv.reader(StringIO(text), strict=True))


def copied(page, table: str) -> list[list[str]]:
    button = tools(page, table).get_by_role("button", name="TSV")
    button.click()
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.includes('\\t'))")
    text = page.evaluate("navigator.clipboard.readText()")
    page.evaluate("navigator.clipboard.writeText('')")
    return [line.split("\t") for line in text.split("\n")]


def test_every_table_can_be_copied_and_saved(page):
    without = page.eval_on_selector_all(
        "main table",
        "all => all.filter((table) => { const place = table.closest('.scroll') ?? table;"
        " return !place.parentElement.querySelector('.tools'); }).map((table) => table.outerHTML.slice(0, 80))",
    )
    assert without == []


def test_all_rows_of_a_paged_table_are_saved_as_they_are_sorted(page, study):
    assert page.locator("#topics-table tbody tr:visible").count() == 25
    head, *rows = saved(page, "#topics-table")
    assert len(rows) == len(study.topics) == 50
    place = head.index("median")
    medians = dict(zip(study.topics, np.median(study.scores("nDCG@10").values, axis=0), strict=True))
    assert {row[0]: float(row[place]) for row in rows} == pytest.approx(medians, abs=0.51e-4)
    page.locator("#topics-table th", has_text="median").get_by_role("button").click()
    values = [float(row[place]) for row in saved(page, "#topics-table")[1:]]
    assert values == sorted(values, reverse=True)


def test_all_pairs_are_saved_though_a_page_shows_some(page, study):
    pairs = len(study.systems) * (len(study.systems) - 1) // 2
    head, *rows = saved(page, "table.pairs[data-name='pairs']")
    assert len(rows) == pairs
    assert {tuple(row[:2]) for row in rows} == {
        (a, b)
        for at, a in enumerate(study.result("nDCG@10").systems)
        for b in study.result("nDCG@10").systems[at + 1 :]
    }
    assert {len(row) for row in rows} == {len(head)}


def test_numbers_are_copied_as_programs_read_them(two, two_study):
    head, *rows = copied(two, "#forest")
    first, second = two_study.result("nDCG@10").systems
    assert [row[0] for row in rows] == list(two_study.measures)
    place = head.index("difference")
    for name, row in zip(two_study.measures, rows, strict=True):
        means = two_study.scores(name).mean()
        assert float(row[head.index(first)]) == pytest.approx(means[first], abs=0.51e-4)
        assert float(row[place]) == pytest.approx(means[first] - means[second], abs=0.51e-3)
    # bars are no text, and an interval has two ends
    assert len(head) == two.locator("#forest thead th").count() - 1 + 1
    low, high = head.index("95 % low"), head.index("95 % high")
    assert all(float(row[low]) < float(row[place]) < float(row[high]) for row in rows)


def test_the_leaderboard_is_copied_as_it_is_shown(page, study):
    page.select_option("#choice-measure", "P@10")
    head, *rows = copied(page, "#board")
    assert [row[0] for row in rows] == list(study.result("P@10").systems)
    means = [study.result("P@10").means[row[0]] for row in rows]
    assert [float(row[head.index("mean")]) for row in rows] == pytest.approx(means, abs=0.51e-4)
    found, best = study.result("P@10").simultaneous, means[0]
    columns = (("95 % low, all pairs", found.low), ("95 % high, all pairs", found.high))
    for name, ends in (("minus the best", study.result("P@10").means.values - best), *columns):
        first, *others = [row[head.index(name)].replace("−", "-") for row in rows]
        assert first == ""
        wanted = [ends[study.systems.index(row[0])] for row in rows[1:]]
        assert [float(each) for each in others] == pytest.approx(wanted, abs=0.51e-3)


def test_rows_of_a_long_table_are_found_and_turned_over(page, study):
    table = page.locator(".scroll:has(> #topics-table)")
    pager = page.locator(".scroll:has(> #topics-table) ~ .pager")
    pager.get_by_role("button").nth(1).click()
    assert page.locator("#topics-table tbody tr:visible").count() == 25
    pager.get_by_role("searchbox").fill(study.topics[11])
    shown = table.locator("tbody tr:visible th").all_inner_texts()
    assert study.topics[11] in shown
    pager.get_by_role("searchbox").fill("no such topic")
    assert table.locator("tbody tr:visible").count() == 0
    pager.get_by_role("searchbox").fill("")
    assert table.locator("tbody tr:visible").count() == 25


def test_the_leaderboard_is_sorted_by_every_other_column_and_nothing_comes_last(page, study):
    headings = page.locator("#board thead th:has(button.sort)")
    visible = [heading for heading in headings.all() if heading.is_visible()]
    for heading in visible[::2]:
        for _ in range(2):
            heading.get_by_role("button").click()
            direction = heading.get_attribute("aria-sort")
            column = heading.evaluate("heading => heading.cellIndex")
            values = page.eval_on_selector_all(
                "#board tbody tr",
                f"rows => rows.map(row => row.cells[{column}].dataset.value ?? row.cells[{column}].textContent.trim())",
            )
            try:
                keys = [float(value.replace("−", "-")) for value in values]
            except ValueError:
                continue
            assert keys == sorted(keys, reverse=direction == "descending")
    page.locator("#board thead th[data-sort='ascending'] button").first.click()


def test_figures_are_saved_as_svg_in_the_colours_that_they_have(page):
    name, text = downloaded(page, page.locator("#bars .tools button"))
    assert name.endswith(".svg")
    assert text.startswith("<svg")
    assert "http://www.w3.org/2000/svg" in text
    assert 'fill="rgb(' in text
    figure = page.locator("#data figure.chart").first
    figure.scroll_into_view_if_needed()
    figure.locator("svg.marks").wait_for()
    figure.locator("summary").click()
    name, text = downloaded(page, figure.get_by_text("Save as SVG"))
    assert name.endswith(".svg")
    assert "<svg" in text
    assert figure.get_by_text("Save as PNG").is_visible()
    figure.locator("summary").click()
