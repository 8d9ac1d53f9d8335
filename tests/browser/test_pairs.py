"""Two systems among many: what the script computes from packed numbers is what Python computes for the pair."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

import measurand as md
from measurand.report.page.comparisons import power_grid
from measurand.statistics.power import minimum_detectable_difference
from measurand.study.level_classes import LEVELS
from measurand.study.margins.card import WORDS, tiles

TILES = (
    "tiles => tiles.map(tile => ({name: tile.querySelector('.name').textContent,"
    " number: tile.querySelector('b').textContent, words: tile.querySelector('small').textContent,"
    " tone: tile.dataset.tone}))"
)


def look_at(page, measure, first, second):
    page.select_option("#choice-measure", measure)
    page.select_option("#pair-first", label=first)
    page.select_option("#pair-second", label=second)
    page.wait_for_selector(f'#bars[data-shown="{measure}|{first}|{second}"]')


@pytest.mark.parametrize("measure", ["nDCG@10", "AP", "P@10", "RR"])
def test_tiles_say_of_every_pair_what_python_says(page, study, measure):
    order = study.result(measure).systems
    for first, second in ((order[0], order[1]), (order[2], order[7]), (order[11], order[4])):
        look_at(page, measure, first, second)
        margins = md.margins(study.judged, measure, first, second)
        wanted = {tile.name: tile for tile in tiles(margins, without=["judgments"])}
        shown = {tile["name"]: tile for tile in page.eval_on_selector_all("#tiles .tile", TILES)}
        assert list(shown) == list(wanted)
        for name, tile in shown.items():
            if tile["number"] == "–" or name == "Judgments":
                continue
            # the script knows how many unjudged documents it takes, but not of how many
            number = wanted[name].number
            if wanted[name].words == WORDS["unjudged"]["empty"]:
                assert tile["tone"] == "good"
                continue
            assert tile["number"] == (number if " of " in tile["number"] else number.partition(" of ")[0])
            assert wanted[name].words.startswith(tile["words"])
            if tile["tone"] != "none":
                assert tile["tone"] == wanted[name].tone
        assert {"Chance", "Topics", "Scale"} <= {name for name, tile in shown.items() if tile["number"] != "–"}


def test_the_card_of_the_leading_pair_knows_every_tile(page, study):
    first, second = study.result("nDCG@10").systems[:2]
    look_at(page, "nDCG@10", first, second)
    shown = page.eval_on_selector_all("#tiles .tile", TILES)
    wanted = tiles(md.margins(study.judged, "nDCG@10", first, second))
    assert [(tile["name"], tile["number"], tile["words"]) for tile in shown] == [
        (tile.name, tile.number, tile.words) for tile in wanted
    ]
    assert [tile["tone"] for tile in shown] == [tile.tone or "none" for tile in wanted]


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def test_the_sentence_of_a_pair_has_python_s_numbers(page, study):
    for measure, first, second in (("AP", "rerank-1", "lexical-2"), ("RR", "lexical-1", "dense-3")):
        look_at(page, measure, first, second)
        effect = study.result(measure).effects.of(first, second)
        said = page.inner_text("#pair-answer")
        size, low, high = (number(found) for found in re.findall(r"[+−]\d\.\d{3}", said)[:3])
        assert (size, low, high) == pytest.approx((effect.mean_difference, effect.low, effect.high), abs=0.6e-3)
        counts = re.search(r"(\d+) topics? \w+, (\d+) \w+, (\d+) \w+", said)
        assert tuple(map(int, counts.groups())) == (effect.wins, effect.ties, effect.losses)
        won, lost = (
            int(found)
            for found in re.search(
                r"better on (\d+), .* on (\d+), equal", page.get_attribute("#bars svg", "aria-label")
            ).groups()
        )
        assert (won, lost) == (effect.wins, effect.losses)


@pytest.mark.parametrize("method", ["none", "bonferroni", "bh"])
def test_the_tile_of_chance_reckons_with_the_correction_that_is_chosen(page, study, method):
    """D03: the sentence changed, and the tile stayed with Holm's."""
    order = study.result("nDCG@10").systems
    look_at(page, "nDCG@10", order[0], order[1])
    page.select_option("#choice-correction", method)
    tile = page.locator("#tiles .tile").first
    tile.click()
    said, certificate = page.inner_text("#pair-answer"), page.inner_text("#certificate")
    page.select_option("#choice-correction", "holm")
    seen = re.search(r"a true difference of (\S+)", said).group(1)
    assert f"a true difference of {seen}" in certificate
    assert "Holm" not in certificate


def test_rungs_are_the_levels_of_the_pair(page, study):
    order = study.result("nDCG@10").systems
    seen = set()
    for first, second in ((order[0], order[1]), (order[0], order[11]), (order[9], order[3]), (order[2], order[10])):
        look_at(page, "nDCG@10", first, second)
        pair = study.raw.levels.pair(first, second)
        ahead = pair.ahead or study.result("nDCG@10").pairs.systems[0]
        holds = page.eval_on_selector_all("#rungs .rung", "all => all.map(each => each.classList.contains('yes'))")
        wanted = [pair.ahead is not None and level.strength <= pair.level.strength for level in LEVELS]
        assert holds[:3] == wanted, (first, second, ahead)
        seen.update(wanted)
    assert seen == {True, False}


def test_the_measure_that_turns_the_leading_pair_round_is_shown_on_request(page):
    reversing = page.locator("#rungs details.reversing")
    assert reversing.count() == 1
    assert not reversing.locator(".strip").first.is_visible()
    reversing.locator("summary").press("Enter")
    assert reversing.locator(".strip").first.is_visible()


def test_power_between_the_numbers_of_topics_that_are_known_is_right_within_two_percent(page):
    source = (files("measurand.report.page") / "scripts" / "4-pairs.js").read_text(encoding="utf-8")
    start, end = source.index("const between ="), source.index("const corrected = (")
    for at_hand in (3, 43, 225):
        for alpha in (0.05, 0.05 / 7, 0.05 / 66):
            topics = [*range(2, at_hand + 1), 2 * at_hand + 1, 7 * at_hand, 40 * at_hand]
            found = page.evaluate(
                "([power, alpha, several]) => { const own = {power, alpha};"
                " const { topics: grid, alphas: levels, d: table } = power; const remembered = (_, make) => make();"
                + source[start:end]
                + "return several.map((count) => [count, detectableOf({count, spread: 1}, alpha)])"
                ".map(([count, d]) => [count, Number.isFinite(d) ? d : null, neededOf({d}, alpha)]); }",
                [power_grid(at_hand, 0.05, 66), alpha, topics],
            )
            # no flip of the signs of so few topics is significant
            few = [count for count, d, _ in found if d is None]
            assert few == [count for count in topics if 2 * 0.5**count > alpha]
            rest = [each for each in found if each[1] is not None]
            seen = [minimum_detectable_difference(1.0, count, alpha) for count, _, _ in rest]
            assert [d for _, d, _ in rest] == pytest.approx(seen, rel=0.02)
            assert [needed for *_, needed in rest] == pytest.approx([count for count, *_ in rest], rel=0.02, abs=1)
