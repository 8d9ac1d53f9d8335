"""Long jobs by any executor: the same results, bit for bit, for any number of threads, processes or other workers."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import measurand as md
from measurand import JudgedRuns
from measurand.execution import Workers, carried_out_by
from measurand.execution.cluster import Cluster
from measurand.statistics.resampling import bootstrap_interval
from measurand.statistics.simulation import counting
from measurand.study import every_pair, scores_by_blocks
from measurand.study.margins.margins import compute_margins

SYSTEMS, TOPICS, DEPTH = 5, 7, 4


class Elsewhere(Executor):
    """Workers as far away as can be: they see copies of what they are sent, and send copies back."""

    def __init__(self, workers: int) -> None:
        self.threads = ThreadPoolExecutor(workers)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        sent = pickle.dumps((fn, args, kwargs))
        return self.threads.submit(lambda: pickle.loads(pickle.dumps(_call(sent))))


def _call(sent: bytes) -> Any:
    function, args, kwargs = pickle.loads(sent)
    return function(*args, **kwargs)


@cache
def campaign() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Return judgments, and the runs of some systems; some documents tie, and some are not judged."""
    rng = np.random.default_rng(29)
    topics = [str(topic) for topic in range(TOPICS)]
    qrels = {topic: {f"d{place}": int(rng.integers(3)) for place in range(8)} for topic in topics}
    runs = {
        f"s{system}": {
            topic: {f"d{place}": float(rng.integers(1, 20)) for place in rng.permutation(11)[:6].tolist()}
            for topic in topics
        }
        for system in range(SYSTEMS)
    }
    return qrels, runs


@cache
def judged() -> JudgedRuns:
    qrels, runs = campaign()
    return md.judge(runs, qrels, depth=DEPTH)


def _numbers(*arrays: Any) -> list[Any]:
    return [np.asarray(each).tolist() for each in arrays]


def _evaluated() -> list[Any]:
    measures = ["nDCG", "AP", "ESL", "interval(P@3)"]
    tables = [md.evaluate(judged(), measures), md.evaluate(*campaign(), measures, ties="expected")]
    return [
        (each.values.tolist(), str(each.scale_label), [str(caveat) for caveat in each.caveats], each.exact is None)
        for table in tables
        for each in table
    ]


def _resampled() -> list[Any]:
    scores = md.parse("nDCG").scores(judged())
    return _numbers(
        md.compare(judged(), ["AP", "P@2"], test="bootstrap", draws=40).pairs.pvalues,
        md.statistics.randomisation(scores, permutations=40).pvalues,
        md.statistics.randomised_tukey(scores, permutations=40).pvalues,
        *bootstrap_interval(scores, resamples=40),
    )


def _levels() -> list[Any]:
    found = md.levels_matrix(judged(), test="randomisation", permutations=40)
    arrays = found.p, found.topics, found.every_measure, found.additive, found.dominance.relations
    return [*_numbers(*arrays), md.levels(judged(), "s0", "s1", test="randomisation", permutations=40).to_dict()]


def _margins() -> list[Any]:
    found = md.margins(judged(), "AP", "s0", "s1")
    compute_margins([found])
    return [found.to_dict(), *(md.margins_matrix(judged(), name).to_dict() for name in ("AP", "P@3"))]


