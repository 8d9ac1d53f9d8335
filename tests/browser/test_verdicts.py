"""Every claim has its certificate one click away."""

from __future__ import annotations


def test_a_click_on_a_claim_shows_its_certificate(page):
    claim = page.locator("#verdicts details.claim").first
    certificate = claim.locator("dl")
    assert not certificate.is_visible()
    claim.locator("summary").first.click()
    assert certificate.is_visible()
    assert "Sign test" in certificate.inner_text()
    claim.locator("summary").first.click()
    assert not certificate.is_visible()


def test_the_keyboard_opens_a_certificate(page):
    summary = page.locator("#verdicts details.claim summary").first
    summary.focus()
    page.keyboard.press("Enter")
    assert page.locator("#verdicts details.claim dl").first.is_visible()


def test_the_reversing_measure_is_shown_on_request(page):
    claim = page.locator("#verdicts details.claim").first
    claim.evaluate("claim => { claim.open = true; }")
    reversing = claim.locator("details.reversing")
    assert not reversing.locator(".strip").first.is_visible()
    reversing.locator("summary").click()
    assert reversing.locator(".strip").first.is_visible()
    assert "puts rerank-1 first: " in reversing.inner_text()
    claim.evaluate("claim => { claim.open = false; }")


def test_every_sentence_leads_to_what_shows_it(page):
    places = page.eval_on_selector_all("#verdicts .sentences a", "links => links.map(link => link.hash)")
    assert len(places) >= 6
    assert all(page.locator(f"section{place}").count() == 1 for place in places)
