"""The proof of Theorem 5.2: counts after a swap, and a chain of steps from a run to a better one."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, product

from measurand.orders import backward_chain, chain, mass, swap
from measurand.papers.exhibit import Line, exhibit, line
from measurand.papers.ffm2015.examples import Run, at_most, every, is_refused, ordered_pairs, refusal, run
from measurand.papers.ffm2015.order_of_sets import SETS, all_sets


def spelled(judged: Run) -> str:
    """Return a run as digits.

    Examples
    --------
    >>> spelled((0, 1, 2))
    '012'
    """
    return "".join(map(str, judged))


def walk(r: Run, s: Run) -> list[Run]:
    """Return the runs that the chain from the first rank to the last passes through.

    Examples
    --------
    >>> walk((0, 1, 0), (1, 0, 1))
    [(0, 1, 0), (1, 0, 0), (1, 0, 1)]
    """
    runs = [r]
    for step in chain(r, s):
        runs.append(step.apply(runs[-1]))
    return runs


def connects(r: Run, s: Run) -> bool:
    """Say whether the chain of the proof leads from a run to a better one.

    Examples
    --------
    >>> connects((0, 1, 1), (1, 1, 0)), connects((0, 1, 2), (0, 2, 1))
    (True, False)
    """
    return not is_refused(lambda: backward_chain(r, s))


@exhibit("FFM-5.2-A", "FFM-5.2-swapineq", where="Theorem 5.2, proof, first half")
def what_a_swap_changes() -> Iterator[Line]:
    """A swap of ranks i < j adds one document to some counts, and changes no other."""
    example = run("01122")
    yield line("A(01122, 4, 1), A(01122, 5, 2)", (mass(example, 1, 4), mass(example, 2, 5)))
    r, s = run("02"), swap(run("02"), 1, 2)
    yield line("A(20, 1, 1) − A(02, 1, 1)", mass(s, 1, 1) - mass(r, 1, 1), derived=0, erratum="E06")
    as_printed, as_mended = [], []
    for before, (i, j) in product(every(4, 3), combinations((1, 2, 3), 2)):
        low, high = before[i - 1], before[j - 1]
        if low < high:
            after = swap(before, i, j)
            for k, p in product((1, 2, 3), (1, 2, 3)):
                more = mass(after, p, k) - mass(before, p, k)
                as_printed.append(more == (i <= k < j and p >= high))
                as_mended.append(more == (i <= k < j and low < p <= high))
    what = "4 grades, 3 ranks: one more for i ≤ k < j, "
    yield line(f"{what}p ≥ r[j]", all(as_printed), said=True, erratum="E06")
    yield line("which is wrong for so many swaps, k and p", f"{as_printed.count(False):,} of {len(as_printed):,}")
    yield line(f"{what}r[i] < p ≤ r[j]", all(as_mended))


@exhibit("FFM-5.2-chain", where="Theorem 5.2, proof, second half")
def the_chain_of_the_proof() -> Iterator[Line]:
    """From the last rank to the first: swap a grade that is too high with the nearest lowest one above it."""
    r, s = run("101011"), run("110110")
    first, second = backward_chain(r, s)
    yield line("from 101011 to 110110: ranks of the first swap", (first.rank, first.other))
    between = first.apply(r)
    yield line("which gives", spelled(between), printed="101110")
    yield line("ranks of the second swap", (second.rank, second.other))
    yield line("which gives", spelled(second.apply(between)))
    reached = all(connects(r, s) for length in range(1, 6) for r, s in ordered_pairs(2, length))
    yield line("2 grades, up to 5 ranks: connects all r ⪯ s", reached, said=True)


@exhibit("FFM-5.2-chain-g", where="Theorem 5.2, proof, second half, more grades")
def chains_of_graded_runs() -> Iterator[Line]:
    """With three grades the chain of the proof gets stuck; one from the first rank to the last does not."""
    low, high = run("012"), run("021")
    yield line("the chain of the proof connects 012 and 021", connects(low, high), said=True, erratum="E07")
    yield line("it ends", refusal(lambda: backward_chain(low, high)).partition(":")[0])
    yield line("from the first rank to the last", "; ".join(str(step) for step in chain(low, high)))
    for grades, length in ((3, 3), (3, 4), (4, 3)):
        pairs = ordered_pairs(grades, length)
        led = sum(connects(r, s) for r, s in pairs)
        yield line(f"{grades} grades, {length} ranks: pairs that the proof connects", f"{led:,} of {len(pairs):,}")
    pairs = ordered_pairs(3, 3)
    walks = [(walk(r, s), s) for r, s in pairs]
    yield line("3 grades, 3 ranks: front to back connects all", all(runs[-1] == s for runs, s in walks))
    upwards = all({(one, other), (other, s)} <= pairs for runs, s in walks for one, other in pairwise(runs))
    yield line("each step goes up, and none beyond the goal", upwards)
    steps = max(len(chain(r, s)) for r, s in ordered_pairs(2, 5))
    yield line("2 grades, 5 ranks: most steps, front to back", steps)


@exhibit("FFM-5.2-set", where="Theorem 5.2, sets")
def chains_of_sets() -> Iterator[Line]:
    """For sets, best grade first, replacements alone lead to every better one."""
    (step,) = chain(run("01122"), run("01123"), SETS)
    yield line("{0,1,1,2,2} → {0,1,1,2,3}: grade before, after", (int(step.old), int(step.new)))
    pairs = [(r, s) for r, s in product(all_sets(4, 3), repeat=2) if at_most(r, s, SETS)]
    yield line("4 grades, 3 documents: most steps", max(len(chain(r, s, SETS)) for r, s in pairs))


EXHIBITS = (what_a_swap_changes, the_chain_of_the_proof, chains_of_graded_runs, chains_of_sets)
