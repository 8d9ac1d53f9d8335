"""Kinds of arrays, for annotations alone: at run time they are all plain arrays.

`numpy.typing` takes longer to load than everything that measurand does with a small file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    BoolArray = NDArray[np.bool_]
    Cells = NDArray[np.signedinteger[Any]]
    FloatArray = NDArray[np.float64]
    IntArray = NDArray[np.int64]
    Keys = NDArray[np.uint64]
    ObjectArray = NDArray[np.object_]
else:
    BoolArray = Cells = FloatArray = IntArray = Keys = ObjectArray = np.ndarray

__all__ = ["BoolArray", "Cells", "FloatArray", "IntArray", "Keys", "ObjectArray"]
