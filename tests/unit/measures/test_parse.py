"""Reading measures as people write them."""

from __future__ import annotations

import re
from contextlib import suppress
from fractions import Fraction

import pytest

from measurand import ParameterError, parse
from measurand.measures import AP, RBP, RR, F, IPrec, P, Q, gm, nDCG, parse_many


@pytest.mark.parametrize(
    ("text", "measure"),
    [
        ("AP", AP),
        (" AP ", AP),
        ("nDCG@10", nDCG @ 10),
        ("nDCG @ 10", nDCG @ 10),
        ("AP(rel=2)@1000", AP(rel=2) @ 1000),
        ("AP(cutoff=5)", AP @ 5),
        ("AP(rel=2, judged_only=True)", AP(rel=2, judged_only=True)),
        ("P@5@10", P @ 10),
        ("RBP(p=0.8)", RBP(p=Fraction(4, 5))),
        ("RBP(p='1/3')", RBP(p=Fraction(1, 3))),
        ('RBP(p="1/3")', RBP(p=Fraction(1, 3))),
        ("RBP(rel=1,p=0.95)", RBP(rel=1, p="0.95")),
        ("IPrec@0.1", IPrec @ "0.1"),
        ("nDCG(b=2)@10", nDCG(b=2) @ 10),
        ("nDCG(gain='exp2')@10", nDCG(gain="exp2") @ 10),
        ("nDCG(dcg='exp-log2')@10", nDCG(gain="exp2") @ 10),
        ("nDCG(dcg='log2')@10", nDCG @ 10),
        ("nDCG(gains={1: 0.1, 2: 1})", nDCG(gain={1: Fraction(1, 10), 2: 1})),
        ("Q(beta=10)", Q(beta=10)),
        ("F(beta=0.5)@20", F(beta=Fraction(1, 2)) @ 20),
        ("gm(AP)", gm(AP)),
        ("gm(AP@100)", gm(AP @ 100)),
        ("gm(AP)@100", gm(AP @ 100)),
        ("gm(measure=RR(rel=2))", gm(RR(rel=2))),
    ],
)
def test_the_grammar_is_that_of_ir_measures(text, measure):
    assert parse(text) == measure


@pytest.mark.parametrize(
    ("alias", "measure"),
    [
        ("MAP", "AP"),
        ("MRR@10", "RR@10"),
        ("NDCG@10", "nDCG@10"),
        ("Precision@5", "P@5"),
        ("Recall@5", "R@5"),
        ("SetR", "R"),
        ("BPref", "Bpref"),
        ("RPrec", "Rprec"),
        ("InfAP", "infAP"),
    ],
)
def test_measures_go_by_their_other_names(alias, measure):
    assert repr(parse(alias)) == measure


def test_a_number_means_what_is_written_and_not_the_nearest_float():
    assert parse("RBP(p=0.80000000000000000001)").p == Fraction("0.80000000000000000001")
    assert parse("RBP(p=0.80000000000000000001)") != parse("RBP(p=0.8)")
    assert parse("RBP(p=1e-2)").p == Fraction(1, 100)


@pytest.mark.parametrize(
    "text",
    [
        "AP",
        "AP(rel=2)@1000",
        "nDCG(b=2, gain='exp2')@10",
        "nDCG(gain={1: 1, 2: 2.5})",
        "RBP(p='1/3')",
        "IPrec@0.25",
        "IPrec(cutoff=5)@0",
        "gm(nDCG(b=3)@10)",
        "Rprec(multiple=0.2)",
        "AP(judged_only=True)",
    ],
)
def test_the_spelling_of_a_measure_reads_back(text):
    assert repr(parse(text)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is no measure; write it like nDCG@10"),
        ("nDCG@", "'nDCG@' is no measure"),
        ("AP(rel=2", "is no measure"),
        ("AP@1000(rel=2)", "is no measure"),
        ("10@ndcg", "is no measure; write it like nDCG@10"),
        ("P@ten", "cutoff must be a whole number from 1 up, not 'ten'; write it like P@10"),
        ("3", "'3' is no measure"),
        ("AP + RR", "is no measure"),
        ("AP.rel", "is no measure"),
        ("AP\0", "is no measure"),
        ("AP(2)", "name the parameters, as in AP(rel=2)"),
        ("gm(AP, RR)", "name the parameters"),
        ("gm(3)", "is no measure"),
        ("gm(P_10)", "there is no measure called 'P_10'"),
        ("gm(measure=3)", "is no measure"),
        ("AP(level=2)", "AP has no parameter 'level'; it has cutoff, judged_only, rel"),
        ("AP(rel=x)", "rel must be a grade above 0, such as 1 or 0.5, not 'x'"),
        ("AP(rel=1+1j)", "rel must be a grade above 0"),
        ("AP(rel=-x)", "'-x' is no value for a parameter"),
        ("AP(rel=0)", "AP: rel must be a grade above 0, such as 1 or 0.5, not 0"),
        ("AP(rel=-0.5)", "AP: rel must be a grade above 0"),
        ("AP@0", "AP: cutoff must be a whole number from 1 up, not 0"),
        ("AP@True", "cutoff must be a whole number from 1 up, not True"),
        ("AP@AP", "cutoff must be a whole number from 1 up, not AP"),
        ("AP(judged_only=1)", "judged_only must be True or False, not 1"),
        ("RBP(p=1)", "RBP: p must be between 0 and 1, both excluded, not 1.0"),
        ("RBP(p=None)", "None is not a number"),
        ("IPrec@2", "IPrec: recall must be from 0 to 1, not 2.0"),
        ("F(beta=0)", "F: beta must be above 0"),
        ("nDCG(b=1)", "nDCG: b must be a whole number from 2 up, not 1"),
        ("nDCG(gain='cubic')", "gain must be 'linear', 'exp2' or a mapping"),
        ("nDCG(gain={1: -1})", "never negative"),
        ("nDCG(gain={0: 1})", "0 for grade 0"),
    ],
)
def test_what_is_no_measure_is_refused_in_words(text, message):
    with pytest.raises(ParameterError) as caught:
        parse(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["nDCG(gain={[1]: 2})", "nDCG(gain=(1,))", "nDCG(gain=((1, 2, 3),))"])
