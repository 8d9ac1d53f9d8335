"""Bugs that were planted and that the tests of their rooms did not notice; each has a test here that does."""

from __future__ import annotations

import hashlib
import itertools
import shutil
import subprocess
from fractions import Fraction
from typing import ClassVar

import numpy as np
import pytest
from attrs import frozen

import measurand as md
from measurand.axioms.balance import balancing_curve
from measurand.display.markdown import markdown_text
from measurand.display.tables import Document, Legend, Paragraph, TableView
from measurand.intervals import image
from measurand.judged import JudgedRuns
from measurand.lattice.algebra import algebra_of
from measurand.lattice.valuation.extension import extend
from measurand.measures.base import Measure
from measurand.measures.ties.sensitivity import gain_order
from measurand.report.page.data import digests
from measurand.study.plan import sources_of

# A third column that is not ranks (ranks.py: all -> any)


@pytest.mark.parametrize(
    ("lines", "best"),
    [
        (["1 a -1", "1 b 2", "1 c 3"], "c"),  # some are below 0
        (["1 a 1", "1 b 2.5", "1 c 3"], "c"),  # some are whole
        (["1 a 7", "1 b 9", "1 c 8"], "b"),  # some steps lead up, and no topic begins at 1
        (["1 a 1", "1 b 3", "1 c 2", "2 d 7", "2 e 6", "2 f 5"], "b"),  # only one topic begins at 1
    ],
)
def test_a_third_column_of_which_only_some_could_be_ranks_has_scores(lines, best, tmp_path):
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    assert next(iter(md.read_run(tmp_path / "a.run").down_to(1).documents)) == best


@pytest.mark.parametrize(
    "lines",
    [
        ["1 a 1", "1 b 3", "1 c 2"],  # some steps lead up
        ["1 a 1", "1 b 2", "2 a 5", "2 b 6"],  # one topic begins at 1
    ],
)
def test_a_third_column_of_which_only_some_look_like_ranks_is_not_taken_for_ranks(lines, tmp_path):
    (tmp_path / "a.run").write_text("\n".join(lines) + "\n")
    with pytest.raises(md.InputError, match="could be ranks or scores; say which"):
        md.read_run(tmp_path / "a.run")


# The caveat on unjudged shares of two systems (checks.py: min -> max)


@pytest.mark.parametrize("share", [0.06, 0.3, 0.6, 1.0])
@pytest.mark.parametrize("which", [0, 1])
def test_of_two_systems_the_one_with_more_unjudged_documents_is_named_alone(share, which):
    cells = (np.random.default_rng(3).random((2, 50, 10)) < 0.4).astype(np.int8)
    flat = cells[which].reshape(-1)
    flat[: round(share * flat.size)] = -1
    judged = JudgedRuns(
        systems=("a", "b"),
        topics=tuple(map(str, range(50))),
        cells=cells,
        lengths=np.full((2, 50), 10),
        grade_counts=np.tile([50, 20], (50, 1)),
    )
    [found] = [each for each in md.compare(judged, "P@10").conclusion.checks if each.kind == "unjudged"]
    assert (found.systems, found.number) == (("ab"[which],), pytest.approx(share))
    assert found.sentence == f"{'ab'[which]} has {round(100 * share)} % unjudged in its top 10."


# The exact limits of the rank tests (rank_tests.py: 8 -> 9)


def _pair(topics: int, seed: int) -> md.Scores:
    x = np.random.default_rng(seed).permutation(2 * topics).reshape(2, topics) + np.array([[topics / 2], [0]])
    x += np.array([[0.25], [0.0]])  # no ties
    return md.Scores(measure="P", values=x, systems=("a", "b"), topics=tuple(map(str, range(topics))))


@pytest.mark.parametrize("topics", [7, 8, 9, 10])
def test_the_rank_sum_test_is_exact_up_to_as_many_topics_as_scipys(topics):
    from scipy.stats import mannwhitneyu

    scores = _pair(topics, topics)
    exact, rough = (mannwhitneyu(*scores.values, method=method).pvalue for method in ("exact", "asymptotic"))
    assert abs(exact - rough) > 1e-4
    found = md.statistics.rank_sum(scores).of("a", "b")
    assert found == pytest.approx(exact if topics <= 8 else rough, abs=1e-9)
    assert found == pytest.approx(mannwhitneyu(*scores.values).pvalue, abs=1e-9)
    as_matlab = md.statistics.rank_sum(scores, semantics="matlab").of("a", "b")
    assert as_matlab == pytest.approx(exact if topics <= 9 else rough, abs=1e-9)


