from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from measurand_next.parallel import interrupts

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to other processes")

SAID = "measurand: interrupted; nothing was written\n"

PROGRAM = """
import os, signal, time
from measurand_next import __main__ as program
from measurand_next.parallel.interrupts import held, wrote

def me(name="SIGINT"):
    os.kill(os.getpid(), getattr(signal, name))
    for _ in range(1000):
        pass

def long():  # until a signal that came at a bad moment is heard again
    time.sleep(10)

def work():
{}
    return 7

program.load = lambda: work
program.start()
"""


@pytest.fixture
def ended(tmp_path):
    """How a program ends: status, output, errors. It may find modules of its own in `tmp_path`."""

    def end(*command, code="", before=""):
        if code:
            command = ("-c", before + PROGRAM.format("\n".join(f"    {line}" for line in code.splitlines())))
        path = os.pathsep.join(filter(None, (str(tmp_path), os.environ.get("PYTHONPATH"))))
        env = {**os.environ, "PYTHONPATH": path}
        found = subprocess.run([sys.executable, *command], env=env, capture_output=True, text=True, timeout=60)
        return found.returncode, found.stdout, found.stderr

    return end


AT_IMPORT = """
import os, runpy, signal, sys
def watch(event, given):
    if event == "import" and given[0] == {module!r}:
        os.kill(os.getpid(), signal.{name})
sys.addaudithook(watch)
sys.argv = ["measurand", "--version"]
runpy.run_module("measurand_next", run_name="__main__", alter_sys=True)
"""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("numpy", "SIGTERM"),
        ("numpy._core._multiarray_umath", "SIGINT"),
        ("numpy.linalg", "SIGHUP"),
        ("attr", "SIGINT"),
        ("measurand_next.data.judge", "SIGTERM"),
    ],
)
def test_a_signal_while_modules_load_ends_the_program_in_one_line(module, name, ended):
    status = 128 + getattr(signal, name)
    assert ended("-c", AT_IMPORT.format(module=module, name=name)) == (status, "", SAID)


