"""Checkpoints: how many different values there are up to some keys.

They take long to count and little room to keep; with them, placing a run takes one bucket.
"""

from __future__ import annotations

import hashlib

import numpy as np
from attrs import frozen

from measurand.arrays import IntArray
from measurand.execution import Progress, silent
from measurand.rulers.walks.buckets import Rows, count_between, edges_of
from measurand.rulers.walks.stretches import Stretches

FORMAT = 1
"""Raised whenever files of an earlier kind could be misread."""

MAGIC = b"measurand checkpoints"

DIGEST = hashlib.sha256().digest_size


@frozen(eq=False)
class Checkpoints:
    """Keys in ascending order, the last one the highest, and how many different values there are up to each.

    Examples
    --------
    >>> from measurand.rulers.walks.walk import average_precision_walk
    >>> Checkpoints.build(Stretches.of(average_precision_walk(10), 1 << 20)).size
    810
    """

    edges: IntArray
    counts: IntArray

    @classmethod
    def build(cls, stretches: Stretches, progress: Progress = silent) -> Checkpoints:
        """Count the values of two stretches, whatever was counted before."""
        edges = edges_of(stretches)
        lows = np.concatenate([[-1], edges[:-1]])
        return cls(edges, np.cumsum(count_between(Rows.of(stretches), lows, edges, progress)))

    @property
    def size(self) -> int:
        """How many different values there are."""
        return int(self.counts[-1])

    def to_bytes(self, name: str) -> bytes:
        """Return the checkpoints of a named measure as they stand in a file."""
        from zstandard import ZstdCompressor

        steps = np.stack([np.diff(self.edges, prepend=0), np.diff(self.counts, prepend=0)]).astype("<i8")
        # bytes of the same weight side by side: most of the high ones are 0
        planes = steps.reshape(-1).view(np.uint8).reshape(-1, 8).T.tobytes()
        packed = ZstdCompressor(level=19).compress(f"{name}\n".encode() + planes)
        return _head() + hashlib.sha256(packed).digest() + packed

    @classmethod
    def from_bytes(cls, data: bytes, name: str, highest: int) -> Checkpoints | None:
        """Return the checkpoints in a file, or None if it is damaged or about something else.

        Examples
        --------
        >>> kept = Checkpoints(np.array([12, 48]), np.array([6, 15])).to_bytes("AP-4")
        >>> Checkpoints.from_bytes(kept, "AP-4", 48).counts.tolist()
        [6, 15]
        >>> Checkpoints.from_bytes(kept[:-1], "AP-4", 48) is Checkpoints.from_bytes(kept, "AP-5", 48) is None
        True
        """
        from zstandard import ZstdDecompressor, ZstdError

        head, digest, packed = data[: len(_head())], data[len(_head()) :][:DIGEST], data[len(_head()) + DIGEST :]
        if head != _head() or digest != hashlib.sha256(packed).digest():
            return None
        try:
            owner, _, planes = ZstdDecompressor().decompress(packed).partition(b"\n")
        except ZstdError:
            return None
        if owner != name.encode() or len(planes) % 16 or not planes:
            return None
        steps = np.frombuffer(planes, dtype=np.uint8).reshape(8, -1).T.copy().view("<i8").reshape(2, -1)
        edges, counts = np.cumsum(steps.astype(np.int64), axis=1)
        ascending = bool(np.all(steps[:, 1:] > 0) and steps[0, 0] >= 0 and steps[1, 0] > 0)
        return cls(edges, counts) if ascending and int(edges[-1]) == highest else None


def _head() -> bytes:
    return MAGIC + f" {FORMAT}\n".encode()
