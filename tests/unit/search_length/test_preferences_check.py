"""Reports on preferences: their options, words and data."""

from __future__ import annotations

import json
import pickle
from fractions import Fraction

import pytest

from measurand.errors import NotAvailable, ParameterError
from measurand.scale import Scale
from measurand.search_length import Lottery, WeakOrder
from measurand.search_length.preferences import Answer, Preference, check

EVEN = Lottery.uniform(0, 2)
BY_MEAN = Preference.strictly(lambda p, q: p.mean < q.mean)


def gap(lottery):
    return max(lottery) - min(lottery) + 1 > len(lottery)


def only_short_sums(one, other):
    """Go by the mean, but tell nothing apart that is longer than any single lottery here."""
    longest = max(*one, *other)
    return longest <= 40 and one.mean < other.mean


def test_the_answers_follow_from_what_is_meant():
    assert check(BY_MEAN, [0, 1, EVEN]).answer == "ratio"
    assert check(BY_MEAN, [0, 1, EVEN], sums=True).answer == "ratio"
    assert check(BY_MEAN, [0, 1, EVEN], sums=False).answer == "interval"
    assert check(BY_MEAN, [0, 1, EVEN], mixtures=False).answer == "ordinal"
    assert check(BY_MEAN, [0, 1, EVEN], mixtures=False, sums=False).answer == "ordinal"


def test_preferences_that_do_not_carry_over_to_sums_leave_an_interval_scale():
    report = check(Preference.strictly(only_short_sums), [0, 1, 39, Lottery.uniform(30, 38)], mixtures=False)
    assert report.answer == "ordinal"
    report = check(Preference.strictly(only_short_sums), [0, 1, 39, Lottery.uniform(30, 38)], mixtures=False, sums=True)
    assert report.answer == "ordinal"
    assert not report.verdicts["risk_structure"].holds
    assert any("do not carry over to sums" in sentence for sentence in report.why)


def test_without_mixtures_only_lotteries_of_results_are_asked_about():
    asked = set()

    def shorter(one, other):
        asked.update((one, other))
        return one.mean < other.mean

    assert check(shorter, mixtures=False).answer == "ordinal"
    assert all(set(range(min(lottery), max(lottery) + 1)) == set(lottery) for lottery in asked)
    gaps = Preference.strictly(lambda p, q: (gap(p), p.mean) < (gap(q), q.mean))
    assert check(gaps, mixtures=False).answer == "ordinal"
    assert check(gaps).answer == "unusable"


def test_a_relation_may_be_a_plain_function():
    report = check(lambda p, q: p.mean < q.mean, [0, 1, 2])
    assert (report.answer, report.scale, report.certain) == (Answer.RATIO, Scale.RATIO, False)
    assert check(Preference.esl()).certain
    assert check(Preference.by_utility(lambda k: k)).certain


@pytest.mark.parametrize("options", [{"mixtures": None}, {"mixtures": "no"}, {"sums": 1}])
def test_options_are_yes_or_no(options):
    with pytest.raises(ParameterError, match="must be True or False"):
        check(Preference.esl(), **options)


def test_statements_bring_their_own_lotteries():
    with pytest.raises(ParameterError, match="bring their own"):
        check([(0, 1)], [0, 1])


REPORTS = {
    "esl": lambda: check(Preference.esl()),
    "cautious": lambda: check(Preference.by_utility(lambda k: -k * k)),
    "worst": lambda: check(lambda p, q: max(p) < max(q)),
    "order": lambda: check([(0, 1), (1, 2)]),
    "affine": lambda: check([(0, 1), (1, "~", EVEN)]),
    "contradiction": lambda: check([(0, 1), (1, 0)]),
    "averse": lambda: check([(1, EVEN)]),
}


