"""`measurand demo`: the report on the built-in sample."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from attrs import evolve

from measurand import sample
from measurand.study.plan import Plan
from measurand.study.study import Study


def without_time(page: str) -> list[str]:
    return [line for line in page.splitlines() if "<time>" not in line]


@pytest.fixture
def studied(monkeypatch, sample_study):
    """Have the study of the sample at hand, by whatever title; return what was studied."""
    made = []

    def study(qrels, runs, measures=None, *, progress, **plan):
        asked = Plan.of(measures, **plan)
        assert (Path(qrels), [Path(run) for run in runs]) == (sample.qrels(), sample.runs())
        assert evolve(asked, title=None) == Plan.of()
        made.append(asked.title)
        return evolve(sample_study, plan=evolve(sample_study.plan, title=asked.title))

    monkeypatch.setattr(Study, "from_files", study)
    return made


def test_the_demo_writes_the_page_that_the_call_it_shows_writes(call, tmp_path, monkeypatch, studied, sample_study):
    monkeypatch.chdir(tmp_path)
    demo = call("demo")
    assert demo.code == 0
    assert sample_study.conclusion.headline in demo.out
    printed = " ".join(demo.out.split())
    assert all(f"- {line}" in printed for line in sample_study.conclusion.lines)
    assert "report.html" in demo.out.splitlines()[-1]
    first = (tmp_path / "report.html").read_text(encoding="utf-8")
    again = call(*shlex.split(demo.out.splitlines()[0])[1:])
    assert again.code == 0
    assert again.out.strip() in demo.out
    assert without_time((tmp_path / "report.html").read_text(encoding="utf-8")) == without_time(first)
    assert studied == ["The built-in sample"] * 2
