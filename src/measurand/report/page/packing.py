"""Packing: bytes inside a text file, compressed, which a browser unpacks by itself."""

from __future__ import annotations

import gzip
from base64 import b64encode
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray


def packed(data: bytes) -> str:
    """Return bytes compressed, as text; the same bytes always give the same text.

    Examples
    --------
    >>> from base64 import b64decode
    >>> gzip.decompress(b64decode(packed(b"grades")))
    b'grades'
    """
    return b64encode(gzip.compress(data, 9, mtime=0)).decode()


def packed_array(array: NDArray[Any]) -> str:
    """Return the numbers of an array, little end first, packed."""
    return packed(np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes())


@cache
def runtime() -> str:
    """Return the libraries that draw Vega-Lite figures in a browser, packed."""
    import vl_convert

    return packed(vl_convert.javascript_bundle("window.vegaEmbed = vegaEmbed;").encode())
