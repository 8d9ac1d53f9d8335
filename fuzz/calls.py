"""Calls of the extension module with wrong arguments: it answers or raises an error, and touches no other memory.

Calls that measurand itself makes are recorded; then one or a few of their arguments are spoilt: other types, lengths,
dimensions and numbers, arrays that are read-only, not contiguous, not aligned, or one and the same.
Called as `python -m fuzz.calls SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any

import numpy as np

from fuzz.harness import run
from fuzz.loops import tests
from fuzz.sanitized import load

native = load()

FUNCTIONS = {
    name: found for name in dir(native) if callable(found := getattr(native, name)) and not name.startswith("_")
}
"""All functions of the module, by name."""

TYPES = "int8 uint8 int32 int64 uint64 float32 float64 bool >i8 complex128 S3 U2 M8[s] O".split()

WHOLE = (0, 1, -1, 2, 3, 7, 255, 2**31 - 1, -(2**31), 2**31, 2**32, 2**62, 2**63 - 1, -(2**63), 2**64)
NUMBERS = (*WHOLE, 0.5, float("nan"), float("inf"))

Arguments = tuple[Any, ...]

recorded: dict[str, list[Arguments]] = {name: [] for name in FUNCTIONS}
"""Calls with right arguments, a few for every function."""

MOST_BYTES = 100_000
"""Larger arrays are not kept: a case should be quick."""


def _own(argument: Any) -> Any:
    """Return a copy of an argument in memory of its own, exactly as large."""
    if isinstance(argument, np.ndarray):
        return argument.copy()
    return bytes(bytearray(argument)) if isinstance(argument, bytes) else argument


def record() -> None:
    """Put functions that note their arguments in the place of the module's, and have measurand call them."""
    noting = ModuleType("measurand._native")

    def noted(name: str) -> Any:
        def call(*arguments: Any) -> Any:
            kept = recorded[name]
            if len(kept) < 12 and sum(getattr(one, "nbytes", 0) for one in arguments) <= MOST_BYTES:
                kept.append(tuple(map(_own, arguments)))
            return FUNCTIONS[name](*arguments)

        return call

    for name in FUNCTIONS:
        setattr(noting, name, noted(name))
    sys.modules["measurand._native"] = noting
    work()
    sys.modules["measurand._native"] = native


def work() -> None:
    """Call what calls the module: files are read, judged, scored and fused."""
    import measurand as md
    from measurand.judged.names import Names
    from measurand.trec import bulk
    from measurand.trec.files import Content

    lines = [f"{topic} Q0 d{i % 7}{i} {i} {30 - i // 2} {tag}" for tag in "ab" for topic in "xyz" for i in range(9)]
    data = "\n".join(lines).encode()
    for bulk.PIECE in (1 << 18, 200):
        runs = bulk.read_runs(Content("drawn", data)) or []
    judgments = b"\n".join(b"%c 0 d%d%d %d" % (topic, i % 7, i, i % 3) for topic in b"xy" for i in range(0, 9, 2))
    qrels = bulk.read_qrels(Content("drawn", judgments))
    md.evaluate(qrels, runs, ["nDCG@10", "AP"])
    md.fusion.fuse(runs)
    names = Names.of(["d1", "d22", "", "d1"]).arrays
    sys.modules["measurand._native"].are_same(*names, *names)


def record_loops() -> None:
    """Have the loops of interval scales called with arguments that their tests draw."""
    for draw in tests().LOOPS:
        for seed in range(12):
            arguments = draw(np.random.default_rng(seed))
            recorded[draw.__name__].append(tuple(map(_own, arguments)))


def _spoilt_array(rng: random.Random, array: np.ndarray) -> Any:
    if array.ndim == 0 or array.dtype.kind not in "iufb":
        return array
    what = rng.randrange(12)
    size = array.size
    if what == 0:
        return array.astype(rng.choice(TYPES), casting="unsafe")
    if what == 1:
        return array[: rng.randrange(len(array) + 1)].copy()
    if what == 2:
        return np.concatenate([array, array[: rng.randrange(len(array) + 1)]])
    if what == 3:
        return array[..., None] if rng.random() < 0.5 else array.reshape(-1)
    if what == 4:
        return np.repeat(array, 2, axis=0)[::2] if size else array
    if what == 5:
        return array[::-1]
    if what == 6:  # not aligned
        memory = np.empty(array.nbytes + 1, dtype=np.uint8)
        odd = memory[1:].view(array.dtype).reshape(array.shape)
        odd[...] = array
        return odd
    if what == 7:
        array.flags.writeable = False
        return array
    if size and array.flags.writeable and array.flags.c_contiguous:
        flat = array.reshape(-1)
        for _ in range(rng.choice((1, 1, 1, 2, 5, size))):
            number = rng.choice(NUMBERS) if rng.random() < 0.6 else rng.randrange(-5, size + 5)
            flat[rng.randrange(size)] = np.array(number, dtype=np.float64).astype(array.dtype)
        if what == 8:
            flat[:] = np.frombuffer(rng.randbytes(array.nbytes), dtype=array.dtype)
    return array


def _spoilt(rng: random.Random, argument: Any, others: list[Any]) -> Any:
    if rng.random() < 0.05:
        return rng.choice((None, 3, -1, 2**70, 1.5, "text", b"", b"bytes", [], {}, np.int64(3), np.zeros(()), object()))
    if rng.random() < 0.05:
        return rng.choice(others)
    if isinstance(argument, np.ndarray):
        return _spoilt_array(rng, argument)
    if isinstance(argument, bytes):
        return rng.randbytes(rng.randrange(2 * len(argument) + 2))
    if isinstance(argument, bool | int | float):
        return rng.choice(NUMBERS) if rng.random() < 0.5 else rng.randrange(-3, 300)
    return argument


def case(rng: random.Random) -> None:
    """Call a function with arguments of which some are spoilt; any error of Python is a fine answer."""
    name = rng.choice(list(FUNCTIONS))
    known = recorded[name]
    arguments = [_own(one) for one in rng.choice(known)] if known else [np.zeros(3)] * rng.randrange(12)
    for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
        if arguments:
            at = rng.randrange(len(arguments))
            arguments[at] = _spoilt(rng, arguments[at], arguments)
    if rng.random() < 0.02:
        arguments = arguments[: rng.randrange(len(arguments) + 1)]
    with suppress(TypeError, ValueError, OverflowError, BufferError, MemoryError):
        FUNCTIONS[name](*arguments)


if __name__ == "__main__":
    np.seterr(all="ignore")
    record()
    record_loops()
    silent = [name for name, calls in recorded.items() if not calls]
    unheard = ", ".join(silent) or "none"
    print(f"calls: {len(FUNCTIONS)} functions, of which measurand was not heard to call: {unheard}", file=sys.stderr)
    run("calls", case)
