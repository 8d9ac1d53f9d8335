"""Correlation of rankings of systems with the paper's numbers (FFF, sections IV-B to IV-D and VIII-A)."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from measurand import interval, parse
from measurand.judged import JudgedRuns
from measurand.orders import compare
from measurand.scale import Scale
from measurand.scores import Scores
from measurand.statistics.correlation import kendall, similarity

RUNS = list(product((0, 1), repeat=4))

INDICES = [[8, 3, 12, 5], [1, 10, 6, 9], [15, 4, 2, 7]]
"""The fixed tiny matrix: topics × systems of binary runs of length 4, read as numbers, the first rank foremost."""

RECALL_BASES = (2, 3, 6)

OVERALL = {
    "P": 1,
    "RR": 0.258199,
    "RBP(p=0.3)": 0.666667,
    "RBP(p=0.5)": 1,
    "RBP(p=0.8)": 1,
    "DCG(b=2)": 0.912871,
    "R": 0.2,
    "AP": 0.333333,
    "nDCG(b=2)": 0.912871,
}

MEAN_RANKS = {
    "P": [3, 2.667, 2.667, 3.333],
    "RR": [4, 4, 4, 4.333],
    "RBP(p=0.3)": [9, 6.667, 7.667, 8],
    "RBP(p=0.5)": [9, 6.667, 7.667, 8],
    "DCG(b=2)": [6, 5.333, 6, 7],
    "AP": [7.667, 6, 7, 8],
}


def judged(runs: np.ndarray, recall_bases: tuple[int, ...]) -> JudgedRuns:
    """Return systems × topics × ranks of 0 and 1 as judged runs."""
    systems, topics, depth = runs.shape
    return JudgedRuns(
        systems=tuple(f"s{i}" for i in range(systems)),
        topics=tuple(f"t{i}" for i in range(topics)),
        cells=runs.astype(np.int8),
        lengths=np.full((systems, topics), depth),
        grade_counts=np.array([(1000, base) for base in recall_bases]),
    )


@pytest.fixture
def tiny() -> JudgedRuns:
    return judged(np.array([[RUNS[index] for index in topic] for topic in INDICES]).transpose(1, 0, 2), RECALL_BASES)


def plain(values, **facts) -> Scores:
    values = np.array(values, dtype=float)
    systems = tuple(f"s{i}" for i in range(values.shape[0]))
    topics = tuple(f"t{i}" for i in range(values.shape[1]))
    return Scores(measure="M", values=values, systems=systems, topics=topics, **facts)


def track(seed: int, systems: int = 12, topics: int = 10, depth: int = 5) -> JudgedRuns:
    """Return a made-up track, the later systems the better."""
    generate = np.random.default_rng(seed)
    chances = np.linspace(0.2, 0.7, systems)[:, None, None]
    return judged(generate.random((systems, topics, depth)) < chances, (10,) * topics)


# Section IV-B: measures on comparable runs.


def test_measures_never_contradict_each_other_on_comparable_runs_and_ties_keep_tau_below_one():
    comparable = [pair for pair in combinations(RUNS, 2) if compare(*pair) != "incomparable"]
    incomparable = [pair for pair in combinations(RUNS, 2) if compare(*pair) == "incomparable"]
    assert (len(comparable), len(incomparable)) == (110, 10)

    def counts(one: str, other: str, pairs: list) -> np.ndarray:
        values = [[parse(name).value(run, recall_base=4) for name in (one, other)] for pair in pairs for run in pair]
        found = [kendall(*zip(*values[i : i + 2], strict=True)).counts for i in range(0, len(values), 2)]
        return np.sum(found, axis=0)

    agree, oppose, ties_x, ties_y, ties_both = counts("P", "AP", comparable)
    assert (agree, oppose, ties_x, ties_y, ties_both) == (84, 0, 26, 0, 0)
    assert agree / np.sqrt((agree + ties_x) * (agree + ties_y)) == pytest.approx(0.8739, abs=5e-5)
    assert counts("AP", "RBP(p=0.5)", comparable).tolist() == [110, 0, 0, 0, 0]
    assert counts("RBP(p=0.3)", "RBP(p=0.5)", incomparable).tolist() == [10, 0, 0, 0, 0]


# Section IV-C: what correlation is.


@pytest.mark.spec("FFF-IV-C-tau", "E16", "CONV-tau")
def test_a_ranking_with_ties_agrees_with_itself():
    tau = kendall([1, 1, 2, 3], [1, 1, 2, 3])
    assert tau == 1
    assert (tau.concordant, tau.ties_x, tau.ties_y, tau.ties_both) == (5, 0, 0, 1)
    # counting the pair that is tied in both among the ties of each would give 5/6
    assert Fraction(5, 5 + tau.ties_both) == Fraction(5, 6)


@pytest.mark.spec("FFF-IV-C-tau", "E16")
def test_a_constant_vector_has_no_correlation():
    assert np.isnan(kendall([1, 1, 1], [1, 2, 3]))
    assert np.isnan(kendall([1, 2, 3], [1, 1, 1]))
    assert kendall([1, 1, 1], [1, 2, 3]).undefined == 1


@pytest.mark.spec("FFF-IV-C-toy")
def test_precision_and_recall_agree_on_both_topics_and_reverse_the_systems():
    counts, length, bases = np.array([[2, 1], [1, 3]]), 5, np.array([2, 10])
    p, r = plain(counts / length), plain(counts / bases)
    assert list(p.mean()) == pytest.approx([0.3, 0.4])
    assert list(r.mean()) == pytest.approx([0.55, 0.40])
    assert kendall(p, r, kind="topic").by_topic == (1, 1)
    assert kendall(p, r) == -1


@pytest.mark.spec("FFF-IV-C-CF")
def test_celsius_and_fahrenheit_agree_in_both_ways():
    celsius = np.random.default_rng(1).integers(-10, 35, (20, 50)).astype(float)
    c, f = (plain(values, scale=Scale.INTERVAL) for values in (celsius, celsius * 9 / 5 + 32))
    assert kendall(c, f) == 1
    assert kendall(c, f, kind="topic") == 1
    assert not kendall(c, f).caveats


@pytest.mark.spec("FFF-IV-C-tbt")
def test_precision_and_recall_agree_on_every_topic(tiny):
    p, r = (parse(name).scores(tiny) for name in ("P@4", "R@4"))
    assert kendall(p, r, kind="topic").by_topic == (1, 1, 1)


@pytest.mark.spec("FFF-IV-C-rule")
def test_correlations_are_judged_by_the_usual_thresholds():
    assert similarity(0.8588) == "similar"
    assert [similarity(tau) for tau in (0.95, 0.9, 0.8, 0.79)] == ["equivalent", "similar", "similar", "different"]


# Section IV-D: precision, recall and F1 over all lengths and recall bases.


def space(n: int, k: int) -> list[tuple[int, int, int]]:
    """Return S[N, K]: relevant, retrieved, recall base."""
    return [(r, m, base) for m in range(1, n + 1) for base in range(1, k + 1) for r in range(min(m, base) + 1)]


@pytest.mark.spec("FFF-IV-D4-tau", "E28")
@pytest.mark.parametrize(
    ("n", "k", "expected"),
    [(2, 2, (0.8077, 0.9266, 0.9266)), (3, 3, (0.7179, 0.8831, 0.8831)), (1, 2, (0.8944, None, None))],
)
def test_precision_recall_and_f1_correlate_as_printed(n, k, expected):
    points = space(n, k)
    p, r, f = ([Fraction(*pair) for pair in pairs] for pairs in (
        [(hits, m) for hits, m, _ in points],
        [(hits, base) for hits, _, base in points],
        [(2 * hits, m + base) for hits, m, base in points],
    ))  # fmt: skip
    for tau, printed in zip((kendall(p, r), kendall(p, f), kendall(r, f)), expected, strict=True):
        assert printed is None or tau == pytest.approx(printed, abs=5e-5)


@pytest.mark.spec("FFF-IV-D4-tau", "E28")
def test_the_pairs_of_precision_and_recall_are_counted_as_printed():
    points = space(2, 2)
    tau = kendall([r / m for r, m, _ in points], [r / base for r, _, base in points])
    assert (tau.concordant, tau.discordant, tau.ties_x, tau.ties_y, tau.ties_both) == (22, 1, 3, 3, 7)
    # with lists of one document precision and recall are never discordant, and yet not affine
    assert kendall([0.0, 1.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.5]).discordant == 0


# Section VIII-A: a measure and its interval-scaled self.


@pytest.mark.spec("FFF-VIII-A-round", "F9")
def test_equal_averages_tie_after_rounding():
    p = plain(np.array([[0, 0, 3], [0, 1, 2]]) / 5)
    assert list(p.mean()) == [0.19999999999999998, 0.20000000000000004]
    assert kendall(p, [1, 2]).ties_x == 1
    assert kendall(p, [1, 2], decimals=None) == 1


@pytest.mark.spec("FFF-VIII-A-ex", "FFF-IV-C-overall")
@pytest.mark.parametrize("name", OVERALL)
def test_the_overall_correlation_of_a_measure_with_its_ranks_is_as_printed(tiny, name):
    raw, ranked = parse(f"{name}@4").scores(tiny), interval(name, depth=4).scores(tiny)
    assert kendall(raw, ranked) == pytest.approx(OVERALL[name], abs=5e-7)


@pytest.mark.spec("FFF-VIII-A-ex", "FFF-IV-C-tbt")
@pytest.mark.parametrize("name", OVERALL)
def test_topic_by_topic_a_measure_and_its_ranks_agree(tiny, name):
    raw, ranked = parse(f"{name}@4").scores(tiny), interval(name, depth=4).scores(tiny)
    assert kendall(raw, ranked, kind="topic") == 1
    assert kendall(raw, ranked, kind="topic").by_topic == (1, 1, 1)


@pytest.mark.spec("FFF-VIII-A-ex")
@pytest.mark.parametrize("name", MEAN_RANKS)
def test_the_mean_ranks_are_as_printed(tiny, name):
    scale = interval(name, depth=4)
    ranks = 1 + scale.scores(tiny).values * (scale.size - 1)
    assert ranks.mean(axis=1) == pytest.approx(MEAN_RANKS[name], abs=5e-4)


@pytest.mark.spec("FFF-VIII-A-all")
def test_all_systems_are_correlated_however_bad():
    x, y = (parse(name).scores(track(1)) for name in ("P@5", "AP@5"))
    tau = kendall(x, y)
    assert (tau.n, tau.method) == (12, "tau-b")
    assert sum(tau.counts) == 12 * 11 // 2
    means = [np.round(one.values.mean(axis=1), 8) for one in (x, y)]
    assert tau == kendall(*means)
    assert tau != kendall(*(mean[3:] for mean in means))


@pytest.mark.spec("FFF-T4-mean")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_precision_and_rbp_with_one_half_correlate_alike_raw_and_ranked(seed):
    runs = track(seed)
    raw = kendall(*(parse(name).scores(runs) for name in ("P@5", "RBP(p=0.5)@5")))
    ranked = kendall(*(interval(name, depth=5).scores(runs) for name in ("P", "RBP(p=0.5)")))
    assert raw == ranked
    assert raw.counts == ranked.counts
