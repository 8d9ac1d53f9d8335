"""Errors and caveats."""

from __future__ import annotations

import pickle

import pytest

from measurand import errors
from measurand.errors import (
    Caveat,
    CaveatKind,
    InputError,
    InputFileError,
    MeasurandError,
    NotMeaningful,
    ParameterError,
)


@pytest.mark.parametrize("kind", [InputError, InputFileError, NotMeaningful, ParameterError])
def test_every_error_can_be_caught_by_its_base(kind):
    assert issubclass(kind, MeasurandError)


@pytest.mark.parametrize("kind", [InputError, InputFileError, ParameterError])
def test_wrong_values_are_value_errors_too(kind):
    assert issubclass(kind, ValueError)


def test_an_error_in_a_file_says_where():
    error = InputFileError("bm25.run", 7, "5 columns where a run has 6")
    assert str(error) == "bm25.run:7: 5 columns where a run has 6"
    assert (error.path, error.line, error.why) == ("bm25.run", 7, "5 columns where a run has 6")
    assert str(InputFileError("bm25.run", None, "is empty")) == "bm25.run: is empty"


PARTS = {
    errors.InputFileError: ("a.run", 3, "odd"),
    errors.NotInstalled: ("networkx", "graphs", "a graph"),
    errors.FunctionFailed: ("Mine", (1, 0), "answered nan", "which is no number"),
    errors.NotANumber: ("Mine", (1, 0), "answered nan"),
    errors.NoJoin: ((0, 2), (1, 0), [(1, 2), (2, 0)]),
    errors.NoMeet: ("a", "b", []),
}
"""What an error is made of; one sentence where nothing is said."""

KINDS = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, MeasurandError)]


@pytest.mark.parametrize("kind", [each for each in KINDS if each is not errors.NoBound])  # which is abstract
def test_every_error_travels_between_processes_whole(kind):
    error = kind(*PARTS.get(kind, ("odd",)))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert (str(again), vars(again)) == (str(error), vars(error))


def test_a_caveat_has_a_kind_for_programs_and_a_sentence_for_people():
    caveat = Caveat(CaveatKind.SCALE, "means need an interval scale")
    assert (f"{caveat}", f"{caveat.kind}") == ("means need an interval scale", "scale")
    with pytest.raises(AttributeError):
        caveat.text = "never mind"


def test_the_old_names_of_the_kind_of_a_caveat_warn_and_work():
    with pytest.warns(DeprecationWarning, match="use measurand.errors.CaveatKind"):
        assert errors.Doubt is CaveatKind
    with pytest.warns(DeprecationWarning, match=r"use Caveat\.kind"):
        assert Caveat(CaveatKind.SCALE, "odd").doubt is CaveatKind.SCALE
