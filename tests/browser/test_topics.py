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


def test_a_topic_opens_by_keyboard_and_shows_what_was_judged_best_first(page, topics, study, close_topic):
    topics.locator("#topics-table button.topic").nth(3).press("Enter")
    panel = page.locator("#topic[open]")
    pair, every = panel.locator("table.strips").first, panel.locator("table.strips").last
    every.wait_for()
    assert len(pair.locator("tbody tr").all()) == 2
    assert study.topics[3] in panel.locator("h2").inner_text()
    shown = every.locator("tbody th").all_inner_texts()
    scores = every.locator("tbody td.n:nth-child(3)").all_inner_texts()
    values = dict(zip(study.systems, study.scores("nDCG@10").values[:, 3], strict=True))
    assert scores == [f"{values[system]:.4f}" for system in shown]
    assert scores == sorted(scores, key=float, reverse=True)
    documents = shown_documents(study.judged, 30)
    for system, strip in zip(shown, every.locator("tbody .strip").all(), strict=True):
        run = study.judged.cells[study.systems.index(system), 3, :30].tolist()
        letters = {UNJUDGED: "·", NOTHING: ""}
        assert strip.evaluate("strip => [...strip.children].map(cell => cell.textContent)") == [
            letters.get(cell, str(cell)) for cell in run
        ]
        assert strip.get_attribute("aria-label").startswith(f"{system}: ")
        tips = strip.evaluate("strip => [...strip.children].map(cell => cell.dataset.tip ?? '')")
        names = documents.ranking(system, study.topics[3])
        assert all(name in tip for name, tip in zip(names, tips, strict=False))
    close_topic(page)


def test_the_reader_goes_to_the_next_better_topic_and_back_to_where_they_were(page, topics, study, close_topic):
    lead = study.conclusion.lead
    own, other = (study.systems.index(name) for name in (lead.system, lead.against))
    values = study.scores("nDCG@10").values
    # from the topic on which the first of the two is worst to that on which it is best
    order = np.argsort(np.round(values[own] - values[other], 6), kind="stable").tolist()
    opener = topics.locator("#topics-table button.topic").first
    opener.click()
    page.wait_for_selector("#topic[open]")
    shown = "name => document.querySelector('#topic-title').textContent.includes(name)"
    place = order.index(int(opener.get_attribute("data-topic")))
    page.locator("#topic .controls button").first.click()
    page.wait_for_function(shown, arg=study.topics[order[place - 1]])
    page.locator("#topic .controls button").last.click()
    page.wait_for_function(shown, arg=study.topics[order[place]])
    page.select_option("#topic-which", label=study.topics[9])
    page.wait_for_function(shown, arg=study.topics[9])
    close_topic(page)
    assert opener.evaluate("button => button === document.activeElement")
    assert "topic=" not in page.url


def test_the_way_back_closes_a_topic_and_stays_on_the_page(page, topics):
    topics.locator("#topics-table button.topic").first.click()
    page.wait_for_selector("#topic[open]")
    assert "topic=" in page.url
    page.go_back()
    page.wait_for_function("!document.querySelector('#topic').open")
    assert page.url.split("#")[0].endswith(".html")


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
