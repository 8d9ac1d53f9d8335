"""Goodness: how good measures find systems, from scores in any form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from measurand.errors import ParameterError
from measurand.scores import Scores, Table


def goodness_by_measure(given: Sequence[Any]) -> dict[str, Any]:
    """Return for each measure how good it finds each system on each topic, from scores as they come.

    Parameters
    ----------
    given
        What `unanimity` accepts.

    Examples
    --------
    >>> {name: good.tolist() for name, good in goodness_by_measure([[1, 2], [3, 4]]).items()}
    {'m1': [[1], [2]], 'm2': [[3], [4]]}
    """
    several = list(_named(given))
    if not several:
        raise ParameterError("there are no scores; give those of at least one measure")
    goods = {name: _good(name, values) for name, values in several}
    if len(goods) < len(several):
        names = [name for name, _ in several]
        twice = next(name for name in names if names.count(name) > 1)
        raise ParameterError(f"two measures are called {twice}; names must differ")
    _refuse_others({name: values for name, values in several if isinstance(values, Scores)})
    shapes = {values.shape for values in goods.values()}
    if len(shapes) > 1:
        some = " and ".join(f"{s} systems × {t} topics" for s, t in sorted(shapes)[:2])
        raise ParameterError(f"all measures must score the same systems and topics; there are {some}")
    return goods


def _named(given: Sequence[Any]) -> Iterable[tuple[str, Any]]:
    if len(given) == 1:
        [all_scores] = given
        if isinstance(all_scores, Table):
            return all_scores.by_measure.items()
        if isinstance(all_scores, Mapping):
            return [(str(name), values) for name, values in all_scores.items()]
        if isinstance(all_scores, Sequence) and any(isinstance(each, Scores) for each in all_scores):
            given = all_scores
        elif not isinstance(all_scores, Scores):
            array = _array("the scores", all_scores)
            # one measure alone is not worth asking for, so the columns of one array are measures
            given = list(array.T) if array.ndim == 2 else given
    return [(each.measure if isinstance(each, Scores) else f"m{n}", each) for n, each in enumerate(given, 1)]


def _refuse_others(scores: Mapping[str, Scores]) -> None:
    """Complain of measures that are about other systems or topics."""
    for name, one in scores.items():
        first, other = next(iter(scores.items()))
        for what in ("systems", "topics"):
            if getattr(one, what) != getattr(other, what):
                raise ParameterError(f"{name} and {first} must score the same {what}, in the same order")


def _good(name: str, values: Any) -> Any:
    if isinstance(values, Scores):
        return values.goodness
    array = _array(name, values)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or not array.size:
        raise ParameterError(f"{name}: give an array of systems × topics, or a number for each system")
    return array


def _array(name: str, values: Any) -> Any:
    try:
        # fractions and very large whole numbers are kept as they are: as floats they would lose their order
        array = np.asarray(values if isinstance(values, np.ndarray) else _listed(values))
    except ValueError:
        raise ParameterError(f"{name}: every system needs a number for each topic, all rows equally long") from None
    strange = (
        [] if array.dtype.kind in "biuf" else [each for each in array.ravel().tolist() if not isinstance(each, Real)]
    )
    if strange:
        raise ParameterError(f"{name}: {strange[0]!r} is no number; give an array of systems × topics")
    return array


def _listed(values: Any) -> Any:
    return list(values) if isinstance(values, Iterable) and not hasattr(values, "__array__") else values
