"""A real browser that opens the page from disk; where there is none, the tests are skipped with a loud line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from _pytest.runner import runtestprotocol

import measurand as md
from measurand.report.page import document

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # pages share one process, which keeps the compiled scripts of the first
)


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("NO BROWSER: the page is not tested; install chromium (apt install chromium) and run again")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def close_topic():
    """Close the rankings of a topic by keyboard, and wait until the address has forgotten it."""

    def closed(page) -> None:
        page.keyboard.press("Escape")
        page.wait_for_function("!document.querySelector('#topic').open && !location.hash.includes('topic=')")

    return closed


@pytest.fixture(scope="session")
def study(sample_study) -> md.Study:
    """The study of the built-in sample."""
    return sample_study


@pytest.fixture(scope="session")
def sample_page(study, tmp_path_factory) -> Path:
    """The page of the built-in sample."""
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(document(study), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def complaints() -> list[str]:
    """Whatever pages did that a reader should not see, since the last test."""
    return []


PERMISSIONS = ["clipboard-read", "clipboard-write"]


@pytest.fixture(scope="session")
def window(browser, two_page):
    """The window that pages share which are open for one test: another one for each costs more than most tests."""
    context = browser.new_context(permissions=PERMISSIONS)
    context.add_init_script("localStorage.clear()")  # no page knows what was chosen in another one
    context.new_page().goto(two_page.as_uri())  # stays open, and with it the process that has the scripts compiled
    yield context
    context.close()


@pytest.fixture(scope="session")
def open_page(browser, complaints):
    """Open a page from disk, as a reader would, in a window of its own or in a given one."""

    def opened(path: Path, address: str = "", *, window=None, width=1280, height=900, has_touch=False):
        own = window or browser.new_context(permissions=PERMISSIONS, has_touch=has_touch)
        page = own.new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.on("console", lambda message: complaints.append(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (complaints.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: _from_disk(request.url) or complaints.append(f"request: {request.url}"))
        page.goto(f"{path.as_uri()}{address}")
        page.wait_for_selector("html[data-ready]", timeout=60_000)
        page.set_default_timeout(30_000)
        return page

    return opened


@pytest.fixture(autouse=True)
def _no_complaints(complaints):
    """Complain after each test of anything that a reader should not see."""
    yield
    found = complaints.copy()
    complaints.clear()
    assert found == []


@pytest.fixture
def visit(open_page, window):
    """Open pages from disk that are closed after the test."""
    pages = []

    def opened(path: Path, address: str = "", **options: object):
        pages.append(open_page(path, address, window=window, **options))
        return pages[-1]

    yield opened
    for page in pages:
        page.close()


AS_FOUND = """() => {
  document.querySelector("#topic[open]")?.close();
  for (const select of document.querySelectorAll("#toolbar select, #choice-order, #pair-choice select")) {
    window.found ??= new Map();
    if (!window.found.has(select.id)) window.found.set(select.id, select.value);
  }
  for (const [id, value] of window.found) {
    const select = document.getElementById(id);
    if (select.value !== value && !select.disabled) { select.value = value; select.dispatchEvent(new Event("change")); }
  }
}"""
"""Remembers what is chosen at first, and chooses it again later."""


@pytest.fixture(scope="session")
def _sample(open_page, sample_page):
    page = open_page(sample_page)
    page.click("#unfold")
    page.evaluate(AS_FOUND)
    yield page
    page.context.close()


@pytest.fixture
def page(_sample):
    """The page of the built-in sample with all folds open; it was opened once for all tests."""
    yield _sample
    _sample.evaluate(AS_FOUND)


@pytest.fixture(scope="session")
def two_study() -> md.Study:
    """A study of two systems, with texts of topics."""
    qrels = md.read_qrels(md.sample.qrels())
    queries = {topic: f"what is known of <i>{topic}</i>" for topic in qrels.topics[:-1]}
    runs = [md.read_run(path) for path in md.sample.runs()]
    pair = [run for run in runs if run.name in ("dense-3", "lexical-3")]
    return md.Study.from_files(qrels, pair, queries=queries)


@pytest.fixture(scope="session")
def two_page(two_study, tmp_path_factory) -> Path:
    """The page of that study."""
    path = tmp_path_factory.mktemp("page") / "two.html"
    path.write_text(document(two_study), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def _two(open_page, two_page):
    page = open_page(two_page)
    page.evaluate(AS_FOUND)
    yield page
    page.context.close()


@pytest.fixture
def two(_two):
    """The page of two systems, folded; it was opened once for all tests."""
    yield _two
    _two.evaluate(AS_FOUND)


@pytest.fixture(scope="session")
def scaled_study() -> md.Study:
    """A study of some of the sample, with interval scales."""
    runs = md.sample.runs()[:6]
    return md.Study.from_files(md.sample.qrels(), runs, ["RR@10", "P@10"], interval=True, fuse=False)


@pytest.fixture(scope="session")
def scaled_page(open_page, scaled_study, tmp_path_factory):
    """The page of that study, opened once for all tests."""
    path = tmp_path_factory.mktemp("page") / "scaled.html"
    path.write_text(document(scaled_study), encoding="utf-8")
    page = open_page(path)
    page.click("#unfold")
    yield page
    page.context.close()


@pytest.fixture(scope="session")
def phone(open_page, sample_page):
    """The page of the built-in sample on a phone, opened once for all tests."""
    page = open_page(sample_page, width=390, height=800, has_touch=True)
    yield page
    page.context.close()


def _from_disk(address: str) -> bool:
    return address.startswith(("file:", "data:", "blob:"))


def pytest_runtest_protocol(item, nextitem):
    """Try a test again that waited in vain: on a busy machine a click is lost now and then between two frames."""
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if any(report.failed and "TimeoutError" in report.longreprtext for report in reports):
        item._initrequest()  # fixtures of the test are made anew
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
