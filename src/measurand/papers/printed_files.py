"""Files of printed tables: those that come with measurand, and those of whoever has others."""

from __future__ import annotations

import os
import tomllib
from importlib.resources import files
from typing import Any

from measurand.errors import InputFileError
from measurand.trec.files import bytes_of


def packaged(name: str) -> dict[str, Any]:
    """Return what a file of printed tables holds that comes with measurand.

    Examples
    --------
    >>> packaged("fff2021.toml")["paper"]
    'FerranteFerroFuhr2021'
    """
    return tomllib.loads((files("measurand.papers") / name).read_text(encoding="utf-8"))


def content_of(path: str | os.PathLike[str], like: str) -> dict[str, Any]:
    """Return what a file holds, or say what is wrong with it.

    Parameters
    ----------
    path
        The file.
    like
        The file that comes with measurand and has the same form.
    """
    name = os.fspath(path)
    try:
        # some editors begin a file with a mark of its encoding
        return tomllib.loads(bytes_of(path).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputFileError(name, None, f"is not a file of printed tables (no UTF-8 text); {advice(like)}") from None
    except (ValueError, RecursionError) as error:
        if isinstance(error, InputFileError):
            raise
        raise InputFileError(name, None, f"is not a file of printed tables (TOML: {error}); {advice(like)}") from None


def advice(like: str) -> str:
    """Return what to do about a file that is none of printed tables.

    Examples
    --------
    >>> advice("fff2021.toml").startswith("begin with a copy of the one that comes with measurand, ")
    True
    """
    return f"begin with a copy of the one that comes with measurand, {files('measurand.papers') / like}"
