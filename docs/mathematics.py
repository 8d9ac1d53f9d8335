"""Mathematics on the site: TeX becomes MathML when the site is built, so that no script and no network is needed."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from latex2mathml.converter import convert

_FORMULA = re.compile(r'<(?P<tag>div|span) class="arithmatex">(?P<tex>.*?)</(?P=tag)>', re.DOTALL)
_UPRIGHT = re.compile(r"\\mathrm\{(\w)\}")


def on_page_content(html: str, **_: Any) -> str:
    """Return a page with its formulas as MathML; mkdocs calls this for every page."""
    return _FORMULA.sub(_formula, html)


def _formula(found: re.Match[str]) -> str:
    display = "block" if found["tag"] == "div" else "inline"
    markup = convert(" ".join(_bare(unescape(found["tex"])).split()), display=display)
    return f'<div class="formula">{markup}</div>' if display == "block" else markup


def _bare(tex: str) -> str:
    """Return TeX without the brackets that arithmatex puts around it; letters that are to be upright will be."""
    return _UPRIGHT.sub(r"\\text{\1}", tex.strip()[2:-2])
