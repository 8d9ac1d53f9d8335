"""What the reader chooses: it holds for all sections, and the address has it."""

from __future__ import annotations

import re
from urllib.parse import parse_qs

import pytest

from measurand.study.shown_documents import moved_documents, shown_documents


def fragment(page) -> dict[str, str]:
    """Return what the address of a page keeps."""
    return {name: value for name, [value] in parse_qs(page.evaluate("location.hash.slice(1)")).items()}


def shown_pair(page, measure, first, second):
    page.wait_for_selector(f'#bars[data-shown="{measure}|{first}|{second}"]')


CHOICES = {"measure": "AP", "test": "sign", "correction": "bonferroni"}


def test_the_address_keeps_what_was_chosen_and_shows_it_again(visit, sample_page, study, close_topic):
    page = visit(sample_page)
    first, second = study.result("AP").systems[3], study.result("AP").systems[8]
    topic = study.topics[7]
    assert page.evaluate("location.hash") == ""
    for name, value in CHOICES.items():
        page.select_option(f"#choice-{name}", value)
    page.select_option("#pair-first", label=first)
    page.select_option("#pair-second", label=second)
    heading = page.locator("#board thead th[data-shown='number']")
    heading.get_by_role("button").click(click_count=2)
    page.locator(f'#bars a[data-topic="{study.topics.index(topic)}"]').dispatch_event("click")
    page.wait_for_selector("#topic[open]")
    kept = fragment(page)
    assert kept == {**CHOICES, "first": first, "second": second, "topic": topic, "sort": kept["sort"]}
    assert kept["sort"].startswith("board.")

    rows = "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    board = page.eval_on_selector_all("#board tbody tr", rows)
    again = visit(sample_page, page.evaluate("location.hash"))
    shown_pair(again, "AP", first, second)
    for name, value in CHOICES.items():
        assert again.input_value(f"#choice-{name}") == value
    again.wait_for_selector("#topic[open]")
    assert topic in again.inner_text("#topic-title")
    assert again.eval_on_selector_all("#board tbody tr", rows) == board
    assert again.locator("#board th[aria-sort]").inner_text() == heading.inner_text()

    close_topic(again)
    usual = {"measure": "nDCG@10", "test": "paired_t", "correction": "holm"}
    for name, value in usual.items():
        again.select_option(f"#choice-{name}", value)
    for name, system in zip(("first", "second"), study.result("nDCG@10").systems, strict=False):
        again.select_option(f"#pair-{name}", label=system)
    assert again.evaluate("location.hash") == ""


def test_an_address_that_names_what_is_not_there_is_as_good_as_none(visit, sample_page, study):
    page = visit(
        sample_page, "#measure=nonsense&test=&first=__proto__&second=nobody&topic=none&sort=board.99.up&at=nowhere"
    )
    shown_pair(page, "nDCG@10", *study.result("nDCG@10").systems[:2])
    assert page.input_value("#choice-measure") == "nDCG@10"
    assert page.locator("#topic[open]").count() == 0
    visit(sample_page, "#100%")


def test_who_closes_a_topic_is_where_they_were_also_after_a_link_to_another_section(visit, two_page, close_topic):
    page = visit(two_page, "#data")
    bar = page.locator("#bars a").nth(2)
    bar.click()
    page.wait_for_selector("#topic[open]")
    close_topic(page)
    assert bar.evaluate("link => link === document.activeElement")
    assert page.evaluate("document.querySelector('#bars').getBoundingClientRect().top") > 0
    # one topic after the other, as quickly as one can
    page.evaluate(
        "() => { const [one, other] = document.querySelectorAll('#bars a'); const click = (bar) => "
        "bar.dispatchEvent(new MouseEvent('click', { bubbles: true })); click(one);"
        " const wait = setInterval(() => { if (document.querySelector('#topic').open) { clearInterval(wait);"
        " document.querySelector('#topic').close(); click(other); window.second = other.dataset.topic; } }, 5); }"
    )
    page.wait_for_function("window.second && document.querySelector('#topic').open")
    page.wait_for_function("document.querySelector('#topic-which').value === window.second")
    assert page.locator("#topic").is_visible()


