"""A folder on disk or at an address, whose files are written whole or not at all."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from attrs import frozen

from measurand.display.keeping import regular_bytes, sealed, unsealed
from measurand.display.writing import PathLike, check_path, write_whole
from measurand.errors import InputFileError
from measurand.trec.addresses import addresses_of, base_name, bytes_at, exists_at, is_address, remove_at, write_at

LOCAL = re.compile(r"(file|local)://(?=/)")
"""How an address begins that is a path."""

MEND = "run the command that stored it with --resume (resume=True in Python), which makes it anew"
"""What to do about a file of a store that is damaged or gone."""


@frozen
class Folder:
    """A folder, and its files by their names within it.

    Parameters
    ----------
    place
        The absolute path, or the address, without a slash at its end.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as place:
    ...     folder = Folder.at(place)
    ...     folder.write("runs/a", b"1 0 1")
    ...     folder.read("runs/a"), folder.names("runs"), folder.has("runs/b")
    (b'1 0 1', ['a'], False)
    """

    place: str

    @classmethod
    def at(cls, place: PathLike) -> Folder:
        """Return the folder at a path or an address.

        Parameters
        ----------
        place
            The path or the address.
        """
        check_path(place, "scores")
        text = LOCAL.sub("", os.fspath(place), count=1) if LOCAL.match(os.fspath(place)) else os.fspath(place)
        return cls(text.rstrip("/") if is_address(text) else str(Path(text).absolute()))

    @property
    def is_remote(self) -> bool:
        """Whether it is at an address."""
        return is_address(self.place)

    def path(self, name: str) -> str:
        """Return the path or the address of a file.

        Parameters
        ----------
        name
            The name of the file, with slashes where it is in a folder of its own.
        """
        return f"{self.place}/{name}"

    def read(self, name: str) -> bytes:
        """Return what a file holds.

        Parameters
        ----------
        name
            The name of the file.
        """
        path = self.path(name)
        if self.is_remote:
            return bytes_at(path)
        try:
            return regular_bytes(path)
        except OSError as error:
            raise InputFileError(path, None, f"cannot be read ({error.strerror or error})") from None
        except ValueError as error:
            raise InputFileError(path, None, str(error)) from None

    def read_sealed(self, name: str) -> Any:
        """Return the value in a file that was sealed; ValueError if it is damaged.

        Parameters
        ----------
        name
            The name of the file.
        """
        return unsealed(name, self.read(name))

    def write_sealed(self, name: str, value: Any) -> None:
        """Write a value into a file, as JSON with a digest.

        Parameters
        ----------
        name
            The name of the file.
        value
            Anything that JSON can hold.
        """
        self.write(name, sealed(name, value))

    def write(self, name: str, data: bytes) -> None:
        """Write a file, with the folders that lead to it.

        Parameters
        ----------
        name
            The name of the file.
        data
            What it is to hold.
        """
        path = self.path(name)
        if self.is_remote:
            write_at(path, data)
            return
        write_whole(path, data, kept=True, folders=True)

    def has(self, name: str = "") -> bool:
        """Return whether there is a file, or the folder itself.

        Parameters
        ----------
        name
            The name of the file.
        """
        path = self.path(name).rstrip("/")
        return exists_at(path) if self.is_remote else os.path.lexists(path)

    def names(self, under: str) -> list[str]:
        """Return the names of the files in a folder within, sorted; none if there is no such folder.

        Parameters
        ----------
        under
            The name of the folder.
        """
        if not self.has(under):
            return []
        if not self.is_remote:
            try:
                return sorted(path.name for path in Path(self.path(under)).iterdir() if path.name[0] != ".")
            except OSError as error:
                why = "is a file where a folder is wanted" if Path(self.place).is_file() else "cannot be read"
                raise InputFileError(self.place, None, f"{why} ({error.strerror or error})") from None
        with suppress(InputFileError):  # it holds nothing
            return [base_name(address) for address in addresses_of(f"{self.path(under)}/")]
        return []

    def remove(self, name: str) -> None:
        """Remove a file, if it is there.

        Parameters
        ----------
        name
            The name of the file.
        """
        if self.is_remote:
            remove_at(self.path(name))
            return
        try:
            Path(self.path(name)).unlink(missing_ok=True)
        except OSError as error:
            raise InputFileError(self.path(name), None, f"cannot be removed ({error.strerror or error})") from None
