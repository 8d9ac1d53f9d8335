"""The bibliography."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from measurand.errors import ParameterError
from measurand.papers.reproduction import find_paper
from measurand.references import bibliography, bibtex, citation

VENUE = {
    "article": "journal",
    "inproceedings": "booktitle",
    "incollection": "booktitle",
    "book": "publisher",
    "unpublished": "note",
    "misc": "eprint",
}
"""What says where an entry of each kind appeared."""

STORED = {
    key: {"kind": kind, **dict(re.findall(r"^ +(\w+) *= \{(.+)\},?$", fields, re.MULTILINE))}
    for kind, key, fields in re.findall(
        r"^@(\w+)\{(\w+),\n(.*?)^\}$",
        (files("measurand.references") / "references.bib").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
}
"""The fields of every entry, as they are stored."""

UNCONFIRMED = [key for key, fields in STORED.items() if "unconfirmed" in fields]


def test_every_entry_is_whole_and_found_by_its_key():
    assert list(STORED) == list(bibliography())
    for key, entry in bibliography().items():
        assert re.match(rf"(%.*\n)?@[a-z]+\{{{key},\n", entry)
        assert entry.count("{") == entry.count("}")


def test_every_entry_says_who_wrote_what_when_and_where_it_appeared(naming):
    for key in STORED:
        with naming(key):
            assert {"author", "title", "year", VENUE[STORED[key]["kind"]]} <= set(STORED[key])


def test_every_entry_was_looked_up_and_says_where_it_was_confirmed_or_what_could_not_be(naming):
    for key in STORED:
        with naming(key):
            assert ("confirmed" in STORED[key]) != ("unconfirmed" in STORED[key])


def test_an_entry_is_printed_with_its_fields_but_not_with_where_it_was_confirmed(naming):
    for key in STORED:
        with naming(key):
            printed = dict(re.findall(r"^ +(\w+) *= \{(.+)\},?$", bibtex([key]), re.MULTILINE))
            assert printed == {
                name: said for name, said in STORED[key].items() if name not in {"kind", "confirmed", "unconfirmed"}
            }
            assert re.search(r"[^,]\n\}$", bibtex([key]))


def test_an_entry_that_could_not_be_confirmed_carries_one_comment_and_no_other_does():
    assert UNCONFIRMED
    for key, fields in STORED.items():
        comments = [line for line in bibtex([key]).splitlines() if line.startswith("%")]
        assert comments == ([f"% Not confirmed: {fields['unconfirmed']}"] if key in UNCONFIRMED else [])
        # BibTeX passes over what stands between entries up to the next @
        assert "@" not in "".join(comments)


def test_giner_2022_is_the_paper_on_ranking_axioms():
    assert citation("Giner2022") == "Giner (2022), On the Effect of Ranking Axioms on IR Evaluation Metrics"
    assert STORED["Giner2022"]["doi"] == "10.1145/3539813.3545153"
    assert find_paper("g2022").reference == "Giner2022"


def test_no_two_entries_have_one_doi():
    found = [fields["doi"] for fields in STORED.values() if "doi" in fields]
    assert len(set(found)) == len(found)


def test_keys_are_printed_once_in_the_order_of_their_first_mention():
    printed = bibtex(["Robertson2006", "MoffatZobel2008", "Robertson2006"])
    assert re.findall(r"^@\w+\{(\w+),", printed, re.MULTILINE) == ["Robertson2006", "MoffatZobel2008"]


def test_keys_may_come_from_a_generator():
    assert bibtex(key for key in ["Robertson2006"]) == bibliography()["Robertson2006"]


def test_an_unknown_key_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match=r"there is no reference Nobody1900; there is .*Robertson2006"):
        bibtex(["Robertson2006", "Nobody1900"])
