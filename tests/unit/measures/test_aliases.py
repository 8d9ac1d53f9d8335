"""Names that other tools and people use for measures."""

from __future__ import annotations

import pytest

from measurand import ParameterError, parse
from measurand.measures import parse_many
from measurand.measures.aliases import ALIASES, UNCUT
from measurand.measures.catalogue import own

SPELLINGS = {
    "ranx": {
        "ndcg@10": "nDCG@10",
        "map@100": "AP@100",
        "mrr@10": "RR@10",
        "recall@100": "R@100",
        "precision@5": "P@5",
        "precision": "SetP",
        "f1@5": "F@5",
        "f1": "SetF",
        "f1(cutoff=5)": "F@5",
        "r-precision": "Rprec",
        "hit_rate@5": "Success@5",
        "hits@5": "NumRelRet@5",
        "bpref": "Bpref",
        "rbp.95": "RBP(p=0.95)",
        "rbp.95-l2": "RBP(p=0.95, rel=2)",
        "dcg@10": "DCG@10",
        "dcg_burges": "DCG(gain='exp2')",
        "ndcg_burges@10": "nDCG(gain='exp2')@10",
        "map@100-l2": "AP(rel=2)@100",
        "map-l2": "AP(rel=2)",
        "map@100-l1": "AP@100",
        "ndcg@10-l3": "nDCG(gain={1: 0, 2: 0, 3: 3})@10",
        "ndcg-l1": "nDCG",
    },
    "MTEB": {
        "ndcg_at_10": "nDCG@10",
        "map_at_100": "AP@100",
        "recall_at_100": "R@100",
        "precision_at_5": "P@5",
        "mrr_at_10": "RR@10",
        "hit_rate_at_10": "Success@10",
        "accuracy_at_5": "Success@5",
    },
    "BEIR": {
        "NDCG@10": "nDCG@10",
        "MAP@100": "AP@100",
        "Recall@100": "R@100",
        "R_cap@100": "RelativeP@100",
        "recall_cap@5": "RelativeP@5",
    },
    "ir_measures": {
        "SDCG(dcg='log2', max_rel=3)@10": "SDCG(gmax=3)@10",
        "BPM(T=1, min_rel=0, max_rel=3)@10": "BPM(gmax=3)@10",
        "BPM(min_rel=1, max_rel=3)@10": "BPM(gmax=3, gain={1: 0, 2: 1, 3: 2})@10",
        "INST(T=2, min_rel=0)": "INST(T=2)",
        "NERR10(p=0.8, max_rel=3)": "NERR10(gmax=3, p=0.8)",
        "Compat(p=0.9)@10": "Compat(p=0.9)@10",
        "Accuracy@10": "Accuracy@10",
    },
    "people": {
        "p@10": "P@10",
        "r@100": "R@100",
        "ap": "AP",
        "Ndcg@10": "nDCG@10",
        "NDCG_at_10": "nDCG@10",
        "err@20": "ERR@20",
        "ERR(max_rel=4)": "ERR(gmax=4)",
        "success@5": "Success@5",
        "r_precision": "Rprec",
        "rbp(p=0.8)": "RBP(p=0.8)",
        "F1@5": "F@5",
        "PRECISION@5": "P@5",
    },
}


@pytest.mark.parametrize(("text", "measure"), [pair for tool in SPELLINGS.values() for pair in tool.items()])
def test_a_spelling_of_another_tool_is_read(text, measure):
    assert repr(parse(text)) == measure


def test_names_of_trec_eval_mean_in_its_format_what_they_mean_to_it():
    for family in ("P", "recall", "success"):
        assert [name for name, _ in parse_many(family, trec=True)][1] == f"{family}_{5 if family == 'success' else 10}"
    assert [repr(measure) for _, measure in parse_many("recall-l2")][:2] == ["R(rel=2)@5", "R(rel=2)@10"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rbp@95", "write RBP(p=0.95) or RBP(p=0.8)@95"),
        ("alpha_nDCG@10", "is a measure of ir_measures' that measurand does not offer"),
        ("PRECISION", "did you mean Precision"),
        ("recall", "stands for 9 measures; name one of them, such as R@5"),
        ("map@10-l0", "rel must be a grade above 0, such as 1 or 0.5, not 0"),
        ("ndcg_burges-l2", "name the gains of all grades"),
        ("err@10-l2", "has no lowest relevant grade"),
        ("INST(min_rel=1, max_rel=3)", "min_rel=1 needs a measure of gains and a higher max_rel"),
        ("BPM(min_rel=1)", "min_rel=1 needs a measure of gains and a higher max_rel"),
        ("BPM(min_rel=-1)", "min_rel must be a whole number from 0 up"),
    ],
)
def test_a_name_that_could_be_two_things_or_is_not_offered_is_refused_in_words(text, message):
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert message in str(caught.value)


def test_no_alias_is_the_name_of_another_measure():
    for name, measure in ALIASES.items():
        assert own().get(name, measure) == measure
    assert UNCUT.keys() <= ALIASES.keys()
