"""Take the picture of the report that the README shows: `.venv/bin/python docs/picture_of_the_report.py`.

It needs Chromium (`make browser`), because it is a picture of the page as a reader sees it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

import measurand as md
from measurand import sample

IMAGES = Path(__file__).resolve().parent / "images"

PICTURES = {
    "report.png": ("body", 1400),
    "report-comparisons.png": ("#comparisons", 885),
    "report-levels.png": ("#levels", 1080),
}
"""What each picture shows: from the top of which element, and how high."""


def main() -> None:
    """Take the pictures."""
    study = md.Study.from_files(sample.qrels(), sample.runs(), title="The built-in sample")
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = md.write_report(study, Path(folder) / "report.html")
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 1000}, color_scheme="light")
        page.goto(page_file.as_uri())
        page.wait_for_selector("html[data-ready]")
        for name, (selector, height) in PICTURES.items():
            page.set_viewport_size({"width": 1180, "height": height})
            page.evaluate(f"document.querySelector('{selector}').scrollIntoView({{behavior: 'instant'}})")
            page.screenshot(path=IMAGES / name)
        browser.close()


if __name__ == "__main__":
    main()
