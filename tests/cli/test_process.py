"""The installed program, as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(sys.executable).with_name("measurand")
EXPECTED = Path(__file__).parent / "expected"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed beside this Python")


def program(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "encoding": "utf-8"} | options
    return subprocess.run([PROGRAM, *arguments], check=False, **options)


def test_numbers_go_to_standard_output_and_notes_to_the_error_stream(small):
    done = program("evaluate", "qrels", "alpha.run", "beta.run", "-m", "AP nDCG@10 P@2 NumRet", "-f", "csv")
    assert (done.returncode, done.stdout) == (0, (EXPECTED / "plain.csv").read_text())
    assert all(line.startswith("note: ") for line in done.stderr.splitlines())


def test_an_error_in_the_input_is_one_line_and_exit_code_1(small):
    (small / "broken.run").write_text("1 Q0 a 1 2.5\n")
    done = program("evaluate", "qrels", "broken.run")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "measurand: broken.run:1: 5 columns where a run has 6 (topic Q0 document rank score tag); repair the line\n"
    )


def test_a_usage_error_is_exit_code_2():
    done = program("evaluate")
    assert (done.returncode, done.stdout) == (2, "")
    usage = "write measurand evaluate [OPTIONS] QRELS RUN... (-h explains it)"
    assert done.stderr == f"measurand evaluate: Missing argument 'QRELS'; {usage}\n"


def test_the_package_runs_as_a_module_and_calls_itself_so(small):
    called = [sys.executable, "-m", "measurand", "evaluate"]
    done = subprocess.run([*called, "qrels", "alpha.run", "-m", "map", "-f", "trec"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "map                   \tall\t0.2500\n")
    usage = subprocess.run([*called, "-h"], capture_output=True, text=True, check=True).stdout
    assert usage.startswith("Usage: python -m measurand evaluate [OPTIONS] QRELS RUN...\n")


def test_a_signal_within_exec_ends_a_module_with_its_own_status(tmp_path):
    (tmp_path / "ended.py").write_text(
        "import measurand.execution\nfrom measurand.cli.main import _leave\n"
        "try:\n    exec('raise KeyboardInterrupt')\nexcept KeyboardInterrupt:\n    _leave(143)\n"
    )
    assert subprocess.run([sys.executable, "-m", "ended"], cwd=tmp_path).returncode == 143


def _into_a_closed_pipe(*arguments: str) -> subprocess.CompletedProcess[str]:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return program(*arguments, stdout=writing)
    finally:
        os.close(writing)


@pytest.mark.parametrize("arguments", [("measures",), ("cite", "Robertson2006"), ("-h",)], ids=lambda words: words[0])
def test_a_reader_who_has_seen_enough_is_no_error_and_gets_no_traceback(arguments):
    done = _into_a_closed_pipe(*arguments)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_first_line_can_be_had_alone(small):
    first = subprocess.run(
        f"'{PROGRAM}' evaluate qrels alpha.run -m AP -f trec -q | head -1",
        shell=True,
        capture_output=True,
        text=True,
        check=True,
    )
    assert first.stdout == "map                   \t1\t0.2500\n"
    assert "Traceback" not in first.stderr


def test_what_is_written_to_a_file_at_a_terminal_has_no_colours(small):
    pty = pytest.importorskip("pty")
    terminal, shown = pty.openpty()
    try:
        done = program(
            "evaluate", "qrels", "alpha.run", "beta.run", "-m", "AP nDCG@10 P@2 NumRet", "-o", "out", stdout=shown
        )
    finally:
        os.close(shown)
        os.close(terminal)
    assert done.returncode == 0
    assert (small / "out").read_text(encoding="utf-8") == (EXPECTED / "plain.table").read_text(encoding="utf-8")


def test_the_version_is_told_without_loading_numpy():
    code = (
        "import sys\nfrom measurand.cli import main\nsys.argv = ['measurand', '--version']\n"
        "try: main()\n"
        "except SystemExit as stop: print('numpy' in sys.modules, stop.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1:] == ["False 0"]


def test_the_program_does_without_polars_and_fingerprints_on_small_files(small):
    """The line reader is what a small evaluation runs on; what else there is to read and to keep is not even loaded."""
    code = (
        "import sys; from measurand.cli import main\n"
        "sys.argv = ['measurand', 'evaluate', 'qrels', 'alpha.run', '-m', 'AP', '-f', 'trec']\n"
        "try: main()\n"
        "except SystemExit as stop: print({'polars', 'measurand.judged.documents'} & {*sys.modules}, stop.code)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "map                   \tall\t0.2500\nset() 0\n"
