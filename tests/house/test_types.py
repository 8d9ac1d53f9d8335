"""A type checker sees what users write: the examples of the documents pass, and what functions return is known."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
from mypy import api

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "docs" / "tutorial").glob("*.md")),
    *sorted((ROOT / "docs" / "how-to").glob("*.md")),
]

AS_USERS_WRITE = "# mypy: allow-untyped-defs, allow-untyped-calls, allow-redefinition, disable-error-code=union-attr\n"
"""Examples have no annotations of their own, and know better than a checker that a witness is there."""

ASKED = {
    "md.evaluate('q', ['a.run'])": "Table",
    "md.evaluate(qrels={'1': {'d': 1}}, runs={'1': {'d': 0.5}}, measures='AP')": "Table",
    "md.evaluate(judged, measures=['AP', md.parse('P@5')])": "Table",
    "judged.evaluate('AP').scores('AP')": "Scores",
    "md.compare(judged, ['AP'])": "SystemComparison",
    "judged.compare(baseline='bm25')": "SystemComparison",
    "md.compare('perquery.csv')": "ScoreComparison",
    "md.compare('q', 'a.run', 'AP')": "SystemComparison",
    "md.gate('q', 'a.run', {'1': {'d': 0.5}}, ['AP'], max_drop={'AP': 0.1})": "GateResult",
    "md.gate('q', 'main.json', 'a.run').of('AP')": "MeasureGate",
    "md.unanimity(judged)": "UnanimityTable",
    "md.unanimity('q', {'bm25': 'a.run'}, collection=10)": "UnanimityTable",
    "md.tie_effect(judged)['AP']": "TieEffect",
    "judged.tie_effect('AP')": "TieEffects",
    "judged.dominance('a', 'b')": "Dominance",
    "md.dominance_matrix(judged)": "DominanceMatrix",
    "md.judge(['a.run'], 'q', ties='trec')": "JudgedRuns",
    "md.read_qrels(Path('q'))": "Qrels",
    "md.read_qrels([('1', 'd', 1)])": "Qrels",
    "md.read_qrels({'1': {'d'}})": "Qrels",
    "md.read_run({'1': ['d', 'e']})": "Run",
    "md.read_run([{'qid': '1', 'docno': 'd', 'score': 0.5}])": "Run",
    "md.read_runs(['a.run', 'b.run'])": "list[measurand.trec.run.Run]",
    "md.fuse(['a.run'], weights={'a': 0.5})": "Run",
    "md.profile('AP')": "Profile",
    "md.interval(md.parse('AP@10'))": "IntervalScaled",
    "md.scale_effect(judged, 'AP', 10)": "ScaleEffect",
    "md.store_scores('q', 'runs', into='scores', executor=None)": "ScoreStore",
    "md.open_scores('scores').table('bm25')": "Table",
}

REFUSED = [
    "md.evaluate('q', ['a.run'], ties='trek')",
    "md.evaluate('q', ['a.run'], metrics=['AP'])",
    "md.evaluate(judged, 'AP', depth=10)",
    "md.evaluate(3, ['a.run'])",
    "md.read_qrels({'1': 2})",
    "md.evaluate('q', 'a.run', 10)",
    "md.evalute('q', 'a.run')",
    "judged.evaluate(metrics=['AP'])",
]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return what mypy says of the examples of each page and of some calls, all checked at once."""
    folder = tmp_path_factory.mktemp("scripts")
    for page in PAGES:
        examples = doctest.DocTestParser().get_examples(page.read_text(encoding="utf-8"))
        # numbered lines, so that a complaint can be found on the page
        code = "".join(example.source for example in examples)
        (folder / f"{page.stem.lower().replace('-', '_')}.py").write_text(AS_USERS_WRITE + code, encoding="utf-8")
    calls = [*(f"reveal_type({call})" for call in ASKED), *REFUSED]
    start = "from pathlib import Path\nimport measurand as md\ndef f(judged: md.JudgedRuns) -> None:\n"
    (folder / "calls.py").write_text(start + "".join(f"    {call}\n" for call in calls), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setenv("MYPYPATH", str(folder))
        said, failed, _ = api.run(["--cache-dir=.mypy_cache", *map(str, sorted(folder.glob("*.py")))])
    assert not failed
    return [re.sub(r"^.*/", "", line) for line in said.splitlines()]


def test_the_examples_of_the_documents_pass_a_type_checker(answers):
    assert [line for line in answers if " error: " in line and not line.startswith("calls.py")] == []


def test_what_a_call_returns_is_known_to_a_type_checker(answers):
    found = [re.search(r'Revealed type is "(.*)"', line) for line in answers if line.startswith("calls.py")]
    revealed = [match[1] for match in found if match]
    assert {call: kind.endswith(wanted) for (call, wanted), kind in zip(ASKED.items(), revealed, strict=True)} == (
        dict.fromkeys(ASKED, True)
    )


def test_a_call_that_cannot_be_right_is_refused_by_a_type_checker(answers):
    lines = {int(line.split(":")[1]) for line in answers if line.startswith("calls.py") and " error: " in line}
    first = 4 + len(ASKED)
    assert [call for place, call in enumerate(REFUSED, first) if place not in lines] == []
    assert [line for line in lines if line < first] == []


def test_the_mark_of_typed_packages_ships():
    assert (ROOT / "src" / "measurand" / "py.typed").is_file()