def test_signals_are_listened_to_before_anything_slow_loads():
    slow = "'typing', 'pathlib', 'pickle', 'inspect', 'attr', 'numpy', 'concurrent.futures'"
    code = f"import sys, measurand_next.__main__; print([each for each in ({slow}) if each in sys.modules])"
    call = [sys.executable, "-S", "-c", code]  # without what others have installed to be loaded at the start
    source = str(Path(interrupts.__file__).parents[2])
    found = subprocess.run(call, env={"PYTHONPATH": source}, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("[]\n", "")


def test_a_program_that_nobody_interrupts_ends_with_its_status(ended):
    assert ended(code="print('done')") == (7, "done\n", "")


def test_an_error_of_the_program_stays_one(ended):
    status, _, errors = ended(code="raise ValueError('odd')")
    assert status == 1
    assert errors.endswith("ValueError: odd\n")


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_what_is_half_done_is_undone_and_further_signals_do_not_break_that_off(name, ended):
    code = f"try:\n    me('{name}')\nfinally:\n    me()\n    os.write(1, b'undone')"
    assert ended(code=code) == (128 + getattr(signal, name), "undone", SAID)


def test_generators_end_before_the_program_does(ended):
    code = """
def numbers():
    try:
        yield 1
    finally:
        os.write(1, b"closed")
some = numbers()
next(some)
me()"""
    assert ended(code=code) == (130, "closed", SAID)


@pytest.mark.parametrize(
    ("files", "words"),
    [("a", "a was"), ("ab", "a, b were"), ("abcde", "a, b, c and 2 more were")],
)
def test_what_was_written_is_named(files, words, ended):
    code = f"for name in {files!r}:\n    wrote(name)\nme()"
    assert ended(code=code) == (130, "", f"measurand: interrupted; {words} written\n")


MODULES = {
    "keeps": "try:\n    me()\nexcept KeyboardInterrupt:\n    pass\n",  # as Python where it lets go of a module's lock
    "turns": "try:\n    me()\nexcept KeyboardInterrupt:\n    raise ImportError('failed to import')\n",
}


@pytest.mark.parametrize("module", MODULES)
def test_a_signal_while_a_module_is_loaded_later_is_heard_when_that_is_done(module, ended, tmp_path):
    (tmp_path / f"{module}.py").write_text(f"from __main__ import me\n{MODULES[module]}")
    assert ended(code=f"import {module}\nos.write(1, b'loaded')\nlong()") == (130, "loaded", SAID)


def test_a_signal_that_python_keeps_to_itself_is_heard_again(ended):
    code = "class Odd:\n    def __del__(self):\n        me()\nodd = Odd()\ndel odd\nlong()"
    assert ended(code=code) == (130, "", SAID)


def test_a_signal_that_the_program_swallows_ends_it_all_the_same(ended):
    assert ended(code="try:\n    me()\nexcept KeyboardInterrupt:\n    os.write(1, b'on')") == (130, "on", SAID)


def test_signals_are_held_back_until_the_outermost_block_ends(ended):
    code = """
with held():
    with held():
        me("SIGTERM")
    wrote("f")
    os.write(1, b"all")
os.write(1, b"more")"""
    assert ended(code=code) == (143, "all", "measurand: interrupted; f was written\n")


def test_what_another_thread_holds_back_the_main_thread_hears(ended):
    code = """
from threading import Event, Thread
inside, outside = Event(), Event()
def hold():
    with held():
        inside.set()
        outside.wait(10)
    os.write(1, b"thread")
thread = Thread(target=hold)
thread.start()
inside.wait(10)
me()
outside.set()
while True:
    thread.join(0.01)"""
    assert ended(code=code) == (130, "thread", SAID)


def test_a_program_that_is_done_ends_without_a_word(ended):
    assert ended(code="import atexit\natexit.register(me, 'SIGTERM')") == (-signal.SIGTERM, "", "")


def test_a_signal_that_is_ignored_stays_so(ended):
    before = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    assert ended(code="me('SIGHUP')", before=before) == (7, "", "")


AT_WORK = """
import multiprocessing, sys
from measurand_next import __main__ as program
from measurand_next.parallel import workers

ITEM = "import os, time; os.write(1, f'{os.getpid()}{os.linesep}'.encode()); time.sleep(60)"  # print writes twice

def work():
    with workers.processes(2) as executor:
        if "SIGINT at once" in sys.argv:
            print(*(each.pid for each in multiprocessing.active_children()), sep="\\n", flush=True)
        list(workers.map(exec, [ITEM] * 9, executor=executor))

program.load = lambda: work
if __name__ == "__main__":
    program.start()
"""


def are_there(processes: list[int]) -> list[int]:
    """Those at work, without those whose end nobody has noted yet."""
    found = []
    for each in processes:
        with suppress(OSError):
            found += [each] * (") Z " not in Path(f"/proc/{each}/stat").read_text())
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked up in /proc")
@pytest.mark.parametrize("how", ["SIGINT at work", "SIGINT at once", "SIGKILL"])
def test_no_worker_outlives_its_program(how, tmp_path):
    script = tmp_path / "at_work.py"
    script.write_text(AT_WORK)
    with subprocess.Popen(
        [sys.executable, script, how], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdout is not None
        assert program.stderr is not None
        processes = [int(program.stdout.readline()) for _ in range(2)]
        if how == "SIGKILL":
            program.kill()
        else:  # as a terminal does, the workers too
            os.killpg(program.pid, signal.SIGINT)
            assert (program.wait(20), program.stderr.read()) == (130, SAID)
        until = time.monotonic() + 20
        while are_there(processes) and time.monotonic() < until:
            time.sleep(0.01)
        assert not are_there(processes)
