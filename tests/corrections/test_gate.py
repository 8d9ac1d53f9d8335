"""The gate says what is so of these topics, and no more than follows of topics like these (D04, D24, R08)."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from xml.etree import ElementTree

import numpy as np
import polars as pl
import pytest

import measurand as md
from measurand.errors import InputError, ParameterError
from measurand.study.gate_inference import inferred


def scores(changes, measure="AP"):
    """Return scores of two systems that differ by so much, each from 0 or 1, so that they stay between the two."""
    changes = np.asarray(changes, dtype=float)
    old = np.where(changes < 0, 1.0, 0.0)
    return md.Scores(
        measure=measure,
        values=[old, old + changes],
        systems=("old", "new"),
        topics=range(len(changes)),
        scale="ordinal",
    )


def gate(changes, measure="AP", **options):
    return md.gate(scores(changes, measure), "old", "new", measure, **options)


def rare_drops(size, chance, noise=0.0, moved=1.0):
    """Return a model of topics that drop by a lot now and then, and else, if they are moved, by noise up and down."""

    def draw(shape, rng):
        usual = np.where(rng.random(shape) < moved, noise * rng.uniform(-1, 1, shape), 0.0)
        return np.where(rng.random(shape) < chance, -size, usual)

    return draw


HOSTILE = {
    "drops of 0.6 with probability 2 %": rare_drops(0.6, 0.02),
    "drops of 0.18 with probability 6 %": rare_drops(0.18, 0.06),
    "near-identical systems": rare_drops(0.6, 0.02, noise=0.002),
    "near-identical systems, half of the topics unchanged": rare_drops(0.6, 0.02, noise=0.02, moved=0.5),
}
"""Models of topics whose mean drops by more than 0.01 in truth."""


@pytest.mark.parametrize("name", HOSTILE)
def test_the_gate_does_not_pass_where_the_t_interval_is_blind(name):
    """D04: of the draws of 50 topics in which some topic changed, at most 7 % pass."""
    rng = np.random.default_rng(4)
    draws = [changes for changes in HOSTILE[name]((40, 50), rng) if changes.any()]
    assert sum(gate(changes).passed for changes in draws) <= 0.07 * len(draws)


def shares(model, topics, limit, draws):
    """Return how often the gate passes and fails at the edge, where some topic changed, by the inner function."""
    changes = model((draws, topics), np.random.default_rng(5))
    changes = changes[changes.any(axis=1)]
    _, low, high = inferred(changes, changes.mean(axis=1), changes.std(axis=1, ddof=1), 1.0, 0.05)
    return float((low >= -limit - 1e-12).mean()), float((high < -limit - 1e-12).mean())


def twins(share, kind):
    """Return near twins of which a share of topics changes, so that the mean drops by 0.01."""
    mean = 0.01 / share

    def draw(shape, rng):
        if kind == "skewed" and mean < 1:
            sizes = rng.beta(1, 1 / mean - 1, shape)
        else:
            width = {"uniform": min(mean, 1 - mean), "both ways": min(0.3, 1 - mean)}.get(kind, 0.0)
            sizes = mean + width * rng.uniform(-1, 1, shape)
        return -np.where(rng.random(shape) < share, sizes, 0.0)

    return draw


@pytest.mark.parametrize("kind", ["same", "uniform", "skewed", "both ways"])
@pytest.mark.parametrize(("topics", "draws"), [(50, 5_000), (500, 1_500)])
def test_at_most_7_percent_of_passes_and_failures_on_near_twins_are_false(topics, draws, kind):
    """D04: 5 % is nominal; the standard error of what is counted is 0.3 and 0.6 %."""
    for share in (0.01, 0.02, 0.05, 0.1, 0.2):
        passes, failures = shares(twins(share, kind), topics, 0.01, draws)
        assert passes <= 0.07, share
        assert failures <= 0.07, share


@pytest.mark.parametrize("name", HOSTILE)
def test_rare_gains_among_small_drops_do_not_make_it_fail(name):
    """D04: a failure is as honest as a pass; the mean drops by 0.005, which is allowed."""

    def turned(shape, rng):
        changes = -HOSTILE[name](shape, rng)
        truth = 0.06 * 0.18 if "0.18" in name else 0.02 * 0.6
        return changes - truth - 0.005

    for topics, draws in ((50, 5_000), (500, 1_000)):
        assert shares(turned, topics, 0.01, draws)[1] <= 0.07


def test_the_bound_is_as_wrong_as_it_says_at_most():
    """D04: where few topics changed the interval is exact: checked by summing over all outcomes of one size of drop."""
    from scipy.stats import binom

    for topics in (5, 20, 50, 200):
        for size in (0.1, 0.6, 1.0):
            numbers = np.arange(topics + 1)
            changes = np.where(np.arange(topics) < numbers[:, None], -size, 0.0)
            by_t, low, _ = inferred(changes, changes.mean(axis=1), changes.std(axis=1, ddof=1), 1.0, 0.05)
            for chance in (0.01, 0.05, 0.2, 0.5, 0.9):
                false = binom.pmf(numbers, topics, chance)[~by_t & (low > -size * chance)]
                assert false.sum() <= 0.05


def test_one_changed_topic_is_too_few_to_speak_of_others():
    """D04: the change on these topics is said exactly, and of others that nothing follows."""
    result = gate([-0.2] + 49 * [0.0])
    found = result.to_dict()["measures"][0]
    assert result.undecided
    assert "On these 50 topics AP fell by 0.004" in result.reason
    assert "within the 0.01 allowed" in result.reason
    assert "1 of 50 topics changed: too few to speak of others" in result.reason
    assert "if no topic changes by more than 1" in result.reason
    assert "sure)" not in str(result)
    assert (found["changed"], found["within_on_these_topics"], found["largest_change"]) == (1, True, 1.0)
    assert found["interval"][0] <= -(1 - 0.05 ** (1 / 50))


@pytest.mark.parametrize("topics", [1, 2, 50])
def test_equal_scores_pass_by_identity_and_others_could_change(topics):
    """D04: whatever is allowed; what is not known of others is said."""
    result = gate(topics * [0.0], max_drop=0)
    found = result.to_dict()["measures"][0]
    assert (result.passed, found["changed"]) == (True, 0)
    assert found["others_could_change"] == pytest.approx(1 - 0.05 ** (1 / topics))
    assert f"up to {100 * found['others_could_change']:.1f}".removesuffix(".0") in result.reason
    assert "sure)" not in str(result)


def test_these_topics_alone_decide_if_that_is_asked_for():
    """D04: by the mean, without an inference, and so without anything undecided."""
    one = [-0.2] + 49 * [0.0]
    within, beyond = (gate(one, on_these_topics=True, max_drop=drop) for drop in (0.004, 0.0039))
    assert (within.passed, beyond.failed) == (True, True)
    for result in (within, beyond):
        assert "On these 50 topics AP fell by 0.004" in result.reason
        assert "Nothing is said of other topics" in result.reason
        assert "like these" not in str(result)
        assert "%" not in result.reason
    rng = np.random.default_rng(1)
    assert not any(gate(rng.uniform(-0.5, 0.5, 20), on_these_topics=True).undecided for _ in range(5))
    assert gate(one, on_these_topics=True, max_broken=0, broken=0.1).failed
    assert gate(one, on_these_topics=True, fail_on_drop=True).failed


def test_the_most_that_one_topic_can_change_is_an_assumption_that_is_said():
    """D04: with less to lose the same topics decide; an assumption that these topics contradict is not made."""
    few = [-0.02, 0.02, -0.01] + 97 * [0.0]
    assert gate(few).undecided
    passed = gate(few, largest_change=0.1)
    assert passed.passed
    assert "if no topic changes by more than 0.1" in passed.reason
    contradicted = gate([-0.5, *few], largest_change=0.1)
    assert contradicted.undecided
    assert contradicted.to_dict()["measures"][0]["largest_change"] == 1.0
    assert any("changed by 0.5" in str(each) for each in contradicted.caveats)
    with pytest.raises(ParameterError, match="largest_change must be more than 0"):
        gate(few, largest_change=0)


def test_a_measure_without_a_range_is_undecided_until_it_is_said_how_much_a_topic_can_change():
    """D04: the largest change that was seen is not taken for the largest there is."""
    many = np.random.default_rng(2).uniform(0.1, 0.9, 60)
    unknown = gate(many, "DCG@10")
    assert unknown.undecided
    assert "--largest-change" in unknown.reason
    assert unknown.to_dict()["measures"][0]["interval"] == [None, None]
    assert gate(many, "DCG@10", largest_change={"DCG@10": 2}).passed
    assert gate(many, "DCG@10", on_these_topics=True).passed


def test_ordinary_changes_are_decided_by_the_t_interval_as_before():
    """D04: where most topics change, as two different systems do, and not by next to nothing."""
    runs = {path.name.partition(".")[0]: path for path in md.sample.runs()}
    forth, back = (
        md.gate(md.sample.qrels(), runs[old], runs[new], "nDCG@10")
        for old, new in (("hybrid-2", "rerank-2"), ("rerank-2", "hybrid-2"))
    )
    assert (forth.passed, back.failed) == (True, True)
    assert "paired t" in forth.reason
    assert "paired t" in back.reason
    # as scipy has it
    assert forth.to_dict()["measures"][0]["interval"] == pytest.approx([0.0525, 0.1526], abs=1e-4)


def test_a_constant_change_has_no_t_interval():
    """D01, D04: no spread is not certainty."""
    for topics in (2, 3, 5):
        result = gate(topics * [-0.1])
        assert result.undecided
        low, high = result.to_dict()["measures"][0]["interval"]
        assert low < -0.1 < high
    assert gate(100 * [-0.1]).failed
    assert "All 50 topics changed by the same amount" in gate(50 * [-0.02]).reason


def test_several_measures_keep_the_questions_and_the_assumption():
    """D04: the verdict of several measures says what is so on these topics, and on what condition of others."""
    both = {"P@10": 20 * [-0.2] + 580 * [0.0], "AP": np.linspace(-0.1, 0.1, 600), "RR": 600 * [0.0]}
    rows = [
        {"name": name, "qid": topic, "measure": measure, "value": 0.5 + part * change}
        for measure, changes in both.items()
        for topic, change in enumerate(changes)
        for name, part in (("old", 0), ("new", 1))
    ]
    result = md.gate(pl.DataFrame(rows), "old", "new", list(both), max_drop=0.05, largest_change={"P@10": 0.5})
    assert [str(result.of(measure).method) for measure in ("P@10", "AP")] == ["bound", "paired t"]
    said = " ".join(str(result).split())
    assert "On these topics none of 2 measures fell by more than is allowed" in said
    assert "(95 % each; P@10 if no topic changes by more than 0.5)" in said
    assert "Nothing changed under RR; up to" in said


def test_holm_counts_bounds_and_t_alike():
    """D04: each measure has a p-value, valid where few topics changed, too."""
    topics = [str(each) for each in range(60)]
    rng = np.random.default_rng(3)
    rows = {"AP": np.where(np.arange(60) < 40, -0.2, 0.0), "P@10": rng.uniform(-0.5, 0.2, 60), "RR": np.zeros(60)}
    frame = pl.DataFrame(
        [
            {"name": name, "qid": topic, "measure": measure, "value": 0.5 + part * change}
            for measure, changes in rows.items()
            for topic, change in zip(topics, changes.tolist(), strict=True)
            for name, part in (("old", 0), ("new", 1))
        ]
    )
    together = md.gate(frame, "old", "new", list(rows)).to_dict()["measures"]
    alone = [md.gate(frame, "old", "new", name).to_dict()["measures"][0] for name in rows]
    order = sorted(range(3), key=lambda at: alone[at]["p"])
    expected = np.maximum.accumulate([min(1.0, alone[at]["p"] * (3 - step)) for step, at in enumerate(order)])
    assert [together[at]["p_corrected"] for at in order] == pytest.approx(list(expected))


@pytest.fixture
def campaign(tmp_path, monkeypatch):
    """Return a folder, also the working directory, with judgments and two runs of which one topic of 50 differs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / ".git").mkdir()
    (tmp_path / "qrels").write_text("".join(f"{t} 0 d{t} 1\n" for t in range(50)))
    for name, lost in (("old", ()), ("new", (7,))):
        ranked = (f"{t} Q0 {'n' if t in lost else 'd'}{t} 1 1.0 {name}\n" for t in range(50))
        (tmp_path / f"{name}.run").write_text("".join(ranked))
    return tmp_path


