"""Where checkpoints are kept: some come with the package, the others in the user's cache directory.

The cache is a convenience. A file that is damaged or about something else is passed over, a directory that cannot
be written is left alone, and a file appears whole or not at all, so that several processes may share it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from measurand.display.writing import cache_directory, write_whole
from measurand.errors import InputFileError
from measurand.rulers.walks.checkpoints import FORMAT, Checkpoints


def shipped_directory() -> Path:
    """Return where the tables are that come with the package.

    Examples
    --------
    >>> shipped_directory().name
    'tables'
    """
    return Path(__file__).parent / "tables"


def load(name: str, highest: int) -> Checkpoints | None:
    """Return the checkpoints of a measure, as shipped or else as kept, if there are sound ones."""
    for directory in (shipped_directory(), cache_directory()):
        if directory is None:
            continue
        with suppress(OSError):
            found = Checkpoints.from_bytes((directory / _file(name)).read_bytes(), name, highest)
            if found is not None:
                return found
    return None


def keep(checkpoints: Checkpoints, name: str, directory: Path | None = None) -> None:
    """Keep the checkpoints of a measure in a directory, or else in the cache, where that can be written."""
    directory = directory or cache_directory()
    if directory is None:
        return
    with suppress(OSError, InputFileError):
        directory.mkdir(parents=True, exist_ok=True)
        write_whole(directory / _file(name), checkpoints.to_bytes(name))


def _file(name: str) -> str:
    return f"{name}.v{FORMAT}.checkpoints"
