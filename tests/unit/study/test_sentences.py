"""The sentences of conclusions are plain, agree in number, and claim no significance that is not there."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import numpy as np
import pytest

import measurand as md
from measurand.study.sentences import Line

SYSTEMS = ("bm25", "dense-1", "hybrid", "rerank", "splade", "topics")

WRONG = (
    r"  ",
    r"\b1 (topics|systems|others|pairs|measures|of them are)\b",
    r"(?<![\d.,])([02-9]|\d\d+) (topic|pair|measure)\b(?!s)",
    r"\b(all|the other) [12] (others|topics|systems)\b",
    r"(^|[ (])-\d",
    r"\b(nan|inf|None)\b",
    r"κ|robust|fragile|scale-(proof|dependent)|dominan|whatever the measure",
    r" [,.;:)]|\( |\.\.|;;|\(\)",
    r"p [<=](?! \d)",
)
"""What no sentence says."""


def draw(seed, systems=5, topics=20, *, apart=0.3, missing=0.0, tied=False, unjudged=0.0):
    """Return qrels and runs of systems of different quality."""
    rng = np.random.default_rng(seed)
    skill = 2 * apart * rng.random(systems)
    qrels, runs = {}, {name: {} for name in SYSTEMS[:systems]}
    for topic in map(str, range(301, 301 + topics)):
        grades = rng.integers(0, 3, 30) * (rng.random(30) < 0.4)
        qrels[topic] = {f"d{place}": int(grade) for place, grade in enumerate(grades) if rng.random() >= unjudged}
        for name, better in zip(runs, skill, strict=True):
            if rng.random() >= missing:
                scores = rng.normal(0, 1, 30) + better * grades
                scores = scores.round() if tied else scores
                runs[name][topic] = {f"d{place}": float(score) for place, score in enumerate(scores)}
    return qrels, [md.read_run(run, name=name) for name, run in runs.items()]


def words(conclusion):
    return [conclusion.headline, *map(str, conclusion.lines), *map(str, conclusion.checks)]


def check_style(conclusion):
    for sentence in words(conclusion):
        for wrong in WRONG:
            assert not re.search(wrong, sentence), (wrong, sentence)
        assert sentence.endswith("."), sentence
        assert sentence.count("(") == sentence.count(")"), sentence
        # every p has its test beside it, unless the same was named just before with its correction
        for found in re.finditer(r"\bp [<=] [\d.e−]+\d(?P<after>.{0,30})", sentence):
            corrected = sentence[: found.start()].endswith("), ")
            assert corrected or re.match(r", [\w\- ]*(test|ANOVA)", found["after"]), sentence
    abouts = [line.about for line in conclusion.lines]
    order = ["lead", "clear", "additive", "overturn", "other_measures", "check", "measures_note"]
    if conclusion.kind != "two":
        assert [each for each in order if each in abouts] == abouts
    contrary = sum(each.lead is not None and each.lead.outcome == "contrary" for each in conclusion.measures)
    assert len(re.findall(r"\. [A-Z]", conclusion.headline)) <= 1 + contrary


def check_significance(conclusion):
    """Check that who beats whom, and what is hardly chance, is significant after correction."""
    text = " ".join(words(conclusion))
    primary = conclusion.primary
    if not primary.better and not primary.worse:
        assert not re.search(r"\bbeats? (?!it\b)(?!\w+, the baseline)", text), text
    if not any(each.lead is not None and each.lead.outcome == "significant" for each in conclusion.measures):
        assert "hardly" not in text
    for each in conclusion.measures:
        if each.lead is not None and each.lead.outcome == "significant":
            assert each.lead.p_corrected <= conclusion.alpha
            assert each.lead.favoured == each.lead.ahead


SETTINGS = {
    "plain": {},
    "baseline": {"baseline": "dense-1"},
    "strict": {"strict": True},
    "strict baseline": {"strict": True, "baseline": "bm25"},
    "sign": {"test": "sign"},
    "wilcoxon": {"test": "wilcoxon", "adjust": "bh"},
    "randomisation": {"test": "randomisation", "draws": 500},
    "anova": {"test": "anova"},
    "randomised tukey": {"test": "randomised_tukey", "draws": 500},
    "friedman": {"test": "friedman", "baseline": "bm25"},
    "uncorrected": {"adjust": "none", "alpha": 0.2},
}

CAMPAIGNS = {
    "one system": {"systems": 1},
    "two systems": {"systems": 2},
    "two systems far apart": {"systems": 2, "apart": 2.0},
    "three alike": {"systems": 3, "apart": 0.0},
    "six": {"systems": 6},
    "six far apart": {"systems": 6, "apart": 2.0, "topics": 40},
    "one topic": {"systems": 3, "topics": 1},
    "two systems, one topic": {"systems": 2, "topics": 1},
    "two topics": {"systems": 2, "topics": 2},
    "ties": {"systems": 4, "tied": True},
    "missing topics": {"systems": 4, "missing": 0.15},
    "unjudged": {"systems": 4, "unjudged": 0.3},
}


# every campaign in some settings, every setting on some campaigns
TRIED = [
    (campaign, setting)
    for row, campaign in enumerate(CAMPAIGNS)
    for column, setting in enumerate(SETTINGS)
    if (row + column) % 6 == 0
]


@pytest.mark.parametrize(("campaign", "setting"), TRIED)
def test_sentences_are_plain_and_claim_no_more_than_the_test(campaign, setting):
    options, seed = SETTINGS[setting], list(SETTINGS).index(setting)
    qrels, runs = draw(seed, **CAMPAIGNS[campaign])
    if options.get("baseline", "bm25") not in {run.name for run in runs}:
        options = {**options, "baseline": "bm25"}
    for skip in ("zero", "skip") if "missing" in CAMPAIGNS[campaign] else ("zero",):
        for measures in (["nDCG@10", "AP", "P@10", "RR"], ["ESL", "RR"] if seed % 2 else "P@5"):
            found = md.compare(qrels, runs, measures, missing_topics=skip, **options).conclusion
            check_style(found)
            check_significance(found)


def odd_campaign(rng):
    """Return a small campaign with all that can be odd: equal systems, gaps, nothing relevant, unjudged documents."""
    systems, topics, depth = int(rng.integers(1, 7)), int(rng.choice([1, 2, 3, 5, 8, 30])), int(rng.choice([1, 3, 10]))
    relevant = rng.random((systems, topics, depth)) < rng.random((systems, 1, 1)) * rng.choice([0.2, 1])
    cells = relevant * rng.integers(1, 3, relevant.shape).astype(np.int8)
    if rng.random() < 0.3:
        cells[rng.random(cells.shape) < 0.3] = -1
    if rng.random() < 0.4:
        cells[: int(rng.integers(1, systems + 1))] = cells[0]
    lengths, counts = np.full((systems, topics), depth), np.tile([30, 10, 10], (topics, 1))
    if rng.random() < 0.4:
        gone = rng.random((systems, topics)) < rng.choice([0.1, 0.5])
        cells[gone], lengths[gone] = -2, 0
    if rng.random() < 0.2:
        counts[0, 1:], cells[:, 0] = 0, np.minimum(cells[:, 0], 0)
    return md.JudgedRuns(
        systems=SYSTEMS[:systems],
        topics=tuple(map(str, range(topics))),
        cells=cells,
        lengths=lengths,
        grade_counts=counts,
        skip_missing=bool(rng.random() < 0.5),
    )


def wasted(run):
    return next((rank for rank, grade in enumerate(run) if grade), len(run))


COST = md.define(wasted, name="Wasted", lower_is_better=True, scale="ratio")


@pytest.mark.parametrize("seed", range(5))
def test_odd_campaigns_have_plain_sentences_too(seed):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        judged = odd_campaign(rng)
        options = {
            "baseline": str(rng.choice(judged.systems)) if rng.random() < 0.4 else None,
            "adjust": str(rng.choice(["holm", "none", "bh"])),
            "alpha": float(rng.choice([0.05, 0.3])),
        }
        options |= {"strict": True} if rng.random() < 0.25 else {"test": str(rng.choice(["t", "sign", "anova"]))}
        measures = [["P@3", "RR"], ["AP", "P@1", "nDCG@3"], [COST, "RR"], ["RR"]][int(rng.integers(4))]
        found = md.compare(judged, measures, **options).conclusion
        check_style(found)
        check_significance(found)
        json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_sentences_are_printed_shown_and_stored(seed):
    qrels, runs = draw(seed, 3)
    comparison = md.compare(qrels, runs, ["nDCG@10", "P@5"])
    found = comparison.conclusion
    for text in (str(found), str(comparison)):
        assert " ".join(text.split()).startswith(" ".join([found.headline, *map(str, found.lines)]))
    assert found.headline in comparison._repr_html_()
    assert comparison.to_dict()["conclusion"]["headline"] == found.headline


def test_a_study_begins_with_the_conclusion_of_its_comparison():
    study = md.Study.from_files(*draw(1, 3), "P@5", fuse=False)
    assert study.conclusion is study.raw.conclusion
    assert str(study).startswith(study.conclusion.headline)


@pytest.mark.parametrize("seed", range(4))
def test_swapping_the_baseline_turns_every_difference_round(seed):
    qrels, runs = draw(seed, 2)
    one, other = (md.compare(qrels, runs, ["nDCG@10", "AP"], baseline=name).conclusion for name in ("bm25", "dense-1"))
    for first, second in zip(one.measures, other.measures, strict=True):
        assert first.lead.difference == pytest.approx(-second.lead.difference)
        assert (first.lead.wins, first.lead.losses) == (second.lead.losses, second.lead.wins)
        assert first.lead.p == pytest.approx(second.lead.p)
        assert first.lead.ahead == second.lead.ahead


@pytest.mark.parametrize("seed", range(3))
def test_names_of_systems_do_not_change_what_is_said(seed):
    qrels, runs = draw(seed, 4)
    named = {run.name: f"x{place}" for place, run in enumerate(runs)}
    others = [
        md.read_run({t: dict(documents) for t, documents in run_of(run).items()}, name=named[run.name]) for run in runs
    ]
    one, other = (md.compare(qrels, several, "nDCG@10").conclusion for several in (runs, others))
    text = " ".join(words(one))
    for name, new in named.items():
        text = text.replace(name, new)
    assert text == " ".join(words(other))


def run_of(run):
    """Return a run as documents with scores, by topic."""
    frame = run.to_pandas()
    return {topic: dict(zip(part["document"], part["score"], strict=True)) for topic, part in frame.groupby("topic")}


def test_lines_print_what_is_strong_first():
    assert str(Line("What is clear:", "a beats b.", "clear")) == "What is clear: a beats b."
    assert str(Line("", "So it is.", "lead")) == "So it is."
    assert Line("", "So it is.", "measures_note").quiet


def test_means_that_are_named_first_are_never_worse_than_those_named_after_them():
    for seed in range(6):
        found = md.compare(*draw(seed, 4, topics=10), "P@10").conclusion
        said = [str(line) for line in found.lines if line.about == "lead"]
        for each in said:
            printed = [float(text) for text in re.findall(r"(?<![+−\d.])0\.\d+(?=[,:])", each)[:2]]
            assert len(printed) == 2
            assert all(first > second for first, second in pairwise(printed)), each
