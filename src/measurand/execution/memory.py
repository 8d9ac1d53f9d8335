"""How much memory there is, and whether what is asked for fits: said in words before anything is allocated.

Where a size follows from the input (all pairs of systems, every rank of every topic), `check_memory` is called first.
It lets pass whatever is small, so that it costs nothing there.
"""

from __future__ import annotations

import os
import re
from fractions import Fraction
from typing import TYPE_CHECKING

from measurand.errors import NotAvailable, ParameterError, quoted

if TYPE_CHECKING:
    from pathlib import Path

SHARE = 2
"""One allocation takes at most one part in so many of the memory that there is."""

SMALL = 1 << 26
"""So many bytes are never refused, and nothing is looked up for them."""

VARIABLE = "MEASURAND_MOST_UNPACKED"
"""The environment variable that says how much memory a file may take: unpacked, and with what is made of it."""

MORE = f"to raise it to 20 GB, set {VARIABLE}=20GB in the environment"
"""What to do about a file that takes too much."""

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")

_SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*(?:bytes|([KMGTPE]?)(i?)(B?))", re.IGNORECASE | re.ASCII)


def check_memory(needed: int, what: str, instead: str) -> None:
    """Refuse what would take more than half of the memory that there is, before it is allocated.

    Parameters
    ----------
    needed
        About how many bytes it takes.
    what
        What takes them, with its numbers, as the beginning of a sentence: "all pairs of 10,000 systems".
    instead
        What to do, as a clause.

    Examples
    --------
    >>> check_memory(1000, "a thousand bytes", "take fewer")
    >>> check_memory(10**18, "all pairs of 10^8 systems", "name a baseline")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    measurand.errors.NotAvailable: all pairs of 10^8 systems would take about 1 EB of memory; ...
    """
    most = most_at_once() if needed > SMALL else None
    if most is not None and needed > most:
        raise NotAvailable(
            f"{what} would take about {in_bytes(needed)} of memory; the limit is {in_bytes(most)}, half of what there"
            f" is; {instead}"
        )


def most_at_once() -> int | None:
    """Return how many bytes may be asked for at once: half of the memory that there is; None where nobody says."""
    there = memory()
    return None if there is None else there // SHARE


def most_unpacked() -> int | None:
    """Return how many bytes a file may take, unpacked and with what is made of it; None for any number.

    It is half of the memory that there is, or what the environment variable MEASURAND_MOST_UNPACKED says: a number of
    bytes as `read_bytes` reads it, such as `500MB` or `20 GB`.

    Examples
    --------
    >>> import os
    >>> os.environ["MEASURAND_MOST_UNPACKED"] = "1.5GB"
    >>> most_unpacked()
    1500000000
    >>> del os.environ["MEASURAND_MOST_UNPACKED"]
    """
    said = os.environ.get(VARIABLE, "").strip()
    if not said:
        return most_at_once()
    most = read_bytes(said)
    if most is None:
        raise ParameterError(f"{VARIABLE} is {quoted(said)}, and not a number of bytes such as 500MB or 20GB")
    return most


def read_bytes(text: str) -> int | None:
    """Return a number of bytes that may have a unit; None for what is none.

    Parameters
    ----------
    text
        The number: kB, MB and so on are powers of 1000; KiB, MiB, and letters alone, are powers of 1024.

    Examples
    --------
    >>> read_bytes("500MB"), read_bytes("4GiB") == 4 << 30, read_bytes("1.5k"), read_bytes("much")
    (500000000, True, 1536, None)
    """
    found = _SIZE.fullmatch(text.strip())
    if found is None:
        return None
    number, unit, binary, byte = found.groups()
    base = 1000 if byte and not binary else 1024
    return int(Fraction(number) * base ** " KMGTPE".index((unit or " ").upper()))


class Room:
    """Counts what a file takes, and tells when it is more than `most_unpacked`.

    Little is let pass without looking how much memory there is.

    Examples
    --------
    >>> room = Room()
    >>> room.beyond(1000) is None, room.beyond(10**18) is None
    (True, False)
    """

    def __init__(self) -> None:
        self.taken, self._most, self._known = 0, 0, False

    def beyond(self, more: int) -> int | None:
        """Count more bytes; return the limit if all together are beyond it, and None if not."""
        self.taken += more
        if self.taken <= SMALL and not os.environ.get(VARIABLE):
            return None
        if not self._known:
            most = most_unpacked()
            self._most, self._known = self.taken + (1 << 62) if most is None else most, True
        return self._most if self.taken > self._most else None


def in_bytes(number: int) -> str:
    """Return a number of bytes with two digits or three, in the unit that suits.

    Parameters
    ----------
    number
        The number of bytes.

    Examples
    --------
    >>> in_bytes(999), in_bytes(20_000_000_000), in_bytes(1_260_000)
    ('999 bytes', '20 GB', '1.26 MB')
    """
    size, unit = float(number), 0
    while size >= 999.5 and unit < len(_UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.3g} {_UNITS[unit]}"


def memory() -> int | None:
    """Return how many bytes of memory this process can have; None where nobody says.

    It is the least of what the machine has, what the control groups of the process allow (containers, batch jobs) and
    the limit of its address space (`ulimit -v`).
    """
    limits = [*_machine(), *_address_space(), *_control_groups()]
    return min(limits, default=None)


def _machine() -> list[int]:
    try:
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    except (AttributeError, ValueError, OSError):
        return []


def _address_space() -> list[int]:
    try:
        import resource
    except ImportError:
        return []
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return [] if limit == resource.RLIM_INFINITY else [limit]


def _control_groups(root: Path | str = "/sys/fs/cgroup", own: Path | str = "/proc/self/cgroup") -> list[int]:
    """Return the limits of the control groups that the process is in, of either version, and of those around them."""
    from pathlib import Path  # loaded where something large is asked for

    root = Path(root)
    try:
        lines = Path(own).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    limits: list[int] = []
    for line in lines:
        _, controllers, path = (*line.split(":", 2), "", "")[:3]
        if controllers and "memory" not in controllers.split(","):
            continue
        folder, name = (root / "memory", "memory.limit_in_bytes") if controllers else (root, "memory.max")
        here = folder / path.strip("/")
        for place in (here, *here.parents):
            limits.extend(_limit_in(place / name))
            if place == folder:
                break
    return limits


def _limit_in(file: Path) -> list[int]:
    """Return the limit that a file of the system names, if there is any."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return []
    return [int(text)] if text.isdecimal() else []


def address_space() -> int | None:
    """Return how many bytes of addresses this process can have (`ulimit -v`); None where there is no limit."""
    return min(_address_space(), default=None)
