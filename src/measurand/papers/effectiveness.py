r"""The effectiveness of any signal, ties and all, whether or not it comes from a run.

The measure `OIE` knows rankings; the information of several signals is none, since documents may have the same.
"""

from __future__ import annotations

from measurand.errors import ParameterError
from measurand.exact import Exact
from measurand.information import Signals
from measurand.information.quantity import exact_entropy
from measurand.measures import Measure, parse
from measurand.measures.observational_effectiveness import OIE, ObservationalEffectiveness


def effectiveness(signals: Signals, gold: str = "judgments", *, measure: Measure | str = OIE) -> Exact:
    r"""Return what a signal and the judgments tell apart and together.

    .. math:: \mathrm{OIE} = \alpha_1 H(\gamma) + \alpha_2 H(g) - \beta\, H(\{\gamma, g\})

    Parameters
    ----------
    signals
        Two: the one that is looked at, and the judgments.
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

    Examples
    --------
    >>> read_weights("OIE(beta=1.5)").beta
    Fraction(3, 2)
    """
    known = parse(measure)
    if not isinstance(known, ObservationalEffectiveness):
        raise ParameterError(f"{known!r} has no weights of information; give OIE, such as OIE(beta=1.2)")
    return known
