"""The names that other tools, and people, use for measures: one table, and spellings that are not Python's.

trec_eval's names are in `measurand.measures.trec_names`, because some of them stand for several measures.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from measurand.errors import ParameterError, quoted
from measurand.measures.average_precision import AP
from measurand.measures.base import Measure
from measurand.measures.bpref import Bpref
from measurand.measures.counts import NumRelRet
from measurand.measures.discounted_gain import DCG, DiscountedCumulatedGain, nDCG
from measurand.measures.f_measure import F
from measurand.measures.inferred_ap import infAP
from measurand.measures.precision import P
from measurand.measures.r_precision import Rprec
from measurand.measures.rank_biased_precision import RBP
from measurand.measures.recall import R
from measurand.measures.reciprocal_rank import RR
from measurand.measures.relative_precision import RelativeP
from measurand.measures.set_measures import SetF, SetP
from measurand.measures.success import Success

ALIASES: Mapping[str, Measure] = MappingProxyType(
    {
        # ir_measures
        "MAP": AP,
        "MRR": RR,
        "NDCG": nDCG,
        "Precision": P,
        "Recall": R,
        "SetR": R,
        "SetRelP": SetP(relative=True),
        "BPref": Bpref,
        "RPrec": Rprec,
        "InfAP": infAP,
        # ranx
        "map": AP,
        "mrr": RR,
        "ndcg": nDCG,
        "ndcg_burges": nDCG(gain="exp2"),
        "dcg": DCG,
        "dcg_burges": DCG(gain="exp2"),
        "precision": P,
        "recall": R,
        "f1": F,
        "r_precision": Rprec,
        "hit_rate": Success,
        "hits": NumRelRet,
        "bpref": Bpref,
        "rbp": RBP,
        # MTEB, BEIR and sentence-transformers, where they have other names than ranx
        "accuracy": Success,
        "R_cap": RelativeP,
        "recall_cap": RelativeP,
        "capped_recall": RelativeP,
    }
)
"""What other tools call measures; upper and lower case matter only where they tell two of these names apart."""

UNCUT: Mapping[str, Measure] = MappingProxyType({"precision": SetP, "f1": SetF})
"""What a name of ranx's stands for without a cutoff, where that is another measure: a share of what was retrieved."""

NOT_OFFERED = (
    "AP_IA",
    "ERR_IA",
    "MAP_IA",
    "NRBP",
    "P_IA",
    "StRecall",
    "alpha_DCG",
    "alpha_nDCG",
    "nERR_IA",
    "nNRBP",
    "α_DCG",
    "α_nDCG",
)
"""Names of ir_measures' that measurand has no measure for."""

_LEVEL = re.compile(r"-l([0-9]{1,18})$")
_AT = re.compile(r"^([A-Za-z][\w-]*)_at_([0-9]{1,18})$")
_PERSISTENCE = re.compile(r"^rbp\.([0-9]{1,40})$", re.IGNORECASE)


def rewritten(text: str) -> tuple[str, int | None]:
    """Return a spelling in the grammar of ir_measures, and the lowest relevant grade that it names, if it does.

    Understood are `ndcg_at_10`, as MTEB writes it, and ranx's `r-precision`, `rbp.95` for a persistence of 0.95,
    and `map@100-l2` for documents of grade 2 and more. What is none of these is returned as it is.

    Parameters
    ----------
    text
        The spelling.

    Examples
    --------
    >>> rewritten("ndcg_at_10"), rewritten("rbp.95"), rewritten("map@100-l2")
    (('ndcg@10', None), ('RBP(p=0.95)', None), ('map@100', 2))
    """
    found = _LEVEL.search(text)
    level = None if found is None else int(found[1])
    written = _LEVEL.sub("", text)
    number = re.match(r"rbp@([0-9]{1,18})", written)
    if number is not None:
        clear = f"RBP(p=0.{number[1]}) or RBP(p=0.8)@{number[1]}"
        raise ParameterError(f"{quoted(text)} is a persistence to ranx, and looks like a cutoff; write {clear}")
    written = re.sub(r"^r-precision", "r_precision", written, flags=re.IGNORECASE)
    return _PERSISTENCE.sub(r"RBP(p=0.\1)", _AT.sub(r"\1@\2", written)), level


def alias(name: str, *, cut: bool = False) -> Measure | None:
    """Return the measure that another tool calls by a name, or None if none does.

    Parameters
    ----------
    name
        The name, without cutoff or parameters.
    cut
        Whether a cutoff follows.

    Examples
    --------
    >>> alias("f1"), alias("f1", cut=True), alias("nothing")
    (SetF, F, None)
    """
    return None if name not in ALIASES else ALIASES[name] if cut else UNCUT.get(name, ALIASES[name])


def refuse(name: str) -> None:
    """Complain of a name of ir_measures' that measurand has no measure for.

    Parameters
    ----------
    name
        The name.
    """
    if name in NOT_OFFERED:
        raise ParameterError(f"{name!r} is a measure of ir_measures' that measurand does not offer")


def at_level(measure: Measure, level: int | None) -> Measure:
    """Return a measure to which only documents of some grade and more are relevant.

    Parameters
    ----------
    measure
        The measure.
    level
        The lowest grade that counts; nothing to leave the measure as it is.

    Examples
    --------
    >>> at_level(AP, 2), at_level(nDCG @ 10, 2)
    (AP(rel=2), nDCG(gain={1: 0, 2: 2})@10)
    """
    if level is None or (level == 1 and "rel" not in measure.parameters()):
        return measure
    if "rel" in measure.parameters():
        return measure if level == 1 else measure(rel=level)
    if isinstance(measure, DiscountedCumulatedGain) and level > 1:
        if measure.gain == "linear":
            return measure(gain={grade: grade if grade == level else 0 for grade in range(1, level + 1)})
        raise ParameterError(
            f"-l{level}: name the gains of all grades, as in {measure.name}(gain={{1: 0, 2: 3, 3: 7}})"
        )
    raise ParameterError(f"{measure!r} has no lowest relevant grade, so that -l{level} says nothing; leave it out")
