"""The section "Methods" in a browser."""

from __future__ import annotations

from measurand.report.method_paragraph import method_paragraph
from measurand.report.page.methods import result_paragraph
from measurand.report.repeating import command


def test_the_paragraphs_and_the_command_are_copied(page, study):
    for name, text in (
        ("Copy result", result_paragraph(study)),
        ("Copy text", method_paragraph(study)),
        ("Copy command", command(study)),
    ):
        page.locator("#methods").get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector("#methods button:text('Copied')")
        assert page.evaluate("navigator.clipboard.readText()") == text


def test_bibtex_is_folded_and_unfolds(page):
    entries = page.locator("#methods pre", has_text="@article{LeshnoLevy2002")
    assert not entries.is_visible()
    page.locator("#methods .inside summary", has_text="BibTeX").click()
    assert entries.is_visible()
