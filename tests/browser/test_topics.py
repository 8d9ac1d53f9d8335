"""Topics: a measure is chosen, a topic is opened, and its rankings are what was judged."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged.grades import NOTHING, UNJUDGED


@pytest.fixture
def topics(page):
    return page.locator("section#topics")


def test_another_measure_changes_table_lists_and_figure(page, topics, study):
    topics.get_by_label("Measure").select_option(label="P@10")
    page.wait_for_selector("#topics-dots[aria-label*='under P@10']")
    place = 18
    column = study.scores("P@10").values[:, place]
    cells = topics.locator(f"#topics-table tr[data-topic='{place}'] td").all_inner_texts()
    assert cells[2:5] == [f"{value:.4f}" for value in (np.median(column), column.min(), column.max())]
    hardest = topics.locator("[data-list='hardest'] li").first.inner_text()
    medians = np.median(study.scores("P@10").values, axis=0)[study.judged.recall_base > 0]
    assert f"median {medians.min():.4f}" in hardest
    topics.get_by_label("Measure").select_option(label="nDCG@10")
    page.wait_for_selector("#topics-dots[aria-label*='under nDCG@10']")


def test_a_topic_opens_by_keyboard_and_shows_what_was_judged_best_first(page, topics, study):
    topics.locator("#topics-table button.topic").nth(3).press("Enter")
    panel = page.locator("#topics-rankings")
    assert panel.locator("h3").inner_text() == f"Rankings on topic {study.topics[3]}"
    shown = panel.locator("tbody th").all_inner_texts()
    scores = panel.locator("tbody td.n:nth-child(3)").all_inner_texts()
    values = dict(zip(study.systems, study.scores("nDCG@10").values[:, 3], strict=True))
    assert scores == [f"{values[system]:.4f}" for system in shown]
    assert scores == sorted(scores, key=float, reverse=True)
    for system, strip in zip(shown, panel.locator("tbody .strip").all(), strict=True):
        run = study.judged.cells[study.systems.index(system), 3, :30].tolist()
        letters = {UNJUDGED: "·", NOTHING: ""}
        assert strip.evaluate("strip => [...strip.children].map(cell => cell.textContent)") == [
            letters.get(cell, str(cell)) for cell in run
        ]
        assert strip.get_attribute("aria-label").startswith(f"{system}: ")


def test_the_reader_goes_to_the_next_topic_and_back_to_where_they_were(page, topics, study):
    opener = topics.locator("#topics-table button.topic").first
    opener.click()
    page.get_by_role("button", name="Previous topic").click()
    assert page.locator("#topics-rankings-title").inner_text() == f"Rankings on topic {study.topics[-1]}"
    page.keyboard.press("Escape")
    assert not page.locator("#topics-rankings").is_visible()
    assert opener.evaluate("button => button === document.activeElement")


def test_a_topic_that_the_address_names_is_open_and_nothing_is_wider_than_a_phone(phone, study):
    phone.evaluate(f"location.hash = '#topic={study.topics[7]}'")
    phone.wait_for_selector("#topics-rankings tbody")
    assert phone.locator("#topics-rankings-title").inner_text() == f"Rankings on topic {study.topics[7]}"
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_figure_shows_as_many_topics_as_are_asked_for_in_the_order_asked_for(page, topics, study):
    topics.get_by_label("Shown").select_option(label=f"all {len(study.topics)}")
    page.wait_for_selector(f"#topics-dots[aria-label*='on the {len(study.topics)} topics']")
    topics.get_by_label("Mark a system").select_option(label="dense-3")
    topics.get_by_label("Order of topics").select_option(label="most contrary first")
    page.wait_for_selector("#topics-dots[aria-label*='with the lowest tau'] canvas")
