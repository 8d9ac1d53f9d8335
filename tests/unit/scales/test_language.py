"""The language of statements: what is read, that it is read again, and where a reading gets stuck."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from measurand.errors import ParameterError
from measurand.scales.meaning import (
    FORMS,
    GRAMMAR,
    AcrossMeasures,
    Averages,
    Best,
    Compound,
    Constant,
    Correlated,
    Differences,
    OnTopic,
    Ranking,
    Significant,
    SignificantPairs,
    Spreads,
    Under,
    parse_statement,
)
from measurand.scales.scored_statements import spelled_measure

SYSTEMS = ("A", "B", "C", "D", "bm25", "bm25 rm3", "mean", "A and B", "the “best”", "naïve", "out of 10")
TOPICS = ("301", "302", "topic two")
MEAN = Averages("mean", "A", "B")


def read(text, **options):
    names = {"topics": TOPICS, "measures": ("AP", "quality of wine"), "find_measure": spelled_measure}
    return parse_statement(text, SYSTEMS, **{**names, **options})


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("mean of A exceeds 0.3", Constant("mean", "A", "exceeds", "0.3")),
        ("The median of A is .25.", Constant("median", "A", "equals", ".25")),
        ("the difference between A and B is at least 0,05", Constant("mean", "A", "is at least", "0.05", b="B")),
        ("A beats B by 0.05", Constant("mean", "A", "is at least", "0.05", b="B")),
        ("mean of A exceeds that of B by 0.05", Constant("mean", "A", "is at least", "0.05", b="B")),
        ("harmonic mean of A exceeds that of B", Averages("harmonic mean", "A", "B")),
        ("the sd of A is twice the standard deviation of B", Spreads("standard deviation", "A", "B", "equals", factor=2)),  # noqa: E501
        ("CV(A) > CV(B)", Spreads("coefficient of variation", "A", "B")),
        ("interquartile range of A is below 3", Constant("interquartile range", "A", "is below", "3")),
        ("A is the best", Best("A")),
        ("bm25 rm3 is the worst system by median", Best("bm25 rm3", "median", worst=True)),
        ("A is not the best", Compound("not", [Best("A")])),
        ("A has the lowest median", Best("A", "median", worst=True)),
        ("A > B > C", Ranking("ABC")),
        ("A > bm25 > D by the median", Ranking(("A", "bm25", "D"), "median")),
        ("A beats B by median", Averages("median", "A", "B")),
        ("A is significantly better than B by t", Significant("A", "B", "t", way="better")),
        ("system A is significantly worse than system B", Significant("A", "B", "t", way="worse")),
        ("1,923 pairs differ significantly by t at 0.05", SignificantPairs("equals", 1923, "t", 0.05)),
        ("12 pairs are significant under AP", Under(SignificantPairs("equals", 12, "t"), "AP")),
        ("A and B differ significantly", Significant("A", "B", "t")),
        ("at least 10 pairs of systems differ significantly by sign", SignificantPairs("is at least", 10, "sign")),
        ("τ of P@10 and RBP is .7858", Correlated("tau", "P@10", "RBP(p=0.8)", "equals", ".7858")),
        ("Spearman of AP and ndcg_cut_10 by topic > 0.9", Correlated("spearman", "AP", "nDCG@10", "exceeds", "0.9", "topic")),  # noqa: E501
        ("mean of A exceeds mean of B under map", Under(MEAN, "AP")),
        ("AP of A exceeds AP of B", Under(MEAN, "AP")),
        ("mean AP of A exceeds mean P@10 of B", AcrossMeasures("mean", "A", "AP", "B", "P@10")),
        ("on topic 301, A beats B", OnTopic(MEAN, "301")),
        ("the AP of A on topic two is 0.4", None),
        ("AP of A is 0.4 on topic topic two", Under(OnTopic(Constant("mean", "A", "equals", "0.4"), "topic two"), "AP")),  # noqa: E501
        ("A beats B under AP and under P@5", Compound("and", (Under(MEAN, "AP"), Under(MEAN, "P@5")))),
        ("A beats B under quality of wine", Under(MEAN, "quality of wine")),
        ("not A beats B", Compound("not", (MEAN,))),
        ("A is the best and not A > B", Compound("and", (Best("A"), Compound("not", (MEAN,))))),
        ("A > B or B > A and C > D", Compound("or", (MEAN, Compound("and", (Averages("mean", "B", "A"), Averages("mean", "C", "D")))))),  # noqa: E501
        ("(A > B or B > A) and A is the best", Compound("and", (Compound("or", (MEAN, Averages("mean", "B", "A"))), Best("A")))),  # noqa: E501
        ("A is twice as good as B", Averages("mean", "A", "B", "equals", factor=2)),
        ("A is half as bad as B", Averages("mean", "A", "B", "equals", factor=2)),
        ("A performs better than B", MEAN),
        ("mean of A does not exceed mean of B", Averages("mean", "A", "B", "is at most")),
        ("A is not better than B by median", Compound("not", (Averages("median", "A", "B"),))),
        ("A does not beat B under AP", Compound("not", (Under(MEAN, "AP"),))),
        ("A does not beat B under AP and P@5", Compound("and", (Compound("not", (Under(MEAN, "AP"),)), Compound("not", (Under(MEAN, "P@5"),))))),  # noqa: E501
        ("on topic 301, A does not outperform B", Compound("not", (OnTopic(MEAN, "301"),))),
        ("A is not significantly better than B by sign", Compound("not", (Significant("A", "B", "sign", way="better"),))),  # noqa: E501
        ("A and B do not differ significantly", Compound("not", (Significant("A", "B", "t"),))),
        ("A does not differ significantly from B by t at 0.01", Compound("not", (Significant("A", "B", "t", 0.01),))),
        ("mean of A minus mean of B is 1", Constant("mean", "A", "equals", "1", b="B")),
        ("score of A minus score of B is 1 on topic 301", OnTopic(Constant("mean", "A", "equals", "1", b="B"), "301")),
        ("mean of A exceeds 0,050", Constant("mean", "A", "exceeds", "0.050")),
        ("the difference between A and B is half that between C and D under AP", Under(Differences(*"ABCD", factor="1/2"), "AP")),  # noqa: E501
        ("A and B and C differ significantly by t", Significant("A and B", "C", "t")),
        ("mean of mean exceeds mean of out of 10", Averages("mean", "mean", "out of 10")),
        ("'bm25' beats “the “best””", Averages("mean", "bm25", "the “best”")),
        ("NAÏVE beats bm25  rm3!", Averages("mean", "naïve", "bm25 rm3")),
    ],
)  # fmt: skip
def test_a_sentence_is_read_and_what_it_says_is_read_again(text, statement):
    if statement is None:
        with pytest.raises(ParameterError, match="cannot read"):
            read(text)
        return
    assert read(text) == statement
    assert read(str(statement)) == statement


def test_the_page_has_the_grammar_as_it_is():
    page = Path(__file__).parents[3] / "docs" / "concepts" / "meaning.md"
    assert GRAMMAR in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS[:-1])
def test_every_form_that_is_offered_is_read(form):
    assert read(form.partition(" (")[0])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("mean of A exceeds meen of B", r"does not go on at 'meen' \(did you mean 'mean'\?\); expected .*a statistic"),
        ("mean of A exceed mean of B", r"at 'exceed' \(did you mean 'exceeds'\?\); expected how it compares"),
        ("A is better than", "it ends too early; expected a system"),
        ("", "it is empty; expected"),
        ("A beats B today", "at 'today'; expected .*the end of the sentence"),
        ("mean of A is bigger then mean of B", r"at 'then' \(did you mean 'than'\?\); expected 'than'"),
        ("A is the bst", "did you mean 'best'.*; expected 'best' or 'worst'; write it like: A is the best"),
        ("12 pairs were significant", "at 'were'; expected .*'differ significantly'.*like: 1923 pairs differ"),
        ("A beats bm26", "there is no system 'bm26'.*did you mean bm25"),
        ("A beats B on topic 303", "there is no topic '303' in 'A beats B on topic 303'; did you mean 30"),
        ("A beats B under APP", "there is no measure 'APP'.*did you mean AP"),
        ("A and B differ significantly by wilcoxn", "there is no test 'wilcoxn'; did you mean wilcoxon"),
        ("mean of A exceeds median of B", "not the mean of one with the median of another"),
        ("A and B differ significantly by t on topic 301", "no test or correlation of scores on one topic"),
        ("range of A exceeds range of B on topic 301", "no spread of scores on one topic"),
        ("mode of A is 3", "a mode is a label"),
        ("mean of A is at least 0 times mean of B", "a factor must be positive, not 0"),
        ("the difference between A and B is 0 times that between C and D", "a factor must be positive, not 0"),
        ("A is 0 times as high as B", "a factor must be positive, not 0"),
        ("A is twice as fast as B", "'as fast as' does not say whether higher values are meant; say good, bad, high"),
        ("mean of A exceeds 1,234", "'1,234' may be meant in two ways; write 1234 or 1.234"),
        ("mean of A exceeds 1,234 times mean of B", "write 1234 or 1.234"),
        ("score of A exceeds score of B", r"a score is that of one topic: name it \(… on topic 1\), or say mean of A"),
        ("score of A exceeds 0.3", "or say mean of A"),
        ("A beats B; B beats A", "it does not go on at ';'; expected .*the end of the sentence"),
        ("A beats B) and B beats A", r"it does not go on at '\)'; expected .*the end of the sentence"),
        ("sd of A exceeds twice AP of B", "not the standard deviation of one with the mean"),
    ],
)
def test_a_sentence_that_cannot_be_read_is_answered_in_one_line_that_names_the_word(text, said):
    with pytest.raises(ParameterError, match=said) as refused:
        read(text)
    assert "\n" not in str(refused.value)


def test_without_known_measures_a_misspelt_one_is_answered_by_those_that_there_are():
    with pytest.raises(ParameterError, match="there is no measure called 'nDCX'; did you mean nDCG"):
        read("A beats B under nDCX@10", measures=())


def test_good_and_bad_follow_the_direction_of_the_measure_and_high_the_values():
    said = {word: read(f"A is twice as {word} as B", lower_is_better=True).factor for word in ("good", "bad", "high")}
    assert said == {"good": Fraction(1, 2), "bad": 2, "high": 2}


def test_a_score_needs_no_topic_where_there_is_one_alone():
    assert read("score of A exceeds score of B", topics=("301",)) == MEAN


def test_the_echo_of_a_difference_says_which_mean_is_taken_from_which():
    assert str(read("the difference between A and B is 1")) == "mean of A minus mean of B equals 1"


@pytest.mark.parametrize("name", ["v1.", "B!", "İ-run", "etc. ..."])
def test_names_with_stops_and_odd_letters_are_read_wherever_they_stand(name):
    systems = ("A", "baseline", name)
    for text in (f"a beats {name}", f"A beats {name}.", f"{name} is the best and A beats BASELINE"):
        assert name in str(parse_statement(text, systems))


def test_a_full_stop_belongs_to_the_sentence_if_the_name_is_known_without_it():
    assert parse_statement("A beats B.", ("A", "B", "B.")) == MEAN


def test_a_sentence_without_end_is_refused():
    with pytest.raises(ParameterError, match=r"that begins 'A > B and A > B .*too long"):
        read(" and ".join(["A > B"] * 3000))


def test_each_measure_has_its_own_direction():
    sentence = read("A is better than B under AP and under ESL(i=1)", lower_is_better=lambda name: name == "ESL(i=1)")
    assert [str(part) for part in sentence.parts] == [
        "mean of A exceeds mean of B under AP",
        "mean of A is below mean of B under ESL(i=1)",
    ]
    assert read("A has the highest mean", lower_is_better=True) == Best("A", worst=True)


def test_statements_that_say_nothing_are_refused():
    for make, why in (
        (lambda: Ranking("AA"), "each once"),
        (lambda: SignificantPairs("equals", -1, "t"), "below 0"),
        (lambda: Compound("not", (MEAN, MEAN)), "denies one"),
        (lambda: Correlated("tau", "P", "R", "equals", "1", by="mode"), "by mean, by median or by topic"),
        (lambda: Significant("A", "B", "t", way="nicer"), "better or worse"),
        (lambda: AcrossMeasures("mode", "A", "P", "B", "R"), "labels"),
        (lambda: Constant("median", "A", "equals", "1", b="B"), "those of means"),
    ):
        with pytest.raises(ParameterError, match=why):
            make()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A is the best and B beats C under AP", "A is the best under AP and mean of B exceeds mean of C under AP"),
        (
            "Under AP, A beats B and tau of AP and P@10 exceeds 0.5 or B > C > D",
            "(mean of A exceeds mean of B under AP and tau of AP and P@10 exceeds 0.5) or B > C > D under AP",
        ),
        (
            "on topic 301, A beats B under AP and B beats C under P@10",
            "score of A exceeds score of B on topic 301 under AP"
            " and score of B exceeds score of C on topic 301 under P@10",
        ),
    ],
)
def test_claims_share_what_stands_before_them_and_a_measure_at_the_end(text, said):
    assert str(read(text)) == said
    assert read(said) == read(text)
