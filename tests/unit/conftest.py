"""What the unit tests share: both readers in turn, the text of a page, profiles and comparisons made once."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser

import pytest

import measurand.native as native
from measurand import compare, read_qrels, read_run, sample
from measurand.study.comparison import SystemComparison
from measurand.study.profile import Profile, profile


@pytest.fixture(params=["by lines", "in C"])
def reader(request, monkeypatch):
    """Both readers in turn: the line reader alone, and loops in C for whatever is regular."""
    if request.param == "by lines":
        monkeypatch.setattr(native, "_found", None)
    return request.param


def _run(data: bytes) -> dict[str, dict[str, float]]:
    run = read_run(io.BytesIO(data))
    return {
        topic: dict(zip(run.documents_of(topic), run.document_scores[run.rows(topic)], strict=True))
        for topic in run.topics
    }


def _qrels(data: bytes) -> dict[str, dict[str, int]]:
    qrels = read_qrels(io.BytesIO(data))
    return {
        topic: dict(zip(qrels.documents_of(topic), qrels.grades[qrels.rows(topic)], strict=True))
        for topic in qrels.topics
    }


@pytest.fixture
def run_in(reader):
    """Return what the public function reads from the bytes of a run file, by either reader."""
    return _run


@pytest.fixture
def qrels_in(reader):
    """Return what the public function reads from the bytes of a judgment file, by either reader."""
    return _qrels


class Page(HTMLParser):
    """The text that a browser would show."""

    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def text_of():
    """Return what a browser would show of some HTML, without its markup."""

    def shown(html: str) -> str:
        page = Page()
        page.feed(html)
        page.close()
        return page.text

    return shown


@pytest.fixture(scope="session")
def profile_of() -> Callable[..., Profile]:
    """Return a way to ask for the profile of a measure, which remembers those it has made."""
    return cache(lambda name, depth=4, grades=2: profile(name, depth, grades))


@pytest.fixture(scope="session")
def compared_sample() -> Callable[..., SystemComparison]:
    """Return a way to compare the systems of the sample under some measures, which remembers what it has compared."""
    return cache(lambda *measures, **options: compare(sample.qrels(), sample.runs(), list(measures), **options))
