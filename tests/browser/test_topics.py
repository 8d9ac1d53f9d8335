"""Topics: a measure is chosen, a topic is opened, and its rankings are what was judged."""

from __future__ import annotations

import numpy as np
import pytest

from measurand.judged.grades import NOTHING, UNJUDGED
from measurand.study.shown_documents import shown_documents


@pytest.fixture
def topics(page):
    return page.locator("section#topics")


def test_another_measure_changes_table_lists_and_figure(page, topics, study):
    page.locator("#topics-dots").scroll_into_view_if_needed()
    page.select_option("#choice-measure", "P@10")
    page.wait_for_selector("#topics-dots[aria-label*='under P@10'] canvas")
    place = 18
    column = study.scores("P@10").values[:, place]
    cells = topics.locator(f"#topics-table tr[data-topic='{place}'] td").all_inner_texts()
    assert cells[2:5] == [f"{value:.4f}" for value in (np.median(column), column.min(), column.max())]
    hardest = topics.locator("[data-list='hardest'] li").first.inner_text()
    medians = np.median(study.scores("P@10").values, axis=0)[study.judged.recall_base > 0]
    assert f"{medians.min():.4f}" in hardest
    page.select_option("#choice-measure", "nDCG@10")
    page.wait_for_selector("#topics-dots[aria-label*='under nDCG@10']")


def test_a_topic_opens_by_keyboard_and_shows_what_was_judged_best_first(page, topics, study):
    topics.locator("#topics-table button.topic").nth(3).press("Enter")
    panel = page.locator("#topic[open]")
    panel.locator("table.strips").wait_for()
    assert study.topics[3] in panel.locator("h2").inner_text()
    shown = panel.locator("table.strips tbody th").all_inner_texts()
    scores = panel.locator("table.strips tbody td.n:nth-child(3)").all_inner_texts()
    values = dict(zip(study.systems, study.scores("nDCG@10").values[:, 3], strict=True))
    assert scores == [f"{values[system]:.4f}" for system in shown]
    assert scores == sorted(scores, key=float, reverse=True)
    documents = shown_documents(study.judged, 30)
    for system, strip in zip(shown, panel.locator("table.strips tbody .strip").all(), strict=True):
        run = study.judged.cells[study.systems.index(system), 3, :30].tolist()
        letters = {UNJUDGED: "·", NOTHING: ""}
        assert strip.evaluate("strip => [...strip.children].map(cell => cell.textContent)") == [
            letters.get(cell, str(cell)) for cell in run
        ]
        assert strip.get_attribute("aria-label").startswith(f"{system}: ")
        tips = strip.evaluate("strip => [...strip.children].map(cell => cell.dataset.tip ?? '')")
        names = documents.ranking(system, study.topics[3])
        assert all(name in tip for name, tip in zip(names, tips, strict=False))
    page.keyboard.press("Escape")


def test_the_reader_goes_to_the_next_topic_and_back_to_where_they_were(page, topics, study):
    opener = topics.locator("#topics-table button.topic").first
    opener.click()
    page.wait_for_selector("#topic[open]")
    page.locator("#topic .controls button").first.click()
    page.wait_for_function(
        "name => document.querySelector('#topic-title').textContent.includes(name)", arg=study.topics[-1]
    )
    page.locator("#topic .controls button").last.click()
    page.wait_for_function(
        "name => document.querySelector('#topic-title').textContent.includes(name)", arg=study.topics[0]
    )
    page.select_option("#topic-which", label=study.topics[9])
    page.wait_for_function(
        "name => document.querySelector('#topic-title').textContent.includes(name)", arg=study.topics[9]
    )
    page.keyboard.press("Escape")
    assert not page.locator("#topic").is_visible()
    assert opener.evaluate("button => button === document.activeElement")


def test_a_topic_that_the_address_names_is_open_and_nothing_is_wider_than_a_phone(phone, study):
    phone.evaluate(f"location.hash = '#topic={study.topics[7]}'")
    phone.wait_for_selector("#topic[open] tbody")
    assert study.topics[7] in phone.locator("#topic-title").inner_text()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    assert phone.evaluate(
        "document.querySelector('#topic').scrollWidth <= document.querySelector('#topic').clientWidth"
    )
    phone.locator("#topic button.close").click()
    assert not phone.locator("#topic").is_visible()


def test_of_two_systems_the_table_has_both_scores_and_the_worst_topic_of_the_first_on_top(two, two_study):
    scores, order = two_study.scores("nDCG@10").values, two_study.result("nDCG@10").order
    rows = two.eval_on_selector_all(
        "#topics-table tbody tr",
        "rows => rows.map(row => [Number(row.dataset.topic), ...['first', 'second', 'difference'].map("
        "name => row.querySelector(`[data-shown=${name}]`).textContent), row.cells[1].textContent])",
    )
    assert len(rows) == len(two_study.topics)
    for topic, first, second, difference, text in rows:
        one, other = (scores[place, topic] for place in order)
        shown = [float(each.replace("−", "-")) for each in (first, second, difference)]
        assert shown == pytest.approx([one, other, one - other], abs=0.51e-4)
        assert text == two_study.queries.get(two_study.topics[topic], "")
    leads = [scores[order[0], topic] - scores[order[1], topic] for topic, *_ in rows]
    assert leads == pytest.approx(sorted(leads), abs=1e-6)


def test_the_figure_shows_as_many_topics_as_are_asked_for_in_the_order_asked_for(page, topics, study):
    page.locator("#topics-dots").scroll_into_view_if_needed()
    topics.get_by_label("Shown").select_option(label=f"all {len(study.topics)}")
    page.wait_for_selector(f"#topics-dots[aria-label*='on the {len(study.topics)} topics']")
    topics.get_by_label("Mark a system").select_option(label="dense-3")
    topics.get_by_label("Order of topics").select_option(label="most contrary first")
    page.wait_for_selector("#topics-dots[aria-label*='with the lowest tau'] canvas")
