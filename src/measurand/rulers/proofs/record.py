"""What has been proved about ties of measures that discount by a logarithm, and whether a measure is covered.

A proof for some bases and bounds covers every measure with fewer bases and closer bounds, so a few proofs cover
everyday depths: for each base all that its block can be worth at a depth, whatever the base of the discount is.
"""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import gcd, lcm
from typing import Any

from attrs import frozen

from measurand.exact.certified import primitive_root
from measurand.rulers.position import NONE, PROVED, SCHANUEL
from measurand.rulers.proofs.lattice import Reach, reaches_of
from measurand.rulers.sums.blocks import Blocks

RECORD = "proved.toml"
"""The file beside this one that says what was proved, when, and with what outcome."""


def everyday_reaches(through: int, gain: int) -> dict[int, Reach]:
    r"""Return what blocks can differ by, for discounts :math:`1/\log_b i` with any base and `i` up to a number.

    The ranks :math:`k, k^2, \dots, k^j` are worth :math:`1, 1/2, \dots, 1/j` times :math:`1/\ln k` each. If the base
    of the discount is :math:`k^t`, so many ranks, worth :math:`1/t` each, come first.

    Parameters
    ----------
    through
        The largest number whose logarithm is used.
    gain
        The largest gain, where gains are whole numbers.

    Examples
    --------
    >>> everyday_reaches(4, 1)
    {2: Reach(unit=Fraction(1, 2), most=7), 3: Reach(unit=Fraction(1, 1), most=4)}
    """
    reaches = {}
    for base in range(2, through + 1):
        if primitive_root(base)[1] == 1:
            powers = _powers(base, through)
            parts = lcm(*powers)
            first = max(Fraction(base**power, power) for power in powers)
            most = (first + sum(Fraction(1, power) for power in powers)) * parts * gain
            reaches[base] = Reach(Fraction(1, parts), int(most))
    return reaches


def assumption_for(blocks: Blocks) -> str:
    """Return what it rests on that the blocks of a measure do not make up for each other.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> assumption_for(Blocks.of([Fraction(1), Fraction(1), inverse_log(3, 2)], [0, 1]))
    'proved for this depth'
    >>> assumption_for(Blocks.of([Fraction(1), Fraction(1, 2)], [0, 1]))
    'none'
    """
    if not blocks.irrational:
        return NONE
    reaches = reaches_of(blocks)
    gains = [int(gain) for gain in blocks.gains]
    step = gcd(*(gain - gains[0] for gain in gains)) or 1
    through = max(max(block.ranks[-1] for block in blocks.blocks), max(reaches))
    factors = [Fraction(1, step * power) for power in _powers(2, through)]
    covered = any(proof.covers(reaches, factor) for proof in recorded() for factor in factors)
    return PROVED if covered else SCHANUEL


@frozen
class Proof:
    """A proof that was carried out.

    Parameters
    ----------
    through, gain
        For which blocks: see `everyday_reaches`.
    call
        What was called, from Python.
    when
        The day.
    outcome
        The argument of the verdict, word for word.
    """

    through: int
    gain: int
    call: str
    when: str
    outcome: str

    @property
    def reaches(self) -> dict[int, Reach]:
        """What was proved not to vanish."""
        return everyday_reaches(self.through, self.gain)

    def covers(self, reaches: dict[int, Reach], factor: Fraction = Fraction(1)) -> bool:
        """Say whether the proof is also one for other blocks, all of them multiplied by a factor."""
        known = _known(self.through, self.gain)
        return all(
            base in known and known[base].covers(Reach(reach.unit * factor, reach.most))
            for base, reach in reaches.items()
        )


@cache
def recorded() -> tuple[Proof, ...]:
    """Return the proofs that were carried out.

    Examples
    --------
    >>> all(proof.through >= 101 for proof in recorded())
    True
    """
    text = files("measurand.rulers.proofs").joinpath(RECORD).read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = tomllib.loads(text)["proof"]
    return tuple(Proof(**entry) for entry in entries)


@cache
def _known(through: int, gain: int) -> dict[int, Reach]:
    return everyday_reaches(through, gain)


def _powers(base: int, through: int) -> list[int]:
    """Return 1 up to the highest power of a base that is no larger than a number."""
    powers = [1]
    while base ** (powers[-1] + 1) <= through:
        powers.append(powers[-1] + 1)
    return powers
