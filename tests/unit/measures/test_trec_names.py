"""trec_eval's names: reading them, printing them, their order."""

from __future__ import annotations

from fractions import Fraction

import pytest

from measurand import ParameterError
from measurand.measures import (
    AP,
    IAP,
    RR,
    Bpref,
    G,
    IPrec,
    NumQ,
    P,
    R,
    RBPResidual,
    RelativeP,
    RnDCG,
    Rprec,
    SetF,
    SetP,
    Success,
    Unjudged,
    Utility,
    binG,
    gm,
    gRBP,
    nDCG,
    nDCGRel,
    parse,
)
from measurand.measures.trec_names import FAMILIES, NICKNAMES, plain, read, spell


@pytest.mark.parametrize(
    ("name", "measure"),
    [
        ("map", AP),
        ("gm_map", gm(AP)),
        ("gm_bpref", gm(Bpref)),
        ("Rprec", Rprec),
        ("recip_rank", RR),
        ("num_q", NumQ),
        ("ndcg", nDCG),
        ("ndcg_cut_10", nDCG @ 10),
        ("ndcg_cut.10", nDCG @ 10),
        ("P_5", P @ 5),
        ("P.5", P @ 5),
        ("recall_100", R @ 100),
        ("set_recall", R),
        ("map_cut_10", AP @ 10),
        ("success_1", Success @ 1),
        ("relative_P_5", RelativeP @ 5),
        ("iprec_at_recall_0.10", IPrec @ Fraction(1, 10)),
        ("Rprec_mult_0.20", Rprec(multiple=Fraction(1, 5))),
        ("unj_10", Unjudged @ 10),
        ("rbp", gRBP(p=Fraction(9, 10))),
        ("rbp_0.8", gRBP(p=Fraction(4, 5))),
        ("rbp.p=0.8", gRBP(p=Fraction(4, 5))),
        ("rbp_resid", RBPResidual(p=Fraction(9, 10))),
        ("rbp_resid.p=0.8", RBPResidual(p=Fraction(4, 5))),
        ("set_F", SetF),
        ("set_F.4", SetF(beta=2)),
        ("set_F_0.25", SetF(beta=Fraction(1, 2))),
        ("ndcg.1=3,2=9", nDCG(gain={1: 3, 2: 9})),
        ("11pt_avg", IAP),
        ("11pt_avg..25,.5,.75", IAP(recalls=[0.25, 0.5, 0.75])),
        ("binG", binG),
        ("G.1=3,2=9", G(gain={1: 3, 2: 9})),
        ("ndcg_rel", nDCGRel),
        ("ndcg_rel_1=3,2=1", nDCGRel(gain="1=3,2=1")),
        ("Rndcg.1=3", RnDCG(gain={1: 3})),
        ("set_relative_P", SetP(relative=True)),
        ("utility", Utility),
        ("utility_2,-1,0,0", Utility(found=2)),
        ("utility.3,-2,-0.5,0", Utility(found=3, wrong=-2, missed=Fraction(-1, 2))),
    ],
)
def test_a_name_of_trec_evals_is_read(name, measure):
    assert read(name) == [(read(name)[0][0], measure)]
    assert parse(name) == measure


@pytest.mark.parametrize("word", ["nDCG", "AP", "mapped", "P5", "", "gm"])
def test_a_word_that_is_not_trec_evals_is_left_to_others(word):
    assert read(word) is None


def test_several_parameters_stand_for_several_measures_in_rising_order():
    assert read("P.10,5") == [("P_5", P @ 5), ("P_10", P @ 10)]
    assert [name for name, _ in read("iprec_at_recall.0.5,0")] == ["iprec_at_recall_0.00", "iprec_at_recall_0.50"]


def test_a_bare_family_runs_through_trec_evals_defaults():
    assert [name for name, _ in read("P")] == [f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert [name for name, _ in read("success")] == ["success_1", "success_5", "success_10"]
    assert [name for name, _ in read("iprec_at_recall")][::5] == [
        "iprec_at_recall_0.00",
        "iprec_at_recall_0.50",
        "iprec_at_recall_1.00",
    ]


def test_nicknames_stand_for_many_measures():
    official = [name for name, _ in read("official")]
    assert official[:5] == ["num_q", "num_ret", "num_rel", "num_rel_ret", "map"]
    assert official[-1] == "P_1000"
    assert set(official) < {name for name, _ in read("all_trec")}
    assert {name for name, _ in read("set")} == set(NICKNAMES["set"])


@pytest.mark.parametrize(
    "text",
    [
        "map_10",
        "num_q.3",
        "P_0",
        "P.x",
        "P.",
        "P.5,,10",
        "ndcg.10",
        "ndcg.=3",
        "rbp.2",
        "rbp.q=1",
        "set_F.2",
        "set_F.0",
        "utility.1,2",
        "utility.1,2,3,x",
        "11pt_avg.0.5,1.5",
        "11pt_avg.half",
        "G.1",
        "binG.1=3",
        "relstring.10",
        "relstring.ten",
        "yaap",
    ],
)
def test_parameters_that_cannot_be_are_refused(text):
    with pytest.raises(ParameterError):
        read(text)


@pytest.mark.parametrize("text", ["set_F.-1", "ndcg.a=3", "ndcg.1.5=3"])
def test_parameters_that_are_no_numbers_of_the_right_kind_are_refused(text):
    with pytest.raises(ParameterError):
        read(text)


def test_a_cutoff_is_a_whole_number_and_is_not_rounded_unseen():
    with pytest.raises(ParameterError):
        read("P_5.7")


def test_a_name_that_is_read_is_printed_again_unless_another_name_means_the_same():
    twins = {"Rprec_mult_1.00": "Rprec", "rbp": "rbp"}
    for name, measure in read("all_trec"):
        assert spell(measure) == twins.get(name, name)


@pytest.mark.parametrize(
    ("measure", "name"),
    [
        (AP(rel=2), "map"),
        (AP(judged_only=True), "map"),
        (gm(AP(rel=3)), "gm_map"),
        (nDCG @ 7, "ndcg_cut_7"),
        (IPrec, "iprec_at_recall_0.00"),
        (nDCG(b=2), None),
        (RR @ 10, None),
        (gRBP(p="0.8"), None),
    ],
)
def test_a_measure_has_trec_evals_name_whatever_counts_as_relevant(measure, name):
    assert spell(measure) == name


def test_the_plain_form_of_a_measure_has_the_usual_relevance():
    assert plain(AP(rel=2, judged_only=True) @ 5) == AP @ 5
    assert plain(gm(AP(rel=2))) == gm(AP)
    assert plain(nDCG(b=2)) == nDCG(b=2)


def test_families_cannot_be_changed():
    with pytest.raises(TypeError):
        FAMILIES["new"] = FAMILIES["map"]