@pytest.mark.parametrize("topics", [12, 13, 14, 15, 16, 50, 51])
@pytest.mark.parametrize("tied", [False, True])
def test_the_signed_rank_test_is_exact_up_to_its_limits(topics, tied):
    rng = np.random.default_rng(topics)
    sizes = rng.permutation(topics) + 1.0
    sizes[0] = sizes[1] if tied else sizes[0]
    differences = sizes * np.where(rng.random(topics) < 0.35, -1, 1)
    scores = md.Scores(
        measure="P", values=np.array([differences, 0 * differences]), systems=("a", "b"), topics=map(str, range(topics))
    )
    exact, rough = _signed_rank(sizes, differences)
    assert abs(exact - rough) > 1e-5
    found = [md.statistics.signed_rank(scores, semantics=each).of("a", "b") for each in ("scipy", "matlab")]
    limits = (13 if tied else 50), 15
    assert found == pytest.approx([exact if topics <= limit else rough for limit in limits], abs=1e-9)


def _signed_rank(sizes, differences):
    """Return the p-value of the signed rank test by counting, and by the normal distribution."""
    from scipy.stats import norm, rankdata

    doubled = np.rint(2 * rankdata(sizes)).astype(int)
    ways = np.zeros(doubled.sum() + 1)
    ways[0] = 1
    for rank in doubled:
        ways[rank:] += ways[:-rank].copy()
    plus, total = doubled[differences > 0].sum(), doubled.sum()
    low = min(plus, total - plus)
    n, ties = len(sizes), np.unique(sizes, return_counts=True)[1]
    error = np.sqrt((n * (n + 1) * (2 * n + 1) - ((ties**3 - ties).sum()) / 2) / 24)
    return min(1.0, 2 * ways[: low + 1].sum() / ways.sum()), 2 * norm.cdf(-abs(plus - total / 2) / 2 / error)


# Round half to even (native/reader.c)


def test_scores_half_way_between_two_floats_are_read_as_python_reads_them(tmp_path):
    halves = []
    for odd, places in itertools.product((1, 3, 5, 7, 2**52 - 1, 2**52 - 3), range(4)):
        digits = (2**53 + odd) * 5**places
        for near in (digits - 1, digits, digits + 1):
            whole, part = divmod(near, 10**places)
            halves.append(f"{whole}.{part:0{places}}" if places else str(whole))
    # next to half way, by so little that only the remainder tells
    halves += [f"0.{digits:0{places}}" for digits, places in _beyond_half()]
    run = tmp_path / "a.run"
    run.write_text("".join(f"1 Q0 d{place} {place + 1} {text} a\n" for place, text in enumerate(halves)))
    found = md.read_run(run).to_dict()["1"]
    assert found == {f"d{place}": float(text) for place, text in enumerate(halves)}


def _beyond_half():
    """Return numbers and places such that the quotient with 10 ** places is half way between two floats, and a bit."""
    for places, binary, rest in itertools.product((22, 23, 25), range(48, 60), range(1, 9, 2)):
        fives = 5**places
        digits = rest * pow(2**binary, -1, fives) % fives
        half = (digits * 2**binary - rest) // fives
        if 2**53 < digits < 10**19 and digits < 10**places and 2**53 <= half < 2**54:
            yield digits, places


# Unescaped notes in Markdown

ODD = "a*b_c<i>|[d]#"
WRITTEN = r"a\*b\_c\<i\>\|\[d\]\#"


def test_markdown_shows_every_text_of_a_document_as_it_is():
    document = Document(
        [
            TableView([], [], title=f"title {ODD}", about=f"note {ODD}"),
            f"plain {ODD}",
            Paragraph(f"paragraph {ODD}"),
            Legend(lambda shown: [f"legend {ODD}"]),
        ]
    )
    text = markdown_text(document)
    assert ODD not in text
    for what in ("title", "note", "plain", "paragraph", "legend"):
        assert f"{what} {WRITTEN}" in text


def test_names_of_systems_mean_nothing_to_markdown_wherever_they_stand(tmp_path, call):
    rows = [f"{name},{topic},P@5,{0.1 * topic + shift}" for name, shift in ((ODD, 0.3), ("x", 0)) for topic in range(5)]
    (tmp_path / "scores.csv").write_text("\n".join(["name,qid,measure,value", *rows]) + "\n")
    found = call("compare", tmp_path / "scores.csv", "--baseline", ODD, "-f", "markdown")
    assert found.code == 0
    assert ODD not in found.out
    assert found.out.count(WRITTEN) >= 3  # sentence, note and table


