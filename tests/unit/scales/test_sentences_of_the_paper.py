"""The sentences of Ferrante, Ferro and Fuhr (2021), sections III, IV and VIII, as one would write them."""

from __future__ import annotations

import numpy as np
import pytest

import measurand as md
from measurand.scales.meaning import check
from measurand.scores import Scores


def measured(measure, scale, **rows):
    """Return numbers of a kind, a row for each thing."""
    values = np.array(list(rows.values()), dtype=float)
    names = tuple(name.replace("_", " ") for name in rows)
    topics = tuple(map(str, range(values.shape[1])))
    return Scores(measure=measure, values=values, systems=names, topics=topics, scale=scale)


WINES = measured("sweetness", "ordinal", pas_dosé=[3], extra_brut=[6], brut=[12])
WINERIES = measured("sweetness", "ordinal", first_winery=[6, 6, 12, 17, 32], second_winery=[3, 3, 3, 12, 50])
CITIES = measured("temperature", "interval", Paris=[2, 2, 4, 8, 36], Rome=[1, 2, 4, 15, 34])
DEGREES = measured("temperature", "interval", cool=[10], warm=[20], hot=[30])
DAYS = measured("temperature", "interval", Rome=[20], Oslo=[10], Rome_last_month=[12], Oslo_last_month=[7])
KELVIN = measured("temperature", "ratio", cold=[273], hot=[546])
DISTANCES = measured("distance", "ratio", Oslo=[2000], Padua=[400])
WEIGHTS = measured("weight", "ratio", mouse=[0.02], elephant=[5000])


@pytest.mark.parametrize(
    ("sentence", "numbers", "true", "answer"),
    [
        ("brut is twice as sweet as extra brut", WINES, True, "not meaningful"),
        ("brut exceeds extra brut by 6", WINES, True, "not meaningful"),
        ("brut > extra brut > pas dosé", WINES, True, "robust"),
        ("warm is twice as hot as cool", DEGREES, True, "not meaningful"),
        ("the difference between warm and cool is as large as that between hot and warm", DEGREES, True, "robust"),
        ("the mouse exceeds the elephant", WEIGHTS, False, "robust"),
        ("The median of the first winery is greater than the one of the second winery", WINERIES, True, "robust"),
        ("The average of the first winery is greater than the one of the second winery", WINERIES, True, "fragile"),
        (
            "the difference between Rome and Oslo is twice that between Rome last month and Oslo last month",
            DAYS, True, "robust",
        ),
        ("The median temperature in Paris is the same as in Rome", CITIES, True, "robust"),
        ("The mean temperature in Paris is less than in Rome", CITIES, True, "robust"),
        ("The mean of Rome is greater than the mean of Paris", CITIES, True, "robust"),
        ("The geometric mean of temperature in Paris is greater than in Rome", CITIES, True, "fragile"),
        (
            "the mean of Paris is less than that of Rome and the geometric mean of Paris is greater than that of Rome",
            CITIES, True, "fragile",
        ),
        ("Oslo is five times as distant as Padua", DISTANCES, True, "robust"),
        ("cold is half as hot as hot", KELVIN, True, "robust"),
        ("The geometric mean of Oslo is greater than the geometric mean of Padua", DISTANCES, True, "robust"),
    ],
)  # fmt: skip
def test_a_sentence_about_numbers_means_what_the_paper_says(sentence, numbers, true, answer):
    meaning = check(sentence, numbers)
    assert (meaning.true, str(meaning.answer)) == (true, answer)


@pytest.fixture(scope="module")
def judged():
    return md.judge(md.sample.runs(), md.sample.qrels(), depth=10)


@pytest.mark.parametrize(
    ("sentence", "answer"),
    [
        ("the correlation between P@10 and RBP(p=0.5, rel=1)@10 is 0.7858", "robust"),
        ("There are 1,923 significantly different system pairs for P@10 according to one-way ANOVA", "robust"),
        ("There are 28 significantly different system pairs for P@10 according to one-way ANOVA", "robust"),
        ("System dense-1 is (on average) better than system dense-2 under P@10", "robust"),
        ("System dense-1 is (on average) better than system dense-2 under AP", "fragile"),
        ("System dense-1 is significantly better than system dense-2 by sign under AP", "robust"),
        ("dense-1 is 20 % better than dense-2 under P@10", "not meaningful"),
    ],
)
def test_a_sentence_about_systems_means_what_the_paper_says(sentence, answer, judged):
    assert str(check(sentence, judged).answer) == answer
