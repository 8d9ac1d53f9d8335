"""Make the tables of average precision that come with the package.

    python -m measurand.rulers.shipping 25 30

counts the values for depths 25 to 30 afresh and writes one file a depth beside this module, the same on every
machine. Depths 31 to 42 were counted in the same way on a graphics card (depth 42 is 3.4 million million sums, or
about ten hours on two processor cores); their files have 32768 checkpoints each.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measurand.rulers.checkpoint_cache import keep, shipped_directory
from measurand.rulers.ruler import Budget
from measurand.rulers.walk_ruler import WalkRuler
from measurand.rulers.walks import average_precision_walk


def ship(first: int, last: int, directory: Path | None = None) -> None:
    """Write the checkpoints of average precision for some depths, the last one included.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     ship(4, 5, Path(place))
    ...     sorted(path.name for path in Path(place).iterdir())
    ['AP-4.v1.checkpoints', 'AP-5.v1.checkpoints']
    """
    for depth in range(first, last + 1):
        ruler = WalkRuler.of(average_precision_walk(depth), f"AP-{depth}", Budget(3600.0), afresh=True)
        keep(ruler.checkpoints(), ruler.name, directory or shipped_directory())


if __name__ == "__main__":
    ship(int(sys.argv[1]), int(sys.argv[2]))