@pytest.mark.parametrize("form", ["table", "markdown", "json", "junit", "github"])
def test_every_format_keeps_these_topics_and_others_apart(campaign, call, form):
    """D04: the sentences are the same everywhere."""
    of_others, here = (
        " ".join(call("gate", "qrels", "old.run", "new.run", "-m", "RR", "-f", form, *more).out.split())
        for more in ((), ("--on-these-topics",))
    )
    for text in (of_others, here):
        assert "On these 50 topics RR fell by 0.020" in text
        assert "sure)" not in text
        assert "true drop" not in text
    assert "1 of 50 topics changed: too few to speak of others" in of_others
    assert "Nothing is said of other topics" in here
    if form == "junit":
        [skipped] = ElementTree.fromstring(of_others).iter("skipped")
        assert "too few to speak of others" in skipped.get("message")
        assert not list(ElementTree.fromstring(here).iter("skipped"))


def test_settings_in_a_file_have_the_new_options(campaign, call):
    """D04: measurand.toml says them as the command line does, which wins."""
    (campaign / "measurand.toml").write_text(
        '[gate]\non-these-topics = true\nmeasures = ["RR"]\nlargest-change = {"RR" = 0.5}\n'
    )
    data = json.loads(call("gate", "qrels", "old.run", "new.run", "-f", "json").out)
    assert (data["outcome"], data["on_these_topics"]) == ("fail", True)
    data = json.loads(call("gate", "qrels", "old.run", "new.run", "-f", "json", "--on-topics-like-these").out)
    assert (data["outcome"], data["on_these_topics"]) == ("undecided", False)


