"""Make the tables of average precision that come with the package.

    python -m measurand.rulers.walks.shipping 25 34

counts the values for depths 25 to 34 afresh and writes one file a depth beside this module, the same on every
machine. Depth 34 alone takes some minutes.
"""

from __future__ import annotations

import sys
from pathlib import Path

from measurand.rulers.ruler import Budget
from measurand.rulers.walks.cache import keep, shipped_directory
from measurand.rulers.walks.walk import average_precision_walk
from measurand.rulers.walks.walk_ruler import WalkRuler


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
