"""Checking preferences: whether esl is unusable for them, or an ordinal, an interval or a ratio scale."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from measurand.errors import ParameterError
from measurand.search_length.preferences.preference import Preference
from measurand.search_length.preferences.relation_check import check_relation
from measurand.search_length.preferences.report import Report
from measurand.search_length.preferences.statement import as_statements
from measurand.search_length.preferences.statement_check import check_statements


def check(
    preferences: Preference | Callable[[Any, Any], object] | Iterable[Any],
    lotteries: Iterable[Any] | None = None,
    *,
    mixtures: bool = True,
    sums: bool | None = None,
) -> Report:
    """Say whether esl stands for preferences, on which scale, and what may be computed with it then.

    Of a relation every axiom is checked, on a sample of lotteries where there is no proof. If the axioms of expected
    utility, the half-half condition and the sign condition hold, esl has the order of the preferences; it is then an
    ordinal scale if only order counts, and an interval scale among expected utilities. If preferences also carry
    over to sums of searches it is a ratio scale.

    Of stated preferences, esl is unusable if it contradicts one; ordinal if other utilities agree with them as well;
    an interval scale if they leave no other on the range of numbers from the smallest to the largest that occurs.

    Parameters
    ----------
    preferences
        A `Preference`; a function of two lotteries that says whether the first is better; or statements, such as
        `[(0, 1), (1, "~", {0: "1/2", 2: "1/2"})]`.
    lotteries
        What a relation is asked about; lotteries that tell much, if nothing is said.
    mixtures
        Whether preferences are meant to extend to mixtures of lotteries. If not, the answer stops at ordinal (unless
        `sums=True`, which does not need mixtures for a relation).
    sums
        Whether they are meant to extend to sums of searches. If nothing is said, relations are checked for it and
        statements are not taken to mean it. If not, the answer stops at interval.

    Examples
    --------
    >>> print(check(Preference.esl()).answer)
    ratio
    >>> cautious = check(Preference.by_utility(lambda k: -k * k))
    >>> print(cautious.answer, cautious.scale)
    unusable None
    >>> print(cautious.why[0])
    Broken: one fewer or one more cancel out. 1 for sure is preferred to 0 or 2 (1/2 each), whose mean is the same.
    >>> check([(0, 1), (1, 2)]).statistics[:2]
    ('median', 'quantile')

    References
    ----------
    [BollmannRaghavan1988]_, sections 3 to 5
    """
    for name, value in (("mixtures", mixtures), ("sums", sums)):
        if not isinstance(value, bool) and not (value is None and name == "sums"):
            raise ParameterError(f"{name} must be True or False, not {value!r}")
    if isinstance(preferences, Preference):
        return check_relation(preferences, lotteries, mixtures=mixtures, sums=sums)
    if callable(preferences):
        return check_relation(Preference.strictly(preferences), lotteries, mixtures=mixtures, sums=sums)
    if lotteries is not None:
        raise ParameterError("statements bring their own lotteries; leave lotteries out")
    return check_statements(as_statements(preferences), mixtures=mixtures, sums=sums)
