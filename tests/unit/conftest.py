"""What the unit tests share: both readers in turn, the text of a page, profiles and comparisons made once, and a
cluster."""

from __future__ import annotations

import io
import pickle
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest

import measurand.native as native
from measurand import compare, read_qrels, read_run, sample
from measurand.execution import cluster
from measurand.study.comparison import SystemComparison
from measurand.study.profile import Profile, profile


@pytest.fixture
def in_c():
    """Skip a test of the module in C where there is none."""
    if not native.is_there():
        pytest.skip("there is no module in C")


@pytest.fixture(params=["by lines", "in C"])
def reader(request, monkeypatch):
    """Both readers in turn: the line reader alone, and loops in C for whatever is regular."""
    if request.param == "by lines":
        monkeypatch.setattr(native, "_found", None)
    return request.param


def _run(data: bytes) -> dict[str, dict[str, float]]:
    run = read_run(io.BytesIO(data))
    return {
        topic: dict(zip(run.documents_of(topic), run.document_scores[run.rows(topic)], strict=True))
        for topic in run.topics
    }


def _qrels(data: bytes) -> dict[str, dict[str, int]]:
    qrels = read_qrels(io.BytesIO(data))
    return {
        topic: dict(zip(qrels.documents_of(topic), qrels.grades[qrels.rows(topic)], strict=True))
        for topic in qrels.topics
    }


@pytest.fixture
def run_in(reader):
    """Return what the public function reads from the bytes of a run file, by either reader."""
    return _run


@pytest.fixture
def qrels_in(reader):
    """Return what the public function reads from the bytes of a judgment file, by either reader."""
    return _qrels


class Page(HTMLParser):
    """The text that a browser would show."""

    text = ""

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture
def text_of():
    """Return what a browser would show of some HTML, without its markup."""

    def shown(html: str) -> str:
        page = Page()
        page.feed(html)
        page.close()
        return page.text

    return shown


@pytest.fixture(scope="session")
def profile_of() -> Callable[..., Profile]:
    """Return a way to ask for the profile of a measure, which remembers those it has made."""
    return cache(lambda name, depth=4, grades=2: profile(name, depth, grades))


@pytest.fixture(scope="session")
def compared_sample() -> Callable[..., SystemComparison]:
    """Return a way to compare the systems of the sample under some measures, which remembers what it has compared."""
    return cache(lambda *measures, **options: compare(sample.qrels(), sample.runs(), list(measures), **options))


@pytest.fixture(scope="session")
def local():
    """Return a cluster of Dask with two workers, each a process; one that dies is replaced."""
    import dask.config
    from distributed import LocalCluster

    # a worker in the place of one that was killed need not load everything again
    dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"})
    with LocalCluster(
        n_workers=2, processes=True, threads_per_worker=1, dashboard_address=":0", host="127.0.0.1", silence_logs=50
    ) as local:
        yield local


@pytest.fixture(scope="session")
def client(local):
    from distributed import Client

    with Client(local) as client:
        yield client


class Done:
    """What came of a piece that was carried out at once."""

    status = "finished"

    def __init__(self, key: str, outcome: Any) -> None:
        self.key, self.outcome = key, outcome

    def add_done_callback(self, called: Any) -> None:
        called(self)


class Here:
    """A client whose workers are this process, and that notes how many bytes pieces weigh, and what they share."""

    asynchronous, status, scheduler = False, "running", None

    def __init__(self, threads: int = 2) -> None:
        self.workers = {"tcp://a:1": threads}
        self.sent: list[int] = []
        self.shared: list[int] = []
        self.answer: Any = self.run_on_scheduler(eval, cluster.QUESTION)

    def forget(self) -> None:
        """Forget what was sent."""
        self.sent, self.shared = [], []

    def nthreads(self) -> dict[str, int]:
        return self.workers

    def run(self, *_: object, workers: list[str], **__: object) -> dict[str, Any]:
        return dict.fromkeys(workers, self.answer)

    def run_on_scheduler(self, function: Any, *args: Any) -> Any:
        return function(*args)

    def submit(self, function: Any, expression: str, names: dict[str, Any], key: str, pure: bool) -> Done:
        assert not pure
        weights = self.shared if expression == cluster.HOLD else self.sent
        weights.append(len(pickle.dumps([each for each in names.values() if not isinstance(each, Done)])))
        known = {name: each.outcome if isinstance(each, Done) else each for name, each in names.items()}
        return Done(key, function(expression, known))


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Here:
    """Return a client whose workers are this process."""
    monkeypatch.setattr(cluster._Job, "_gathered", lambda _, futures: [future.outcome for future in futures])
    return Here()
