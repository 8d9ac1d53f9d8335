"""Counts how often the gate is wrong about topics like these: `python benchmarks/gate_errors.py`.

Draws 50 and 500 topics of near twins: a share of the topics changes, the others do not. 0.01 is allowed, one topic can
change by 1 at most, alpha is 0.05. *False passes*: the mean over all topics drops by just more than 0.01, and the gate
passes. *False failures*: it drops by 0.01 exactly, and the gate fails. Topics that change do so by the same amount, or
by uniform amounts from 0 on, or by skewed ones (beta), or up and down by 0.3 more or less than the mean; of these the
worst is shown. *Passes*: the mean does not change, and topics that change do so by up to 0.2 up and down. *Fails*: the
mean drops by 0.03, and topics that change do so by up to 0.3 more or less. All in percent of the draws in which some
topic changed; *t alone* is what the paired t interval would have said everywhere. The second table has models made to
deceive it: drops that are rare and large, on top of noise on every topic, just more in the mean than is allowed; and
the same turned round, rare large gains among many small drops, in the mean a drop of what is allowed.
`docs/how-to/nightly-regression.md` has its output. Takes about a minute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import stdtrit

from measurand.arrays import FloatArray
from measurand.study.gate_inference import inferred

ALLOWED, ALPHA, LARGEST = 0.01, 0.05, 1.0
SHARES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
KINDS = ("same", "uniform", "skewed", "both ways")
DRAWS = {50: 20_000, 500: 5_000}
BLOCK = 1_000
SMALL, WIDE, CLEAR = 0.2, 0.3, 0.03
ROUNDING = 1e-12

T = {topics: float(stdtrit(topics - 1, 1 - ALPHA)) for topics in DRAWS}

Model = Callable[[tuple[int, int], np.random.Generator], FloatArray]
"""Draws changes: as many samples of as many topics as it is told."""


def twins(share: float, drop: float, kind: str) -> Model:
    """Return near twins of which a share of topics changes, so that the mean drops by so much."""
    mean = min(LARGEST, drop / share)

    def draw(shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        width = min({"same": 0.0, "uniform": mean, "both ways": WIDE, "small": SMALL}.get(kind, 0.0), LARGEST - mean)
        if kind == "skewed" and mean < LARGEST:
            sizes = rng.beta(1.0, LARGEST / mean - 1.0, shape)
        else:
            sizes = mean + width * rng.uniform(-1, 1, shape)
        return np.where(rng.random(shape) < share, -sizes, 0.0)

    return draw


def rare(noise: float, size: float, chance: float) -> Model:
    """Return changes by noise on every topic, and by a lot, down, on a few."""

    def draw(shape: tuple[int, int], rng: np.random.Generator) -> FloatArray:
        return np.where(rng.random(shape) < chance, -size, noise * rng.uniform(-1, 1, shape))

    return draw


def turned(model: Model, shift: float) -> Model:
    """Return a model turned round and moved down."""
    return lambda shape, rng: -model(shape, rng) - shift


def counted(model: Model, topics: int, limit: float, rng: np.random.Generator) -> FloatArray:
    """Return how often the gate passes and fails, and t alone would, in percent, where some topic changed."""
    found = []
    for _ in range(DRAWS[topics] // BLOCK):
        changes = model((BLOCK, topics), rng)
        changes = changes[changes.any(axis=1)]
        means, spreads = changes.mean(axis=1), changes.std(axis=1, ddof=1)
        _, low, high = inferred(changes, means, spreads, LARGEST, ALPHA)
        reach = T[topics] * spreads / np.sqrt(topics)
        passes = low >= -limit, means - reach >= -limit
        fails = high < -limit - ROUNDING, means + reach < -limit - ROUNDING
        found.append(np.array([*passes, *fails]))
    return 100 * np.concatenate(found, axis=1).mean(axis=1)


def worst(share: float, topics: int, drop: float, limit: float, rng: np.random.Generator) -> list[FloatArray]:
    """Return what is counted of all kinds of near twins."""
    return [counted(twins(share, drop, kind), topics, limit, rng) for kind in KINDS]


def row(topics: int, share: float, rng: np.random.Generator) -> list[str]:
    """Return what is counted of near twins on so many topics, of which such a share changes."""
    at_limit = worst(share, topics, ALLOWED, ALLOWED - ROUNDING, rng)
    just = worst(share, topics, ALLOWED, ALLOWED, rng)
    same = counted(twins(share, 0.0, "small"), topics, ALLOWED, rng)
    clear = counted(twins(share, CLEAR, "both ways"), topics, ALLOWED, rng) if share >= CLEAR else None
    cells = [max(each[0] for each in at_limit), max(each[1] for each in at_limit)]
    cells += [max(each[2] for each in just), max(each[3] for each in just), same[0], same[1]]
    shown = [f"{cell:.1f}" for cell in cells]
    shown += ["–", "–"] if clear is None else [f"{clear[at]:.1f}" for at in (2, 3)]
    return [f"{topics}", f"{share:.0%}", *shown]


HOSTILE = (
    (0.0, 0.6, 0.02),
    (0.0, 0.18, 0.06),
    (0.001, 0.6, 0.02),
    (0.02, 0.6, 0.02),
    (0.05, 0.6, 0.02),
    (0.16, 0.9, 0.02),
    (0.2, 0.6, 0.02),
)


def main() -> None:
    rng = np.random.default_rng(0)
    heads = ["topics", "changed", "false passes", "t alone", "false failures", "t alone", "passes", "t alone"]
    heads += ["fails", "t alone"]
    print(f"| {' | '.join(heads)} |\n|{'--:|' * len(heads)}")
    for topics in DRAWS:
        for share in SHARES:
            print(f"| {' | '.join(row(topics, share, rng))} |", flush=True)
    heads = [
        "topics",
        "noise",
        "drop",
        "of topics",
        "false passes",
        "t alone",
        "turned round: false failures",
        "t alone",
    ]
    print(f"\n| {' | '.join(heads)} |\n|{'--:|' * len(heads)}")
    for topics in DRAWS:
        for noise, size, chance in HOSTILE:
            drop = size * chance
            false = counted(rare(noise, size, chance), topics, drop - ROUNDING, rng)[:2]
            # a mean drop of just what is allowed, made of common small drops and rare large gains
            back = counted(turned(rare(noise, size, chance), drop + ALLOWED), topics, ALLOWED, rng)[2:]
            numbers = [f"{each:.1f}" for each in (*false, *back)]
            print(f"| {topics} | {noise:g} | {size:g} | {chance:.0%} | {' | '.join(numbers)} |", flush=True)


if __name__ == "__main__":
    main()
