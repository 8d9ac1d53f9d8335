"""Examples on the site: sessions of Python are coloured as sessions, so that what is typed stands out from answers."""

from __future__ import annotations

import re
from typing import Any

_SESSION = re.compile(r"^```python\n(?=>>> )", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page with its sessions named as such; mkdocs calls this for every page."""
    return _SESSION.sub("```pycon\n", markdown)
