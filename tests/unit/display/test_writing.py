"""Writing: one file or a set of files, whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import measurand.display.writing as writing
import measurand.interrupts as interrupts
from measurand.display.writing import write_files, write_whole
from measurand.errors import InputFileError

LEFT = ".measurand-0123456789ab.tmp"


@pytest.fixture(autouse=True)
def anew():
    interrupts.forget()
    writing._looked_at.clear()
    yield
    interrupts.forget()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_name_of_255_bytes_can_be_written(tmp_path):
    for name in ("x" * 255, "ü" * 127):
        write_whole(tmp_path / name, b"1")
        write_whole(tmp_path / name, b"2")
        assert (tmp_path / name).read_bytes() == b"2"
    assert len(names(tmp_path)) == 2


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o755, 0o666])
def test_the_mode_of_an_overwritten_file_is_kept(tmp_path, mode):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(mode)
    write_whole(tmp_path / "a", b"new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda _: pytest.fail("the umask belongs to the whole process"), raising=True)
    (tmp_path / "other").touch()
    write_whole(tmp_path / "a", b"")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_a_file_is_on_the_disk_before_it_replaces_another(tmp_path, monkeypatch):
    done = []

    def noting(name, do):
        return lambda *given: (done.append(name), do(*given))[1]

    for name in ("fsync", "replace"):
        monkeypatch.setattr(os, name, noting(name, getattr(os, name)))
    write_whole(tmp_path / "a", b"1")
    assert done == ["fsync", "replace", "fsync"]


def test_a_link_is_followed_and_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("real")
    for data in (b"1", b"2"):
        write_whole(tmp_path / "link", data)
        assert (tmp_path / "real").read_bytes() == data
    assert (tmp_path / "link").is_symlink()


def test_what_cannot_be_a_file_is_refused_in_one_line(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    places = ["loop", "loop/a", "folder", "none/", "none/a", "x" * 256, "a\0b"]
    for place in (*(f"{tmp_path}/{place}" for place in places), ""):
        with pytest.raises(InputFileError, match=r"cannot be written \([^\n]+\)$"):
            write_whole(place, b"1")
    assert names(tmp_path) == ["folder", "loop"]


def test_a_pipe_and_a_device_are_written_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe").read_bytes()))
    reader.start()
    write_whole(tmp_path / "pipe", b"1")
    reader.join()
    write_whole("/dev/null", b"1")
    assert found == [b"1"]


def test_a_stream_that_others_write_to_as_well_is_not_replaced(tmp_path):
    (tmp_path / "log").write_text("before\n")
    code = "from measurand.display.writing import write_whole; write_whole('/dev/stdout', b'after\\n')"
    subprocess.run(f'{sys.executable} -c "{code}" >> {tmp_path}/log', shell=True, check=True)
    assert (tmp_path / "log").read_text() == "before\nafter\n"


def test_folders_that_were_made_for_nothing_are_removed(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for write in (
        lambda: write_whole(tmp_path / "a/b/c", b"", folders=True),
        lambda: write_files(tmp_path / "a/b", [("c", b"")]),
    ):
        with pytest.raises(InputFileError, match=r"cannot be written \(No space left on device\)"):
            write()
        assert names(tmp_path) == []


def test_what_a_killed_program_left_is_removed_and_what_is_being_written_is_not(tmp_path):
    (tmp_path / LEFT).write_bytes(b"half")
    (tmp_path / LEFT.replace("0", "1")).mkdir()
    (tmp_path / LEFT.replace("0", "1") / "a").touch()
    (tmp_path / LEFT.replace("0", "2")).write_bytes(b"young")
    busy = (tmp_path / LEFT.replace("0", "3")).open("wb")
    assert writing._lock(busy.fileno())
    for name in names(tmp_path):
        if "2" not in name[:12]:
            os.utime(tmp_path / name, (0, 0))
    write_whole(tmp_path / "a", b"1")
    busy.close()
    assert names(tmp_path) == [LEFT.replace("0", "2"), LEFT.replace("0", "3"), "a"]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_set_of_files_replaces_the_old_one_and_files_of_others_stay(tmp_path, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(writing, "_exchanged_at_once", lambda *_: False)
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1"), ("b.csv", b"1")])
    (out / "mine.txt").write_text("mine")
    (out / "link").symlink_to("nowhere")
    out.chmod(0o750)
    paths = write_files(out, [("a.csv", b"2")], lambda name: name.endswith(".csv"))
    assert paths == [out / "a.csv"]
    assert (names(tmp_path), names(out)) == (["out"], ["a.csv", "link", "mine.txt"])
    assert ((out / "a.csv").read_bytes(), (out / "mine.txt").read_text()) == (b"2", "mine")
    assert stat.S_IMODE(out.stat().st_mode) == 0o750


@pytest.mark.parametrize("at_once", [True, False])
def test_a_set_that_cannot_take_its_place_leaves_the_old_one(tmp_path, monkeypatch, at_once):
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1")])
    rename = os.rename

    def fail(*places):
        if at_once or (str(places[0]).endswith(".tmp") and str(places[1]) == str(out)):
            raise OSError(16, "Device or resource busy")
        return rename(*places)

    monkeypatch.setattr(writing, "_exchanged_at_once", fail if at_once else lambda *_: False)
    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(InputFileError, match="busy"):
        write_files(out, [("a.csv", b"2")])
    assert (names(tmp_path), (out / "a.csv").read_bytes()) == (["out"], b"1")


def test_folders_that_cannot_be_exchanged_are_refused_in_words(tmp_path, monkeypatch):
    (tmp_path / "full" / "runs").mkdir(parents=True)
    (tmp_path / "here").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    monkeypatch.chdir(tmp_path / "here")
    for place, why in (
        ("full", "it holds runs"),
        ("here", "that you are in"),
        ("file", "it is a file"),
        ("loop", "link"),
    ):
        with pytest.raises(InputFileError, match=rf"cannot be written \({why}|{why}"):
            write_files(tmp_path / place, [("a", b"")])
    assert names(tmp_path) == ["file", "full", "here", "loop"]


def test_a_signal_while_a_file_takes_its_place_is_heard_when_it_is_there(tmp_path, monkeypatch):
    def replace(*places, _replace=os.replace):
        interrupts._hear(signal.SIGTERM, None)
        _replace(*places)
        interrupts._hear(signal.SIGTERM, None)

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "a", b"1")
    assert names(tmp_path) == ["a"]
    assert interrupts.ending() == f"terminated; {tmp_path / 'a'} was written"
    interrupts._hear(signal.SIGINT, None)  # the second one does not break the cleaning up
    assert interrupts.status() == 143


STOPPED = """
import os, signal, sys, time
from measurand import interrupts
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the tests may be run under nohup
interrupts.listen()
from measurand.__main__ import start
import measurand.report.page
import measurand.report.study_data as data
def stopped(*_, **__):
    try:
        os.kill(os.getpid(), number)
        time.sleep(30)
    finally:
        os.kill(os.getpid(), signal.SIGTERM)
