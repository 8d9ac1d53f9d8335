"""What every test may use: how laws are tried, and data beside the checkout."""

from __future__ import annotations

import os
from pathlib import Path

# before numpy is loaded: matrices of tests are small, and threads that wait for each other keep all cores busy
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("house", deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

ROOT = Path(__file__).resolve().parents[1]

collect_ignore = ["carried", "mutants.py", "parity/recording.py"]


def folder(path: Path) -> Path:
    if not path.is_dir():
        pytest.skip(f"{path} is not beside this checkout")
    return path


@pytest.fixture(scope="session")
def data() -> Path:
    """Real runs and judgments."""
    return folder(ROOT.parent / "shared" / "data")


@pytest.fixture(scope="session")
def sample() -> Path:
    """The built-in campaign: sample.qrels.gz, and runs/*.run.gz of twelve systems."""
    return folder(ROOT / "src" / "measurand" / "sample" / "data")