def test_one_choice_of_measure_holds_for_every_section(page, study):
    page.select_option("#choice-measure", "RR")
    try:
        page.wait_for_selector('#comparisons[data-shown^="RR|"]')
        shown_pair(page, "RR", *study.result("nDCG@10").systems[:2])
        assert set(page.locator("[data-says='measure']").all_text_contents()) == {"RR"}
        result = study.result("RR")
        assert page.locator("#board tbody th").all_text_contents() == list(result.systems)
        numbers = [float(text) for text in page.locator("#board td[data-shown='number']").all_text_contents()]
        assert numbers == pytest.approx([result.means[system] for system in result.systems], abs=0.51e-4)
        beats = dict(
            zip(result.systems, page.locator("#board td[data-shown='beats']").all_text_contents(), strict=True)
        )
        ahead = result.pairs.significant(0.05) & (result.pairs.statistic > 0)
        assert beats == {name: str(int(row.sum())) for name, row in zip(study.systems, ahead, strict=True)}
        letters = page.locator("#board td[data-shown='letters']").all_text_contents()
        assert letters == [result.letters[system] for system in result.systems]
        rows = page.locator("#fusion-table tbody tr:visible")
        assert {row.get_attribute("data-measure") for row in rows.all()} == {"RR"}
    finally:
        page.select_option("#choice-measure", "nDCG@10")


def test_letters_are_hidden_under_a_test_that_they_are_not_of(page):
    letters = page.locator("#board td[data-shown='letters']")
    assert letters.first.is_visible()
    page.select_option("#choice-test", "sign")
    assert not letters.first.is_visible()
    page.select_option("#choice-test", "paired_t")
    assert letters.first.is_visible()


def test_two_systems_chosen_in_the_leaderboard_are_compared(page, study):
    first, second = study.result("nDCG@10").systems[5], study.result("nDCG@10").systems[2]
    for name in (first, second):
        page.locator("#board button.system", has_text=re.compile(rf"^{name}$")).click()
    shown_pair(page, "nDCG@10", first, second)
    assert (fragment(page)["first"], fragment(page)["second"]) == (first, second)
    chosen = page.eval_on_selector_all("#board tr.looked th", "all => all.map(each => each.textContent)")
    assert sorted(chosen) == sorted([first, second])
    page.click("#pair-turn")
    shown_pair(page, "nDCG@10", second, first)
    page.select_option("#pair-first", label=first)
    shown_pair(page, "nDCG@10", first, second)


def test_a_click_on_a_cell_of_the_square_compares_its_two_systems(page, study):
    order = study.result("nDCG@10").systems
    page.locator("#square").scroll_into_view_if_needed()
    marks = page.locator('[data-chart="comparisons-matrix"] .mark-rect path')
    marks.first.wait_for()
    cell = page.locator(f'[data-chart="comparisons-matrix"] path[aria-label^="{order[1]} (row), {order[4]} (column)"]')
    cell.click()
    shown_pair(page, "nDCG@10", order[1], order[4])


def test_a_measure_of_the_table_of_differences_is_looked_at_below(two, two_study):
    first, second = two_study.result("nDCG@10").systems
    two.locator("#forest tr[data-measure='P@10'] button").press("Enter")
    shown_pair(two, "P@10", first, second)
    assert two.input_value("#choice-measure") == "P@10"
    assert two.locator("#forest tr.chosen").get_attribute("data-measure") == "P@10"
    assert two.locator("#forest button[aria-pressed='true']").count() == 1
    two.select_option("#choice-measure", "nDCG@10")
    shown_pair(two, "nDCG@10", first, second)


