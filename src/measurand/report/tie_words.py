"""The order of documents of equal score, in words that are the same everywhere."""

from __future__ import annotations

from collections.abc import Callable

from measurand.display.wording import listed
from measurand.judged import OverTies
from measurand.measures.ties.over_ties import TAKEN
from measurand.study.study import Study

TREC_ORDER = "by identifier, the last one first, as trec_eval does"
"""How documents of equal score are ordered if nothing else is said."""


def order_of_ties(study: Study, plain: Callable[[str], str] = str) -> str:
    """Return what was done with documents of equal score: "they were …".

    Parameters
    ----------
    study
        The study.
    plain
        What is done with the names of measures.

    Examples
    --------
    >>> import measurand as md
    >>> def study(measures, **options):
    ...     return md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], measures, fuse=False, **options)
    >>> order_of_ties(study(["P@10", "ESL"]))
    'ordered by identifier, the last one first, as trec_eval does, but under ESL(i=1), which is defined on ties'
    >>> order_of_ties(study("P@10", ties="min"))
    'left in no order: scores are the least value over all their orders'
    """
    if study.plan.ties in TAKEN:
        return f"left in no order: {_over_orders(OverTies(study.plan.ties))}"
    return f"ordered {TREC_ORDER}{_but_for(study, plain)}"


def _over_orders(over: OverTies) -> str:
    """Return what scores are where the order of documents of equal score was left open."""
    own = " or, for OIE, that of the ties themselves" if over is OverTies.GROUPS else ""
    return f"scores are the {TAKEN[over]} over all their orders{own}"


def _but_for(study: Study, plain: Callable[[str], str]) -> str:
    """Return which measures take documents of equal score as such, as part of a sentence."""
    by_default = study.measures.items() if study.plan.ties is None else ()
    own = [plain(name) for name, measure in by_default if measure.on_weak_orders]
    are = "is" if len(own) == 1 else "are"
    return f", but under {listed(own, len(own))}, which {are} defined on ties" if own else ""
