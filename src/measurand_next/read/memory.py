"""How much memory there is, and whether what is asked for fits: said in words before anything is allocated."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

from measurand_next.errors import ParameterError, quoted

SMALL = 1 << 26  # so many bytes are never refused, and nothing is looked up for them
VARIABLE = "MEASURAND_MOST_UNPACKED"
RAISE_LIMIT = f"to raise it to 20 GB, set {VARIABLE}=20GB in the environment"
UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB", "EB")
SIZE = re.compile(r"([0-9]{1,18}(?:\.[0-9]{1,9})?)\s*(?:bytes|([KMGTPE]?)(i?)(B?))", re.IGNORECASE | re.ASCII)


def limit_below(size: int) -> int | None:
    """How many bytes a file may take, where ``size`` is more than that; None where it fits."""
    if size <= SMALL and not os.environ.get(VARIABLE):
        return None
    limit = file_limit()
    return limit if limit is not None and size > limit else None


def file_limit() -> int | None:
    """How many bytes a file may take, unpacked and with what is made of it; None for any number."""
    text = os.environ.get(VARIABLE, "").strip()
    if not text:
        return memory_limit()
    limit = parse_size(text)
    if limit is None:
        raise ParameterError(f"{VARIABLE} is {quoted(text)}, and not a number of bytes such as 500MB or 20GB")
    return limit


@cache
def memory_limit() -> int | None:
    """Half of what the process may have: of the machine, its control groups (containers) and `ulimit -v`."""
    known = [*machine(), *address_space(), *control_groups()]
    return min(known) // 2 if known else None


def machine() -> Iterator[int]:
    """The memory of the machine, where the system tells."""
    if hasattr(os, "sysconf") and {"SC_PHYS_PAGES", "SC_PAGE_SIZE"} <= os.sysconf_names.keys():
        yield os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def address_space() -> Iterator[int]:
    """What `ulimit -v` allows, where it is limited."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit != resource.RLIM_INFINITY:
        yield limit


def control_groups(root: Path = Path("/sys/fs/cgroup"), own: Path = Path("/proc/self/cgroup")) -> Iterator[int]:
    """The limits of the control groups that the process is in, of either version, and of those around them."""
    for line in _text(own).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        folder, name = (root / "memory", "memory.limit_in_bytes") if controllers else (root, "memory.max")
        group = folder / path.strip("/")
        for parent in (group, *group.parents):
            limit = _text(parent / name).strip()
            if limit.isdecimal():
                yield int(limit)
            if parent == folder:
                break


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def parse_size(text: str) -> int | None:
    """A number of bytes that may have a unit (kB of 1000, KiB and k of 1024 bytes); None for what is none."""
    found = SIZE.fullmatch(text.strip())
    if found is None:
        return None
    number, unit, binary, byte = found.groups()
    base = 1000 if byte and not binary else 1024
    return int(Fraction(number) * base ** " KMGTPE".index((unit or " ").upper()))


def in_bytes(number: int) -> str:
    """A number of bytes with two digits or three, in the unit that suits."""
    size, unit = float(number), 0
    while size >= 999.5 and unit < len(UNITS) - 1:
        size, unit = size / 1000, unit + 1
    return f"{size:.3g} {UNITS[unit]}"
