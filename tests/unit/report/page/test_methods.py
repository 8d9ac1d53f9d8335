"""The section "Methods": what was done, what to cite, and how to do it again."""

from __future__ import annotations

import re
import shlex

import pytest
from attrs import evolve
from jinja2 import Environment, PackageLoader, StrictUndefined

import measurand as md
from measurand.cli.report import report
from measurand.measures import parse
from measurand.references import author_year, bibliography
from measurand.report.method_paragraph import AS_LATEX, keys_of, method_paragraph, order_of_ties, study_references
from measurand.report.page import data
from measurand.report.page.methods import plan_words, section, seed_words
from measurand.report.page.section import FILTERS
from measurand.report.repeating import command, hindrance, in_python
from measurand.study.plan import Plan

QRELS = {"1": {"x": 1, "y": 0}, "2": {"x": 2}, "3": {"y": 1}}


def rendered(made) -> str:
    environment = Environment(loader=PackageLoader("measurand.report.page"), autoescape=True, undefined=StrictUndefined)
    environment.filters.update(FILTERS)
    return environment.get_template(f"{made.name}.html").render(section=made)


def small(measures="P@1", names=("a", "b"), **plan) -> md.Study:
    runs = [
        md.read_run({topic: {"x": 2.0 - place, "y": 1.0} for topic in QRELS}, name=name)
        for place, name in enumerate(names)
    ]
    return md.Study.from_files(QRELS, runs, measures, **{"fuse": False, **plan})


@pytest.fixture(scope="module")
def study() -> md.Study:
    return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:3], ["AP@30", "P@10", "Judged@10"], interval=True)


def written(folder, names=("a", "b")):
    """Return a judgment file and run files in a folder."""
    qrels = folder / "the qrels"
    qrels.write_text("".join(f"{t} 0 {d} {g}\n" for t, grades in QRELS.items() for d, g in grades.items()))
    runs = folder / "runs; rm -rf *"
    runs.mkdir()
    for place, name in enumerate(names):
        lines = [f"{topic} Q0 x 1 {2 - place} {name}\n{topic} Q0 y 2 1 {name}\n" for topic in QRELS]
        (runs / f"{name}.run").write_text("".join(lines))
    return qrels, runs


def test_the_paragraph_says_from_which_decimal_grade_on_documents_are_relevant():
    study = md.Study.from_files({"1": {"x": 0.9, "y": 0.2}}, {"a": {"1": {"x": 1.0}}}, "P@1", fuse=False)
    assert "grades 0 to 0.9). Documents of grade 0.45 and above counted as relevant" in method_paragraph(study)


def test_the_paragraph_names_what_was_done_and_no_other_test(study):
    text = method_paragraph(study)
    assert f"3 systems on {len(study.topics)} topics with " in text
    assert "Measures were AP@30 (Buckley and Voorhees, 2005) and P@10 (Rijsbergen, 1979)." in text
    assert "Judged@10 (Buckley and Voorhees, 2005) says how much was judged and was not tested." in text
    assert "ordered by their means over topics. The primary measure was AP@30; the others are further looks." in text
    assert "compared by the two-sided paired t test (Student, 1908). Beside it stands the sign test (Dixon" in text
    assert "Holm's method (Holm, 1979) over the 3 pairs of systems under each measure, not over measures" in text
    assert "Friedman" not in text
    assert "signed rank" not in text
    for name in study.scaled.values():
        assert name in text


def test_both_paragraphs_cite_the_same_works(study):
    keys = [
        key
        for several in re.findall(r"\\cite\{(.*?)\}", method_paragraph(study, AS_LATEX))
        for key in several.split(",")
    ]
    assert set(keys) <= set(keys_of(study_references(study)))
    for key in keys:
        assert author_year(key) in method_paragraph(study)


