"""What pyproject.toml cannot say: the module in C, which may fail to build, and the README of the package index."""

from __future__ import annotations

import re
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup

ROOT = Path(__file__).parent

SOURCE = "https://example.org/measurand"
"""Where the repository is, as pyproject.toml has it."""

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)]+)\)")
"""A link or, with a mark before it, a picture whose target is a path."""

ONE_FOR_ALL = not sysconfig.get_config_var("Py_GIL_DISABLED")
"""Whether one build serves every later Python; those without a lock have no such interface yet."""


def absolute(text: str, source: str) -> str:
    """Return a text in Markdown with addresses in place of paths, which the package index does not know.

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


native = Extension(
    "measurand._native",
    sources=sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("native/*.c")),
    depends=sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("native/*.h")),
    define_macros=[("Py_LIMITED_API", "0x030B0000")] if ONE_FOR_ALL else [],
    py_limited_api=ONE_FOR_ALL,
    extra_compile_args=[] if sys.platform == "win32" else ["-std=c11", "-O3", "-g0", "-fvisibility=hidden"],
    optional=True,  # without a compiler Python's own loops do the same work
)

setup(
    ext_modules=[native],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if ONE_FOR_ALL else {},
    long_description=absolute((ROOT / "README.md").read_text(encoding="utf-8"), SOURCE),
    long_description_content_type="text/markdown",
)
