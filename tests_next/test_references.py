from __future__ import annotations

import re
from importlib.resources import files

import pytest

from measurand_next.errors import ParameterError
from measurand_next.references import author_year, bibliography, bibtex, citation

VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "publisher",
    "unpublished": "note",
    "misc": "eprint",
}


def fields_of(entry):
    return dict(re.findall(r"^ +(\w+) *= \{(.+)\},?$", entry, re.MULTILINE))


@pytest.fixture
def stored():
    """The kind and the fields of every entry."""
    text = files("measurand_next").joinpath("references.bib").read_text(encoding="utf-8")
    entries = re.findall(r"^@(\w+)\{(\w+),\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL)
    return {key: (kind, fields_of(entry)) for kind, key, entry in entries}


def test_every_entry_says_who_wrote_what_when_where_and_whether_that_was_looked_up(stored):
    assert list(stored) == list(bibliography())
    for key, (kind, fields) in stored.items():
        assert {"author", "title", "year", VENUE[kind]} <= fields.keys(), key
        assert ("confirmed" in fields) != ("unconfirmed" in fields), key


def test_an_entry_is_printed_whole_without_where_it_was_looked_up_and_with_what_is_in_doubt(stored):
    for key, (kind, fields) in stored.items():
        doubt, printed = fields.pop("unconfirmed", ""), bibtex([key])
        fields.pop("confirmed", "")
        assert printed.startswith("% Not confirmed: " if doubt else "@"), key
        assert f"@{kind}{{{key}," in printed
        assert fields_of(printed) == fields
        assert printed.count("{") == printed.count("}")


def test_names_of_authors_are_plain_text():
    for key in bibliography():
        assert not re.search(r"[\\{}\n]", citation(key) + author_year(key)), key


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("Holm1979", "Holm"),
        ("Sidak1967", "Šidák"),
        ("MoffatZobel2008", "Moffat and Zobel"),
        ("DelBarrioCuestaMatran2018", "del Barrio, Cuesta-Albertos and Matrán"),
        ("Chapelle2009", "Chapelle and others"),
    ],
)
def test_authors_are_named_as_people_name_them(key, names):
    assert author_year(key) == f"{names}, {key[-4:]}"


def test_a_key_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ParameterError, match=r"Odd2001.*Holm1979"):
        bibtex(["Holm1979", "Odd2001"])
