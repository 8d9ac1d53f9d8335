r"""Signals as evidence: what is seen of a document is a fuzzy set of signals, and documents are drawn at random.

In the words of Dempster and Shafer, the share of documents of which just so much is seen is a basic assignment,
the share of which at least so much is seen is its commonality, and the share of which at most so much is seen is
its belief. Information is minus the logarithm of the commonality.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.exact import Logs, log_sum, rational
from measurand.information.quantity import sized
from measurand.information.signals import Signals, Sources

__all__ = [
    "Assignment",
    "Observation",
    "assignment",
    "belief",
    "commonality",
    "observation",
    "observed_entropy",
    "observed_quantity",
]


def _memberships(values: Mapping[str, Any]) -> tuple[tuple[str, Fraction], ...]:
    if not isinstance(values, Mapping):
        raise ParameterError(f"an observation is {{signal: membership}}, not a {type(values).__name__}")
    degrees = {str(name): rational(value) for name, value in values.items()}
    for name, degree in degrees.items():
        if not 0 <= degree <= 1:
            raise ParameterError(f"signal {name} has membership {degree}; scale the signals into [0, 1]")
    return tuple(sorted(degrees.items()))


@frozen(order=False, repr=False)
class Observation:
    r"""What is seen of a document: a fuzzy set of signals, each with a membership from 0 to 1.

    .. math:: \omega \subseteq \omega' \iff \omega(\gamma) \le \omega'(\gamma)\ \text{for all}\ \gamma \in \Gamma

    Parameters
    ----------
    memberships
        `{signal: membership}`. Numbers are read as written.

    Examples
    --------
    >>> little, much = Observation({"r": 0.5, "g": 0}), Observation({"r": "2/3", "g": 0})
    >>> little <= much, much <= little, little["r"]
    (True, False, Fraction(1, 2))

    References
    ----------
    [Amigo2018]_, definition 6.1
    """

    memberships: tuple[tuple[str, Fraction], ...] = field(converter=_memberships)

    def __getitem__(self, name: str) -> Fraction:
        degrees = dict(self.memberships)
        if name not in degrees:
            raise ParameterError(f"there is no signal {name}; there is {', '.join(degrees)}")
        return degrees[name]

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {str(degree)!r}" for name, degree in self.memberships)
        return f"Observation({{{inside}}})"

    def __le__(self, other: object) -> bool:
        if not isinstance(other, Observation):
            return NotImplemented
        if [name for name, _ in self.memberships] != [name for name, _ in other.memberships]:
            raise ParameterError(f"{self!r} and {other!r} are of different signals; only the same can be compared")
        pairs = zip(self.memberships, other.memberships, strict=True)
        return all(mine <= theirs for (_, mine), (_, theirs) in pairs)

    def __lt__(self, other: object) -> bool:
        return self <= other and self != other if isinstance(other, Observation) else NotImplemented


Assignment = Mapping[Observation, Fraction]
"""The share of documents of which just so much is seen, for each observation that occurs."""


def observation(signals: Signals | Sources, document: Hashable, *, topic: str | None = None) -> Observation:
    """Return what is seen of a document, each signal scaled increasingly into [0, 1].

    The highest document of a signal has membership 1 and those at its minimum have 0; in between, levels are
    evenly spaced. Information does not depend on how signals are scaled as long as their order stays.

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    document
        A document, named by a signal or not.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> observation({"r": {"d1": 30, "d2": 2, "d4": 1}, "g": {"d1": 1, "d4": 1}}, "d2")
    Observation({'g': '0', 'r': '2/3'})

    References
    ----------
    [Amigo2018]_, definition 6.2
    """
    known = Signals.of(signals, topic=topic)
    place = known.place.get(document)
    row = (0,) * len(known) if place is None else tuple(known.levels[place].tolist())
    return _observations(known, [row])[0]


def assignment(
    signals: Signals | Sources, collection_size: int | None = None, *, topic: str | None = None
) -> dict[Observation, Fraction]:
    r"""Return the share of documents of which just so much is seen; all documents that no signal names are one class.

    .. math:: m(\omega) = P(O_\Gamma(d) = \omega)

    Parameters
    ----------
    signals
        `{name: {document: number}}`, or runs and judgments, in a list or by name; see `Signals.of`.
    collection_size
        The number of documents of the collection. It may be left out if `signals` is a `Signals`.
    topic
        The topic of the runs and judgments; needed only if they have several.

    Examples
    --------
    >>> for seen, share in assignment({"r": {"d1": 2, "d2": 1}}, 10).items():
    ...     print(seen, share)
    Observation({'r': '1'}) 1/10
    Observation({'r': '1/2'}) 1/10
    Observation({'r': '0'}) 4/5

    Notes
    -----
    Shafer gives no share to the empty set. Here it has one: nothing is seen of a document that no signal names.

    References
    ----------
    [Amigo2018]_, section 6; [Shafer1976]_
    """
    known = sized(signals, collection_size, topic)
    classes = Counter(map(tuple, known.levels.tolist()))
    if known.rest:
        classes[(0,) * len(known)] += known.rest
    shares = [Fraction(times, known.collection_size) for times in classes.values()]
    return dict(zip(_observations(known, list(classes)), shares, strict=True))


def commonality(shares: Assignment, seen: Observation) -> Fraction:
    r"""Return the share of documents of which at least so much is seen.

    .. math:: q(\omega') = \sum_{\omega \supseteq \omega'} m(\omega)

    Parameters
    ----------
    shares
        The share of documents for each observation, as `assignment` returns them; they sum to 1.
    seen
        An observation, whether it occurs or not.

    Examples
    --------
    >>> a, both = Observation({"a": 1, "b": 0}), Observation({"a": 1, "b": 1})
    >>> half = {a: Fraction(1, 2), both: Fraction(1, 2)}
    >>> commonality(half, a), belief(half, a)
    (Fraction(1, 1), Fraction(1, 2))

    Notes
    -----
    The paper calls this sum a belief; it is the commonality. `belief` is the other one.

    References
    ----------
    [Amigo2018]_, section 6; [Shafer1976]_
    """
    return _at_least(_checked(shares), seen)


def belief(shares: Assignment, seen: Observation) -> Fraction:
    r"""Return the share of documents of which at most so much is seen.

    .. math:: \mathrm{Bel}(\omega') = \sum_{\omega \subseteq \omega'} m(\omega)

    Parameters
    ----------
    shares
        The share of documents for each observation, as `assignment` returns them; they sum to 1.
    seen
        An observation, whether it occurs or not.

    Examples
    --------
    >>> shares = assignment({"r": {"d1": 2, "d2": 1}}, 10)
    >>> belief(shares, Observation({"r": "1/2"}))
    Fraction(9, 10)

    References
    ----------
    [Shafer1976]_
    """
    return sum((share for other, share in _checked(shares).items() if other <= seen), Fraction(0))


def observed_quantity(shares: Assignment, seen: Observation) -> Logs | Fraction:
    r"""Return the information of an observation: minus the natural logarithm of its commonality, exact.

    .. math:: I(\omega) = -\ln q(\omega)

    For what is seen of a document it is what `quantity` returns.

    Parameters
    ----------
    shares
        The share of documents for each observation, as `assignment` returns them; they sum to 1.
    seen
        An observation, whether it occurs or not.

    Examples
    --------
    >>> shares = assignment({"r": {"d1": 2, "d2": 1}}, 10)
    >>> observed_quantity(shares, Observation({"r": "1/2"}))
    Logs(1 ln 5)

    References
    ----------
    [Amigo2018]_, section 6
    """
    share = commonality(shares, seen)
    if not share:
        raise ParameterError(f"of no document is as much seen as {seen!r}; what never happens tells without bound")
    return log_sum([(share, -1)])


def observed_entropy(shares: Assignment) -> Logs | Fraction:
    r"""Return the average information of the observations: the entropy, exact.

    .. math:: H = \sum_\omega m(\omega) I(\omega)

    Parameters
    ----------
    shares
        The share of documents for each observation, as `assignment` returns them; they sum to 1.

    Examples
    --------
    >>> observed_entropy(assignment({"r": {"d1": 2, "d2": 1}}, 4))
    Logs(3/4 ln 2)

    References
    ----------
    [Amigo2018]_, section 6
    """
    exact = _checked(shares)
    return log_sum((_at_least(exact, seen), -share) for seen, share in exact.items() if share)


def _at_least(shares: Assignment, seen: Observation) -> Fraction:
    return sum((share for other, share in shares.items() if seen <= other), Fraction(0))


def _observations(signals: Signals, rows: Sequence[tuple[int, ...]]) -> list[Observation]:
    """Return levels as memberships, with the highest level of each signal as 1."""
    highest = [high or 1 for high in signals.levels.max(axis=0, initial=0).tolist()]
    return [
        Observation(
            {name: Fraction(level, high) for name, level, high in zip(signals.names, row, highest, strict=True)}
        )
        for row in rows
    ]


def _checked(shares: Assignment) -> dict[Observation, Fraction]:
    """Return the shares of an assignment."""
    exact = {seen: rational(share) for seen, share in shares.items()}
    total = sum(exact.values(), Fraction(0))
    if total != 1 or min(exact.values()) < 0:
        raise ParameterError(f"the shares of an assignment are 0 or more and sum to 1; these sum to {total}")
    return exact
