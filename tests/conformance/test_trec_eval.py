"""The command line against trec_eval 10's stored outputs of its own tests."""

import gzip
import tomllib
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from measurand.cli.main import program

DATA = Path(__file__).resolve().parents[2] / "../shared/data/trec_eval-test"

pytestmark = pytest.mark.skipif(not DATA.exists(), reason="trec_eval's test data is not beside the checkout")

COMMANDS = {
    "out.test": "qrels.test results.test",
    "out.comment.test": "qrels.comment.test results.comment.test",
    "out.test.a": "-mall_trec qrels.test results.test",
    "out.test.aq": "-mall_trec -q qrels.test results.test",
    "out.test.aqc": "-mall_trec -q -c qrels.test results.trunc",
    "out.test.aqcM": "-mall_trec -q -c -M100 qrels.test results.trunc",
    "out.test.aql": "-mall_trec -mrelstring.20 -q -l2 qrels.rel_level results.test",
    "out.test.aqZ": "-q -mall_trec -Z zscores_file qrels.test results.test",
    "out.test.meas_params": (
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -mP.5,7,3 -mrecall.20,2000 -mRprec_mult.5.0,0.2,0.35"
        " -mutility.2,-1,0,0 -m11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
        " qrels.test results.test"
    ),
}
"""Which command trec_eval printed each output for."""

DIFFERENCES = [
    known
    for known in tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())["difference"]
    if known["who"] == "trec_eval"
]
LEFT_OUT = {known["what"] for known in DIFFERENCES if known["ours"] == "left out"}
OTHER_VALUES = {
    (known["what"], known["measure"], known["topic"]): (known["theirs"], known["ours"])
    for known in DIFFERENCES
    if known["ours"] != "left out"
}


def left_out(name: str) -> bool:
    """Say whether a name, with or without parameters, is known to be left out."""
    return any(name == root or name.startswith((f"{root}_", f"{root}.")) for root in LEFT_OUT)


@cache
def printed_by_us(command: str, folder: Path = DATA) -> list[str]:
    """Return the lines that our command line prints, asked for everything but what is left out."""
    words = [word for word in command.split() if not left_out(word.removeprefix("-m"))]
    words = [str(folder / f"{word}.gz") if (folder / f"{word}.gz").exists() else word for word in words]
    result = CliRunner().invoke(program, ["evaluate", "-f", "trec", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


@cache
def printed_by_trec_eval(output: str) -> list[str]:
    return gzip.decompress((DATA / f"{output}.gz").read_bytes()).decode().splitlines()


def by_place(lines: list[str]) -> dict[tuple[str, str], str]:
    """Return the lines by the measure and the topic that they are about."""
    places = {(line.split("\t")[0].strip(), line.split("\t")[1]): line for line in lines}
    assert len(places) == len(lines)
    return places


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (COMMANDS["out.test"], "out.test"),
        (COMMANDS["out.comment.test"], "out.comment.test"),
        ("qrels.test.with-comments results.test", "out.test"),
    ],
)
def test_the_default_output_is_trec_evals_to_the_letter(command, output):
    assert printed_by_us(command) == printed_by_trec_eval(output)


def test_topics_and_documents_are_sorted_whatever_their_order_in_the_files(tmp_path):
    for name in ("qrels.test.gz", "results.test.gz"):
        lines = gzip.decompress((DATA / name).read_bytes()).splitlines(keepends=True)
        (tmp_path / name).write_bytes(gzip.compress(b"".join(reversed(lines))))
    assert printed_by_us(COMMANDS["out.test.aq"], tmp_path) == printed_by_us(COMMANDS["out.test.aq"])


@pytest.mark.parametrize("output", COMMANDS)
def test_lines_that_both_print_are_the_same_and_stand_in_the_same_order(output):
    theirs, ours = by_place(printed_by_trec_eval(output)), by_place(printed_by_us(COMMANDS[output]))
    alike = [place for place in ours if (output, *place) not in OTHER_VALUES]
    assert [ours[place] for place in alike] == [line for place, line in theirs.items() if place in alike]


@pytest.mark.parametrize("output", COMMANDS)
def test_what_is_left_out_is_what_is_known_to_be_left_out(output):
    theirs, ours = by_place(printed_by_trec_eval(output)), by_place(printed_by_us(COMMANDS[output]))
    assert theirs.keys() - ours.keys() == {(name, topic) for name, topic in theirs if left_out(name)}


def test_nothing_is_said_to_be_left_out_that_trec_eval_does_not_print():
    names = {name for output in COMMANDS for name, _ in by_place(printed_by_trec_eval(output))}
    assert {root for root in LEFT_OUT for name in names if name == root or name.startswith(f"{root}_")} == LEFT_OUT


@pytest.mark.parametrize("output", COMMANDS)
def test_lines_differ_exactly_where_they_are_known_to(output):
    theirs, ours = by_place(printed_by_trec_eval(output)), by_place(printed_by_us(COMMANDS[output]))
    differing = {
        (output, *place): (theirs[place].split("\t")[2], line.split("\t")[2])
        for place, line in ours.items()
        if line != theirs[place]
    }
    assert differing == {place: values for place, values in OTHER_VALUES.items() if place[0] == output}


def test_every_known_difference_is_about_an_output_that_is_compared():
    assert {output for output, _, _ in OTHER_VALUES} <= COMMANDS.keys()
