"""The section "Data" in a browser."""

from __future__ import annotations

from hashlib import sha256

import measurand as md


def test_a_digest_is_shown_whole_after_a_click(page):
    section = page.locator("#data")
    [first] = section.locator("details.digest").all()[:1]
    whole = first.locator("> code")
    assert not whole.is_visible()
    first.locator("summary").click()
    assert whole.is_visible()
    assert whole.text_content() == sha256(md.sample.qrels().read_bytes()).hexdigest()


def test_systems_are_sorted_by_how_much_was_judged(page):
    table = page.locator("#data table", has_text="Judged at 10")
    table.locator("th:nth-child(2) button.sort").click()
    table.locator("th:nth-child(2)[aria-sort=ascending]").wait_for()
    shares = table.locator("tbody td:nth-child(2)").evaluate_all("cells => cells.map((cell) => +cell.dataset.value)")
    assert shares == sorted(shares)
    assert len(shares) == 12


def test_the_figures_of_the_data_are_drawn_within_a_phone(phone):
    phone.evaluate("document.querySelector('#data details.fold').open = true")
    for name in ("data-recall", "data-shares"):
        phone.locator(f"[data-chart={name}]").scroll_into_view_if_needed()
        drawn = phone.locator(f"[data-chart={name}] svg.marks")
        drawn.wait_for()
        assert drawn.bounding_box()["width"] > 200
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    phone.evaluate("document.querySelector('#data details.fold').open = false")
