"""Measurements: from a topic and what was retrieved for it to a number."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Set
from typing import Any

from attrs import frozen

from measurand.errors import ParameterError
from measurand.judged import JudgedRun, Multiset


def judged_by(ground_truth: Mapping[Any, Any], retrieved: Iterable[Hashable]) -> JudgedRun | Multiset:
    """Return the grades of a ranking, or the multiset of grades of a set of documents.

    Examples
    --------
    >>> judged_by({"d1": 1, "d2": 0}, ["d2", "d1"])
    (0, 1)
    """
    if isinstance(retrieved, Set):
        return Multiset.judged(retrieved, ground_truth)
    return JudgedRun.of(retrieved, ground_truth)


@frozen
class Measurement:
    r"""The map that judges what was retrieved for a topic and scores the judged run.

    .. math:: M(t, r) = \mu(\hat r_t) \in [0, \infty]

    The measurement is the map; a measure is one of its values.

    Parameters
    ----------
    score
        A function from judged runs to numbers from 0 up, which may be infinite.
    ground_truth
        The grades of the documents, by topic.

    Examples
    --------
    >>> measurement = Measurement(sum, {"t": {"d1": 1, "d2": 0, "d3": 1}})
    >>> measurement.measure("t", ["d3", "d2", "d1"])
    2

    References
    ----------
    [FerranteFerroMaistro2015]_, sections 2.2 and 5
    """

    score: Callable[[Any], Any]
    ground_truth: Mapping[Any, Mapping[Any, Any]]

    def measure(self, topic: Hashable, retrieved: Iterable[Hashable]) -> Any:
        """Return the value of a ranking (or a set) of documents for a topic."""
        if topic not in self.ground_truth:
            raise ParameterError(f"there are no judgments for topic {topic!r}")
        value = self.score(judged_by(self.ground_truth[topic], retrieved))
        try:
            allowed = bool(value >= 0)
        except TypeError:
            allowed = False
        if not allowed:
            raise ParameterError(f"a measurement gives numbers from 0 up, which may be infinite, but not {value!r}")
        return value