JOBS: dict[str, Callable[[], Any]] = {
    "evaluate": _evaluated,
    "resampling": _resampled,
    "levels": _levels,
    "margins": _margins,
    "simulate": lambda: md.simulate(judged(), "RR@3", repetitions=8, effects=[1.0], tests=["t", "friedman"]).to_dict(),
    "scale tables": lambda: md.scale_effect(judged(), ["P", "RR"], 3, tests=["sign", "t"]).to_dict(),
}


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut jobs into several pieces, small as they are."""
    from measurand.statistics import draws

    monkeypatch.setattr(counting, "PIECE", 4 * SYSTEMS * TOPICS)
    monkeypatch.setattr(draws, "CHUNK", 16)
    monkeypatch.setattr(every_pair, "COUNTS", 1)
    monkeypatch.setattr(every_pair, "BLOCK", 4 * TOPICS**2)


@cache
def alone(job: str) -> str:
    """Return what one worker finds, in full."""
    with carried_out_by(Workers(1)):
        return json.dumps(JOBS[job](), default=str)


@pytest.mark.parametrize("job", JOBS)
@pytest.mark.parametrize(
    ("kind", "workers"), [(ThreadPoolExecutor, 2), (ThreadPoolExecutor, 7), (Elsewhere, 1), (Elsewhere, 3)]
)
def test_results_do_not_depend_on_the_number_of_workers(job, workers, kind):
    with carried_out_by(kind(workers)):
        assert json.dumps(JOBS[job](), default=str) == alone(job)


def test_results_of_processes_are_those_of_this_one():
    workers = Workers(2)
    with ProcessPoolExecutor(1, get_context("spawn")) as processes:
        workers._processes = processes  # as if they had been started for something before
        for job, executor in (("evaluate", processes), ("margins", workers), ("levels", processes)):
            with carried_out_by(executor):
                assert json.dumps(JOBS[job](), default=str) == alone(job)


@pytest.mark.parametrize("job", JOBS)
def test_results_do_not_depend_on_whether_workers_are_far_away(job, here, monkeypatch):
    monkeypatch.setattr(scores_by_blocks, "CELLS", 2 * DEPTH * 3)
    with carried_out_by(Cluster(here)):
        assert json.dumps(JOBS[job](), default=str) == alone(job)
    assert here.sent


def test_what_is_sent_far_away_is_small(here, monkeypatch):
    systems, topics, depth = 20, 50, 40
    cells = np.random.default_rng(1).integers(-1, 3, (systems, topics, depth), dtype=np.int8)
    campaign = JudgedRuns(
        systems=tuple(f"a system of a rather long name {system}" for system in range(systems)),
        topics=tuple(f"a topic {topic}" for topic in range(topics)),
        cells=cells,
        lengths=np.full((systems, topics), depth),
        grade_counts=np.full((topics, 3), 100),
    )
    monkeypatch.setattr(scores_by_blocks, "CELLS", 4 * topics * depth)
    blocks = campaign.cells.nbytes + campaign.lengths.nbytes + 5 * campaign.grade_counts.nbytes
    with carried_out_by(Cluster(here)):
        table = md.evaluate(campaign, ["nDCG", "AP", "P@5", "RR", "RBP(p=0.8)", "ERR@20"])
        # each block of grades once, whatever is computed of it
        assert len(here.sent) == 5
        assert sum(here.sent) + sum(here.shared) < blocks + 10_000
        here.forget()
        # permutations are drawn where they are counted
        md.statistics.randomisation(table["AP"], permutations=100)
        assert max(here.sent) < 3000
        assert sum(here.shared) < table["AP"].values.nbytes + 4000
        here.forget()
        # what needs the whole campaign has it once, without the names of documents
        md.scale_effect(campaign, ["P", "RR"], 3)
        assert max(here.sent) < 3000
        assert sum(here.shared) < blocks + 10_000


def test_results_of_a_cluster_are_those_of_this_process(client):
    for job in ("evaluate", "resampling", "margins"):
        with carried_out_by(client.get_executor()):
            assert json.dumps(JOBS[job](), default=str) == alone(job)


def test_functions_take_an_executor_and_methods_hand_it_on():
    with ThreadPoolExecutor(2) as threads:
        found = judged().levels_matrix(executor=threads), md.levels_matrix(judged(), executor=threads)
        assert found[0].to_dict() == found[1].to_dict()
        assert (
            judged().margins("AP", "s0", "s1", executor=threads).to_dict()
            == md.margins(judged(), "AP", "s0", "s1").to_dict()
        )
        judged().evaluate("P@3", executor=threads)
        judged().compare("P@3", executor=threads)
        judged().simulate("P@3", executor=threads, repetitions=2, tests="t")
        judged().margins_matrix("P@3", executor=threads)
        judged().levels("s0", "s1", executor=threads)
        md.scale_effect(judged(), "P@3", 3, executor=threads)
