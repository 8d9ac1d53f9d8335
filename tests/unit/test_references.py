"""The bibliography."""

from __future__ import annotations

import re

import pytest

from measurand.errors import ParameterError
from measurand.references import bibliography, bibtex


def test_every_entry_is_whole_and_found_by_its_key():
    for key, entry in bibliography().items():
        assert re.match(rf"@[a-z]+\{{{key},\n", entry)
        assert entry.count("{") == entry.count("}")
        for field in ("author", "title", "year"):
            assert re.search(rf"^\s+{field}\s*=", entry, re.MULTILINE), f"{key} has no {field}"


def test_keys_are_printed_once_in_the_order_of_their_first_mention():
    printed = bibtex(["Robertson2006", "MoffatZobel2008", "Robertson2006"])
    assert re.findall(r"^@\w+\{(\w+),", printed, re.MULTILINE) == ["Robertson2006", "MoffatZobel2008"]


def test_keys_may_come_from_a_generator():
    assert bibtex(key for key in ["Robertson2006"]) == bibliography()["Robertson2006"]


def test_an_unknown_key_is_refused_with_those_there_are():
    with pytest.raises(ParameterError, match=r"there is no reference Nobody1900; there is .*Robertson2006"):
        bibtex(["Robertson2006", "Nobody1900"])
