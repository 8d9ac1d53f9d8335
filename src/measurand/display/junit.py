"""JUnit: outcomes of checks as the XML that CI servers read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from attrs import frozen

NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Letters that XML cannot hold, not even escaped."""

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


@frozen(kw_only=True)
class Case:
    """A test case.

    Parameters
    ----------
    name
        What it is called.
    outcome
        "passed", "failed" or "skipped".
    message
        What happened, in a sentence.
    details
        What else there is to read.
    """

    name: str
    outcome: str
    message: str
    details: str = ""


def junit_text(suite: str, cases: Sequence[Case]) -> str:
    """Return a suite of test cases as XML.

    Parameters
    ----------
    suite
        What the suite is called.
    cases
        The cases.

    Examples
    --------
    >>> print(junit_text("gate", [Case(name="AP", outcome=FAILED, message="It fell.")]), end="")
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites>
      <testsuite name="gate" tests="1" failures="1" errors="0" skipped="0">
        <testcase classname="gate" name="AP">
          <failure message="It fell." type="failed" />
        </testcase>
      </testsuite>
    </testsuites>
    """
    number = {outcome: str(sum(case.outcome == outcome for case in cases)) for outcome in (FAILED, SKIPPED)}
    above = ElementTree.Element("testsuites")
    counts = {"tests": str(len(cases)), "failures": number[FAILED], "errors": "0", "skipped": number[SKIPPED]}
    below = ElementTree.SubElement(above, "testsuite", {"name": _held(suite), **counts})
    for case in cases:
        _add(below, suite, case)
    ElementTree.indent(above)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(above, encoding="unicode")}\n'


def _add(above: ElementTree.Element, suite: str, case: Case) -> None:
    element = ElementTree.SubElement(above, "testcase", {"classname": _held(suite), "name": _held(case.name)})
    said = {"message": _held(case.message)}
    if case.outcome == FAILED:
        inner = ElementTree.SubElement(element, "failure", {**said, "type": FAILED})
        inner.text = _held(case.details) or None
    elif case.outcome == SKIPPED:
        ElementTree.SubElement(element, "skipped", said)
    if case.outcome == PASSED or (case.outcome == SKIPPED and case.details):
        said_elsewhere = case.outcome == SKIPPED
        text = "\n".join(filter(None, ["" if said_elsewhere else case.message, case.details]))
        ElementTree.SubElement(element, "system-out").text = _held(text)


def _held(text: str) -> str:
    """Return a text as far as XML can hold it; other letters become the sign for what is none."""
    return NOT_IN_XML.sub("\ufffd", text)
