"""What workers get: pickled by the thread that asks, when it asks, and without the caches of values.

An executor pickles what it is handed at some later time, in a thread of its own, while the thread that asks goes on and
fills the caches of the same values.
"""

from __future__ import annotations

import pickle
from functools import cached_property, lru_cache
from io import BytesIO
from typing import Any

PROTOCOL = 5


def packed(thing: object) -> bytes:
    """Return something pickled, without what its cached properties keep: a worker computes that anew if it needs it.

    Parameters
    ----------
    thing
        The thing.

    Examples
    --------
    >>> pickle.loads(packed([1, 2]))
    [1, 2]
    """
    return _written(thing, pickle.Pickler)


def packed_with_code(thing: object) -> bytes:
    """Return the same, and the code of functions and classes that no module holds.

    Parameters
    ----------
    thing
        The thing.
    """
    import cloudpickle  # Dask requires it

    return _written(thing, cloudpickle.Pickler)


def _written(thing: object, pickler: Any) -> bytes:
    file = BytesIO()
    _without_caches(pickler)(file, PROTOCOL).dump(thing)
    return file.getvalue()


@lru_cache(maxsize=2)
def _without_caches(pickler: Any) -> Any:
    """Return the pickler that leaves out what cached properties keep."""

    class Packing(pickler):  # type: ignore[misc] # one of two
        def reducer_override(self, thing: Any) -> Any:
            kind: Any = type(thing)
            caches = _caches(kind)
            if caches:
                made, given, state, *rest = thing.__reduce_ex__(PROTOCOL)
                if isinstance(state, dict):
                    # another thread may compute; a copy is made in one step
                    return made, given, {name: kept for name, kept in state.copy().items() if name not in caches}, *rest
            inherited = getattr(super(), "reducer_override", None)
            return NotImplemented if inherited is None else inherited(thing)

    return Packing


@lru_cache(maxsize=1 << 12)
def _caches(kind: Any) -> frozenset[str]:
    """Return the cached properties of a class, unless it says itself what travels."""
    if any(
        getattr(kind, name) is not getattr(object, name) for name in ("__reduce_ex__", "__reduce__", "__getstate__")
    ):
        return frozenset()
    found = ((name, value) for line in kind.__mro__ for name, value in vars(line).items())
    return frozenset(name for name, value in found if isinstance(value, cached_property))
