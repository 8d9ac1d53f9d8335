"""Two systems can be compared topic by topic."""

from __future__ import annotations


def test_the_figure_counts_the_topics_on_which_each_is_ahead(page, study):
    first, second = study.result("nDCG@10").systems[:2]
    page.wait_for_selector(f"#topics-pair[data-shown='nDCG@10|{first}|{second}']")
    effect = study.result("nDCG@10").effects.of(first, second)
    said = page.inner_text("#topics-pair-said")
    assert f"ahead of {second} on {effect.wins} topics, level on {effect.ties}, behind on {effect.losses}" in said


def test_another_pair_and_measure_can_be_chosen(page, study):
    selects = page.locator("#topics-pair").locator("xpath=preceding-sibling::div[1]").locator("select")
    page.locator("#topics-controls").get_by_label("Measure").select_option(label="P@10")
    selects.nth(0).select_option(label="rerank-3")
    selects.nth(1).select_option(label="lexical-2")
    page.wait_for_selector("#topics-pair[data-shown='P@10|rerank-3|lexical-2']")
    effect = study.result("P@10").effects.of("rerank-3", "lexical-2")
    assert f"on {effect.wins} topics, level on {effect.ties}, behind on {effect.losses}" in page.inner_text(
        "#topics-pair-said"
    )
    assert page.locator("#topics-pair .mark-rect path").count() == len(study.topics)
    page.locator("#topics-controls").get_by_label("Measure").select_option(label="nDCG@10")
    page.wait_for_selector("#topics-pair[data-shown='nDCG@10|rerank-3|lexical-2']")