def table(path, old, new, measure):
    rows = [
        f"{name},{t},{measure},{value}" for name, values in (("A", old), ("B", new)) for t, value in enumerate(values)
    ]
    path.write_text("\n".join(["name,qid,measure,value", *rows]) + "\n")


def test_percentages_are_refused_or_read_as_percentages(tmp_path, call):
    """D24: nDCG of 45.2 and 44.9."""
    table(tmp_path / "pct.csv", [45.2, 45.2, 40.0], [44.9, 45.0, 41.0], "nDCG@10")
    for command in (["gate", tmp_path / "pct.csv", "A", "B"], ["compare", tmp_path / "pct.csv"]):
        refused = call(*command)
        assert (refused.code, refused.out) == (1, "")
        assert "45.2 on topic 0" in refused.err
        assert "--percent" in refused.err
        read = call(*command, "--percent", "-f", "json")
        assert read.code == 0
        assert "read as percentages" in read.err
        assert "from 40 % to 45.2 %" in read.err
    data = json.loads(call("gate", tmp_path / "pct.csv", "A", "B", "--percent", "-f", "json").out)
    assert data["measures"][0]["difference"] == pytest.approx((130.9 - 130.4) / 3 / 100)
    assert any("percentages" in each["text"] for each in data["caveats"])


