"""The proof of Theorem 5.2: counts after a swap, and a chain of steps from a run to a better one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product

from measurand.orders import backward_chain, chain, mass, swap
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, at_most, every, is_refused, ordered_pairs, run


def spelled(judged: Run) -> str:
    """Return a run as digits.

    Examples
    --------
    >>> spelled((0, 1, 2))
    '012'
    """
    return "".join(map(str, judged))


def walk(r: Run, s: Run) -> list[Run]:
    """Return the runs that the chain passes through.

    Examples
    --------
    >>> walk((0, 1, 0), (1, 0, 1))
    [(0, 1, 0), (1, 0, 0), (1, 0, 1)]
    """
    runs = [r]
    for step in chain(r, s):
        runs.append(step.apply(runs[-1]))
    return runs


@exhibit("FFM-5.2-A", "FFM-5.2-swapineq", where="Theorem 5.2, proof, first half")
def what_a_swap_changes() -> Iterator[Line]:
    """A swap of ranks i < j adds one document to some counts, and changes no other."""
    example = run("01122")
    yield line("A(01122, 4, 1), A(01122, 5, 2)", (mass(example, 1, 4), mass(example, 2, 5)))
    r, s = run("02"), swap(run("02"), 1, 2)
    yield line("A(20, 1, 1) − A(02, 1, 1)", mass(s, 1, 1) - mass(r, 1, 1), paper=0, erratum="E06")
    as_printed, as_mended = [], []
    for before, (i, j) in product(every(4, 3), combinations((1, 2, 3), 2)):
        low, high = before[i - 1], before[j - 1]
        if low < high:
            after = swap(before, i, j)
            for k, p in product((1, 2, 3), (1, 2, 3)):
                more = mass(after, p, k) - mass(before, p, k)
                as_printed.append(more == (i <= k < j and p >= high))
                as_mended.append(more == (i <= k < j and low < p <= high))
    yield line("i ≤ k < j: one more exactly for p ≥ r[j]", all(as_printed), paper=True, erratum="E06")
    yield line("i ≤ k < j: one more exactly for r[i] < p ≤ r[j]", all(as_mended))
    yield line("swaps, ranks and grades looked at, and wrong", f"{len(as_printed):,}, {as_printed.count(False):,}")


@exhibit("FFM-5.2-chain", where="Theorem 5.2, proof, second half, example")
def the_chain_of_the_proof() -> Iterator[Line]:
    """From the last rank to the first: swap a grade that is too high with the nearest lowest one above it."""
    r, s = run("101011"), run("110110")
    first, second = backward_chain(r, s)
    yield line("101011 → 110110, first step", f"swap({first.rank},{first.other})", paper="swap(4,6)")
    between = first.apply(r)
    yield line("gives", spelled(between), paper="101110")
    yield line("second step", f"swap({second.rank},{second.other})", paper="swap(2,3)")
    yield line("gives", spelled(second.apply(between)), paper="110110")
    reached = all(not is_refused(lambda r=r, s=s: backward_chain(r, s)) for r, s in ordered_pairs(2, 5))  # type: ignore[misc]
    yield line("2 grades, 5 ranks: it leads from r to s, r ⪯ s", reached, paper=True)


@exhibit("FFM-5.2-chain-g", where="Theorem 5.2, proof, second half, more grades")
def chains_of_graded_runs() -> Iterator[Line]:
    """With three grades the chain of the proof gets stuck; one from the first rank to the last does not."""
    low, high = run("012"), run("021")
    stuck = is_refused(lambda: backward_chain(low, high))
    yield line("the chain of the proof leads from 012 to 021", not stuck, paper=True, erratum="E07")
    yield line("though one step does", "; ".join(str(step) for step in chain(low, high)))
    pairs = ordered_pairs(3, 3)
    led = sum(not is_refused(lambda r=r, s=s: backward_chain(r, s)) for r, s in pairs)  # type: ignore[misc]
    yield line("3 grades, 3 ranks: pairs r ⪯ s that it connects", f"{led} of {len(pairs)}")
    walks = [(walk(r, s), s) for r, s in pairs]
    yield line("front to back: connects all of them", all(runs[-1] == s for runs, s in walks))
    upwards = all(at_most(one, other) for runs, _ in walks for one, other in pairwise(runs))
    yield line("and each step makes the run better", upwards)
    steps = max(len(chain(r, s)) for r, s in ordered_pairs(2, 5))
    yield line("2 grades, 5 ranks: longest chain", steps)


EXHIBITS = (what_a_swap_changes, the_chain_of_the_proof, chains_of_graded_runs)
