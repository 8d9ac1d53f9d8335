"""Where every topic has a scale of its own no order is called scale-proof, and `meaning` says the same (D14)."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import measurand as md

TOPICS = [str(topic) for topic in range(1, 7)]


def run(places):
    """Return lines of a run that has its relevant documents at some ranks of each topic; there are four, or five."""
    lines = []
    for topic, found in zip(TOPICS, places, strict=True):
        for rank in range(1, 21):
            name = f"r{found.index(rank)}" if rank in found else f"n{rank}"
            lines.append(f"{topic} Q0 {name} {rank} {-rank} x\n")
    return "".join(lines)


@pytest.fixture
def files(tmp_path, monkeypatch):
    """Write judgments, and runs: `high` is above `low` but for a topic, `first` is so on all."""
    monkeypatch.chdir(tmp_path)
    bases = [4, 5, 4, 5, 6, 4]
    Path("qrels").write_text(
        "".join(f"{t} 0 r{n} 1\n{t} 0 n{n + 1} 0\n" for t, base in zip(TOPICS, bases, strict=True) for n in range(base))
    )
    low = [(4, 6, 9), (5, 8, 9), (3, 7, 12), (4, 9, 10), (6, 8, 9), (5, 11, 13)]
    high = [(1, 2, 3), (1, 3, 4), (2, 3, 4), (1, 2, 5), (1, 2, 4), (6, 12, 14)]
    first = [*high[:-1], (1, 2, 3)]
    for name, places in {"low": low, "high": high, "first": first}.items():
        Path(f"{name}.run").write_text(run(places))


def words(text):
    return " ".join(text.split())


def verdict(told):
    """Return what a comparison says in its own part, above the explanations."""
    return words(told.partition("How to read this")[0])


def compared(call, one, measure):
    return verdict(call("compare", "qrels", "low=low.run", f"{one}={one}.run", "-m", measure).out)


def meaning(call, one, measure):
    return words(
        call(
            "meaning",
            "qrels",
            "low=low.run",
            f"{one}={one}.run",
            f"mean of {one} exceeds mean of low",
            "-m",
            measure,
        ).out
    )


@pytest.mark.parametrize("measure", ["AP", "nDCG@10", "R@5"])
def test_a_lost_topic_takes_scale_proof_away_and_meaning_agrees(call, files, measure):
    """D14: κ is infinite, for one rescaling of all topics; each has its own."""
    data = md.compare("qrels", {"low": "low.run", "high": "high.run"}, measure).results[0]
    lost = data.scores["high"]["6"] < data.scores["low"]["6"]
    said = compared(call, "high", measure)
    assert "scale-proof" not in said
    if lost:
        assert measure != "AP" or data.scale.of("high", "low") == float("inf")
        assert "if some topics count" in said
        assert meaning(call, "high", measure).startswith("Fragile")
    else:
        assert "however much each topic counts" in said
        assert meaning(call, "high", measure).startswith("Robust")


@pytest.mark.parametrize("measure", ["AP", "nDCG@10"])
def test_without_a_lost_topic_both_say_that_nothing_changes_it(call, files, measure):
    """D14: the one case in which no rescaling, topic by topic, changes the order."""
    said = compared(call, "first", measure)
    assert "the same however much each topic counts" in said
    assert "scale-proof" not in said
    assert meaning(call, "first", measure).startswith("Robust")


def test_on_one_scale_an_infinite_margin_is_scale_proof_as_before(call, files):
    """D14: RR has one scale for all topics."""
    assert "scale-proof" in compared(call, "high", "RR")
    assert meaning(call, "high", "RR").startswith("Robust")


def test_margins_tell_how_much_topics_must_count(files):
    """D14: what is won over what is lost; no tile, table or sentence says that nothing overturns the order."""
    judged = md.judge({"high": "high.run", "low": "low.run"}, "qrels")
    found = md.margins(judged, "AP", "high", "low")
    differences = [found.pair.scores["high"][t] - found.pair.scores["low"][t] for t in TOPICS]
    ratio = sum(max(d, 0) for d in differences) / -sum(min(d, 0) for d in differences)
    assert ratio < float("inf")
    assert float(found.scale.own.value) == pytest.approx(ratio)
    assert "scale-proof" not in str(found.scale)
    assert "some topics count" in str(found.scale)
    assert "scale none" not in found.line
    assert "scale topics ×" in found.line
    assert "no other spacing of the values overturns it" not in found._repr_html_()


def test_compare_and_meaning_never_contradict_each_other_on_drawn_campaigns():
    """D14: of every pair that is spoken of, sure to stay if and only if robust."""
    seen = set()
    for seed in range(30):
        draw = random.Random(seed)
        qrels = {t: {f"d{n}": int(draw.random() < 0.4) for n in range(8)} | {"d0": 1} for t in TOPICS[:3]}
        weights = [draw.random() * 0.8 for _ in range(3)]
        runs = {
            f"s{place}": {t: {d: draw.random() + weight * grade for d, grade in qrels[t].items()} for t in qrels}
            for place, weight in enumerate(weights)
        }
        for result in md.compare(qrels, runs, ["AP", "nDCG@5", "RR"]).results:
            for claim in result.claims:
                told = claim.to_dict()
                if claim.apart:
                    stays = told["scale"].startswith(("scale-proof", "the same however", "meaningful"))
                    assert stays is (told["meaning"]["answer"] == "robust"), (
                        seed,
                        result.scores.measure,
                        told["scale"],
                    )
                    assert ("scale-proof" in told["scale"]) <= result.scores.one_scale
                    seen.add((result.scores.one_scale, stays))
    assert len(seen) == 4
