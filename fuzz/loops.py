"""The loops of interval scales in C against their definitions in Python: the same answers, to the bit.

What draws the arguments of each loop is in the tests of these loops. Called as `python -m fuzz.loops SEED SECONDS
FOLDER [CASE]`.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.harness import Different, run
from fuzz.sanitized import load

TESTS = Path(__file__).resolve().parent.parent / "tests" / "unit" / "intervals" / "test_native_loops.py"

Draw = Callable[[np.random.Generator], tuple[Any, ...]]


def tests() -> Any:
    """Return the tests of the loops: `LOOPS` has what draws arguments and the loop, `outcome` what a loop leaves."""
    spec = importlib.util.spec_from_file_location("test_native_loops", TESTS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def case(rng: random.Random) -> None:
    """Try one loop with arguments that fit together."""
    draw, loop = rng.choice(list(LOOPS.items()))
    arguments = draw(np.random.default_rng(rng.getrandbits(32)))
    if outcome(loop, draw, arguments) != outcome(loop.__wrapped__, draw, arguments):
        raise Different(f"{draw.__name__} leaves something else than its definition")


if __name__ == "__main__":
    load()
    found = tests()
    LOOPS, outcome = found.LOOPS, found.outcome
    run("loops", case)