@pytest.mark.parametrize("report", REPORTS.values(), ids=REPORTS)
def test_a_report_can_be_read_and_stored(report):
    report = report()
    text, written = str(report), json.loads(json.dumps(report.to_dict()))
    assert text.startswith(f"expected search length: {report.answer}")
    assert written["answer"] == report.answer
    assert written["statistics"] == list(report.statistics)
    assert set(written["verdicts"]) == set(report.verdicts)
    assert all(name in text for name in report.verdicts)
    assert all(verdict["witness"]["sentence"] for verdict in written["verdicts"].values() if not verdict["holds"])
    assert str(pickle.loads(pickle.dumps(report))) == text


def test_a_report_on_statements_holds_the_utility_or_the_contradiction():
    assert check([(1, EVEN)]).utility[1] == -1
    assert check([(0, 1), (1, 0)]).representation.contradiction.verified
    assert check([(0, 1), (1, 0)]).utility is None
    assert check(Preference.esl()).utility is None
    written = check([(0, 1), (1, 2)]).to_dict()
    assert written["representation"]["utility"] == {"0": "0", "1": "-1", "2": "-2"}
    assert written["alternative"] == {"0": "0", "1": "-1", "2": "-3/2"}


def test_two_numbers_are_said_to_leave_no_choice():
    assert any("Two numbers" in sentence for sentence in check([(0, 1)]).why)
    assert not any("Two numbers" in sentence for sentence in check([(0, 1), (1, "~", EVEN)]).why)


def test_why_it_is_an_ordinal_scale_is_shown_by_another_utility():
    report = check([(0, 1), (1, 2)])
    assert "f(2) = -3/2" in str(report)
    assert "a utility of 0 agrees" in str(check([(1, "~", EVEN)]))


def test_who_prefers_everything_to_everything_is_not_said_to_have_an_order():
    report = check(lambda one, other: True)
    assert not report.verdicts["untied"].holds
    assert "without ties" not in " ".join(report.why)
    sentence = "Each is preferred to the other, 0 for sure and 1 for sure, but their means are 0 and 1."
    assert any(sentence in why for why in report.why)


def test_a_statement_on_ten_thousand_numbers_is_answered_in_a_few_lines():
    vast = WeakOrder([(3, 10**4)]).search_length(1)
    report = check([(vast, 10**4)])
    assert report.answer == "ordinal"
    assert all(statement.agrees_with(report.alternative) for statement in report.representation.statements)
    assert "f(11) = -6, … (10001 numbers up to 10000)" in str(report)
    assert len(str(report)) < 2000


def test_statements_that_are_too_long_to_write_down_are_compared_by_their_means():
    vast = WeakOrder([(500_000, 500_000)]).search_length(1)
    agrees, contradicts = check([(vast, 500_000)]), check([(500_000, vast)])
    assert (agrees.answer, agrees.alternative, agrees.certain) == ("ordinal", None, False)
    assert "could not be decided" in str(agrees)
    assert "several utilities" not in str(agrees)
    assert (contradicts.answer, contradicts.representation.exists) == ("unusable", None)
    assert "their means are 500000 and 500000/500001" in " ".join(str(contradicts).split())


def test_what_would_take_for_ever_is_refused_at_once():
    vast = WeakOrder([(3, 10**9)]).search_length(1)
    with pytest.raises(NotAvailable, match="1000000 at most"):
        check([(vast, 10**9)])
    with pytest.raises(NotAvailable, match="mixtures and sums of a lottery of 1000000001 numbers"):
        check(BY_MEAN, [0, 1, vast])
    assert check(Preference.esl(), [0, 1, vast]).answer == "ratio"


def test_probabilities_of_thousands_of_digits_are_rounded_in_words_and_data():
    rare = Lottery({0: 1 - Fraction(1, 10**5000), 1: Fraction(1, 10**5000)})
    report = check([(1, rare)])
    assert "1 (1.000e-5000)" in str(report)
    assert json.loads(json.dumps(report.to_dict()))["verdicts"]["by_the_mean"]["witness"]["lotteries"][1] == {
        "0": "1.000e+0",
        "1": "1.000e-5000",
    }
