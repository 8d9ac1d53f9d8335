"""JUnit: what XML can hold, whatever names there are."""

from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from measurand.display.junit import FAILED, PASSED, SKIPPED, Case, junit_text


def read(text):
    return ElementTree.fromstring(text.encode())


def test_every_case_has_an_element_and_counts_agree():
    cases = [Case(name=outcome, outcome=outcome, message="m", details="d") for outcome in (PASSED, FAILED, SKIPPED)]
    suite = read(junit_text("gate", cases)).find("testsuite")
    assert suite is not None
    assert {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")} == {
        "tests": "3",
        "failures": "1",
        "errors": "0",
        "skipped": "1",
    }
    passed, failed, skipped = suite.findall("testcase")
    assert (passed.findtext("system-out"), passed.find("failure")) == ("m\nd", None)
    [failure] = failed.findall("failure")
    assert (failure.get("message"), failure.text) == ("m", "d")
    [skip] = skipped.findall("skipped")
    assert (skip.get("message"), skipped.findtext("system-out")) == ("m", "d")


@given(name=st.text(), message=st.text(), details=st.text(), outcome=st.sampled_from([PASSED, FAILED, SKIPPED]))
def test_any_text_makes_xml_that_can_be_read(name, message, details, outcome):
    case = read(junit_text(name, [Case(name=name, outcome=outcome, message=message, details=details)])).find(
        ".//testcase"
    )
    assert case is not None
    if name.isprintable():
        assert case.get("name") == name


def test_letters_that_xml_cannot_hold_are_marked_and_markup_is_text():
    text = junit_text("s", [Case(name="\x00\x1b]]><b>&\ufffe", outcome=FAILED, message="]]>", details="<script>]]>")])
    case = read(text).find(".//testcase")
    assert case is not None
    assert case.get("name") == "��]]><b>&�"
    assert case.findtext("failure") == "<script>]]>"
