"""Who takes part, and which measures each computes.

Measures are called by measurand's spelling everywhere; each module in `tools` knows its tool's own names.
"""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

FOUR = ("AP", "nDCG@10", "P@10", "RR")
SIX = (*FOUR, "RBP(p=0.8)", "ERR@20")


class Kind(StrEnum):
    """What a contender is in the tables."""

    OURS = "ours"
    PEER = "peer"
    FLOOR = "floor"


@frozen
class Contender:
    """A tool, which is a module in `tools`, with the measures that it computes."""

    tool: str
    kind: Kind
    measures: tuple[str, ...] = ()


# pytrec_eval has neither RBP nor ERR; ir_measures has binary RBP through cwl_eval, and ERR only through a perl
# script, which is left out; ranx has RBP, with raw grades for gains, and no ERR
EVALUATORS = (
    Contender("measurand", Kind.OURS, SIX),
    Contender("measurand", Kind.OURS, FOUR),
    Contender("measurand_alone", Kind.OURS, SIX),
    Contender("pytrec_eval", Kind.PEER, FOUR),
    Contender("ir_measures", Kind.PEER, FOUR),
    Contender("ir_measures", Kind.PEER, (*FOUR, "RBP(p=0.8, rel=1)")),
    Contender("ranx", Kind.PEER, (*FOUR, "RBP(p=0.8)")),
)

FLOORS = (Contender("polars", Kind.FLOOR), Contender("scan", Kind.FLOOR))

COMPILER = EVALUATORS[-1]
"""The one that compiles itself at its first call."""