def test_nothing_in_the_latex_paragraph_begins_a_comment(study):
    assert not re.search(r"(?<!\\)%", method_paragraph(study, AS_LATEX))


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (
            {"adjust": "none", "baseline": "b"},
            "The p-values of the 2 comparisons with the baseline b under each measure",
        ),
        ({"adjust": "bh"}, "corrected by Benjamini and Hochberg's method"),
        (
            {"test": "friedman"},
            "the Friedman test (Friedman, 1937; Tukey, 1949) (its p-values hold for all pairs at once)",
        ),
        ({"test": "randomisation"}, "10,000 permutations"),
        (
            {"test": "auto", "measures": ["RBP(p=0.8)", "P@1"]},
            "by the two-sided sign test (Dixon and Mood, 1946) under RBP(p=0.8); by the two-sided paired t test",
        ),
        ({"depth": 1}, "Rankings were cut after 1 document."),
        ({"precision": "single"}, "32-bit floats"),
        ({"alpha": 0.01}, "p at or below 0.01"),
        ({"measures": ["Bpref", "P@1"]}, "not relevant, but under Bpref, which has its own way with them"),
        ({"measures": ["Bpref", "P@1", "infAP"]}, "but under Bpref and infAP, which have their own ways with them"),
        ({"measures": "RBP(p=0.8)"}, "The margin of scale (Leshno and Levy, 2002) of a pair, kappa, is the smallest"),
        ({"adjust": "none"}, "the topics won, tied, lost and undecided under every measure that respects replacement"),
        ({"adjust": "none"}, "paired t tests of these counts of documents, and twice the largest p-value. Of each"),
        ({}, "perfect matching of topics (Strassen, 1965; Hall, 1935)"),
        ({}, "tested by an intersection-union test (Berger, 1982): one-sided paired t tests of these counts"),
    ],
)
def test_the_paragraph_follows_the_plan(plan, words):
    assert words in method_paragraph(small(names="abc", **{"measures": "P@1", **plan}))


def test_what_the_scale_of_search_lengths_depends_on_is_told_and_cited():
    made = small(["ESL(i=1)", "P@1"])
    text = method_paragraph(made)
    condition = "for readers who mind every nonrelevant document alike and go by expectations"
    assert f"The scale of ESL(i=1) is interval, {condition}" in text
    assert text.count(author_year("BollmannRaghavan1988")) == 2
    assert "BollmannRaghavan1988" in keys_of(study_references(made))
    assert author_year("BollmannRaghavan1988") not in method_paragraph(small("P@1"))


def test_which_measures_are_defined_on_ties_is_told():
    made = small(["ESL(i=1)", "OIE", "P@1"])
    assert "as trec_eval does, but under ESL(i=1) and OIE(beta=1.2), which are defined on ties." in method_paragraph(
        made
    )
    told = dict(plan_words(made))["Documents of equal score"]
    assert told.endswith("as trec_eval does, but under ESL(i=1) and OIE(beta=1.2), which are defined on ties")
    assert "as trec_eval does." in method_paragraph(small("P@1"))
    assert "as trec_eval does." in method_paragraph(small(["ESL(i=1)", "P@1"], ties="trec"))
    opened = small(["ESL(i=1)", "P@1"], ties="expected")
    assert "left in no order: scores are the mean over all their orders." in method_paragraph(opened)


def test_topics_left_out_are_told_as_they_were_counted():
    runs = [md.read_run({"1": {"x": 1.0}}, name="a"), md.read_run({topic: {"x": 1.0} for topic in QRELS}, name="b")]
    for missing, words in (("zero", "counted as empty results"), ("skip", "were left out of that system's averages")):
        study = md.Study.from_files(QRELS, runs, "P@1", missing_topics=missing, fuse=False)
        assert f"Topics for which a system returned nothing {words}." in method_paragraph(study)
    assert "returned nothing" not in method_paragraph(small())


def test_bibtex_has_exactly_what_was_used(study):
    content = section(study).content
    printed = re.findall(r"^@\w+\{(\w+),", content["bibtex"], re.MULTILINE)
    assert printed == list(dict.fromkeys(printed))
    assert len(printed) == content["entries"]
    used = {"BuckleyVoorhees2005", "FerranteFerroFuhr2021", "Student1908", "DixonMood1946", "Wilcoxon1945", "Tukey1949"}
    assert used | {"Holm1979", "Kendall1945", "Cormack2009", "FoxShaw1994", "Amigo2018"} <= set(printed)
    assert not {"MoffatZobel2008", "Friedman1937", "Sakai2006", "Cooper1968"} & set(printed)


def test_one_system_cites_no_test():
    keys = keys_of(study_references(small(names="a")))
    assert set(keys) == {"McSherryNajork2008", "VanRijsbergen1979"}
    assert set(keys) <= set(bibliography())


def test_a_chosen_test_is_cited():
    assert "Smucker2007" in keys_of(study_references(small(test="randomisation")))


def test_a_measure_of_ones_own_needs_no_reference():
    mine = md.define(lambda run: sum(grade > 0 for grade in run), name="Mine")
    study = small([mine, "P@1"])
    assert "Mine" not in study_references(study)
    assert "Measures were Mine and P@1" in method_paragraph(study)