def test_the_table_of_differences_follows_the_choice_of_test(two, two_study):
    two.select_option("#choice-test", "signed_rank")
    shown = two.locator("#forest tbody [data-shown='p']").all_text_contents()
    wanted = [two_study.tests.of(name, "raw", "signed_rank").pvalues[0, 1] for name in two_study.measures]
    assert [float(text.replace("<", "")) for text in shown] == pytest.approx(wanted, rel=2e-3, abs=6e-4)
    # an interval is shown beside the test of its family alone
    assert not two.locator("#forest [data-shown='interval']").first.is_visible()
    two.select_option("#choice-test", "paired_t")
    assert two.locator("#forest [data-shown='interval']").first.is_visible()


def test_bars_are_the_differences_worst_first(two, two_study):
    order = two_study.result("nDCG@10").order
    one, other = (two_study.scores("nDCG@10").values[place] for place in order)
    bars = two.eval_on_selector_all(
        "#bars a",
        "links => links.map(link => { const mark = link.querySelector('.mark');"
        " return [Number(link.dataset.topic), Number(mark.getAttribute('height')), mark.getAttribute('y')]; })",
    )
    leads = (one - other)[[topic for topic, *_ in bars]]
    assert len(bars) == len(two_study.topics)
    assert (leads[1:] - leads[:-1]).min() >= -1e-6
    heights = [height for _, height, _ in bars]
    scale = 200 / (max(leads.max(), 0) + max(-leads.min(), 0))
    assert heights == pytest.approx([max(1.2, abs(lead) * scale) for lead in leads], abs=0.01)


def numbers_in(text: str) -> list[int]:
    return [int(found) for found in re.findall(r"\d+", text)]


def moved_numbers(moved) -> list[int]:
    """Return all counts and grades that are told of documents that move: those that come in and go out by grade."""
    found = []
    for kind in ("in", "out"):
        several = moved.those(kind)
        if several:
            found.append(len(several))
            for grade in sorted(
                {each.grade for each in several}, key=lambda grade: -2 if grade is None else -grade - 3
            ):
                count = sum(each.grade == grade for each in several)
                found += [count] if grade is None else [count, grade]
    return found + [len(moved.those(kind)) for kind in ("up", "down", "same") if moved.those(kind)]


