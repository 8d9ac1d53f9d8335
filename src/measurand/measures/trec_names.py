"""trec_eval's names: reading them, printing them, and the order in which trec_eval prints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt
from types import MappingProxyType

from attrs import frozen

from measurand.errors import ParameterError, clipped, quoted
from measurand.exact import MOST, rational
from measurand.measures.average_precision import AP
from measurand.measures.base import Measure
from measurand.measures.binary_g import binG
from measurand.measures.bpref import Bpref
from measurand.measures.counts import NumNonrelRet, NumQ, NumRel, NumRelRet, NumRet
from measurand.measures.discounted_gain import nDCG
from measurand.measures.geometric_mean import GeometricMean, gm
from measurand.measures.inferred_ap import infAP
from measurand.measures.interpolated_average_precision import IAP
from measurand.measures.interpolated_precision import IPrec
from measurand.measures.judged_share import Unjudged
from measurand.measures.ndcg_at_levels import RnDCG
from measurand.measures.ndcg_at_relevant import nDCGRel
from measurand.measures.normalised_gain import G
from measurand.measures.parameters import HIGHEST_POWER, USUAL, trec_gains
from measurand.measures.precision import P
from measurand.measures.r_precision import Rprec
from measurand.measures.rank_biased_precision import gRBP
from measurand.measures.rank_biased_residual import RBPResidual
from measurand.measures.recall import R
from measurand.measures.reciprocal_rank import RR
from measurand.measures.relative_precision import RelativeP
from measurand.measures.set_measures import SetAP, SetF, SetP
from measurand.measures.success import Success
from measurand.measures.utility import Utility

Named = list[tuple[str, Measure]]


@frozen(kw_only=True)
class Family:
    """A name of trec_eval's and the measures it stands for.

    Parameters
    ----------
    plain
        The measure that the bare name stands for, where it stands for one.
    at
        What the name with a parameter stands for.
    defaults
        The parameters that the bare name runs through, where it stands for several measures.
    decimals
        How many decimals the parameters are printed with, if they are not whole.
    reads
        What the name with a list of parameters stands for, where all of them belong to one measure.
    """

    plain: Measure | None = None
    at: Callable[[Fraction], Measure] | None = None
    reads: Callable[[str], Measure] | None = None
    defaults: Sequence[str] = ()
    decimals: int | None = None


def _cut(measure: Measure) -> Callable[[Fraction], Measure]:
    # trec_eval drops what follows the point of a cutoff in a list
    return lambda value: measure @ int(value)


def _root(square: Fraction) -> Fraction:
    root = Fraction(isqrt(max(0, square.numerator)), isqrt(square.denominator))
    if root * root != square:
        raise ParameterError(
            f"set_F: trec_eval's parameter is beta squared, and {quoted(square)} is no square; use SetF(beta=…)"
        )
    return root


def _beta(text: str) -> Measure:
    return SetF(beta=_root(rational(text)))


def _persistence(measure: Measure) -> Callable[[str], Measure]:
    # the parameter may be named, as in rbp.p=0.8
    return lambda text: measure(p=rational(dict(_pairs(measure.name, text)).get("p", text) if "=" in text else text))


def _with_gains(measure: Measure, name: str) -> Callable[[str], Measure]:
    return lambda text: measure(gain=_gains(text, name))


def _utility(text: str) -> Measure:
    worth = text.split(",")
    if len(worth) != 4:
        raise ParameterError(f"utility.{clipped(text)}: utility has four parameters, as in utility.1,-1,0,0")
    return Utility(**dict(zip(("found", "wrong", "missed", "avoided"), worth, strict=True)))


_CUTOFFS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_TENTHS = tuple(f"{tenth / 10:.2f}" for tenth in range(11))

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "num_q": Family(plain=NumQ),
        "num_ret": Family(plain=NumRet),
        "num_rel": Family(plain=NumRel),
        "num_rel_ret": Family(plain=NumRelRet),
        "map": Family(plain=AP),
        "gm_map": Family(plain=gm(AP)),
        "Rprec": Family(plain=Rprec),
        "bpref": Family(plain=Bpref),
        "recip_rank": Family(plain=RR),
        "iprec_at_recall": Family(at=lambda value: IPrec @ value, defaults=_TENTHS, decimals=2),
        "P": Family(at=_cut(P), defaults=_CUTOFFS),
        "recall": Family(at=_cut(R), defaults=_CUTOFFS),
        "infAP": Family(plain=infAP),
        "gm_bpref": Family(plain=gm(Bpref)),
        "Rprec_mult": Family(
            at=lambda value: Rprec(multiple=value),
            defaults=tuple(f"{fifth / 5:.2f}" for fifth in range(1, 11)),
            decimals=2,
        ),
        "utility": Family(plain=Utility, reads=_utility),
        "11pt_avg": Family(plain=IAP, reads=lambda text: IAP(recalls=text)),
        "binG": Family(plain=binG),
        "G": Family(plain=G, reads=_with_gains(G, "G")),
        "ndcg": Family(plain=nDCG, reads=_with_gains(nDCG, "ndcg")),
        "ndcg_rel": Family(plain=nDCGRel, reads=_with_gains(nDCGRel, "ndcg_rel")),
        "Rndcg": Family(plain=RnDCG, reads=_with_gains(RnDCG, "Rndcg")),
        "ndcg_cut": Family(at=_cut(nDCG), defaults=_CUTOFFS),
        "map_cut": Family(at=_cut(AP), defaults=_CUTOFFS),
        "relative_P": Family(at=_cut(RelativeP), defaults=_CUTOFFS),
        "success": Family(at=_cut(Success), defaults=("1", "5", "10")),
        "set_P": Family(plain=SetP),
        "set_relative_P": Family(plain=SetP(relative=True)),
        "set_recall": Family(plain=R),
        "set_map": Family(plain=SetAP),
        "set_F": Family(plain=SetF, reads=_beta),
        "num_nonrel_judged_ret": Family(plain=NumNonrelRet),
        "rbp": Family(plain=gRBP(p="0.9"), reads=_persistence(gRBP)),
        "rbp_resid": Family(plain=RBPResidual(p="0.9"), reads=_persistence(RBPResidual)),
        "unj": Family(at=_cut(Unjudged), defaults=("5", "10", "20")),
    }
)
"""What trec_eval calls what, in the order in which it prints."""

NICKNAMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "official": tuple(FAMILIES)[: tuple(FAMILIES).index("P") + 1],
        "set": (
            *("num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P", "set_recall", "set_relative_P"),
            *("set_map", "set_F"),
        ),
        "all_trec": tuple(FAMILIES),
    }
)
"""Names for several measures at once; of trec_eval's, those that measurand has too."""


