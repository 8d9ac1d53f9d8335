"""What tests against the real packages of peers share; `make test-peers` runs them, where these are installed."""

from importlib.util import find_spec
from pathlib import Path

import pytest

import measurand as md


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Leave these tests out where the packages are not installed, and what makes recorded files anywhere."""
    return True if find_spec("pyterrier") is None or collection_path.name == "recorded" else None


@pytest.fixture(scope="session")
def qrels():
    """The judgments of the built-in sample: graded, one topic without a relevant document."""
    return md.read_qrels(md.sample.qrels()).to_dict()


@pytest.fixture(scope="session")
def runs():
    """Four runs of the built-in sample; one leaves topics out, one has ties, one has a topic that was never judged."""
    found = {run.name: run.to_dict() for run in map(md.read_run, md.sample.runs()[:4])}
    gaps, tied, more, _ = found.values()
    for topic in ("301", "305"):
        del gaps[topic]
    for documents in tied.values():
        documents |= {document: float(round(score)) for document, score in documents.items()}
    more["999"] = {"d1": 1.0}
    return found
