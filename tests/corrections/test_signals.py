"""R04: a signal that comes while numpy loads ends the program in one line, as any other."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

NUMPY = """
import os, sys
if getattr(sys, "tried", False):
    raise ImportError("cannot load module more than once per process")
sys.tried = True
try:
    os.kill(os.getpid(), {number})
    for _ in range(1000):
        pass
except KeyboardInterrupt:
    raise {error}
"""

CODES = {"SIGINT": (130, "interrupted"), "SIGTERM": (143, "terminated")}


def ended(folder, *command):
    """Return how the program ends where modules of a folder stand before its own: status, output, errors."""
    found = subprocess.run(
        [sys.executable, "-m", "measurand", *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return found.returncode, found.stdout, found.stderr


def said_of(name):
    code, word = CODES[name]
    return code, "", f"measurand: {word}; nothing was written\n"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to other processes")
@pytest.mark.parametrize("error", ["", "ImportError('numpy._core.multiarray failed to import')"], ids=["it", "another"])
@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_a_signal_while_numpy_loads_ends_the_program_in_one_line(command, name, error, tmp_path):
    """R04: numpy is not loaded twice, and an error that it makes of a signal is not shown."""
    (tmp_path / "numpy").mkdir()
    (tmp_path / "numpy" / "__init__.py").write_text(NUMPY.format(number=int(getattr(signal, name)), error=error))
    for each, line in (("qrels", "1 0 d 1"), ("a", "1 Q0 d 1 1 a"), ("b", "1 Q0 d 1 1 b")):
        (tmp_path / each).write_text(f"{line}\n")
    assert ended(tmp_path, command, "qrels", "a", "b") == said_of(name)


SWALLOWING = """
import os, sys
try:
    os.kill(os.getpid(), {number})
    for _ in range(1000):
        pass
except KeyboardInterrupt:  # as Python does where it lets go of the lock of a module
    sys.path[:] = [each for each in sys.path if each != os.path.dirname(os.path.dirname(__file__))]
    del sys.modules["click"]
    import click
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to other processes")
@pytest.mark.parametrize("name", CODES)
def test_a_signal_that_python_keeps_to_itself_ends_the_program_too(name, tmp_path):
    """R04: once in three hundred times the program went on and ended with 0."""
    (tmp_path / "click").mkdir()
    (tmp_path / "click" / "__init__.py").write_text(SWALLOWING.format(number=int(getattr(signal, name))))
    assert ended(tmp_path, "cite", "ESL") == said_of(name)
