"""`measurand compare` and `measurand gate` with scores by topic that another tool computed."""

import json

import pytest

ROWS = [
    (name, topic, measure, round(base + topic * 0.07 % 0.3 + (name == "new") * (0.05 + topic * 0.01), 4))
    for name in ("old", "new")
    for topic in range(1, 9)
    for measure, base in (("map", 0.2), ("nDCG@10", 0.3))
]


@pytest.fixture
def perquery(tmp_path):
    path = tmp_path / "perquery.csv"
    lines = ["name,qid,measure,value", *(",".join(map(str, row)) for row in ROWS)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def test_compare_takes_a_file_of_scores_alone(call, perquery):
    done = call("compare", perquery, "-m", "map")
    assert done.code == 0
    assert done.out.startswith("Under AP new beats old by 0.0950 on 8 topics.\n")
    assert "nDCG" not in done.out


@pytest.mark.parametrize("form", ["json", "tsv", "csv", "latex", "markdown"])
def test_every_format_has_the_comparison(call, perquery, form):
    done = call("compare", perquery, "-f", form)
    assert done.code == 0
    assert "new" in done.out
    if form == "json":
        assert json.loads(done.out)["measures"]["AP"]["systems"][0]["system"] == "new"


@pytest.mark.parametrize(
    ("option", "code", "why"),
    [
        (["--levels"], 2, "--levels needs judgments and runs"),
        (["--scale", "interval"], 2, "--scale interval needs judgments and runs"),
        (["--depth", "10"], 1, "depth=10 comes too late"),
        (["--baseline", "bm25"], 1, "there is no system 'bm25'"),
        (["-m", "RR"], 1, "RR was not evaluated; there is AP, nDCG@10"),
    ],
)
def test_what_needs_runs_is_refused(call, perquery, option, code, why):
    done = call("compare", perquery, *option)
    assert (done.code, done.out) == (code, "")
    assert why in done.err


def test_judgments_without_runs_are_not_enough(call, tmp_path):
    path = tmp_path / "qrels"
    path.write_text("1 0 d1 1\n")
    done = call("compare", path)
    assert (done.code, done.out) == (2, "")
    assert "RUN..." in done.err


def test_the_gate_takes_two_systems_of_a_file_of_scores(call, perquery):
    assert call("gate", perquery, "old", "new").code == 0
    failed = call("gate", perquery, "new", "old", "-m", "map", "--on-these-topics")
    assert failed.code == 3
    assert failed.out.startswith("FAIL. On these 8 topics AP fell by 0.095")
