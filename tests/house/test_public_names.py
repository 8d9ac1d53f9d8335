"""The public names: changing them means changing this file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import measurand
import measurand.measures
from measurand.measures.catalogue import _WELL_KNOWN, find

NAMES = """
AllPairs Assessors BaselineComparison Caveat Dominance DominanceMatrix EvaluationWithoutJudgments Explanation
GateResult InputError InputFileError JudgedRuns Levels LevelsMatrix Margins MarginsMatrix MeasurandError Measure
NoJoin NoMeet NotAvailable NotMeaningful ParameterError ParameterMap Portfolio Position Profile Qrels Queries Run
Scale ScoreComparison ScoreStore Scores Simulations Study SystemComparison Table TieEffect TieEffects TopicDifficulty
ValuesByTool Verdict assessors axioms balance balancing_index compare compat define dominance dominance_matrix errors
evaluate evaluate_without_judgments exact explain fuse fusion gate information interval intervals judge judged lattice
levels levels_matrix margins margins_matrix meaning measures open_scores orders papers parse portfolio profile
read_qrels read_queries read_run read_runs references sample scale_effect scales scores search_length simulate
statistics store_scores testing tie_effect topic_difficulty trec unanimity values_by_tool write_report
""".split()

MEASURES = """
Accuracy AP binG BPM BPMD Bpref Compat DCG DiscountCurve ERR ESL ESLR F G gm gP gR gRBP IAP infAP INSQ INST interval
IPrec Judged LatticeRank nDCG nDCGRel nERR NERR8 NERR9 NERR10 NERR11 NumNonrelRet NumQ NumRel NumRelRet NumRet OIE P Q R
RBP RBPResidual RBTO RelativeP RnDCG Rprec RR SBTO SDCG SetAP SetF SetP Success TBG Unjudged Utility
""".split()


def test_the_package_offers_exactly_these_names():
    assert sorted(measurand.__all__) == sorted(NAMES)
    assert all(getattr(measurand, name) is not None for name in NAMES)


def test_a_name_is_the_same_thing_whenever_it_is_asked_for():
    asked = """
import measurand as md
rooms = [md, *(room for name in md.__all__ if hasattr(room := getattr(md, name), "__all__"))]
names = [(room, name) for room in rooms for name in room.__all__]
first = [getattr(room, name) for room, name in names]
print([f"{room.__name__}.{name}" for (room, name), thing in zip(names, first) if getattr(room, name) is not thing])
"""
    assert subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_rooms_that_were_renamed_are_found_by_their_old_names_with_a_warning():
    with pytest.warns(DeprecationWarning, match="measurand.intervals"):
        assert measurand.rulers.Position is measurand.Position


def test_the_catalogue_holds_exactly_these_measures():
    assert sorted(measurand.measures.catalogue()) == sorted(MEASURES)


def test_well_known_measures_are_found_where_they_are_defined():
    found = {name: find(name) for name in _WELL_KNOWN}
    assert found == {name: measurand.measures.catalogue()[name] for name in _WELL_KNOWN}


def test_the_measures_of_the_catalogue_are_names_of_the_package_that_type_checkers_know():
    declared = re.findall(r"^    (\w+): Measure$", Path(measurand.__file__).read_text(), re.MULTILINE)
    assert sorted([*declared, "interval"]) == sorted(MEASURES)
    assert all(getattr(measurand, name) == measurand.measures.catalogue()[name] for name in declared)


def test_names_that_ir_measures_users_know_are_understood():
    from measurand.measures import MAP, MRR, NDCG, BPref, Precision, Recall, RPrec, SetR

    names = [repr(measure) for measure in (MAP, MRR, NDCG, BPref, Precision, Recall, RPrec, SetR)]
    assert names == ["AP", "RR", "nDCG", "Bpref", "P", "R", "Rprec", "R"]


def test_importing_measurand_and_its_command_line_loads_none_of_the_packages_that_compute():
    heavy = "('polars', 'scipy', 'rich', 'numpy', 'attrs')"
    code = f"import sys, measurand.cli; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


SLOW = """
polars scipy rich pathlib urllib xml email json csv importlib.metadata numpy.random concurrent.futures
measurand.exact.noted_numbers measurand.exact.sorting measurand.judged.relevance measurand.judged.universes
measurand.measures.aliases measurand.measures.lone_runs measurand.measures.trec_names
measurand.scores.ranks measurand.scores.standardised
measurand.trec.frames measurand.trec.objects measurand.trec.queries measurand.trec.topic_formats
measurand.axioms measurand.intervals measurand.orders measurand.scales measurand.statistics
""".split()

COMMAND = """
from measurand.cli import main
sys.argv = ["measurand", "evaluate", "q", "r", "-m", "AP nDCG@10 ERR@20"]
try: main()
except SystemExit: pass
"""

SCRIPT = """
import measurand as md
print(md.evaluate("q", "r", ["AP", "nDCG@10", "ERR@20"]))
"""


@pytest.mark.parametrize("code", [COMMAND, SCRIPT], ids=["command", "script"])
def test_scoring_a_small_file_loads_nothing_slow(code, tmp_path):
    (tmp_path / "q").write_text("1 0 d1 1\n")
    (tmp_path / "r").write_text("1 Q0 d1 1 2.0 tag\n")
    whole = f"import sys\n{code}\nprint([m for m in {SLOW} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", whole], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[-1] == "[]"
