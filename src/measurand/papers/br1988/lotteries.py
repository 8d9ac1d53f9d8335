"""Sections 2 and 3, first half: searches as lotteries.

Section 2: how many documents a reader of a result with ties must expect to inspect in vain. Section 3, first half:
results as lotteries, and lotteries that no result has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import comb

from measurand.papers.exhibit import Line, exhibit, line
from measurand.search_length import Lottery, WeakOrder, realisation, realise

RESULT = "+-|+--|++---"
"""The result of examples 2.1 and 2.2; reconstructed from what they say of it."""


def weak_orders(documents: int) -> list[str]:
    """Return all weak orders of so many documents, as text.

    Examples
    --------
    >>> weak_orders(2)
    ['-|-', '-|+', '+|-', '+|+', '--', '+-', '++']
    """
    firsts = [
        "+" * relevant + "-" * (size - relevant) for size in range(1, documents + 1) for relevant in range(size + 1)
    ]
    return [
        "|".join(filter(None, (first, rest)))
        for first in firsts
        for rest in (weak_orders(documents - len(first)) if len(first) < documents else [""])
    ]


def inspected(order: WeakOrder, wanted: int) -> Lottery:
    """Return the lottery of a search by going through every order in which documents can be inspected.

    Examples
    --------
    >>> inspected(WeakOrder.parse("+-"), 1)
    Lottery({0: 0.5, 1: 0.5})
    """
    sequences = product(*(sorted(set(permutations(str(rank)))) for rank in order.ranks))
    texts = ("".join(map("".join, sequence)) for sequence in sequences)
    # what stands before the last relevant document that is wanted; everything, if there are fewer
    return Lottery.weighted(Counter("".join(text.split("+")[:wanted]).count("-") for text in texts))


@exhibit("BR-2-WO", "BR-Ex2.1", where="Section 2, Example 2.1")
def one_relevant_document() -> Iterator[Line]:
    """A reader who stops after one relevant document."""
    order = WeakOrder.parse(RESULT)
    ranks = tuple(map(str, map(tuple, order.ranks)))
    yield line("ranks: relevant and nonrelevant documents", ranks, said=("(1, 1)", "(1, 2)", "(2, 3)"))
    counts = order.documents, order.relevant, order.nonrelevant
    yield line("documents, relevant, nonrelevant", counts, said=(10, 4, 6))
    yield line("chance that the first document is relevant", order.search_length(1)[0], printed=Fraction(1, 2))
    yield line("expected search length", order.esl(1), printed=Fraction(1, 2))


@exhibit("BR-Ex2.2", where="Section 2, Example 2.2")
def two_relevant_documents() -> Iterator[Line]:
    """The same result for a reader who stops after two relevant documents, or later."""
    order = WeakOrder.parse(RESULT)
    yield line(
        "chances of 1, 2, 3 nonrelevant documents",
        tuple(order.search_length(2).values()),
        printed=(Fraction(1, 3),) * 3,
    )
    yield line("expected search length", order.esl(2), printed=2)
    yield line("the 1/2 of Example 2.1 is for one, though “again” precedes two", order.esl(1), printed=Fraction(1, 2))
    for i in (3, 4):
        yield line(f"until document {i}: chances of 3, 4, 5, 6", tuple(order.search_length(i).values()))
        yield line(f"until document {i}: expected search length", order.esl(i))


@exhibit("BR-2-FEW", where="Section 2, too few relevant documents")
def too_few_relevant_documents() -> Iterator[Line]:
    """A reader who wants more than there is sees every nonrelevant document."""
    order = WeakOrder.parse(RESULT)
    # who wants more relevant documents than there are obtains all nonrelevant ones, and there are six
    yield line(f"{RESULT} until document 5: what can come up", order.search_length(5).support, derived=(6,))
    yield line("its expected search length", order.esl(5), derived=6)
    found, missing = WeakOrder.parse("+|-----|+"), WeakOrder.parse("+|-----")
    yield line("+|-----|+ until document 2, which is last", found.esl(2))
    yield line("+|----- until document 2, which is nowhere", missing.esl(2))


@exhibit("BR-2-ESL", where="Section 2, expected search length")
def the_formula() -> Iterator[Line]:
    """The closed form b + s n / (r + 1) is the mean over all orders of inspection."""
    orders = [WeakOrder.parse(text) for documents in range(1, 6) for text in weak_orders(documents)]
    cases = [(order, i) for order in orders for i in range(1, order.documents + 2)]
    yield line("results of up to 5 documents", len(orders))
    yield line("searches in them, for 1, 2, … documents", len(cases))
    yield line(
        "those where mean and closed form differ", sum(order.esl(i) != inspected(order, i).mean for order, i in cases)
    )


@exhibit("BR-D3.1", "BR-Ex3.1", where="Section 3, Definition 3.1 and Example 3.1")
def a_result_found_again() -> Iterator[Line]:
    """The probabilities of the example, and the only kind of result that has them, up to what follows it."""
    fifth, tenth = Fraction(1, 5), Fraction(1, 10)
    printed = Lottery({1: 2 * fifth, 2: 3 * tenth, 3: fifth, 4: tenth})
    order = realise(printed, 1) or WeakOrder.parse(RESULT)
    found = order.search_length(1)
    yield line("a result with these probabilities", str(order))
    yield line(
        "its chances of 0, 1, 2, 3, 4",
        tuple(found.get(k, Fraction(0)) for k in range(5)),
        printed=(0, 2 * fifth, 3 * tenth, fifth, tenth),
    )
    yield line("what can come up", found.support, printed=(1, 2, 3, 4))
    yield line("the probabilities add up to", sum(found.values()), printed=1)
    yield line("expected search length", order.esl(1))
    ends = {each.within(1) for each in _results(7) if each.search_length(1) == printed}
    yield line("kinds of such results, up to 7 documents", len(ends))


@exhibit("BR-3-MAP", where="Section 3, lotteries of results")
def from_results_to_lotteries() -> Iterator[Line]:
    """Every result and every number of wanted documents have a lottery; not every lottery tells the result."""
    cells = [(r, n, s) for r in range(1, 6) for n in range(6) for s in range(1, r + 1)]
    lotteries = {(r, n, s): WeakOrder([(r, n)]).search_length(s) for r, n, s in cells}
    yield line("ranks of up to 5 + 5 documents: searches in them", len(cells))
    yield line(
        "P(k) = C(k+s-1, k) C(n-k+r-s, n-k) / C(n+r, n)",
        all(
            lottery == {k: p for k in range(n + 1) if (p := _closed_form(r, n, s, k))}
            for (r, n, s), lottery in lotteries.items()
        ),
    )
    yield line("mean = s n / (r+1)", all(P.mean == Fraction(s * n, r + 1) for (r, n, s), P in lotteries.items()))
    yield line(
        "variance = n s (r+1-s) (n+r+1) / ((r+1)² (r+2))",
        all(
            P.variance == Fraction(n * s * (r + 1 - s) * (n + r + 1), (r + 1) ** 2 * (r + 2))
            for (r, n, s), P in lotteries.items()
        ),
    )
    one, other = (WeakOrder.parse(text).search_length(1) for text in ("+|-", "+|-|-"))
    yield line("+|- and +|-|- have different lotteries", one != other)


def _closed_form(r: int, n: int, s: int, k: int) -> Fraction:
    return Fraction(comb(k + s - 1, k) * comb(n - k + r - s, n - k), comb(n + r, n))


def _results(documents: int) -> list[WeakOrder]:
    return [WeakOrder.parse(text) for size in range(1, documents + 1) for text in weak_orders(size)]


@exhibit("BR-3-REAL", where="Section 3, results of lotteries")
def which_lotteries_are_searches() -> Iterator[Line]:
    """Whether a lottery is that of a search depends on how many documents are wanted."""
    odds = Lottery({0: "3/5", 1: "2/5"})
    yield line("(3/5, 2/5) is a search for one document", bool(realise(odds, 1)))
    yield line("(3/5, 2/5) is a search for two, in the result", str(realise(odds, 2)))
    for_one = {order.search_length(1) for order in _results(5)}
    for_two = {order.search_length(2) for order in _results(5)}
    yield line("lotteries of searches for 1, up to 5 documents", len(for_one))
    yield line("of these, also of a search for 2", sum(bool(realise(lottery, 2)) for lottery in for_one))
    yield line("lotteries of searches for 2, up to 5 documents", len(for_two))
    yield line("of these, also of a search for 1", sum(bool(realise(lottery, 1)) for lottery in for_two))


@exhibit("BR-Ex3.2", where="Section 3, Example 3.2")
def one_or_three() -> Iterator[Line]:
    """One or three nonrelevant documents, each with probability 1/2, are no search."""
    either = Lottery.uniform(1, 3)
    for n in (1, 2, 3):
        found = any(lottery == either for lottery in _beside_a_relevant_document(n))
        yield line(f"{n} nonrelevant beside the relevant one: such a result", found, said=False)
    yield line("it is a search for one document", bool(realise(either, 1)), said=False)
    yield line("because", realisation(either, 1).why)
    yield line("it is a search for some i up to 20", any(realise(either, i) for i in range(1, 21)))
    seen = {text[: text.index("-") + 1].count("-") for text in map("".join, product("+-", repeat=5)) if "-" in text}
    yield line("nonrelevant, for who wants one of them: can be", tuple(seen), printed=(1, 3), erratum="E-BR-3")


def _beside_a_relevant_document(nonrelevant: int) -> list[Lottery]:
    """Return the lotteries of searches that end in a rank of so many nonrelevant and up to 12 relevant documents."""
    before: list[list[tuple[int, int]]] = [[], [(0, 1)], [(0, 2)], [(0, 3)]]
    ends = [(relevant, nonrelevant) for relevant in range(1, 13)]
    return [WeakOrder([*first, end]).search_length(1) for first in before for end in ends]


EXHIBITS = (
    one_relevant_document,
    two_relevant_documents,
    too_few_relevant_documents,
    the_formula,
    a_result_found_again,
    from_results_to_lotteries,
    which_lotteries_are_searches,
    one_or_three,
)
