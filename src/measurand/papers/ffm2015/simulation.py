"""Two simulated systems, one good early and one good late, and how often a t test tells them apart."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Literal

import numpy as np
from attrs import frozen

from measurand.arrays import Cells, FloatArray
from measurand.axioms.closed_forms import persistence
from measurand.display.result import Result
from measurand.errors import ParameterError
from measurand.exact import rational, whole_number
from measurand.execution import Progress, Rng, silent
from measurand.execution import generator as generator_of
from measurand.judged import JudgedRuns
from measurand.measures import Measure, as_measure

SYSTEMS = ("early", "late")
"""The systems: the first has more relevant documents near the top, the second further down."""

SHARES = (
    (Fraction(1, 5), Fraction(1, 5)),
    (Fraction(7, 10), Fraction(3, 10)),
    (Fraction(1, 10), Fraction(7, 10)),
)
"""The share of relevant documents to the break, from there to the end of the head, and below; by system."""

LENGTH = 1000
HEAD = 20

CELLS = 2_000_000
"""How many cells are simulated at a time, so that memory stays small."""

Generator = Literal["fixed", "bernoulli"]


@frozen(repr=False)
class Rejections(Result):
    """How often a t test rejected that the two simulated systems have the same mean.

    Parameters
    ----------
    measure
        The spelling of the measure.
    break_rank
        The last rank where the systems are alike.
    rate, standard_error
        The share of the repetitions that rejected, and the standard error of that share.
    mean_difference, difference_error
        The mean over repetitions of `early` minus `late`, in the values as they are, and its standard error.
    generator
        How relevant documents were drawn, as for `simulated_runs`.
    repetitions, topics
        How many pairs of systems were simulated, and on how many topics each.
    alpha
        The level of the test.
    paired
        Whether the test was paired.
    length
        How many ranks the runs have.

    Examples
    --------
    >>> found = rejection_rate("P", 20, repetitions=4, topics=5, rng=1)
    >>> found.generator, found.rate, round(found.mean_difference, 12)
    ('fixed', 1.0, -0.588)

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1b
    """

    measure: str
    break_rank: int
    rate: float
    standard_error: float
    mean_difference: float
    difference_error: float
    generator: Generator
    repetitions: int
    topics: int
    alpha: float
    paired: bool
    length: int = LENGTH


def simulated_runs(
    break_rank: int,
    *,
    topics: int,
    length: int = LENGTH,
    head: int = HEAD,
    generator: Generator = "fixed",
    rng: Rng,
) -> JudgedRuns:
    """Return simulated judged runs of the two systems `early` and `late`.

    Both have 20 % relevant documents down to the break. From there to the end of the head `early` has
    70 % and `late` 30 %; below the head `early` has 10 % and `late` 70 %.

    Parameters
    ----------
    break_rank
        The last rank where the systems are alike, from 0 to `head`.
    topics
        How many topics to simulate.
    length
        How many ranks the runs have.
    head
        How many ranks the head has.
    generator
        `"fixed"`: exactly these shares, rounded to whole documents (halves up), at random ranks;
        `"bernoulli"`: every document is relevant by chance, with the share as its probability.
    rng
        A generator of random numbers, or a seed for one.

    Examples
    --------
    >>> runs = simulated_runs(8, topics=3, rng=1)
    >>> [runs.cells[:, :, ranks].sum(axis=2).tolist() for ranks in (slice(0, 8), slice(8, 20))]
    [[[2, 2, 2], [2, 2, 2]], [[8, 8, 8], [4, 4, 4]]]

    Notes
    -----
    The recall base is the length of the runs, as the papers have it where nothing is said.

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 2
    """
    sizes = _sizes(break_rank, length, head)
    topics, rng = whole_number("topics", topics), generator_of(rng)
    draw = {"fixed": _fixed, "bernoulli": _bernoulli}[_known(generator)]
    systems = [
        np.concatenate([draw(size, shares[system], topics, rng) for size, shares in zip(sizes, SHARES, strict=True)], 1)
        for system in range(len(SYSTEMS))
    ]
    return JudgedRuns(
        systems=SYSTEMS,
        topics=tuple(str(topic) for topic in range(1, topics + 1)),
        cells=np.stack(systems),
        lengths=np.full((len(SYSTEMS), topics), length),
        grade_counts=np.full((topics, 2), length),
    )


def rejection_rate(
    measure: Measure | str,
    break_rank: int,
    *,
    repetitions: int,
    topics: int = 50,
    length: int = LENGTH,
    alpha: float = 0.05,
    paired: bool = True,
    generator: Generator = "fixed",
    rng: Rng,
    progress: Progress = silent,
) -> Rejections:
    """Return how often Student's t test tells the two simulated systems apart under a measure.

    Parameters
    ----------
    measure
        A measure or its spelling.
    break_rank
        The last rank where the systems are alike.
    repetitions
        How many pairs of systems to simulate.
    topics
        How many topics each pair of systems has.
    length
        How many ranks the runs have. Where a measure gives no weight to speak of to what lies further down,
        shorter runs say the same sooner.
    alpha
        The level of the test.
    paired
        Whether to test the differences topic by topic, or the two systems as independent samples.
    generator, rng
        As for `simulated_runs`.
    progress
        Shows how far it is.

    Examples
    --------
    >>> rejection_rate("RBP(p=0.8)", 0, repetitions=10, rng=1).rate
    1.0

    Notes
    -----
    The rate depends on the generator: at break rank 8 it is about 0.89 under RBP(p=0.8) with fixed
    shares and 0.53 with shares by chance. Repetitions without any difference count as not rejected.

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1b
    """
    measure, rng = as_measure(measure), generator_of(rng)
    repetitions, topics = whole_number("repetitions", repetitions), whole_number("topics", topics, 2)
    length = whole_number("length", length)
    if not 0 < (alpha := float(rational(alpha))) < 1:
        raise ParameterError(f"alpha must lie between 0 and 1, both excluded, not {alpha!r}")
    rejected, differences = [], []
    chunks = list(_chunks(repetitions, max(1, CELLS // (len(SYSTEMS) * topics * length))))
    for chunk in progress(chunks, len(chunks), "simulated repetitions"):
        runs = simulated_runs(break_rank, topics=chunk * topics, length=length, generator=generator, rng=rng)
        early, late = measure.scores(runs).values.reshape(len(SYSTEMS), chunk, topics)
        rejected.append(_p_values(early, late, paired) < alpha)
        differences.append((early - late).mean(axis=1))
    rate, mean = float(np.concatenate(rejected).mean()), np.concatenate(differences)
    return Rejections(
        measure=repr(measure),
        break_rank=break_rank,
        rate=rate,
        standard_error=sqrt(rate * (1 - rate) / repetitions),
        mean_difference=float(mean.mean()),
        difference_error=float(mean.std() / sqrt(repetitions)),
        generator=generator,
        repetitions=repetitions,
        topics=topics,
        alpha=alpha,
        paired=paired,
        length=length,
    )


def expected_difference(
    p: object, break_rank: int, *, length: int = LENGTH, head: int = HEAD, generator: Generator = "bernoulli"
) -> Fraction:
    r"""Return the exact expected difference of rank-biased precision, `early` minus `late`.

    .. math:: 0.4\,(p^r - p^{20}) - 0.6\,(p^{20} - p^{1000})

    for the break rank `r`, with shares as they are stated. Given `generator="fixed"`, the shares are
    those of the whole documents that they are rounded to.

    Parameters
    ----------
    p
        The persistence of rank-biased precision, read exactly.
    break_rank
        The last rank where the systems are alike.
    length
        How many ranks the runs have.
    head
        How many ranks the head has.
    generator
        "bernoulli" for shares as they are stated, "fixed" for those of whole documents.

    Examples
    --------
    >>> expected_difference("1/2", 0, length=2, head=1)
    Fraction(1, 20)
    >>> float(expected_difference(0.8, 15)) > 0 > float(expected_difference(0.8, 16))
    True

    References
    ----------
    [FerranteFerroMaistro2015]_, Figure 1b
    """
    p, generator = persistence(p), _known(generator)
    total, rank = Fraction(0), 0
    for size, (early, late) in zip(_sizes(break_rank, length, head), SHARES, strict=True):
        apart = early - late
        if generator == "fixed" and size:
            apart = Fraction(_count(size, early) - _count(size, late), size)
        total += apart * (p**rank - p ** (rank + size))
        rank += size
    return total


def _sizes(break_rank: int, length: int, head: int) -> tuple[int, int, int]:
    """Return how many ranks lie above the break, between it and the end of the head, and below."""
    length, head = whole_number("length", length), whole_number("head", head)
    break_rank = whole_number("break_rank", break_rank, 0)
    if not break_rank <= head <= length:
        raise ParameterError(
            f"break_rank={break_rank}, head={head}, length={length}: break_rank ≤ head ≤ length must hold"
        )
    return break_rank, head - break_rank, length - head


def _count(size: int, share: Fraction) -> int:
    """Return how many documents a share of `size` is, halves rounded up."""
    return int(share * size + Fraction(1, 2))


def _fixed(size: int, share: Fraction, topics: int, rng: np.random.Generator) -> Cells:
    cells = np.zeros((topics, size), dtype=np.int8)
    cells[:, : _count(size, share)] = 1
    return rng.permuted(cells, axis=1)


def _bernoulli(size: int, share: Fraction, topics: int, rng: np.random.Generator) -> Cells:
    return (rng.random((topics, size)) < float(share)).astype(np.int8)


def _p_values(early: FloatArray, late: FloatArray, paired: bool) -> FloatArray:
    """Return the p-value of each repetition, NaN where nothing differs."""
    from scipy.stats import ttest_ind, ttest_rel

    # scores without spread are possible, and the test then answers with 0 or NaN as it should
    with np.errstate(divide="ignore", invalid="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        return np.asarray((ttest_rel if paired else ttest_ind)(early, late, axis=1).pvalue)


def _chunks(total: int, largest: int) -> Iterator[int]:
    """Return sizes up to `largest` that add up to `total`."""
    yield from [largest] * (total // largest)
    if total % largest:
        yield total % largest


def _known(generator: str) -> Generator:
    if generator not in ("fixed", "bernoulli"):
        raise ParameterError(f"generator must be 'fixed' or 'bernoulli', not {generator!r}")
    return generator  # type: ignore[return-value]
