r"""Proofs that inverse logarithms do not cancel, as far as the ranks of DCG need it.

The ruler of DCG takes two runs for different if they differ in the sum of a block
(`measurand.intervals.independent_blocks`). That is right if :math:`1/\ln 2, 1/\ln 3, 1/\ln 5, \dots` have no linear
relation with small whole coefficients. It follows from Schanuel's conjecture ([Lang1966]_, page 30), which nobody has
proved; but for given bounds of the coefficients it can be proved by computation, with lattice reduction
([Lenstra1982]_). The proofs that were carried out (`proved.toml`) cover everyday depths: 100 ranks of gains up to 1000
and 200 of gains up to 100. A proof for some bases and bounds covers every measure with fewer bases and closer bounds.
Repeating one takes python-flint and minutes; looking up whether a measure is covered takes nothing.

*The argument.* Two runs with different sums in some blocks tie only if :math:`\sum_k d_k u_k / \ln k = 0` for whole
numbers :math:`d_k`, not all 0, with known bounds :math:`|d_k| \le D_k`; here `k` is the base of a block and
:math:`u_k` its rational unit. Put :math:`a_k`, whole numbers next to :math:`C u_k / \ln k`, behind a diagonal matrix
with entries :math:`s_k`. The combination of the rows with the coefficients of a tie is a vector no longer than `R`,

.. math:: R^2 = \sum_k (s_k D_k)^2 + \Big(\sum_k D_k\Big)^2,

while no vector of the lattice other than 0 is shorter than the shortest vector that orthogonalising a basis leaves. A
reduced basis whose orthogonalised vectors are all longer than `R` therefore proves that there is no tie. The reduction
itself is not trusted: that its outcome spans the lattice, and how long the vectors are, is checked with whole numbers
and with enclosures.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import ceil, gcd, lcm, log2
from typing import Any

from attrs import frozen

from measurand.exact import InverseLogs
from measurand.exact.certified import primitive_root
from measurand.intervals.independent_blocks import Block, Blocks
from measurand.intervals.ruler import NONE, PROVED, SCHANUEL
from measurand.loading import needed
from measurand.verdict import How, Verdict

_TRIES = 4
_SPARE_BITS = 1.0

RECORD = "proved.toml"
"""The file beside this one that says what was proved, when, and with what outcome."""


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


def prove(blocks: Blocks) -> Verdict:
    """Prove that runs of a measure tie only if they agree on the sum of every block; needs python-flint.

    The verdict does not hold where the reduction does not decide, which says nothing about ties.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> weights = [Fraction(1), Fraction(1), *(inverse_log(rank, 2) for rank in range(3, 11))]
    >>> verdict = prove(Blocks.of(weights, [0, 1]))
    >>> verdict.holds, str(verdict.how), verdict.checked
    (True, 'proved', '6 bases of logarithms from 2 to 10')
    """
    return prove_independence(reaches_of(blocks))


def prove_independence(reaches: Reaches) -> Verdict:
    r"""Prove that no choice of multiples within reach makes :math:`\sum_k d_k u_k/\ln k` vanish, other than all 0.

    Examples
    --------
    >>> bool(prove_independence({2: Reach(Fraction(1), 100), 3: Reach(Fraction(1), 100), 5: Reach(Fraction(1), 100)}))
    True
    """
    checked = f"{len(reaches)} bases of logarithms from {min(reaches)} to {max(reaches)}"
    spare = _SPARE_BITS
    for _ in range(_TRIES):
        lattice = _Lattice.of(reaches, spare)
        shortest = lattice.shortest()
        if shortest is not None and shortest > lattice.square:
            argument = (
                f"a tie would be a vector of length at most {_shown(lattice.square)} in a lattice of dimension "
                f"{len(reaches)} ({lattice.bits} bits), of which a reduced basis shows that no vector is shorter than "
                f"{_shown(shortest)}"
            )
            return Verdict(True, None, checked, How.PROVED, argument)
        spare *= 2
    argument = f"the reduction of a lattice of dimension {len(reaches)} with {lattice.bits} bits did not decide"
    return Verdict(False, None, checked, How.FAILED, argument)


@frozen
class Reach:
    r"""Which multiples of :math:`1/\ln k` a block can differ by: :math:`d u` for whole :math:`|d| \le` `most`.

    Examples
    --------
    >>> sixths, halves = Reach(Fraction(1, 6), 12), Reach(Fraction(1, 2), 3)
    >>> sixths.covers(halves), halves.covers(sixths)
    (True, False)
    """

    unit: Fraction
    most: int

    def covers(self, other: Reach) -> bool:
        """Return whether all that another block can differ by is among what this one can."""
        return (other.unit / self.unit).denominator == 1 and other.unit * other.most <= self.unit * self.most


Reaches = Mapping[int, Reach]
"""For each base of a logarithm what its block can differ by."""


def reaches_of(blocks: Blocks) -> dict[int, Reach]:
    r"""Return what the blocks of a measure can differ by, for each base `k`.

    Rational weights, which are multiples of :math:`\ln r/\ln r`, belong to the root `r` of the discount.

    Examples
    --------
    >>> from measurand.exact import inverse_log
    >>> blocks = Blocks.of([Fraction(1), Fraction(1), inverse_log(3, 2), inverse_log(4, 2)], [0, 1])
    >>> reaches_of(blocks)
    {2: Reach(unit=Fraction(1, 2), most=5), 3: Reach(unit=Fraction(1, 1), most=1)}
    """
    root = next((block.unit.root for block in blocks.blocks if isinstance(block.unit, InverseLogs)), 2)
    return dict(sorted(_reach(block, root) for block in blocks.blocks))


def _reach(block: Block, root: int) -> tuple[int, Reach]:
    step = gcd(*(units - block.sums[0] for units in block.sums)) or 1
    most = (block.sums[-1] - block.sums[0]) // step
    if isinstance(block.unit, InverseLogs):
        ((base, share),) = block.unit.terms
        assert isinstance(base, int)  # blocks are made of whole ranks
        return base, Reach(share * step, most)
    return root, Reach(block.unit * step, most)


@frozen(eq=False)
class _Lattice:
    """Rows of a diagonal matrix, and one column of rounded numbers behind it.

    Parameters
    ----------
    scales, column
        The entries of the diagonal and of the column.
    square
        The square of the longest that the vector of a tie can be.
    bits
        How many bits the rounded numbers have behind the point.
    """

    scales: list[int]
    column: list[int]
    square: int
    bits: int

    @classmethod
    def of(cls, reaches: Reaches, spare: float) -> _Lattice:
        """Return the lattice, precise enough for a reduced basis to have long vectors, with some bits to spare."""
        bounds = [reach.most for reach in reaches.values()]
        together, count = sum(bounds), len(bounds)
        scales = [ceil(together / bound) for bound in bounds]
        # the volume has to exceed the radius to the power of the dimension
        average = sum(log2(bound) for bound in bounds) / count
        bits = ceil(count * (average + log2(count + 1) / 2 + 0.03 * count + spare))
        square = sum((scale * bound) ** 2 for scale, bound in zip(scales, bounds, strict=True)) + together**2
        column = [_rounded(base, reach.unit, bits) for base, reach in reaches.items()]
        return cls(scales, column, square, bits)

    def shortest(self) -> int | None:
        """Return a square that no orthogonalised vector of a reduced basis is below; None if that is not certain."""
        flint = needed("flint", "proofs", "a proof of independence")
        count = len(self.scales)
        rows = [[self.scales[i] if i == j else 0 for j in range(count)] + [self.column[i]] for i in range(count)]
        reduced = flint.fmpz_mat(rows).lll()
        if not self._spanned_by(reduced.tolist()):
            return None
        return _least_square(reduced, self.bits)

    def _spanned_by(self, rows: list[list[Any]]) -> bool:
        """Check that rows span the lattice: they are combinations of its rows, of determinant 1 or -1."""
        flint = needed("flint", "proofs", "a proof of independence")
        ways = []
        for row in rows:
            way = [int(entry) // scale for entry, scale in zip(row, self.scales, strict=False)]
            again = [part * scale for part, scale in zip(way, self.scales, strict=True)]
            last = sum(part * number for part, number in zip(way, self.column, strict=True))
            if [int(entry) for entry in row] != [*again, last]:
                return False
            ways.append(way)
        return abs(int(flint.fmpz_mat(ways).det())) == 1


def _rounded(base: int, unit: Fraction, bits: int) -> int:
    r"""Return a whole number less than 1 away from :math:`2^{bits} u / \ln k`, for certain."""
    flint = needed("flint", "proofs", "a proof of independence")
    with flint.ctx.workprec(bits + 64):
        exact = flint.arb(flint.fmpq(unit.numerator, unit.denominator)) / flint.arb(base).log() * 2**bits
        whole = int((exact.mid() + flint.arb("0.5")).floor().unique_fmpz())
        if not (exact - whole) ** 2 < 1:
            raise ArithmeticError(f"the logarithm of {base} is not known well enough")
    return whole


def _least_square(basis: Any, bits: int) -> int | None:
    """Return a whole number that no squared length of the orthogonalised rows of a matrix is below.

    They are the pivots of the exact matrix of inner products, computed with enclosures.
    """
    flint = needed("flint", "proofs", "a proof of independence")
    products = basis * basis.transpose()
    count = products.nrows()
    with flint.ctx.workprec(256 + 4 * count + bits // 8):
        left = [[flint.arb(products[i, j]) for j in range(i + 1)] for i in range(count)]
        least = None
        for i in range(count):
            pivot = left[i][i]
            if not pivot > 0:
                return None
            below = int(pivot.lower().floor().unique_fmpz())
            least = below if least is None else min(least, below)
            for j in range(i + 1, count):
                factor = left[j][i] / pivot
                for k in range(i + 1, j + 1):
                    left[j][k] -= factor * left[k][i]
    return least


def _shown(square: int) -> str:
    return f"{square**0.5:.4g}"


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
        """Return whether the proof is also one for other blocks, all of them multiplied by a factor."""
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
    text = files("measurand.intervals").joinpath(RECORD).read_text(encoding="utf-8")
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
