"""Where peers answer otherwise: every entry of known_differences.toml that names a peer that can be asked."""

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest

import measurand as md

DIFFERENCES = tomllib.loads((Path(__file__).parent / "known_differences.toml").read_text())["difference"]
PACKAGES = {
    "cwl-eval": "cwl-eval",
    "ir_measures": "ir-measures",
    "pytrec_eval": "pytrec-eval-terrier",
    "ranx": "ranx",
}
"""What each peer is called by the package index."""

ASKED = [known for known in DIFFERENCES if known["who"] in PACKAGES]


def nested(rows):
    """Return rows as `{topic: {document: value}}`, where what comes later counts."""
    found = {}
    for topic, document, value in rows:
        found.setdefault(topic, {})[document] = value
    return found


def written(folder, qrels, run):
    """Return the paths of a judgment file and a run file that hold the rows in their order."""
    judgments, results = folder / "qrels", folder / "run"
    judgments.write_text("".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in qrels))
    results.write_text("".join(f"{topic} Q0 {document} 1 {score!r} peer\n" for topic, document, score in run))
    return judgments, results


def ask_cwl_eval(measure, qrels, run, folder):
    called = [sys.executable, "-m", "cwl.cwl_eval", *map(str, written(folder, qrels, run))]
    printed = subprocess.run(called, cwd=folder, capture_output=True, text=True, check=True).stdout
    lines = [line.split("\t") for line in printed.splitlines()]
    values = [float(line[2]) for line in lines if line[1].strip() == measure]
    return sum(values) / len(values)


def ask_ir_measures(measure, qrels, run, _):
    import ir_measures

    judgments = [ir_measures.Qrel(*row) for row in qrels]
    results = [ir_measures.ScoredDoc(*row) for row in run]
    # its own parser of names does not run on Python 3.14
    asked = eval(measure, dict(vars(ir_measures)))
    # without our own provider, which another test may have registered there
    providers = [each for each in ir_measures.DefaultPipeline.providers if each.NAME != "measurand"]
    pipeline = ir_measures.providers.FallbackProvider(providers)
    (value,) = pipeline.calc_aggregate([asked], judgments, results).values()
    return float(value)


def ask_pytrec_eval(measure, qrels, run, _):
    import pytrec_eval

    answers = pytrec_eval.RelevanceEvaluator(nested(qrels), {measure}).evaluate(nested(run))
    values = [value for answer in answers.values() for value in answer.values()]
    return sum(values) / len(values)


def ask_ranx(measure, qrels, run, _):
    import ranx

    return float(ranx.evaluate(ranx.Qrels(nested(qrels)), ranx.Run(nested(run)), measure))


def ask_us(measure, qrels, run, folder):
    return md.evaluate(*written(folder, qrels, run), measure).scores(measure).summary()[0]


PEERS = {"cwl-eval": ask_cwl_eval, "ir_measures": ask_ir_measures, "pytrec_eval": ask_pytrec_eval, "ranx": ask_ranx}


def answer(ask, measure, known, folder):
    """Return the answer to four digits, or the kind of error there is instead, in words."""
    try:
        return str(round(ask(measure, known["qrels"], known["run"], folder), 4))
    except Exception as error:  # noqa: BLE001 - which error it is, is the answer
        return type(error).__name__


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # ranx divides by 0
@pytest.mark.parametrize("known", ASKED, ids=lambda known: f"{known['who']}-{known['measure']}-{known['what']}")
def test_a_peer_still_differs_as_it_is_known_to(known, tmp_path):
    if not shutil.which(known.get("needs", sys.executable)):
        pytest.skip(f"{known['needs']} is not installed")
    theirs = answer(PEERS[known["who"]], known.get("asks", known["measure"]), known, tmp_path)
    ours = answer(ask_us, known["measure"], known, tmp_path)
    assert (theirs, ours) == (str(known["theirs"]), str(known["ours"]))
    assert theirs != ours


@pytest.mark.parametrize("who", sorted(PACKAGES))
def test_a_peer_has_the_version_that_its_entries_name(who):
    assert {known["version"] for known in ASKED if known["who"] == who} == {version(PACKAGES[who])}


def test_every_entry_says_who_differs_how_and_why():
    for known in DIFFERENCES:
        assert {"who", "version", "what", "theirs", "ours", "why"} <= known.keys()
        assert known["who"] in {*PACKAGES, "trec_eval"}
