"""Spellings, objects and functions of strangers: an answer, or one line; what a fuzz target once found stays mended."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import measurand as md
from fuzz import functions, objects, spellings
from fuzz.harness import attempt
from measurand.errors import FunctionFailed, InputError, MeasurandError, NotAvailable, ParameterError
from measurand.measures.parse import split_measures

QRELS, RUN = {"1": {"a": 1, "b": 0}, "2": {"a": 3}}, {"1": {"a": 2.0, "b": 1.0}, "2": {"a": 1.0}}


@pytest.mark.parametrize(("target", "cases"), [(spellings, 150), (objects, 40), (functions, 30)])
def test_a_little_of_each_fuzz_target_finds_nothing(target, cases):
    assert [found for number in range(cases) if (found := attempt(target.case, "tests", number, 20))] == []


def test_long_lists_of_measures_are_parted_in_linear_time_as_short_ones_are():
    assert split_measures(["gm(AP, P@5(rel=2)), nDCG(b=2,  gain='exp2')@10,AP P.5,10"]) == [
        "gm(AP, P@5(rel=2))",
        "nDCG(b=2, gain='exp2')@10",
        "AP",
        "P.5,10",
    ]
    assert len(split_measures(["AP(" + "rel=1, " * 100_000 + ")"])) == 1
    assert len(split_measures(["AP, " * 100_000])) == 100_000


SPELLINGS = (
    *("map@5-l" + "1" * 5000, "A" * 90_000, "AP " * 20_000, "P." + ",".join(map(str, range(1, 2000)))),
    *("utility_" + "1" * 400, "iprec_at_recall_1" + "0" * 400, "TBG(halflife=1e-9)", "TBG(words=1e30)"),
    *("DiscountCurve(by_rank=1e400)", "nDCG(gain='1=1e400')", "IAP(recalls='1/" + "7" * 60 + "')"),
)


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda text: text[:20])
def test_what_no_measure_can_be_is_refused_in_one_short_line(spelling):
    with pytest.raises(ParameterError) as caught:
        md.parse(spelling)
    assert len(str(caught.value)) < 400
    assert len(str(caught.value).splitlines()) == 1


def test_recalls_that_are_no_decimals_read_back():
    assert repr(md.parse("IAP(recalls='1/3,0.5')")) == "IAP(recalls='1/3,0.5')"
    assert md.parse(repr(md.parse("IAP(recalls='1/3')"))) == md.parse("IAP(recalls='1/3')")


@pytest.mark.parametrize("name", ["RBTO", "SBTO"])
def test_a_grade_above_gmax_is_refused_on_whichever_topic_it_stands(name):
    with pytest.raises(ParameterError, match="the judgments hold grade 3, above gmax=2"):
        md.evaluate(QRELS, RUN, f"{name}(gmax=2)@3")


class Failing(dict):
    def items(self):
        raise OSError("the disk\nis gone")


def stream():
    yield ("1", "a", 1.0)
    raise RuntimeError("it broke")


def test_what_an_object_raises_while_it_is_read_is_told_in_one_line():
    for source in (Failing(RUN), {"1": Failing(a=1)}, stream(), np.array(1), {"1": [10**5000]}):
        with pytest.raises(MeasurandError) as caught:
            md.read_run(source)
        assert len(str(caught.value).splitlines()) == 1


def test_lack_of_memory_and_interrupts_stay_what_they_are():
    for ending in (MemoryError, KeyboardInterrupt):

        class Ending(dict):
            def items(self, ending=ending):
                raise ending

        with pytest.raises(ending):
            md.read_run(Ending(RUN))
    with pytest.raises(KeyboardInterrupt):
        md.define(lambda run: (_ for _ in ()).throw(KeyboardInterrupt), name="Mine").of([1])


@pytest.mark.parametrize(
    "call",
    [
        lambda odd: md.judge(RUN, QRELS, ties=odd),
        lambda odd: md.judge(RUN, QRELS, grade_scale=odd),
        lambda odd: md.judge(RUN, QRELS, depth=odd),
        lambda odd: md.fuse([RUN, RUN], method=odd),
        lambda odd: md.fuse([RUN, RUN], weights=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", test=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", baseline=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", adjust=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", alpha=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", draws=odd),
        lambda odd: md.compare(QRELS, {"x": RUN, "y": RUN}, "AP", rng=odd),
        lambda odd: md.gate(QRELS, RUN, RUN, "AP", max_drop=odd),
        lambda odd: md.evaluate(QRELS, RUN, odd),
        lambda odd: md.evaluate(QRELS, RUN, [odd]),
        lambda odd: md.explain(odd, QRELS, RUN),
        lambda odd: md.AP.of([1, odd]),
        lambda odd: md.AP.of([1, 0], recall_base=odd),
        lambda odd: md.AP.of([1, 0], grade_counts=odd),
        lambda odd: md.read_qrels({"1": {"a": odd}}),
    ],
)
def test_odd_values_of_options_are_taken_or_refused_in_one_short_line(call):
    for odd in (10**5000, np.array([1, 2]), np.timedelta64(1), Decimal("sNaN"), functions.Liar(), Decimal("1e999999")):
        functions.tried(lambda odd=odd: call(odd))


def test_grades_that_no_lone_run_can_count_up_to_are_refused():
    for refused in (lambda: md.AP.of([1, 2**31]), lambda: md.AP(rel=2**62).of([1, 0])):
        with pytest.raises(ParameterError, match="too high for a lone run"):
            refused()


def test_whatever_a_function_raises_is_a_failure_of_the_function():
    for error in functions.RAISED:

        def mine(_, error=error):
            raise error

        with pytest.raises(FunctionFailed) as caught:
            md.define(mine, name="Mine").of([1, 0])
        assert len(str(caught.value).splitlines()) == 1
        assert len(str(caught.value)) < 400


def test_what_is_no_number_to_compute_with_is_told_with_the_run():
    for answer in (10**5000, Fraction(1, 10**5000), 1j, functions.Liar(), "x", Decimal("1e999999")):
        with pytest.raises(FunctionFailed, match=r"Mine answered .* on \(1, 0\), which"):
            md.define(lambda _, answer=answer: answer, name="Mine").of([1, 0])


def test_numbers_that_no_float_holds_are_refused_where_floats_are_wanted():
    mine = md.define(lambda run: 10**400 * sum(run), name="Mine")
    assert mine.of([1, 0]) == 10**400
    with pytest.raises(FunctionFailed, match=r"answered a number of 401 digits .* which no float can hold"):
        md.evaluate(QRELS, RUN, mine)
    with pytest.raises(NotAvailable, match="which no float can hold"):
        mine.value([1, 0])


def test_functions_that_lie_about_themselves_are_measures_as_well():
    class Odd:
        __name__ = __doc__ = 5
        __signature__ = "x"

        def __call__(self, run):
            return sum(run)

        def __eq__(self, other):
            raise ZeroDivisionError

        __hash__ = None

    mine = md.define(Odd(), name="Mine")
    assert md.evaluate(QRELS, RUN, mine).scores("Mine").values.tolist() == [[1.0, 3.0]]
    assert mine == mine
    assert mine != md.define(Odd(), name="Mine")


def test_an_error_while_reading_keeps_its_cause():
    with pytest.raises(InputError, match=r"a Failing cannot be read \(OSError: the disk is gone\)") as caught:
        md.read_run(Failing(RUN))
    assert isinstance(caught.value.__cause__, OSError)
