"""Take the pictures of the report that the documentation shows: `.venv/bin/python docs/picture_of_the_report.py`.

It needs Chromium (`make browser`), because these are pictures of the page as a reader sees it.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

import measurand as md
from measurand import sample

IMAGES = Path(__file__).resolve().parent / "images"

WIDTH = 1180


def at_top(_: Page) -> None:
    """Show the beginning of a page."""


def at(selector: str) -> Callable[[Page], None]:
    """Return what scrolls to an element, with what is folded around it opened."""

    def show(page: Page) -> None:
        page.evaluate(
            "selector => { const place = document.querySelector(selector); const fold = place.closest('details.fold');"
            " if (fold) fold.open = true; document.documentElement.style.scrollPaddingTop = '3.6rem';"
            " place.scrollIntoView({ behavior: 'instant' }); }",
            selector,
        )
        page.wait_for_timeout(800)

    return show


def topic(page: Page) -> None:
    """Open the rankings of the topic on which the first system loses most."""
    page.locator("#extremes button.topic").first.click()
    page.wait_for_selector("dialog[open] table.documents")


PICTURES: dict[str, tuple[str, Callable[[Page], None], int]] = {
    "report.png": ("many", at_top, 1020),
    "report-two.png": ("two", at_top, 1000),
    "report-overturn.png": ("two", at("#overturn"), 720),
    "report-topic.png": ("two", topic, 760),
    "report-levels.png": ("many", at("#levels"), 1080),
}
"""What each picture shows: which page, what of it, and how high."""


def studies() -> dict[str, md.Study]:
    """Return the studies of the pages: all systems of the sample, and two of them."""
    pair = [path for path in sample.runs() if path.name.startswith(("lexical-3", "dense-3"))]
    return {
        "many": md.Study.from_files(sample.qrels(), sample.runs(), title="The built-in sample"),
        "two": md.Study.from_files(
            sample.qrels(), pair, primary="P@10", baseline="lexical-3", title="The new ranker", fuse=False
        ),
    }


def main() -> None:
    """Take the pictures."""
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        files = {name: md.write_report(study, Path(folder) / f"{name}.html") for name, study in studies().items()}
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, (which, show, height) in PICTURES.items():
            page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
            page.goto(files[which].as_uri())
            page.wait_for_selector("html[data-ready]")
            show(page)
            page.screenshot(path=IMAGES / name)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