data.study_tables = stopped
for number in signal.SIGTERM, signal.SIGHUP, signal.SIGINT:
    if not os.fork():
        start()
    print(os.waitstatus_to_exitcode(os.wait()[1]) - number, file=sys.stderr, flush=True)
"""
"""A program that gets a signal while it writes files, and another while it cleans up; once for each signal."""


def test_signals_clean_up_alike_and_a_second_one_does_no_harm(tmp_path):
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n")
    call = [sys.executable, "-c", STOPPED, "report", "qrels", "run", "-m", "P@1", "--data", "-o", "new/out"]
    told = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False).stderr
    words = ("terminated", "hung up", "interrupted")
    assert told == "".join(f"measurand: {word}; nothing was written\n128\n" for word in words)
    assert names(tmp_path) == ["qrels", "run"]


def test_what_is_kept_replaces_whatever_stands_in_its_place(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "link").symlink_to("other")
    for name in ("pipe", "loop", "link"):
        write_whole(tmp_path / name, b"1", kept=True)
        assert stat.S_ISREG((tmp_path / name).lstat().st_mode)
    assert names(tmp_path) == ["link", "loop", "pipe"]


def test_an_interrupted_write_to_a_pipe_is_not_called_nothing(tmp_path, monkeypatch):
    write_whole("/dev/null", b"1")
    assert interrupts.ending() == "interrupted; what was printed may not be all of it"


def test_a_file_is_closed_before_it_is_moved_where_open_ones_cannot_be(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    opened = []

    def fdopen(*arguments, _do=os.fdopen):
        opened.append(_do(*arguments))
        return opened[-1]

    def replace(*places, _do=os.replace):
        assert opened[-1].closed
        _do(*places)

    monkeypatch.setattr(os, "fdopen", fdopen)
    monkeypatch.setattr(os, "replace", replace)
    write_whole(str(tmp_path / "a"), b"1")
    monkeypatch.undo()
    assert (tmp_path / "a").read_bytes() == b"1"


def test_a_disk_without_modes_is_written_to_all_the_same(tmp_path, monkeypatch):
    def refused(*_):
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o640)
    monkeypatch.setattr(os, "fchmod", refused)
    write_whole(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600


def test_a_folder_that_another_program_makes_meanwhile_is_no_hindrance_and_is_left_to_it(tmp_path, monkeypatch):
    def mkdir(path, *mode, _do=os.mkdir):
        _do(path, *mode)
        if str(path).endswith("new"):
            raise FileExistsError(17, "File exists")  # as if it was the other that made it

    monkeypatch.setattr(os, "mkdir", mkdir)
    write_whole(tmp_path / "new/a", b"1", folders=True)
    assert (tmp_path / "new/a").read_bytes() == b"1"
    (tmp_path / "new/a").unlink()
    (tmp_path / "new").rmdir()
    with pytest.raises(InputFileError):
        write_whole(tmp_path / "new" / ("x" * 256), b"1", folders=True, kept=True)
    assert names(tmp_path) == ["new"]


def test_files_of_a_set_keep_their_modes_and_the_new_folder_is_private_until_it_has_its_place(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1")])
    (out / "a.csv").chmod(0o600)
    out.chmod(0o2700)
    modes = []

    def fill(folder, *rest, _do=writing._fill):
        modes.append(stat.S_IMODE(Path(folder).stat().st_mode) & 0o777)
        return _do(folder, *rest)

    monkeypatch.setattr(writing, "_fill", fill)
    write_files(out, [("a.csv", b"2")])
    assert modes == [0o700]
    assert stat.S_IMODE((out / "a.csv").stat().st_mode) == 0o600
    assert stat.S_IMODE(out.stat().st_mode) == 0o2700


def test_a_set_is_on_the_disk_before_it_takes_its_place_and_nothing_later_makes_it_unwritten(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1")])
    done = []

    def exchange(*places, _do=writing._exchange):
        old = _do(*places)
        done.append("exchanged")
        return old

    def fsync(handle, _do=os.fsync):
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else "file")
        if "exchanged" in done:
            raise OSError(5, "Input/output error")
        _do(handle)

    monkeypatch.setattr(writing, "_exchange", exchange)
    monkeypatch.setattr(os, "fsync", fsync)
    write_files(out, [("a.csv", b"2")])
    assert done == ["file", "folder", "exchanged", "folder"]
    assert (out / "a.csv").read_bytes() == b"2"


def test_what_others_write_into_a_folder_while_it_is_exchanged_is_not_lost(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1")])
    (out / "mine").write_text("old")

    def exchange(*places, _do=writing._exchange):
        (out / "mine.new").write_text("newer")
        (out / "mine.new").rename(out / "mine")
        (out / "other").write_text("other")
        return _do(*places)

    monkeypatch.setattr(writing, "_exchange", exchange)
    write_files(out, [("a.csv", b"2")])
    assert names(out) == ["a.csv", "mine", "other"]
    assert ((out / "mine").read_text(), (out / "a.csv").read_bytes()) == ("newer", b"2")


def test_a_folder_that_cannot_be_exchanged_is_refused_with_what_to_do(tmp_path, monkeypatch):
    out = tmp_path / "out"
    write_files(out, [("a.csv", b"1")])
    (out / "mine").touch()
    do = f"name a folder of its own, such as {out}/data"

    def refused(number):
        def call(*_, **__):
            raise OSError(number, os.strerror(number))

        return call

    for change, why in (
        ((os, "link", refused(1)), "it holds mine, which cannot be taken over (Operation not permitted)"),
        ((writing, "_exchanged_at_once", refused(18)), "it cannot be exchanged as a whole (Invalid cross-device link)"),
        ((os.path, "ismount", lambda _: True), "a disk is mounted there, and it is exchanged as a whole"),
        ((os, "access", lambda path, _: str(path) == str(out)), "the folder around it may not be written to"),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(*change)
            with pytest.raises(InputFileError) as refusal:
                write_files(out, [("a.csv", b"2")])
        assert (why in str(refusal.value), do in str(refusal.value)) == (True, True)
        assert (names(tmp_path), names(out), (out / "a.csv").read_bytes()) == (["out"], ["a.csv", "mine"], b"1")
    with pytest.raises(InputFileError, match="the path is empty"):
        write_files("", [("a.csv", b"2")])
    with pytest.raises(InputFileError, match="null"):
        write_files("a\0b", [("a.csv", b"2")])


def test_two_programs_that_make_the_same_new_folder_leave_one_whole_set(tmp_path, monkeypatch):
    out = tmp_path / "out"

    def exchange(*places, _do=writing._exchange):
        monkeypatch.undo()
        write_files(out, [("b.csv", b"other")])
        return _do(*places)

    monkeypatch.setattr(writing, "_exchange", exchange)
    with pytest.raises(InputFileError, match="another program wrote it meanwhile; run the command again"):
        write_files(out, [("a.csv", b"1")])
    assert (names(tmp_path), names(out)) == (["out"], ["b.csv"])


def test_only_names_of_ours_are_taken_for_what_a_killed_program_left(tmp_path):
    for name in (".measurand-notes.tmp", ".measurand-0123456789abc.tmp"):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (0, 0))
    write_whole(tmp_path / "a", b"1")
    assert len(names(tmp_path)) == 3
