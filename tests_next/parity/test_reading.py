"""Reading and judging TREC files, as measurand does."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest

import measurand
import measurand.errors
from fuzz.files import draw_file
from measurand.trec import lines
from measurand.trec.files import Content
from measurand_next import native
from measurand_next.errors import InputError
from measurand_next.read import judge
from measurand_next.read.files import File
from measurand_next.read.trec import read_qrels_file, read_run_file

HERE = Path(__file__).parent
OPTIONS = [
    {},
    {"ties": "file"},
    {"ties": "groups"},
    {"depth": 3},
    {"depth": 2, "ties": "groups"},
    {"precision": "single", "missing_topics": "skip"},
]


@pytest.fixture(params=["C", "Python"])
def reader(request, monkeypatch):
    if request.param == "Python":
        monkeypatch.setattr(native, "library", lambda: None)
    elif native.library() is None:
        pytest.skip("the loops in C were not built")


def read_by_measurand(kind: str, data: bytes):
    content = Content("f", data)
    if kind == "run":
        return [
            (run.name, run.topics, run.bounds[1:].tolist(), list(run.documents), run.document_scores.tobytes())
            for run in lines.read_runs(content)
        ], {str(caveat.kind) for run in lines.read_runs(content) for caveat in run.caveats}
    qrels = lines.read_qrels(content)
    caveats = {str(caveat.kind) for caveat in qrels.caveats}
    return (qrels.topics, qrels.bounds[1:].tolist(), list(qrels.documents), list(map(float, qrels.grades))), caveats


def read(kind: str, data: bytes):
    file = File(io.BytesIO(data))
    if kind == "run":
        runs = read_run_file(file)
        return [(run.name, run.topics, run.ends.tolist(), list(run.documents), run.scores.tobytes()) for run in runs], {
            str(caveat.kind) for run in runs for caveat in run.caveats
        }
    qrels = read_qrels_file(file)
    caveats = {str(caveat.kind) for caveat in qrels.caveats}
    return (qrels.topics, qrels.ends.tolist(), list(qrels.documents), list(map(float, qrels.grades))), caveats


def line_of(error: Exception) -> int | None:
    found = re.match(r"[^:]*:(\d+):", str(error))
    return int(found[1]) if found else None


def check_same(kind: str, data: bytes) -> None:
    """Both read the same, or name the same line; where several are wrong, measurand_next names the first."""
    try:
        found = read(kind, data)
    except InputError as error:
        if "truncated" in str(error) or "carriage" in str(error):
            return
        with pytest.raises(measurand.errors.MeasurandError) as refused:
            read_by_measurand(kind, data)
        line = line_of(error)
        if line != line_of(refused.value):
            until = b"\n".join(data.split(b"\n")[:line]) + b"\n"
            with pytest.raises(measurand.errors.MeasurandError) as refused:
                read_by_measurand(kind, until)
            assert line == line_of(refused.value)
    else:
        rows, caveats = read_by_measurand(kind, data)
        zeros = {"blanks"} if b"\0" in data else set()  # which measurand takes for a part of a name
        assert found[0] == rows
        assert found[1] - zeros == caveats - zeros


@pytest.mark.parametrize("kind", ["run", "judgment file"])
def test_files_that_fuzzing_draws(kind, reader):
    columns = (lines.RUN if kind == "run" else lines.QRELS).columns
    for seed in range(250):
        check_same(kind, draw_file(Random(seed), columns))


@pytest.mark.parity_deep
def test_files_that_tests_of_measurand_read(tmp_path, reader):
    tests = [
        "tests/unit/trec",
        "tests/cli/test_broken_input.py",
        *map(str, Path("tests/corrections").glob("test_reading_*.py")),
    ]
    environment = {**os.environ, "RECORDED": str(tmp_path), "PYTHONPATH": str(HERE)}
    options = ["-q", "-p", "recording", "-p", "no:cacheprovider"]
    ran = subprocess.run([sys.executable, "-m", "pytest", *options, *tests], env=environment, capture_output=True)
    files = list(tmp_path.glob("read_*"))
    assert ran.returncode == 0
    assert len(files) > 2000
    for path in files:
        check_same("run" if path.name.startswith("read_runs") else "judgment file", path.read_bytes())


def judged_alike(qrels, runs, options) -> None:
    """Both judge the same, or refuse the same runs."""
    files = [io.BytesIO(run) for run in runs]
    try:
        expected = judge_by_measurand(qrels, runs, options)
    except measurand.errors.MeasurandError as error:
        with pytest.raises(InputError) as refused:
            judge(io.BytesIO(qrels), files, **options)
        assert line_of(error) == line_of(refused.value)  # noqa: PT017 - of one and the other
        return
    found = judge(io.BytesIO(qrels), files, documents=True, **options)
    assert (found.systems, found.topics, found.depth) == (expected.systems, expected.topics, expected.depth)
    assert np.array_equal(found.grades, expected.grades)
    assert np.array_equal(found.grade_counts, expected.grade_counts)
    assert np.array_equal(found.recall_base, expected.recall_base)
    assert list(found.grade_values) == list(map(expected.grade_of, range(len(found.grade_values))))
    if expected.tied is not None:
        shown = found.first(found.depth, whole_groups=False)
        assert np.array_equal(shown.tied, expected.tied[expected.retrieved])
    assert sorted({caveat.kind for caveat in found.caveats}) == sorted({str(each.kind) for each in expected.caveats})


def judge_by_measurand(qrels, runs, options):
    return measurand.judge([io.BytesIO(run) for run in runs], io.BytesIO(qrels), **options)


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 3000), marks=pytest.mark.parity_deep)])
def test_drawn_campaigns(seeds, drawn, reader):
    for seed in seeds:
        judged_alike(*drawn(seed), OPTIONS[seed % len(OPTIONS)])


@pytest.mark.parametrize("options", [OPTIONS[0], OPTIONS[5]])
def test_real_campaign(options, data, reader):
    runs = [lzma.decompress(path.read_bytes()) for path in sorted(data.glob("trec-covid-r1/runs/*.xz"))]
    judged_alike(gzip.decompress((data / "trec-covid-r1/qrels-rnd1.txt.gz").read_bytes()), runs, options)
