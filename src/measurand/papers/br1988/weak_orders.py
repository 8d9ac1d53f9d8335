"""Section 2: what a reader of a result with ties must expect to inspect in vain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

from measurand.papers.exhibit import Line, exhibit, line
from measurand.search_length import Lottery, WeakOrder

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
    again = order.esl(2) == Fraction(1, 2)
    yield line("“again” two: so the 1/2 of Example 2.1 is for two", again, said=True, erratum="E-BR-5")
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


EXHIBITS = (one_relevant_document, two_relevant_documents, too_few_relevant_documents, the_formula)
