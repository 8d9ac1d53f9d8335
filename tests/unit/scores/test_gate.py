"""The gate before every statistic: what is needed, what is said of less, what is refused."""

from __future__ import annotations

import pytest

from measurand.errors import Caveat, CaveatKind, NotMeaningful
from measurand.scale import Scale
from measurand.scores import Need, Scores, gate

OTHER = Caveat(CaveatKind.NO_RELEVANT, "nothing is relevant on topic 2")


def scores_on(scale: Scale, *, one_scale: bool = True, caveats=()) -> Scores:
    return Scores(
        measure="M",
        values=[[0.5, 0.25]],
        systems=("a",),
        topics=("1", "2"),
        scale=scale,
        one_scale=one_scale,
        caveats=caveats,
    )


def admitted(statistic: str, scores: Scores) -> bool:
    """Return whether a summary comes without doubts about its scale, and strictly too."""
    summary = getattr(scores, statistic)
    free = not any(caveat.kind is CaveatKind.SCALE for caveat in summary().caveats)
    if free:
        assert list(summary(strict=True)) == list(summary())
    else:
        with pytest.raises(NotMeaningful):
            summary(strict=True)
    return free


@pytest.mark.parametrize(
    ("statistic", "weakest"),
    [("median", Scale.ORDINAL), ("mean", Scale.INTERVAL), ("geometric_mean", Scale.RATIO), ("sum", Scale.INTERVAL)],
)
@pytest.mark.parametrize("scale", list(Scale))
def test_a_statistic_is_admitted_from_the_scale_that_it_needs_upwards(statistic, weakest, scale):
    assert admitted(statistic, scores_on(scale)) == (scale >= weakest)


@pytest.mark.parametrize("statistic", ["median", "mean", "geometric_mean", "sum"])
def test_no_summary_over_topics_is_admitted_where_every_topic_has_its_own_scale(statistic):
    assert not admitted(statistic, scores_on(Scale.RATIO, one_scale=False))


@pytest.mark.parametrize("scale", list(Scale))
@pytest.mark.parametrize("one_scale", [True, False])
@pytest.mark.parametrize("across", [True, False])
def test_a_need_is_met_exactly_where_the_gate_has_no_doubt(scale, one_scale, across):
    scores = scores_on(scale, one_scale=one_scale)
    for needed in Scale:
        need = Need("thing", needed, across)
        assert need.met_by(scores) == (gate(need, scores) == ())


def test_what_looks_at_topics_one_by_one_does_not_mind_scales_of_their_own():
    sign = Need("sign test", Scale.ORDINAL, across=False)
    assert gate(sign, scores_on(Scale.ORDINAL, one_scale=False), strict=True) == ()


def test_other_caveats_pass_the_gate_as_they_are():
    mean = Need("mean", Scale.INTERVAL)
    assert gate(mean, scores_on(Scale.INTERVAL, caveats=(OTHER,)), strict=True) == (OTHER,)
    assert gate(mean, scores_on(Scale.ORDINAL, caveats=(OTHER,)))[0] == OTHER


def test_a_doubt_about_mixed_scales_is_told_once():
    mixed = Caveat(CaveatKind.SCALE, "M depends on the recall base")
    found = gate(Need("mean", Scale.INTERVAL), scores_on(Scale.INTERVAL, one_scale=False, caveats=(mixed,)))
    assert found == (mixed,)
    assert gate(Need("sign test", Scale.ORDINAL, across=False), scores_on(Scale.ORDINAL, caveats=(mixed,))) == ()


@pytest.mark.parametrize(
    ("need", "scores", "said"),
    [
        (
            Need("mean", Scale.INTERVAL),
            scores_on(Scale.ORDINAL),
            "the mean of M needs interval scores, and these are ordinal: a legitimate rescaling can reverse"
            " comparisons; compare medians, take the sign test or interval(M), or drop strict",
        ),
        (
            Need("geometric mean", Scale.RATIO),
            scores_on(Scale.INTERVAL),
            "the geometric mean of M needs ratio scores, and these are interval: a legitimate rescaling can reverse"
            " comparisons; take a statistic that needs less, or drop strict",
        ),
        (
            Need("mean", Scale.INTERVAL),
            scores_on(Scale.INTERVAL, one_scale=False),
            "M has a scale of its own on every topic; compare topic by topic (sign test, Friedman, dominance), or drop"
            " strict",
        ),
    ],
)
def test_a_refusal_says_what_would_help(need, scores, said):
    with pytest.raises(NotMeaningful) as refusal:
        gate(need, scores, strict=True)
    assert str(refusal.value) == said


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (Need("mode", Scale.NOMINAL), "the mode needs a nominal scale that all topics share"),
        (Need("median", Scale.ORDINAL), "the median needs an ordinal scale that all topics share"),
        (Need("sign test", Scale.ORDINAL, across=False), "the sign test needs an ordinal scale on every topic"),
        (Need("geometric mean", Scale.RATIO), "the geometric mean needs a ratio scale that all topics share"),
    ],
)
def test_a_need_is_told_in_a_sentence(need, said):
    assert str(need) == said