NOT_OFFERED = ("runid", "yaap")
"""Names of trec_eval's that measurand has no measure for."""

STRING, STRING_RANKS = "relstring", 10
"""What trec_eval calls the grades of the first ranks, shown as a string, and how many ranks these are by default."""

PRINTED = tuple(each for name in FAMILIES for each in ((name, STRING) if name == "P" else (name,)))
"""All that trec_eval prints, in its order: the measures, and the grades of the first ranks."""


SEVERAL = 1000
"""So many parameters may a family be given at most."""

_PARAMETER = re.compile(r"[-+.\d]|\w+=")
"""How a parameter in a printed name begins: a number, or a key and a sign of equality."""


def read(text: str) -> Named | None:
    """Return the measures that a name of trec_eval's stands for, or None if it is not one.

    Examples
    --------
    >>> read("P.5,10"), read("ndcg_cut_10"), read("nDCG")
    ([('P_5', P@5), ('P_10', P@10)], [('ndcg_cut_10', nDCG@10)], None)
    """
    if text in NICKNAMES:
        return [pair for name in NICKNAMES[text] for pair in _members(name)]
    if text in FAMILIES:
        return _members(text)
    if string_ranks(text) is not None:
        raise ParameterError(
            f"{text} is no measure: it shows the grades of a run, which `measurand evaluate -q -m {text}` prints"
        )
    if text.partition(".")[0] in NOT_OFFERED:
        raise ParameterError(f"{quoted(text)} is a measure of trec_eval's that measurand does not offer")
    for name in sorted(FAMILIES, key=len, reverse=True):
        # behind an underscore may stand the rest of another name
        if text.startswith(f"{name}.") or (text.startswith(f"{name}_") and _PARAMETER.match(text, len(name) + 1)):
            return _with_parameters(name, text[len(name) + 1 :], listed=text[len(name)] == ".")
    return None