def test_a_bar_opens_both_rankings_with_their_documents_and_what_moved(two, two_study, close_topic):
    shown = shown_documents(two_study.judged, 30)
    first, second = two_study.result("nDCG@10").systems
    bar = two.locator("#bars a").nth(4)
    topic = two_study.topics[int(bar.get_attribute("data-topic"))]
    bar.click()
    two.wait_for_selector("#topic[open] #topic-moved")
    assert two.inner_text("#topic-title").endswith(two_study.queries.get(topic, topic))
    head, *rows = two.eval_on_selector_all(
        "#topic table.documents tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert head[1] == first
    assert head[4] == second
    assert tuple(row[1] for row in rows if row[1]) == shown.ranking(first, topic)
    assert tuple(row[4] for row in rows if row[4]) == shown.ranking(second, topic)
    moved = moved_documents(shown, second, first, topic, cutoff=10)
    said = two.inner_text("#topic-moved")
    assert said.index(second) < said.index(first)
    assert numbers_in(said.partition(":")[2]) == moved_numbers(moved)
    assert numbers_in(said.partition(":")[0].replace(first, "").replace(second, "")) == [10]
    close_topic(two)
    assert not two.locator("#topic").is_visible()
    assert bar.evaluate("link => link === document.activeElement")
    assert fragment(two) == {}


def test_the_keyboard_alone_goes_from_bar_to_bar_and_opens_a_topic(two, two_study, close_topic):
    two.locator("#forest button.measure").last.focus()
    for _ in range(6):
        two.keyboard.press("Tab")
        if two.evaluate("document.activeElement.closest('#bars a') !== null"):
            break
    for _ in range(3):
        two.keyboard.press("ArrowRight")
    two.keyboard.press("ArrowLeft")
    place = two.evaluate("[...document.querySelectorAll('#bars a')].indexOf(document.activeElement)")
    topic = int(two.evaluate("document.activeElement.dataset.topic"))
    assert two.inner_text("#tip").count(two_study.topics[topic]) >= 1
    two.keyboard.press("Enter")
    two.wait_for_selector("#topic[open]")
    assert two_study.topics[topic] in two.inner_text("#topic-title")
    close_topic(two)
    assert two.evaluate("[...document.querySelectorAll('#bars a')].indexOf(document.activeElement)") == place
    # one stop for Tab, whichever bar was looked at last
    assert two.locator("#bars a[tabindex='0']").count() == 1


def test_a_tile_opens_its_certificate_by_keyboard_and_closes_it_again(two, close_topic):
    tiles = two.locator("#tiles button.tile")
    assert tiles.count() == 6
    for place in (1, 2):
        tiles.nth(place).press("Enter")
        assert [tile.get_attribute("aria-expanded") for tile in tiles.all()].index("true") == place
        assert two.locator("#certificate").is_visible()
        assert len(two.inner_text("#certificate")) > 40
    assert two.locator("#certificate table tbody tr").count() > 0
    two.locator("#certificate button.topic").first.click()
    two.wait_for_selector("#topic[open]")
    close_topic(two)
    tiles.nth(2).press("Enter")
    assert not two.locator("#certificate").is_visible()
    assert two.locator("#tiles [aria-expanded='true']").count() == 0


def test_a_system_has_one_colour_everywhere(page, study):
    first, second = study.result("nDCG@10").systems[3], study.result("nDCG@10").systems[6]
    page.select_option("#pair-first", label=first)
    page.select_option("#pair-second", label=second)
    shown_pair(page, "nDCG@10", first, second)
    page.locator("#bars a").first.dispatch_event("click")
    page.wait_for_selector("#topic[open] table.strips")
    colours = page.evaluate(
        """(names) => {
          const row = (table, name) => [...document.querySelectorAll(`${table} tbody tr`)]
            .find((each) => each.querySelector("th").textContent.trim() === name);
          const dot = (table, name) => getComputedStyle(row(table, name).querySelector(".dot")).backgroundColor;
          const marks = [...document.querySelectorAll("#bars .mark")].map((mark) => getComputedStyle(mark).fill);
          const bars = [marks.at(-1), marks[0]]; // the best topics of the first and of the second
          return names.map((name, place) => [dot("#board", name), dot("#topic table.strips", name), bars[place]]);
        }""",
        [first, second],
    )
    assert [len(set(several)) for several in colours] == [1, 1]
    assert colours[0][0] != colours[1][0]


def test_the_pointer_over_a_bar_shows_both_scores_with_four_digits(two, two_study):
    bar = two.locator("#bars a").nth(1)
    bar.hover()
    said = two.inner_text("#tip")
    topic = int(bar.get_attribute("data-topic"))
    scores = two_study.scores("nDCG@10").values
    assert two_study.topics[topic] in said
    for place, system in enumerate(two_study.systems):
        assert f"{system} {scores[place, topic]:.4f}" in said
    two.mouse.move(0, 0)
    two.wait_for_selector("#tip", state="hidden")


def test_an_address_that_is_pasted_into_the_open_page_is_followed(page):
    page.evaluate("location.hash = '#measure=AP&test=sign'")
    page.wait_for_function("document.querySelector('#board [data-says=measure]').textContent === 'AP'")
    assert page.input_value("#choice-test") == "sign"
    assert "AP" not in page.inner_text("#kept")
    page.evaluate("location.hash = '#measure=nDCG%4010'")
    page.wait_for_function("document.querySelector('#board [data-says=measure]').textContent === 'nDCG@10'")
    assert page.input_value("#choice-test") == "paired_t"