def test_the_command_says_everything_again(tmp_path):
    qrels, runs = written(tmp_path)
    plan = {"title": 'It\'s $HOME & "mine"', "topics": "1,2*", "baseline": "b", "alpha": 0.01, "test": "sign"}
    plan |= {"adjust": "bh", "seed": 3, "names": "file", "missing_topics": "skip", "precision": "single", "depth": 5}
    study = md.Study.from_files(qrels, [runs], ["P@1", "RBP(p=0.8)@5"], **plan, top=1, fuse=False)
    name, *words = shlex.split(command(study))[1:]
    understood = report.make_context(name, words, help_option_names=["-h", "--help"]).params
    assert understood["qrels"] == str(qrels)
    assert understood["runs"] == (str(runs / "a.run"), str(runs / "b.run"))
    assert [parse(each) for each in understood["measures"]] == list(study.measures.values())
    assert understood["output"] == "again.html"
    assert {each: understood[each] for each in plan} == plan
    assert (understood["top"], understood["no_fusion"]) == (1, True)


def test_a_title_that_looks_like_an_option_is_a_title(tmp_path):
    qrels, runs = written(tmp_path)
    study = evolve(md.Study.from_files(qrels, [runs], "P@1", fuse=False), plan=Plan.of("P@1", title="--data"))
    name, *words = shlex.split(command(study))[1:]
    understood = report.make_context(name, words, help_option_names=["-h", "--help"]).params
    assert (understood["title"], understood["data"]) == ("--data", False)


def test_what_is_usual_is_left_unsaid(tmp_path):
    qrels, runs = written(tmp_path)
    study = evolve(md.Study.from_files(qrels, [runs], "P@1", fuse=False), plan=Plan.of())
    assert shlex.split(command(study)) == [
        *("measurand", "report", str(qrels), str(runs / "a.run"), str(runs / "b.run"), "-o", "again.html")
    ]


def test_many_runs_are_named_by_their_directory_if_it_holds_nothing_else(tmp_path):
    qrels, runs = written(tmp_path, "abcdef")
    files = sorted(runs.iterdir())
    whole = evolve(md.Study.from_files(qrels, files, "P@1", fuse=False), plan=Plan.of("P@1"))
    assert shlex.split(command(whole))[3:5] == [str(runs), "-m"]
    part = evolve(whole, sources=whole.sources[:-1])
    assert shlex.split(command(part))[3:8] == [str(file) for file in files[:5]]


def test_what_was_in_memory_cannot_be_repeated():
    study = small()
    assert command(study) is None
    assert in_python(study) is None
    assert "given in memory" in rendered(section(study))


@pytest.mark.parametrize(
    ("plan", "why"),
    [
        (Plan.of("P@1", topics=["1,2"]), "comma"),
        (Plan.of([md.define(lambda run: len(run), name="Mine")]), "Mine is a function"),
    ],
)
def test_what_no_command_can_say_is_told(tmp_path, plan, why):
    qrels, runs = written(tmp_path)
    study = evolve(md.Study.from_files(qrels, [runs], "P@1", fuse=False), plan=plan)
    assert command(study) is None
    assert why in hindrance(study)


def test_the_lines_of_python_make_the_same_study(tmp_path, monkeypatch):
    qrels, runs = written(tmp_path)
    study = md.Study.from_files(qrels, [runs], ["P@1"], title="It's", topics=["1", "2"], fuse=False, top=1)
    room: dict[str, object] = {}
    monkeypatch.chdir(tmp_path)
    exec(in_python(study), room)
    assert (tmp_path / "again.html").stat().st_size > 100_000
    again = room["study"]
    assert again.plan == study.plan
    assert again.sources == study.sources
    assert again.scores("P@1").values.tolist() == study.scores("P@1").values.tolist()


def test_every_option_of_the_plan_is_told():
    told = dict(plan_words(small(names="abc", baseline="a", test="randomisation", adjust="bh", title="T<", depth=2)))
    assert told["Title"] == "T<"
    assert told["Test"] == "randomisation test"
    assert told["Baseline"] == "a"
    assert told["Correction of p-values"].startswith("by Benjamini and Hochberg's method, over the pairs with the")
    # as many as a plan has
    assert len(told) == len(Plan.of().__attrs_attrs__)


def test_the_seed_says_whether_it_mattered():
    assert seed_words(small(seed=5)) == "5; no test of this study drew lots, so it changed nothing"
    assert seed_words(small(seed=5, test="bootstrap")) == "5, for the paired bootstrap test, which draws lots"


def test_titles_are_escaped():
    text = rendered(section(small(title="<script>alert(1)</script>")))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


@pytest.mark.parametrize("ties", [None, "trec", "expected", "min", "max", "groups"])
def test_what_was_done_with_documents_of_equal_score_is_told_in_the_same_words_everywhere(ties):
    made = small(["ESL(i=1)", "P@1"], ties=ties)
    told = order_of_ties(made)
    assert dict(plan_words(made))["Documents of equal score"] == told
    assert f"Documents of equal score were {told}." in method_paragraph(made)
    assert data.section(made).content["order_of_ties"] == told