def test_values_that_a_measure_cannot_have_are_refused(tmp_path, call):
    """D24: P@5 of 8.9 and −3, also as percentages; single precision may be a hair beyond."""
    for values, what in (([0.2, 8.9], "8.9"), ([0.2, -3.0], "-3")):
        table(tmp_path / "p.csv", [0.2, 0.4], values, "P@5")
        refused = call("gate", tmp_path / "p.csv", "A", "B", "-m", "P@5")
        assert (refused.code, refused.out) == (1, "")
        assert f"{what} on topic 1" in refused.err
    assert call("gate", tmp_path / "p.csv", "A", "B", "-m", "P@5", "--percent").code == 1
    frame = pl.DataFrame({"name": ["A", "B"], "qid": ["1", "1"], "measure": ["AP"] * 2, "value": [1.0000001, 0.5]})
    assert md.gate(frame, "A", "B", "AP").undecided
    with pytest.raises(InputError, match="has 2 on topic 1, and AP is never above 1"):
        md.compare(frame.with_columns(value=pl.lit(2.0)))


def test_percent_is_for_scores_that_are_known(campaign, call):
    """D24: scores of runs are computed."""
    assert call("gate", "qrels", "old.run", "new.run", "--percent").code == 1
    assert call("compare", "qrels", "old.run", "new.run", "--percent").code == 2


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_no_flipped_bit_in_a_stored_baseline_changes_the_answer(campaign, ending):
    """R08: what is read is what was written, or it is refused."""
    name = f"base.{ending}"
    small = {str(t): {f"d{t}": 1} for t in range(4)}
    run = {str(t): {f"d{t}": 1.0, "n": 2.0 - t} for t in range(4)}
    md.gate(small, run, run, ["RR", "nDCG@10"]).save_baseline(name)
    new = {str(t): {f"d{t}": 1.0, "n": t - 0.5} for t in range(4)}
    expected = md.gate(small, name, new, ["RR", "nDCG@10"]).to_dict()["measures"]
    whole = (campaign / name).read_bytes()
    rng = np.random.default_rng(6)
    refused = 0
    for at in rng.choice(8 * len(whole), 200, replace=False).tolist():
        damaged = bytearray(whole)
        damaged[at // 8] ^= 1 << at % 8
        (campaign / name).write_bytes(damaged)
        try:
            assert md.gate(small, name, new, ["RR", "nDCG@10"]).to_dict()["measures"] == expected
        except InputError:
            refused += 1
    assert refused > 50


@pytest.mark.parametrize("column", ["topic", "measure", "score", "system", "date", "version", "sha256"])
def test_no_changed_cell_in_a_stored_baseline_is_believed(campaign, call, column):
    """R08: in parquet and CSV, where pages or rows may be changed by another program."""
    for ending in ("parquet", "csv"):
        name = f"base.{ending}"
        call("gate", "qrels", "old.run", "-m", "RR", "--save-baseline", name)
        read, write = {"parquet": ("read_parquet", "write_parquet"), "csv": ("read_csv", "write_csv")}[ending]
        frame = getattr(pl, read)(name)
        getattr(frame.sample(fraction=1, shuffle=True, seed=1), write)(name)
        assert call("gate", "qrels", name, "old.run", "-m", "RR").code == 0
        cells = frame[column].to_list()
        cells[3] = 0.5 if column == "score" else 99 if isinstance(cells[3], int) else f"{cells[3]}x"
        getattr(frame.with_columns(pl.Series(column, cells)), write)(name)
        refused = call("gate", "qrels", name, "old.run", "-m", "RR")
        assert (refused.code, refused.out) == (1, "")


def test_a_changed_score_is_refused_with_what_to_do(campaign, call):
    """R08: by a person or by a disk."""
    call("gate", "qrels", "old.run", "-m", "RR", "--save-baseline", "base.json")
    data = json.loads((campaign / "base.json").read_text())
    data["scores"]["RR"]["3"] = 0.5
    (campaign / "base.json").write_text(json.dumps(data))
    refused = call("gate", "qrels", "base.json", "new.run", "-m", "RR")
    assert (refused.code, refused.out) == (1, "")
    assert "damaged" in refused.err
    assert "store it anew" in refused.err
    del data["sha256"]
    (campaign / "base.json").write_text(json.dumps(data))
    assert call("gate", "qrels", "base.json", "new.run", "-m", "RR").code == 1


def test_scores_that_somebody_made_are_looked_at_too():
    """D24: as objects; those of a measure of one's own are believed."""

    def own(name):
        values = [[45.2, 30.0], [44.9, 29.0]]
        return md.Scores(measure=name, values=values, systems="ab", topics="12", scale="ordinal")

    for made in (lambda: md.gate(own("nDCG@10"), "a", "b"), lambda: md.compare(own("nDCG@10"))):
        with pytest.raises(InputError, match=r"a has 45\.2 on topic 1, and nDCG@10 is never above 1"):
            made()
    assert md.compare(own("clicks")).results


def test_numbers_of_a_gate_subtract(call, tmp_path):
    """D11: "fell by 0.225, from 0.478 to 0.254"."""
    (tmp_path / "s.csv").write_text(
        "name,qid,measure,value\n"
        + "".join(
            f"{name},{topic},P@10,{value}\n" for name, value in (("A", 0.4784), ("B", 0.2536)) for topic in range(9)
        )
    )
    said = call("gate", tmp_path / "s.csv", "A", "B", "-m", "P@10").out
    fell, old, new = map(Decimal, re.search(r"fell by ([\d.]+), from ([\d.]+) to ([\d.]+)", said).groups())
    assert old - new == fell


@pytest.mark.parametrize("seed", range(8))
def test_numbers_in_the_table_of_measures_of_a_gate_subtract(seed):
    """D11: 0.5418, then 0.5399, a change of -0.0018."""
    rng = np.random.default_rng(seed)
    said = str(gate(rng.uniform(-0.3, 0.3, 9)))
    old, new, change = map(Decimal, re.search(r"([\d.]+) +([\d.]+) +([+-][\d.]+) +\[", said).groups())
    assert new - old == change
