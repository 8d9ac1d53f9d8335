"""Measures: a mark leads to what decides it."""

from __future__ import annotations


def test_a_mark_opens_the_profile_at_the_runs_that_break_the_property(page):
    mark = page.locator("#measures-matrix a.mark.broken").first
    target = page.locator(mark.get_attribute("href"))
    assert not target.is_visible()
    mark.press("Enter")
    assert target.is_visible()
    assert target.evaluate("each => each === document.activeElement")
    assert target.locator(".witness .strip").count() == 2


def test_heat_maps_strips_and_marks_can_be_read_in_light_and_dark(visit, sample_page):
    page = visit(sample_page)
    page.click("#unfold")
    page.locator("#topics-table button.topic").first.click()
    page.wait_for_selector("#topic[open] .strip")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        worst = page.evaluate(
            """() => {
              const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
              const light = (colour, under) => {
                canvas.fillStyle = under; canvas.fillRect(0, 0, 1, 1);
                canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
                const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map(
                  (part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
                return 0.2126 * r + 0.7152 * g + 0.0722 * b;
              };
              const paper = getComputedStyle(document.body).backgroundColor;
              const cells = document.querySelectorAll("table.heat td, .strip span, a.mark");
              const contrasts = [...cells].map((cell) => {
                const style = getComputedStyle(cell);
                const [ink, ground] = [light(style.color, paper), light(style.backgroundColor, paper)];
                return (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
              });
              return Math.min(...contrasts);
            }"""
        )
        assert worst >= 4.5
