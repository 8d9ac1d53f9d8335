"""What every test may use: the rows of the conformance checklist, and data beside the checkout."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import settings

# how long an example takes depends on the machine and on what is loaded already; no test is timed. Laws are tried on
# fewer examples than Hypothesis would, to keep the whole run within bounds; those that need more say so
settings.register_profile("patient", deadline=None, max_examples=70)
settings.load_profile("patient")

TESTS = Path(__file__).resolve().parent
SHARED = TESTS.parent.parent / "shared"


def spec_ids() -> frozenset[str]:
    """Return the ids of all rows of the conformance checklist."""
    with (TESTS / "golden" / "rows.toml").open("rb") as file:
        return frozenset(row for rows in tomllib.load(file)["rows"].values() for row in rows)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Refuse a test that claims a row which the checklist does not have."""
    known = spec_ids()
    for item in items:
        for mark in item.iter_markers("spec"):
            unknown = [row for row in mark.args if row not in known]
            if unknown or not mark.args:
                raise pytest.UsageError(
                    f"{item.nodeid}: the checklist has no row {', '.join(unknown) or '(none named)'}"
                )


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real runs and qrels beside the checkout, or skip."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the real data (shared/data) is not beside this checkout")
    return SHARED / "data"
