"""Parts of a long computation that are kept until all of it is done, so that it can be interrupted and resumed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import frozen

from measurand.display.writing import write_whole
from measurand.errors import InputFileError
from measurand.judged import JudgedRuns
from measurand.study.plan import versions


@frozen
class KeptParts:
    """A folder with finished parts of one computation.

    Parameters
    ----------
    folder
        Where the parts lie; it is made when the first is kept.
    key
        What tells this computation from others: a digest of all that it depends on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     kept = KeptParts(Path(folder, "parts"), "0f")
    ...     kept.made("depth-5", lambda: {"tau": 1.0}), kept.made("depth-5", lambda: {"tau": 0.0}), kept.names
    ({'tau': 1.0}, {'tau': 1.0}, ('depth-5',))
    """

    folder: Path
    key: str

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that are there."""
        return tuple(sorted(path.name.split(".")[0] for path in self._files()))

    def made(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a part that was kept, or make it and keep it."""
        path = self.folder / f"{name}.{self.key}.json"
        # a part that cannot be read is made again
        with suppress(OSError, ValueError):
            kept = json.loads(path.read_text(encoding="utf-8"))
            if isinstance(kept, dict):
                return kept
        part = make()
        # whoever cannot keep anything has to start anew, and is given the result all the same
        with suppress(OSError, InputFileError):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, json.dumps(part).encode())
        return part

    def forget(self) -> None:
        """Remove the parts: all is done."""
        for path in self._files():
            with suppress(OSError):
                path.unlink()

    def _files(self) -> list[Path]:
        with suppress(OSError):
            return sorted(self.folder.glob(f"*.{self.key}.json"))
        return []


def digest_of(judged: JudgedRuns, *settings: object) -> str:
    """Return what tells judged runs, settings and the versions of everything from all others.

    Examples
    --------
    >>> one, other = (JudgedRuns.on_one_topic([run], (1, 1)) for run in [(0, 1), (1, 0)])
    >>> digest_of(one) == digest_of(one), digest_of(one) == digest_of(other), digest_of(one) == digest_of(one, 30)
    (True, False, False)
    """
    found = sha256(repr((versions(), judged.systems, judged.topics, settings)).encode())
    for array in (judged.cells, judged.lengths, judged.grade_counts):
        found.update(repr((array.shape, str(array.dtype))).encode())
        found.update(array.tobytes())
    return found.hexdigest()[:32]
