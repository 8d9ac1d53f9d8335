"""`measurand demo`: the report on the built-in sample."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from measurand.study.plan import Plan
from measurand.study.study import Study


def without_time(page: str) -> list[str]:
    return [line for line in page.splitlines() if "<time>" not in line]


@pytest.fixture
def studied(monkeypatch):
    """Study the same files by the same plan only once; return what was studied."""
    make, made = Study.from_files, []

    def study(qrels, runs, measures=None, *, progress, **plan):
        asked = (Path(qrels), [Path(run) for run in runs], Plan.of(measures, **plan))
        if not made or made[-1][0] != asked:
            made.append((asked, make(qrels, runs, measures, progress=progress, **plan)))
        return made[-1][1]

    monkeypatch.setattr(Study, "from_files", study)
    return made


def test_the_demo_writes_the_page_that_the_call_it_shows_writes(call, tmp_path, monkeypatch, studied):
    monkeypatch.chdir(tmp_path)
    demo = call("demo")
    assert demo.code == 0
    assert "depends on the measure: dense-3 under" in demo.out
    assert "Topics are missing from rerank-1" in demo.out
    assert "report.html" in demo.out.splitlines()[-1]
    first = (tmp_path / "report.html").read_text(encoding="utf-8")
    again = call(*shlex.split(demo.out.splitlines()[0])[1:])
    assert again.code == 0
    assert again.out.strip() in demo.out
    assert without_time((tmp_path / "report.html").read_text(encoding="utf-8")) == without_time(first)
    assert len(studied) == 1
