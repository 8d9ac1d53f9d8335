"""What pyproject.toml cannot say: what is in C, which may fail to build, and the README of the package index."""

from __future__ import annotations

import os
import re
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parent

SOURCE = "https://example.org/measurand"
"""Where the repository is, as pyproject.toml has it."""

LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)]+)\)")
"""A link or, with a mark before it, a picture whose target is a path."""

ONE_FOR_ALL = not sysconfig.get_config_var("Py_GIL_DISABLED")
"""Whether one build serves every later Python; those without a lock have no such interface yet."""

WANTED = os.environ.get("MEASURAND_NATIVE") != "0"
"""Whether anything is built at all: the variable that switches it off at work switches it off here."""

FLAGS = ["-std=c11", "-O3", "-g0", "-fvisibility=hidden", "-ffp-contract=off", "-fno-trapping-math"]
"""How compilers other than Microsoft's are called; no product and sum become one step, which rounds differently."""

MICROSOFT = ["/std:c11"]
"""How Microsoft's is called: it knows some words of C only by this, and optimises anyway."""


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
    extra_compile_args=MICROSOFT if "MSC" in sys.version else FLAGS,
    optional=True,  # without a compiler Python's own loops do the same work
)

READER = Path("src/measurand_next/native")
"""Where the reader is, a library that ctypes loads."""

reader = Extension(
    "measurand_next.native._reader",
    sources=[(READER / "reader.c").as_posix()],
    depends=sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / READER).glob("*.h")),
    py_limited_api=ONE_FOR_ALL,
    extra_compile_args=MICROSOFT if "MSC" in sys.version else FLAGS,
    export_symbols=["build_index", "read_rows", "judge_rows", "set_secret"],
    optional=True,
)


class Build(build_ext):
    """Builds a library as if it were a module, but for the function by which Python would load one."""

    def get_export_symbols(self, ext: Extension) -> list[str]:
        """Return what others may call."""
        return ext.export_symbols if ext is reader else super().get_export_symbols(ext)


setup(
    ext_modules=[native, *[reader for source in reader.sources if (ROOT / source).exists()]] if WANTED else [],
    cmdclass={"build_ext": Build},
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if WANTED and ONE_FOR_ALL else {},
    long_description=absolute((ROOT / "README.md").read_text(encoding="utf-8"), SOURCE),
    long_description_content_type="text/markdown",
)
