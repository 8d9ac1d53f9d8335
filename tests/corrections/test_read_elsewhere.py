"""Where a spelling is read otherwise by another tool, that is said beside the number (D10)."""

from __future__ import annotations

import json
import re
import shutil
from math import isnan
from pathlib import Path

import numpy as np
import pytest

import measurand as md
from measurand import sample

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "where-numbers-differ.md"

NAMES = (
    "AP AP@10 nDCG nDCG@10 P@10 R@10 RR RR@10 Rprec Bpref Success@10 IPrec@0.1 IPrec@0.3 IPrec@0.5 infAP SetP SetAP"
    " SetF SetF(beta=2.0) Judged@10 NumQ NumRel NumRet RBP(rel=1,p=0.8) Compat Accuracy Accuracy@10 AP(rel=2)"
    " P(rel=2)@5 P(judged_only=True)@10"
).split()


def campaign(seed, top, *, missing=False):
    """Return ordinary judgments and a run: no ties, no negative grades."""
    draw = np.random.default_rng(seed)
    qrels, run = {}, {}
    for topic in map(str, range(1, 6)):
        grades = draw.integers(0, top + 1, 14) * (draw.random(14) < 0.6)
        qrels[topic] = {f"d{d}": int(grade) for d, grade in zip(draw.permutation(24), grades, strict=False)}
        qrels[topic] |= {"d30": top, "d31": 0}
        retrieved = draw.permutation(24)[:16]
        run[topic] = {f"d{d}": float(score) for d, score in zip(retrieved, draw.permutation(16), strict=True)}
    if missing:
        del run["3"]
    return qrels, run


def named(caveats):
    return {caveat.text.partition(":")[0] for caveat in caveats if str(caveat.kind) == "convention"}


def differing(ours, theirs):
    return isnan(theirs) or abs(float(ours) - float(theirs)) > 5e-5


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(("seed", "top"), [(1, 1), (2, 2), (3, 3), (4, 4)])
def test_what_ir_measures_gives_otherwise_is_said(seed, top, missing):
    """D10: wherever its number under a spelling is another one, ours has a note."""
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = campaign(seed, top, missing=missing)
    wanted = [*NAMES, *(["ERR@10"] if shutil.which("perl") else [])]
    table = md.evaluate(qrels, run, wanted)
    said = named(table.caveats)
    for name in wanted:
        theirs = next(iter(ir_measures.calc_aggregate([ir_measures.parse_measure(name)], qrels, run).values()))
        if differing(table[name], theirs):
            assert repr(md.parse(name)) in said, (name, table[name], theirs)


def test_what_ranx_gives_otherwise_is_said():
    """D10: graded RBP, and hits."""
    for top in (1, 3):
        qrels, run = campaign(5, top)
        table = md.evaluate(qrels, run, ["rbp.80", "hits@10", "map", "mrr", "precision@5"])
        grades = [[qrels[t].get(d, 0) for d in sorted(docs, key=lambda d: -docs[d])] for t, docs in run.items()]
        theirs = np.mean([0.2 * sum(g * 0.8**rank for rank, g in enumerate(row)) for row in grades])
        assert ("RBP(p=0.8)" in named(table.caveats)) == differing(table["rbp.80"], theirs) == (top > 1)
        assert "NumRelRet@10" in named(table.caveats)
        assert "NumRelRet@10" not in named(md.evaluate(qrels, run, "NumRelRet@10").caveats)


@pytest.mark.parametrize(
    ("spelled", "qrels", "noted"),
    [
        ("ERR@20", {"1": {"a": 1, "b": 0}}, True),
        ("ERR@20", {"1": {"a": 4, "b": 1}}, False),
        ("ERR@20", {"1": {"a": 5, "b": 1}}, True),
        ("ERR(gmax=4)@20", {"1": {"a": 1}}, False),
        ("ERR", {"1": {"a": 1}}, False),
        ("IPrec@0.3", {"1": dict.fromkeys("abcdefg", 1)}, True),
        ("IPrec@0.5", {"1": dict.fromkeys("abcdefgh", 1)}, False),
        ("IAP", {"1": dict.fromkeys("abcdefg", 1)}, True),
        ("IAP", {"1": dict.fromkeys("abcdefghij", 1)}, False),
        ("Accuracy@10", {"1": {"z": 1, "b": 0}}, True),
        ("Accuracy@10", {"1": {"a": 1, "b": 0}}, False),
        ("Accuracy@1", {"1": {"a": 1, "b": 0}}, True),
        ("SetF(beta=2)", {"1": {"a": 1}}, True),
        ("SetF", {"1": {"a": 1}}, False),
        ("Compat", {"1": {"a": 1}}, True),
        ("Compat@3", {"1": {"a": 1}}, False),
        ("RBP(p=0.8)", {"1": {"a": 2}}, True),
        ("RBP(p=0.8)", {"1": {"a": 1}}, False),
        ("RBP(p=0.8, rel=1)", {"1": {"a": 2}}, False),
        ("rbp.p=0.8", {"1": {"a": 2}, "2": {"a": 1}}, True),
        ("rbp.p=0.8", {"1": {"a": 2}, "2": {"a": 2}}, False),
        ("rbp_resid", {"1": {"a": 1, "b": 0, "c": 0}}, True),
        ("rbp_resid", {"1": {"a": 1}}, False),
        ("Bpref", {"1": {"a": 1}}, True),
        ("Bpref", {"1": {"a": 1, "b": 0}}, False),
        ("NumQ", {"1": {"a": 1}, "7": {"a": 1}}, True),
        ("NumQ", {"1": {"a": 1}}, False),
    ],
)
def test_nothing_is_said_where_it_makes_no_difference(spelled, qrels, noted):
    """D10: the judgments and the runs decide."""
    run = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in qrels if topic != "7"}
    assert bool(named(md.evaluate(qrels, run, spelled).caveats)) == noted


def test_the_usual_measures_stay_without_a_word(call):
    """D10: nDCG@10, AP, P@10 and RR are what other tools give."""
    for arguments in (["evaluate"], ["compare"]):
        done = call(*arguments, sample.qrels(), *sample.runs()[:2])
        assert "where-numbers-differ" not in done.out + done.err


def test_every_way_to_a_number_has_the_note_once(call, tmp_path):
    """D10: evaluate, compare, the report, JSON and Python, each once."""
    run = [sample.qrels(), *sample.runs()[:2]]
    for command in ("evaluate", "compare"):
        assert call(command, *run, "-m", "ERR@20").err.count("ERR@20: the highest grade is 3 here; ir_measures") == 1
        found = json.loads(call(command, *run, "-m", "ERR@20", "-f", "json").out)
        assert [each["kind"] for each in found["caveats"]].count("convention") == 1
    study = md.Study.from_files(sample.qrels(), sample.runs()[:2], "ERR@20", fuse=False)
    assert named(study.caveats) == {"ERR@20"}
    page = tmp_path / "page.html"
    call("report", *run, "-m", "ERR@20", "--no-fusion", "-o", page)
    assert "What other tools read otherwise" in page.read_text(encoding="utf-8")


def test_the_page_numbers_its_cases():
    """D10: as many as are announced, each once."""
    text = PAGE.read_text(encoding="utf-8")
    numbers = [int(number) for number in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)]
    assert numbers == list(range(1, 21))
    assert "but for the 20 cases" in text
    assert "[20 named cases]" in (PAGE.parent.parent / "index.md").read_text(encoding="utf-8")