# \r in the digests of the page


@pytest.mark.parametrize("letter", ["\r", "\n", "\\", "\r\n"])
def test_sha256sum_reads_the_digests_of_files_with_odd_names(letter, tmp_path):
    run = tmp_path / f"a{letter}b.run"
    run.write_text("1 Q0 d1 1 1.0 a\n")
    qrels = tmp_path / "qrels"
    qrels.write_text("1 0 d1 1\n")
    text = digests(sources_of(qrels, [run]))
    assert "\r" not in text
    written = str(run).replace("\\", "\\\\").replace("\r", "\\r").replace("\n", "\\n")
    assert f"\\{hashlib.sha256(run.read_bytes()).hexdigest()}  {written}\n" in text
    if shutil.which("sha256sum") is not None:
        (tmp_path / "sums").write_bytes(text.encode())
        command = ["sha256sum", "--check", "--strict", "--quiet", "sums"]
        assert subprocess.run(command, check=False, cwd=tmp_path).returncode == 0


# `lowest` in the balancing index


@frozen(kw_only=True, repr=False)
class _Twos(Measure):
    """The share of ranks with a document of grade 2 or more."""

    name: ClassVar[str] = "Twos"
    reference: ClassVar[str] = ""
    graded: ClassVar[bool] = False
    uses_recall_base: ClassVar[bool] = False
    lowest: ClassVar[int] = 2

    def exact(self, run, pool):
        return Fraction(sum(cell >= 2 for cell in run), max(1, len(run)))

    def fast(self, judged):
        return (judged.cells.reshape(-1, judged.depth) >= 2).mean(axis=1)


def test_a_measure_without_rel_counts_from_its_lowest_grade():
    for measure, lowest in ((_Twos(), 2), (md.parse("P(rel=2)"), 2), (md.parse("P"), 1)):
        curve = balancing_curve(measure, [4], qmin=1, qmax=3)
        assert curve.counts_from == lowest
        assert ("it counts grades from 2 up, and not grade 1" in curve.reading) == (lowest == 2)
    assert balancing_curve(_Twos(), [4], qmin=2, qmax=3).points == ((4, 4),)


# `>=` in extensions of valuations


WEIGHTS = {(1, 0, 0): "0.5", (0, 1, 0): "0.3", (0, 0, 1): "0.1"}


def test_an_extension_of_binary_runs_counts_documents_from_rel_up():
    made = extend(algebra_of("replacement", 3, 2), WEIGHTS, name="Mine")
    for run in itertools.product(range(4), repeat=3):
        for rel in (1, 2, 3):
            assert made(rel=rel).of(run) == made.of([int(grade >= rel) for grade in run])


@pytest.mark.parametrize("rel", [1, 2, 3])
def test_an_extension_over_the_orders_of_tied_documents_knows_which_it_takes_for_better(rel):
    made = extend(algebra_of("replacement", 3, 2), WEIGHTS, name="Mine")(rel=rel)
    # no measure of this kind respects swap, so that nothing but this shows which documents it takes for better
    assert [gain_order(made, grade, 3) for grade in range(4)] == [int(grade >= rel) for grade in range(4)]
    for grades in ((0, 1, 2), (1, 2, 3), (0, 2, 3), (1, 1, 3), (0, 1, 3)):
        qrels = {"1": {f"d{place}": grade for place, grade in enumerate((*grades, 3, 2, 1))}}
        values = [made.of(run) for run in itertools.permutations(grades)]
        for ties, expected in (("min", min(values)), ("max", max(values)), ("expected", sum(values) / len(values))):
            judged = md.judge({"a": {"1": {f"d{place}": 1.0 for place in range(3)}}}, qrels, ties=ties)
            assert made.scores(judged).values.item() == pytest.approx(float(expected), abs=1e-12)


# The size limit of images


@pytest.mark.parametrize(("depth", "grades"), [(16, 2), (8, 4)])
def test_an_image_of_as_many_runs_as_the_limit_says_is_enumerated(depth, grades):
    assert grades**depth == 65_536
    assert image("P", depth, grades, recall_base=1).size == 2
    with pytest.raises(md.ParameterError, match="at most 65,536"):
        image("P", depth + 1, grades, recall_base=1)