def test_a_gain_of_the_wrong_shape_is_refused_in_words(text):
    with pytest.raises(ParameterError):
        parse(text)


@pytest.mark.parametrize("text", ["AP(**{'rel': 2})", "AP(**rel)", "AP(rel=1, rel=2)", "gm(AP, measure=RR)"])
def test_parameters_that_are_unpacked_or_said_twice_are_refused_and_not_ignored(text):
    with pytest.raises(ParameterError):
        parse(text)


@pytest.mark.parametrize("text", ["-" * 100_000 + "1", "AP" + "(rel=1)" * 5000])
def test_a_very_deep_text_is_read_or_refused_in_words(text):
    # how deep is too deep differs between versions of Python
    with suppress(ParameterError):
        parse(text)


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [
        ("nDGC@10", "nDCG"),
        ("Rprecc", "Rprec"),
        ("Succes@5", "Success"),
        ("recip_rnk", "recip_rank"),
        ("bprefs", "bpref"),
        ("recall_caps@100", "recall_cap, Recall"),
        ("ndcg_cat_10", "ndcg_cut"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_a_suggestion(text, suggestion):
    with pytest.raises(ParameterError, match=r"did you mean .*\?") as caught:
        parse(text)
    assert suggestion in str(caught.value).partition("did you mean ")[2]


def test_the_nearest_three_measures_are_suggested():
    with pytest.raises(ParameterError) as caught:
        parse("nDGC@10")
    assert str(caught.value) == "there is no measure called 'nDGC'; did you mean nDCG, RnDCG or DCG?"


@pytest.mark.parametrize(
    ("text", "suggestion"),
    [("nDCG(cutof=5)", "did you mean cutoff?"), ("AP(relevance=2)", "did you mean rel?")],
)
def test_a_slip_of_the_pen_in_a_parameter_is_answered_with_the_right_one(text, suggestion):
    with pytest.raises(ParameterError, match=re.escape(suggestion)):
        parse(text)


@pytest.mark.parametrize("text", ["P@10,AP", "P@10 AP", "P@10, AP"])
def test_a_text_of_several_measures_is_answered_with_a_list_of_them(text):
    with pytest.raises(ParameterError, match=r"is 2 measures; name them one by one: \['P@10', 'AP'\]"):
        parse(text)


def test_a_name_like_no_other_is_answered_with_where_to_look():
    with pytest.raises(ParameterError, match="no measure called 'zyxwvu'; `measurand measures` lists them all"):
        parse("zyxwvu")


def test_a_name_that_stands_for_several_measures_is_not_one():
    with pytest.raises(ParameterError, match=r"'P\.5,10' stands for 2 measures"):
        parse("P.5,10")
    assert [measure for _, measure in parse_many("P.5,10")] == [P @ 5, P @ 10]


def test_a_word_that_both_sides_know_is_ours_unless_trec_eval_is_meant():
    assert parse_many("P") == [("P", P)]
    assert [name for name, _ in parse_many("P", trec=True)][:3] == ["P_5", "P_10", "P_15"]
    assert parse_many("Rprec") == parse_many("Rprec", trec=True)
