"""The README for the package index, which knows no relative links: they become addresses in the repository."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)]+)\)")
"""A link or, with a mark before it, a picture whose target is a path."""


class ReadmeHook(MetadataHookInterface):
    """Sets the readme of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the readme to the metadata.

        Parameters
        ----------
        metadata
            What `pyproject.toml` says under `project`.
        """
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, metadata["urls"]["Source"])}


def absolute(text: str, source: str) -> str:
    """Return a text in Markdown with addresses in place of paths.

    Parameters
    ----------
    text
        The text.
    source
        The address of the repository.

    Examples
    --------
    >>> absolute("[docs](docs/index.md) ![page](page.png) [numpy](https://numpy.org)", "https://x.org/m")
    '[docs](https://x.org/m/blob/main/docs/index.md) ![page](https://x.org/m/raw/main/page.png) [numpy](https://numpy.org)'
    """

    def address(found: re.Match[str]) -> str:
        mark, words, path = found.groups()
        return f"{mark}{words}({source}/{'raw' if mark else 'blob'}/main/{path})"

    return LINK.sub(address, text)
