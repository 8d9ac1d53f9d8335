"""The spelling of every measure, whatever its parameters, reads back as the measure."""

from __future__ import annotations

import ast
from fractions import Fraction

from hypothesis import example, given, settings
from hypothesis import strategies as st

from measurand import parse
from measurand.exact import rational, spell
from measurand.measures import catalogue, gm, interval
from measurand.measures.parse import split_measures

HALF = 10**20
"""Numbers of half as many digits as a parameter may have, so that 1 / (1 + number) is one, too."""

fractions = st.one_of(
    st.fractions(max_denominator=1000),
    st.fractions(-HALF, HALF, max_denominator=HALF),
    st.floats(-1e15, 1e15).map(lambda number: Fraction(repr(number)).limit_denominator(HALF)),
)
positive = fractions.filter(lambda number: number > 0)
optional_whole = st.one_of(st.none(), st.integers(1, 2000))
PARAMETERS = {
    "cutoff": optional_whole,
    "judged_only": st.booleans(),
    "gmax": optional_whole,
    "p": positive.map(lambda number: number / (1 + number)),
    "T": positive,
    "K": positive,
    "hb": positive,
    "hc": positive,
    "gain_med": positive.map(lambda number: number / (1 + number)),
    "halflife": positive.map(lambda number: number + 1),
    "words": positive.map(lambda number: min(number, 10**6)),
    "normalize": st.booleans(),
    "alpha1": positive,
    "alpha2": positive,
    "beta": positive,
    "collection": optional_whole,
    "i": st.integers(1, 2000),
    "multiple": positive,
    "found": fractions,
    "wrong": fractions,
    "missed": fractions,
    "avoided": fractions,
    "relative": st.booleans(),
    "recalls": st.lists(positive.map(lambda number: number / (1 + number)), min_size=1, max_size=4),
    "recall": st.one_of(st.just(0), st.just(1), positive.map(lambda number: number / (1 + number))),
    "b": st.one_of(st.none(), st.integers(2, 50)),
    "by_rank": st.lists(positive, min_size=1, max_size=5),
    "by_grade": positive.map(lambda gain: [0, gain]),
    "label": st.just(""),
    "gain": st.one_of(
        st.sampled_from(["linear", "exp2"]),
        st.lists(st.one_of(st.just(0), positive), max_size=9).map(lambda found: dict(enumerate(sorted(found), 1))),
    ),
}

SCALES = st.fixed_dictionaries(
    {},
    optional={
        "depth": optional_whole,
        "grades": st.integers(2, 9),
        "ties": st.sampled_from(["unq", "mid", "min", "max"]),
        "max_seconds": positive,
        "max_memory": st.integers(1, 10**12),
    },
)


@st.composite
def measures(draw):
    """Return any measure of the catalogue with any of its parameters changed."""
    measure = draw(st.sampled_from([one for one in catalogue().values() if one.name not in ("gm", "interval")]))
    changes = {}
    for name, value in measure.parameters().items():
        if draw(st.booleans()):
            whole = optional_whole if value is None else st.integers(1, 9)
            changes[name] = draw(whole if name == "rel" else PARAMETERS[name])
    if isinstance(changes.get("gain"), dict) and changes["gain"] and changes.get("gmax"):
        # the table of gains names every grade that there is
        changes["gmax"] = min(changes["gmax"], max(changes["gain"]))
    measure = measure(**changes)
    wrapping = draw(st.integers(0, 6))
    if wrapping == 1 and measure.parameters().get("gmax") is None:
        return interval(measure, **draw(SCALES))
    return gm(measure) if wrapping == 0 else measure


@settings(max_examples=15)
@given(measures())
@example(parse("IAP")(recalls=[Fraction(2, 3)]))
def test_a_measure_reads_back_from_its_spelling(measure):
    again = parse(repr(measure))
    assert again == measure
    assert hash(again) == hash(measure)
    assert repr(again) == repr(measure)


@settings(max_examples=15)
@given(st.lists(measures(), min_size=1, max_size=4))
def test_several_measures_in_one_option_are_parted_again(several):
    assert split_measures([" ".join(map(repr, several))]) == [repr(measure) for measure in several]


@given(measures(), measures())
def test_measures_are_equal_exactly_when_their_spellings_are(one, other):
    assert (one == other) == (repr(one) == repr(other))


@settings(max_examples=15)
@given(fractions)
def test_a_fraction_reads_back_from_its_spelling(number):
    assert rational(ast.literal_eval(spell(number))) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_means_its_shortest_spelling(number):
    assert float(rational(number)) == number
    assert rational(number) == rational(repr(number))
