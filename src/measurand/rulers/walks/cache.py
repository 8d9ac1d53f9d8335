"""Where checkpoints are kept: some come with the package, the others in the user's cache directory.

The cache is a convenience. A file that is damaged or about something else is passed over, a directory that cannot
be written is left alone, and a file appears whole or not at all, so that several processes may share it.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from measurand.rulers.walks.checkpoints import FORMAT, Checkpoints

VARIABLE = "MEASURAND_CACHE"
"""The environment variable that names another directory; empty, it means to keep nothing."""


def shipped_directory() -> Path:
    """Return where the tables are that come with the package.

    Examples
    --------
    >>> shipped_directory().name
    'tables'
    """
    return Path(__file__).parent / "tables"


def cache_directory() -> Path | None:
    """Return where checkpoints are kept for the next time, or None if nowhere.

    Examples
    --------
    >>> import os
    >>> os.environ["MEASURAND_CACHE"] = "somewhere"
    >>> cache_directory().name
    'somewhere'
    >>> del os.environ["MEASURAND_CACHE"]
    """
    said = os.environ.get(VARIABLE)
    if said is not None:
        return Path(said) if said else None
    from platformdirs import user_cache_path

    return user_cache_path("measurand", appauthor=False)


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
    with suppress(OSError):
        directory.mkdir(parents=True, exist_ok=True)
        handle, written = tempfile.mkstemp(prefix=".", dir=directory)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(checkpoints.to_bytes(name))
            Path(written).chmod(0o644)
            Path(written).replace(directory / _file(name))
        except BaseException:
            Path(written).unlink(missing_ok=True)
            raise


def _file(name: str) -> str:
    return f"{name}.v{FORMAT}.checkpoints"