def string_ranks(text: str) -> int | None:
    """Return how many ranks a name of trec_eval's wants to have shown as a string, or None if it is a measure's.

    Parameters
    ----------
    text
        The name, with or without a parameter.

    Examples
    --------
    >>> string_ranks("relstring"), string_ranks("relstring.20"), string_ranks("relstring_20"), string_ranks("map")
    (10, 20, 20, None)
    """
    if text == STRING:
        return STRING_RANKS
    if not text.startswith((f"{STRING}.", f"{STRING}_")):
        return None
    number = text[len(STRING) + 1 :]
    if not number.isdecimal() or len(number) > len(str(MOST)):
        raise ParameterError(f"{clipped(text)}: {STRING} takes a number of ranks, as in {STRING}.{STRING_RANKS}")
    return int(number)


def uncut(name: str) -> Measure:
    """Return the measure that a family is about, whatever the cutoff.

    Parameters
    ----------
    name
        The name of the family.

    Examples
    --------
    >>> uncut("map"), uncut("ndcg_cut")
    (AP, nDCG)
    """
    family = FAMILIES[name]
    if family.plain is not None:
        return family.plain
    assert family.at is not None  # a family without a measure of its own has parameters
    return family.at(Fraction(1))(cutoff=None)


def _members(name: str) -> Named:
    family = FAMILIES[name]
    if family.plain is not None:
        return [(name, family.plain)]
    return [_member(name, rational(value)) for value in family.defaults]


def _member(name: str, value: Fraction) -> tuple[str, Measure]:
    family = FAMILIES[name]
    assert family.at is not None
    measure = family.at(value)  # refuses what is beyond its range
    spelled = str(int(value)) if family.decimals is None else f"{float(value):.{family.decimals}f}"
    return f"{name}_{spelled}", measure


def _with_parameters(name: str, text: str, *, listed: bool) -> Named:
    """Return the measures of a family for the parameters in `text`, a list or part of a printed name."""
    family = FAMILIES[name]
    if family.reads is not None:
        return [(f"{name}_{text}", family.reads(text))]
    if family.at is None:
        raise ParameterError(f"{name} takes no parameter in {name}.{clipped(text)}")
    if text.count(",") >= SEVERAL:
        raise ParameterError(f"{name}.{clipped(text)}: at most {SEVERAL:,} measures are named at once")
    values = sorted(rational(value) for value in text.split(","))
    if family.decimals is None and not listed and values[0].denominator > 1:
        raise ParameterError(f"{name}_{clipped(text)}: a cutoff is a whole number")
    return [_member(name, value) for value in values]


def _gains(text: str, name: str) -> str | dict[int, Fraction]:
    """Return gains as trec_eval reads them: a plain table where they rise with the grade, else as they are written."""
    named = trec_gains(text, name)
    if max(named) > HIGHEST_POWER:
        return text
    table = {grade: named.get(grade, Fraction(grade)) for grade in range(1, max(named) + 1)}
    rising = all(low <= high for low, high in pairwise(table.values()))
    return table if rising else text


def _pairs(name: str, text: str) -> list[tuple[str, str]]:
    pairs = [pair.partition("=") for pair in text.split(",")]
    if not all(key and sign and value for key, sign, value in pairs):
        raise ParameterError(f"{name}.{clipped(text)}: write parameters as key=value,key=value")
    return [(key, value) for key, _, value in pairs]


def spell(measure: Measure) -> str | None:
    """Return trec_eval's name of a measure, whatever counts as relevant, or None if it has none.

    Examples
    --------
    >>> from measurand.measures.average_precision import AP
    >>> spell(AP(rel=2)), spell(AP @ 10), spell(nDCG(b=2))
    ('map', 'map_cut_10', None)
    """
    bare = plain(measure)
    for name, family in FAMILIES.items():
        if family.plain == bare:
            return name
        value = getattr(bare, "recall", None) or getattr(bare, "multiple", None) or bare.cutoff
        if family.at is not None and family.defaults and value is not None:
            try:
                member, candidate = _member(name, rational(value))
            except ParameterError:
                continue
            if candidate == bare:
                return member
    return "iprec_at_recall_0.00" if bare == IPrec else None


def plain(measure: Measure) -> Measure:
    """Return a measure as it is when relevance starts at grade 1 and unjudged documents stay."""
    if isinstance(measure, GeometricMean):
        return measure(plain(measure.measure))
    return measure(judged_only=False, **({"rel": USUAL} if measure.parameters().get("rel") else {}))
