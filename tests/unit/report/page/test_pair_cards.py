"""The cards of pairs: margins, tiles and levels are those that Python gives for two systems."""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest

import measurand as md
from measurand.report.page.pair_cards import QUICK, ROWS, PairCards, level_names, quick_margins, thresholds
from measurand.study.level_classes import LEVELS
from measurand.study.margins.card import tiles
from measurand.study.reversing import reversing_measures

MEASURES = ["nDCG@10", "P@10", "RR@10"]


@pytest.fixture(scope="module")
def study() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:4], MEASURES, fuse=False)


@pytest.fixture(scope="module")
def two() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], MEASURES, fuse=False)


def test_the_quick_margins_are_those_of_the_matrix(study):
    upper = np.triu_indices(len(study.systems), 1)
    for place, name in enumerate(study.measures):
        matrix = md.margins_matrix(study.judged, name)
        for row, quick in enumerate(QUICK[:-1]):
            wanted = getattr(matrix, quick)[upper].astype(np.float32)
            assert np.array_equal(quick_margins(study)[place, row], wanted, equal_nan=True)


def test_the_quick_margins_are_those_of_each_pair(study):
    found = quick_margins(study)
    for place, name in enumerate(study.measures):
        for at, (a, b) in enumerate(combinations(study.systems, 2)):
            one = md.margins(study.judged, name, a, b)
            drop, weights, kappa, unjudged, ties = found[place, :, at]
            assert drop == one.topics.value
            assert weights == pytest.approx(one.scale.own.value, rel=1e-5)
            assert kappa == pytest.approx(one.scale.shared.value, rel=1e-5)
            assert np.isnan(unjudged) or unjudged == one.unjudged.value
            assert np.isnan(ties) or bool(ties > 0) is bool(np.isinf(one.ties.value))
    assert not np.isnan(found[1]).any()


def test_the_tiles_of_a_card_are_those_of_the_margins_of_the_pair(study, two):
    for each in (study, two):
        cards = PairCards(each).margins()
        assert [key.partition("|")[0] for key in cards] == (["0", "1", "2"] if each is two else ["0"])
        for key, shown in cards.items():
            measure, ahead, behind = map(int, key.split("|"))
            pair = each.systems[ahead], each.systems[behind]
            margins = md.margins(each.judged, list(each.measures)[measure], *pair)
            assert (margins.ahead, margins.behind) == pair
            wanted = [(tile.name, tile.number, tile.words, tile.tone) for tile in tiles(margins)]
            assert [(tile["name"], tile["number"], tile["words"], tile["tone"]) for tile in shown] == wanted


def test_every_tile_says_what_shows_it(two):
    cards = PairCards(two).margins()
    for tile in (tile for shown in cards.values() for tile in shown):
        assert tile["says"]
        if tile["table"]:
            width = len(tile["table"]["head"])
            assert all(len(row) == width for row in tile["table"]["rows"])
    json.dumps(cards, allow_nan=False)


def test_the_tables_of_a_card_are_the_certificates(two):
    name = next(iter(two.measures))
    [shown] = [tiles for key, tiles in PairCards(two).margins().items() if key.startswith("0|")]
    margins = md.margins(two.judged, name, *two.systems)
    found = {tile["name"]: tile["table"] for tile in shown}
    wanted = margins.judgments.to_dict()["certificate"][:ROWS]
    assert [row[:2] for row in found["Judgments"]["rows"]] == [[each["topic"], each["document"]] for each in wanted]
    dropped = margins.topics.to_dict()["dropped"]
    scores = dict(zip(two.topics, two.scores(name).values.T, strict=True))
    order = [two.systems.index(margins.ahead), two.systems.index(margins.behind)]
    assert found["Topics"]["rows"] == [[topic, *(f"{scores[topic][at]:.4f}" for at in order)] for topic in dropped]


def test_texts_of_topics_stand_beside_those_whose_removal_overturns_it():
    queries = {topic: f"text of {topic}" for topic in md.read_qrels(md.sample.qrels()).topics}
    study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", queries=queries, fuse=False)
    [shown] = PairCards(study).margins().values()
    [table] = [tile["table"] for tile in shown if tile["name"] == "Topics"]
    assert table["rows"]
    assert all(row[1] == f"text of {row[0]}" for row in table["rows"])


def test_the_rungs_are_the_levels_of_the_pair_and_a_measure_that_turns_it_round_is_shown(study, two):
    for each in (study, two):
        for key, shown in PairCards(each).levels().items():
            ahead, behind = (each.systems[int(place)] for place in key.split("|"))
            found = each.raw.levels.of(ahead, behind)
            verdicts = [found.verdicts[level] for level in LEVELS]
            assert [rung["holds"] for rung in shown["rungs"]] == [bool(one) and not one.tied for one in verdicts]
            assert (shown["reversing"] is None) is (found.every_measure.witness is None)
            if shown["reversing"]:
                assert shown["reversing"]["first"] == behind
                assert shown["reversing"]["sentence"] == reversing_measures(found)[-1].sentence
        assert len(level_names(each.raw.levels)) == len(LEVELS)


def test_where_every_measure_agrees_no_measure_turns_it_round():
    qrels = {str(topic): {"x": 1, "y": 0} for topic in range(5)}
    runs = {"good": {topic: {"x": 2.0, "y": 1.0} for topic in qrels}, "bad": {topic: {"y": 1.0} for topic in qrels}}
    [shown] = PairCards(md.Study.from_files(qrels, runs, ["P@1", "RR"], fuse=False)).levels().values()
    assert all(rung["holds"] for rung in shown["rungs"])
    assert shown["reversing"] is None


def test_means_that_are_not_compared_have_neither_card_nor_quick_margins():
    study = md.Study.from_files(
        md.sample.qrels(), md.sample.runs()[:2], ["P@10", "RR@10"], strict=True, test="sign", fuse=False
    )
    assert np.isnan(quick_margins(study)[1]).all()
    assert not np.isnan(quick_margins(study)[0]).all()
    assert {key[0] for key in PairCards(study).margins()} == {"0"}


def test_systems_without_a_common_topic_have_no_card():
    qrels = {topic: {"x": 1} for topic in "12"}
    runs = {"a": {"1": {"x": 1.0}}, "b": {"2": {"x": 1.0}}, "c": {topic: {"y": 1.0} for topic in qrels}}
    study = md.Study.from_files(qrels, runs, "P@1", missing_topics="skip", fuse=False)
    assert not {"0|0|1", "0|1|0"} & set(PairCards(study).margins())
    assert not {"0|1", "1|0"} & set(PairCards(study).levels())


def test_the_script_gets_thresholds_and_words_of_all_tones():
    found = thresholds()
    assert {"chance", "scale", "topics", "words"} == set(found)
    assert {"chance", "topics", "judgments", "unjudged", "scale", "ties"} == set(found["words"])
    assert set(found["words"]["chance"]) == {"good", "unsure", "bad"}
