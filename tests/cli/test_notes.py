"""Notes on the error stream: what is said of averages, and what is not said twice."""

from __future__ import annotations

import pytest

from measurand.cli.score_tables import mind
from measurand.errors import CaveatKind, NotMeaningful
from measurand.judged import JudgedRuns
from measurand.measures import parse
from measurand.scores import Aggregation, Scores, Table

LIFTED = "note: 1 of 2 scores of T is below 0.00001 and counts as 0.00001"


def table(scale: str, *, one_scale: bool) -> Table:
    scores = Scores(
        measure="T",
        values=[[0.0, 0.5]],
        systems="a",
        topics="12",
        scale=scale,
        one_scale=one_scale,
        aggregation=Aggregation.GEOMETRIC,
    )
    return Table(by_measure={"T": scores})


@pytest.mark.parametrize("one_scale", [True, False])
@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_lifted_scores_are_told_and_nothing_of_scales(capsys, scale, one_scale):
    mind(table(scale, one_scale=one_scale))
    [note] = capsys.readouterr().err.splitlines()
    assert note.startswith(LIFTED)


@pytest.mark.parametrize("scale", ["ordinal", "interval"])
def test_a_geometric_mean_without_a_ratio_scale_is_refused_strictly(scale):
    with pytest.raises(NotMeaningful, match="the scale of T does not admit these averages"):
        mind(table(scale, one_scale=True), strict=True)


def test_lifted_scores_alone_are_refused_strictly():
    with pytest.raises(NotMeaningful, match="1 of 2 scores of T is below"):
        mind(table("ratio", one_scale=True), strict=True)


@pytest.mark.parametrize(
    ("measure", "unsaid"),
    [
        ("ESL", True),
        ("gm(ESL)", True),
        ("ESL(collection=9)", False),
        ("ESLR", True),
        ("gm(AP)", False),
        ("OIE", False),
    ],
)
def test_strictly_averages_that_the_size_of_the_collection_would_change_are_refused_for_that(measure, unsaid):
    scores = parse(measure).scores(JudgedRuns.on_one_topic([(1, 0), (0, 0)], (3, 1)))
    assert any(caveat.cause is CaveatKind.COLLECTION for caveat in scores.caveats) == unsaid
    if unsaid:
        with pytest.raises(NotMeaningful, match=r"averages of .* depend on the size of the collection"):
            mind(Table(by_measure={measure: scores}), strict=True)
