"""Does a further signal make information more effective? The paper's Effectiveness Additivity Theorem, checked.

`effectiveness` is that of any signal, ties and all, whether or not it comes from a run: the measure `OIE` takes
rankings, and the information of several signals is none, since documents may have the same.

The theorem has two premises: information tells all documents apart, and more signals are more consistent with the
judgments (which the paper calls Assumption 1 and also Information Effectiveness Additivity). The formula of the second
has a free d₀. Read for each document d₀, as the proof multiplies over all of them, the theorem is true. Read as a mean
over pairs of documents, as Figure 1 takes it, the conclusion does not follow. On a whole collection the first premise
says that all signals agree, so that nothing is added. So both premises, the second in both readings, and the conclusion
are looked at each for itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.display.result import Result
from measurand.errors import ParameterError
from measurand.exact import Exact, shown
from measurand.information import Signals
from measurand.information.consistency import consistency, heights, places_of
from measurand.information.quantity import exact_entropy, outscorer_counts
from measurand.information.signals import Sources
from measurand.measures import Measure, parse
from measurand.measures.observational_effectiveness import OIE, ObservationalEffectiveness
from measurand.verdict import How, Verdict


def effectiveness(signals: Signals, gold: str = "judgments", *, measure: Measure | str = OIE) -> Exact:
    r"""Return what a signal and the judgments tell apart and together.

    .. math:: \mathrm{OIE} = \alpha_1 H(\gamma) + \alpha_2 H(g) - \beta\, H(\{\gamma, g\})

    Parameters
    ----------
    signals
        Two: the one that is looked at, and the judgments.
    gold
        The name of the judgments among the signals.
    measure
        `OIE` with any weights, of which nothing else is taken: the collection is that of the signals.

    Examples
    --------
    >>> signals = Signals.of({"r": {"d1": 3, "d2": 2, "d3": 1}, "g": {"d1": 1, "d3": 1}}, 10)
    >>> effectiveness(signals, "g", measure=OIE(beta=1))
    Logs(1/10 ln 2 + -1/10 ln 3 + 1/5 ln 5)

    References
    ----------
    [Amigo2018]_, Definition 4.1
    """
    weights = read_weights(measure)
    if len(signals) != 2 or gold not in signals.names:
        raise ParameterError(f"give two signals, one of them {gold}, not {', '.join(signals.names)}")
    alone, judged = exact_entropy(signals.without(gold)), exact_entropy(signals.only(gold))
    shared = exact_entropy(signals)
    return weights.alpha1 * alone + weights.alpha2 * judged - weights.beta * shared


def read_weights(measure: Measure | str) -> ObservationalEffectiveness:
    """Return the measure that the weights of effectiveness are taken from.

    Parameters
    ----------
    measure
        `OIE` with any weights, or its spelling.

    Examples
    --------
    >>> read_weights("OIE(beta=1.5)").beta
    Fraction(3, 2)
    """
    known = parse(measure)
    if not isinstance(known, ObservationalEffectiveness):
        raise ParameterError(f"{known!r} has no weights of information; give OIE, such as OIE(beta=1.2)")
    return known


BEFORE, AFTER, GOLD = "before", "after", "judgments"


@frozen(eq=False, repr=False)
class EffectivenessAdditivity(Result):
    """Two premises, the second in two readings, and a conclusion, each with its own verdict.

    Parameters
    ----------
    fine_grained
        Whether all documents have different information, before and after.
    consistent
        Whether information is as consistent with the judgments after as before, or more, as a mean over pairs.
    consistent_for_each
        Whether it is so for each document: of those that are as high, as large a share is as good, or a larger one.
    additive
        Whether it is as effective after as before, or more.
    consistency, effectiveness
        The numbers that were compared, before and after.
    """

    fine_grained: Verdict
    consistent: Verdict
    consistent_for_each: Verdict
    additive: Verdict
    consistency: tuple[Fraction, Fraction]
    effectiveness: tuple[Exact, Exact]

    @property
    def premises(self) -> bool:
        """Whether both premises hold, the second as a mean over pairs."""
        return bool(self.fine_grained) and bool(self.consistent)

    @property
    def premises_for_each(self) -> bool:
        """Whether both premises hold, the second for each document; the conclusion then holds as well."""
        return bool(self.fine_grained) and bool(self.consistent_for_each)

    @property
    def refutes(self) -> bool:
        """Whether this is a counterexample to the theorem that is read with a mean over pairs."""
        return self.premises and not self.additive


def effectiveness_additivity(
    signals: Signals | Sources,
    added: str,
    gold: str = GOLD,
    *,
    collection_size: int | None = None,
    topic: str | None = None,
    documents: Iterable[Any] | None = None,
    measure: Measure | str = OIE,
    self_pairs: bool = False,
) -> EffectivenessAdditivity:
    r"""Return whether a further signal makes information more effective, and whether the premises for it hold.

    .. math:: \mathrm{OIE}(I_{\Gamma \cup \gamma}, g) \ge \mathrm{OIE}(I_\Gamma, g)

    Parameters
    ----------
    signals
        The judgments and all signals, as `Signals.of` takes them.
    added
        The name of the signal that comes last.
    gold
        The name of the judgments among the signals.
    collection_size
        How many documents there are; by default those that a signal names.
    topic
        The topic, where signals are runs and judgments of several.
    documents
        Look at these alone, ordered by their information in the whole collection; by default at the collection.
    measure
        `OIE` with any weights, of which nothing else is taken.
    self_pairs
        Whether a document is also set against itself when consistency is measured.

    Examples
    --------
    >>> first, second = {"d1": 3, "d2": 2, "d4": 1}, {"d3": 3, "d1": 2, "d2": 1}
    >>> outcome = effectiveness_additivity({"r1": first, "r2": second, "g": {"d1": 1, "d4": 1}}, "r2", "g")
    >>> outcome.consistency, bool(outcome.consistent)
    ((Fraction(5, 6), Fraction(4, 7)), False)
    >>> outcome.consistent_for_each.witness
    'of the documents as high as d1, the share as good falls from 1 to 0.5'

    References
    ----------
    [Amigo2018]_, Theorem 5.1: true for each document, not as a mean over pairs
    """
    material = Signals.of(signals, collection_size, topic=topic)
    if added == gold:
        raise ParameterError(f"{gold} is what the signals are compared with; add another signal")
    material.only(added, gold)  # or complain
    known = material.without(gold)
    scored = {BEFORE: heights(known.without(added)), AFTER: heights(known), GOLD: material.only(gold).levels[:, 0]}
    levels = np.stack(list(scored.values()), axis=1)
    scores = Signals(tuple(scored), material.documents, levels, material.collection_size)
    if documents is not None:
        chosen = places_of(material, documents)
        scores = Signals(tuple(scored), tuple(material.documents[i] for i in chosen), levels[chosen], len(chosen))
    return additivity_of_scores(scores, measure=measure, self_pairs=self_pairs)


def additivity_of_scores(
    scores: Signals | Sources,
    before: str = BEFORE,
    after: str = AFTER,
    gold: str = GOLD,
    *,
    measure: Measure | str = OIE,
    self_pairs: bool = False,
) -> EffectivenessAdditivity:
    """Return the same of two ways to score documents, wherever they come from.

    Parameters
    ----------
    scores
        The two scores and the judgments, as `Signals.of` takes them.
    before, after
        The names of the two scores.
    gold
        The name of the judgments among the signals.
    measure
        `OIE` with any weights, of which nothing else is taken.
    self_pairs
        Whether a document is also set against itself when consistency is measured.

    Examples
    --------
    >>> scores = {"before": [0, 1, 2, 3], "after": [1, 0, 3, 2], "judgments": [1, 0, 0, 1]}
    >>> signals = {name: dict(zip("abcd", values)) for name, values in scores.items()}
    >>> outcome = additivity_of_scores(signals, self_pairs=True)
    >>> outcome.consistency, [round(float(value), 4) for value in outcome.effectiveness], outcome.refutes
    ((Fraction(4, 5), Fraction(4, 5)), [0.0203, -0.1014], True)
    >>> outcome.premises, outcome.premises_for_each
    (True, False)
    """
    material = Signals.of(scores)
    pairs = [material.only(name, gold) for name in (before, after)]
    consistent = tuple(consistency(pair, gold, self_pairs=self_pairs) for pair in pairs)
    effective = tuple(effectiveness(pair, gold, measure=measure) for pair in pairs)
    repeated = [text for name in (before, after) if (text := _repeated(material.only(name)))]
    return EffectivenessAdditivity(
        _verdict(not repeated, "; ".join(repeated), material),
        _verdict(consistent[1] >= consistent[0], _falls("consistency", *consistent), material),
        _for_each(pairs[0], pairs[1], gold, material),
        _verdict(effective[1] >= effective[0], _falls("effectiveness", *effective), material),
        (consistent[0], consistent[1]),
        (effective[0], effective[1]),
    )


def _verdict(holds: bool, why: str, signals: Signals) -> Verdict:
    checked = f"all {signals.collection_size:,} documents"
    return Verdict(holds, None if holds else why, checked, How.EXHAUSTIVE if holds else How.COUNTEREXAMPLE)


def _for_each(before: Signals, after: Signals, gold: str, signals: Signals) -> Verdict:
    """Return whether of the documents as high as a document no smaller share is as good, for each document."""
    shares = [_shares(pair, gold) for pair in (before, after)]
    falls = [document for document in signals.documents if shares[1][document] < shares[0][document]]
    whose = falls[0] if falls else None
    why = (
        _falls(f"of the documents as high as {whose}, the share as good", *(each[whose] for each in shares))
        if falls
        else ""
    )
    return _verdict(not falls, why, signals)


def _shares(pair: Signals, gold: str) -> dict[Any, Fraction]:
    """Return for each document, itself included: of those as high, how many are judged as good or better."""
    high, both = outscorer_counts(pair.without(gold)), outscorer_counts(pair)
    return {document: Fraction(both[document], count) for document, count in high.items()}


def _falls(what: str, before: Any, after: Any) -> str:
    return f"{what} falls from {shown(before)} to {shown(after)}"


def _repeated(signals: Signals) -> str:
    """Return two documents of one score, in words, or nothing."""
    levels: IntArray = signals.levels[:, 0]
    if signals.rest + int((levels == 0).sum()) > 1:
        return f"{signals.names[0]}, several documents are at the minimum"
    _, first, times = np.unique(levels, return_index=True, return_counts=True)
    if (times == 1).all():
        return ""
    places = np.flatnonzero(levels == levels[first[times > 1][0]])[:2].tolist()
    one, other = (signals.documents[place] for place in places)
    return f"{signals.names[0]}, documents {one} and {other} have the same"
