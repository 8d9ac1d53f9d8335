"""Numbers in the spelling of a measure have a range; beyond it there is one short line, at once."""

from __future__ import annotations

from fractions import Fraction

import pytest

import measurand as md
from measurand.errors import MeasurandError, quoted
from measurand.exact import rational, whole_number
from measurand.measures.catalogue import catalogue

GIANTS = (
    2**63,
    10**12,
    10**400,
    10**5000,
    -1,
    0,
    float("nan"),
    float("inf"),
    "1e-400",
    Fraction(1, 10**400),
    "x" * 9999,
)


@pytest.mark.parametrize("name", [name for name in catalogue() if name != "interval"])
def test_a_giant_as_a_parameter_is_taken_or_refused_in_one_short_line(name: str) -> None:
    measure = catalogue()[name]
    said = [refusal(measure, parameter, giant) for parameter in measure.parameters() for giant in GIANTS]
    assert [text for text in said if len(text) >= 400 or "\n" in text] == []


def refusal(measure: md.Measure, parameter: str, giant: object) -> str:
    try:
        return repr(measure(**{parameter: giant}))[:100]
    except MeasurandError as error:
        return str(error)


@pytest.mark.parametrize(
    "spelling",
    [
        *("RBP(p=1e-999999999)", "F(beta=1e999999999)", "P@0x" + "f" * 5000, "P@" + "1" * 100_000, "P@" + "1" * 10**7),
        *("AP@1000000000001", "nDCG@9223372036854775808", "P.1e999999999", "relstring.99999999999999", "P@١٠"),
        *("RBP(p=1/0)", "DCG(b=1" + "0" * 400 + ")", "ESL(i=9223372036854775808)", "nDCG(gain={1000000000000: 1})"),
    ],
    ids=lambda text: text[:24],
)
def test_a_number_beyond_its_range_is_refused_where_it_is_read(spelling: str) -> None:
    with pytest.raises(md.errors.ParameterError) as caught:
        md.parse(spelling)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize("spelling", ["INST@1000000000000", "INSQ@10001", "gP(gmax=1000000000000)", "ERR(gmax=10000)"])
def test_what_would_take_work_without_end_is_refused_before_it_begins(spelling: str) -> None:
    judged = md.judge({"q": {"a": 1, "b": 2}}, {"q": {"a": 2.0, "b": 1.0}})
    with pytest.raises(md.errors.ParameterError):
        md.parse(spelling).scores(judged)


def test_giants_are_described_and_not_written_out() -> None:
    assert quoted(10**5000) == "a number of 5,001 digits"
    with pytest.raises(md.errors.ParameterError, match="too large"):
        rational(10**5000)
    with pytest.raises(md.errors.ParameterError, match="from 1 to 1,000,000,000,000"):
        whole_number("depth", 2**63)


@pytest.mark.parametrize("kind", [ValueError, SystemExit, GeneratorExit])
def test_what_lies_in_its_representation_is_named_by_its_type(kind: type[BaseException]) -> None:
    class Lying:
        def __repr__(self) -> str:
            raise kind

    assert quoted(Lying()) == "something of type Lying that cannot be written"
