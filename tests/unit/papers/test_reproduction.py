"""What a paper prints beside what comes out: when the two agree, and how it is told."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from attrs import evolve

from measurand.errors import ParameterError
from measurand.papers import errata
from measurand.papers.exhibit import Line, Mark, Missing, Provenance, agree, exhibit, line, shown
from measurand.papers.reproduction import Reproduction, Shown, find_paper, reproduce


@exhibit("BR-Ex2.1", where="Example 2.1")
def example():
    """A half, told three times."""
    return [
        line("agrees", Fraction(1, 2), said="0.5"),
        line("differs", Fraction(1, 2), printed="0.6", erratum="E-BR-1"),
        line("is not printed", Fraction(1, 2)),
    ]


@pytest.fixture
def found():
    paper = evolve(find_paper("br1988"), exhibits=(example,))
    return Reproduction(paper=paper, shown=(Shown(exhibit=example, lines=tuple(example.lines())),))


@pytest.mark.parametrize(
    ("paper", "ours", "same"),
    [
        ("0.35", Fraction(345, 1000), True),
        ("0.34", Fraction(345, 1000), True),
        ("0.34", Fraction(3451, 10000), False),
        (".5", 0.5, True),
        ("−2", -2, True),
        (Fraction(1, 3), 1 / 3, False),
        (1, True, False),
        (True, True, True),
        (2, Fraction(2), True),
        ("less", "less", True),
        ("3", "3", True),
        ((1, "0.5"), (1, Fraction(1, 2)), True),
        ((1, 2), (1, 2, 3), False),
        ((1,), 1, False),
        ("1", None, False),
        ("1", True, False),
        ("0.5", float("nan"), False),
        ("0.5", float("inf"), False),
        ("around 45", 44.138, True),
        ("around 45", Fraction(405, 10), True),
        ("around 45", 40.4, False),
        ("around 2", 1.247, False),
        ("around −2", -2.1, True),
        ("around 2", float("nan"), False),
        ("around 2", "around 2", True),
    ],
)
def test_decimals_agree_to_their_last_digit_approximate_ones_to_a_tenth_and_all_else_exactly(paper, ours, same):
    assert agree(paper, ours) is same


def test_our_number_has_as_many_digits_as_the_printed_one():
    assert line("tau", 2 / 3, printed="0.667").texts == ("0.667", "0.667")
    assert (shown(2 / 3), shown(Fraction(2, 3)), shown(1234567), shown(((1, 2), "a"))) == (
        "0.666667",
        "2/3",
        "1,234,567",
        "1, 2, a",
    )


@pytest.mark.parametrize("origin", Provenance)
def test_a_value_of_a_paper_has_one_origin(origin):
    found = line("tau", 1, **{origin: "1.0"})
    assert (found.paper, found.provenance, found.mark) == ("1.0", origin, Mark.AGREES)
    with pytest.raises(ParameterError, match="tau: a value of the paper has an origin"):
        Line(what="tau", ours=1, paper="1.0")
    with pytest.raises(ParameterError, match="an origin has a value"):
        Line(what="tau", ours=1, provenance=origin)
    other = next(each for each in Provenance if each is not origin)
    with pytest.raises(ParameterError, match="the paper's value of tau has one origin, not 2"):
        line("tau", 1, **{origin: "1.0", other: "1.0"})


def test_what_takes_runs_that_are_not_here_is_shown_and_not_compared():
    found = line("unanimity", Missing.RUNS, printed="0.928")
    assert (found.mark, found.texts, found.is_explained) == (Mark.SILENT, ("0.928", "needs the runs"), True)


def test_an_erratum_is_wanted_exactly_where_the_two_differ(found):
    assert [each.mark for each in found.lines] == [Mark.AGREES, Mark.DIFFERS, Mark.SILENT]
    assert found.unexplained == ()
    assert not line("differs", 1, printed=2).is_explained
    assert not line("agrees", 1, printed=1, erratum="E01").is_explained
    assert not line("is not printed", 1, erratum="E01").is_explained


def test_a_reproduction_comes_as_data_as_a_frame_and_in_a_notebook(found):
    data = json.loads(json.dumps(found.to_dict()))
    assert data["exhibits"][0]["lines"][1] == {
        "what": "differs",
        "paper": "0.6",
        "provenance": "printed",
        "ours": "0.5",
        "mark": "✗",
        "errata": ["E-BR-1"],
    }
    assert data["exhibits"][0]["lines"][2]["paper"] is None
    assert found.to_polars()["mark"].to_list() == ["✓", "✗", "·"]
    assert found.to_polars()["provenance"].to_list() == ["said", "printed", None]
    assert "✗ E-BR-1" in found._repr_html_()
    assert "1 value and claims agree, 1 differ (2 errors, 9 other errata), 1 cannot be compared" in repr(found)


def test_a_part_has_the_errata_that_it_meets_and_those_that_stand_there():
    found = reproduce("br1988", only="br-ex2.2")
    assert [one.exhibit.where for one in found] == ["Section 2, Example 2.2"]
    assert [entry.id for entry in found.errata] == []
    assert [entry.id for entry in reproduce("br1988", only="Example 2.2").errata] == ["E-BR-5"]
    assert "E-BR-8" in {entry.id for entry in reproduce("br1988", only="BR-L3.1").errata}
    with pytest.raises(ParameterError, match="shows nothing about Figure 9; there is: Section 2"):
        reproduce("br1988", only="Figure 9")


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("figure 1", True),
        ("Figure 3", True),
        ("Figures 1, 2", True),
        ("Figure 4", False),
        ("Proposition 6", True),
        ("Proposition 8", False),
        ("Section VIII-B", True),
        ("Section definitions", False),
    ],
)
def test_a_place_is_found_where_it_is_named_together_with_others(asked, found, monkeypatch):
    where = "Figures 1, 2 and 3, Propositions 5 to 7, Sections VIII-A and VIII-B, definitions"
    paper = evolve(find_paper("br1988"), exhibits=(evolve(example, where=where),))
    monkeypatch.setattr("measurand.papers.reproduction.find_paper", lambda _: paper)
    if found:
        assert [one.exhibit.where for one in reproduce("br1988", only=asked)] == [where]
    else:
        with pytest.raises(ParameterError, match="shows nothing about"):
            reproduce("br1988", only=asked)


def test_an_unknown_paper_is_refused_with_those_that_are_known():
    with pytest.raises(ParameterError, match="there is no paper sakai2020; there is ffm2015"):
        find_paper("sakai2020")


def test_there_are_no_errata_of_an_unknown_paper():
    with pytest.raises(ParameterError, match="there is no paper sakai2020"):
        errata("sakai2020")


def test_an_exhibit_without_a_row_is_refused():
    with pytest.raises(ParameterError, match="names the rows"):
        exhibit(where="nowhere")
