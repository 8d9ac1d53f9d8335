"""Keeping: what cannot be relied on is made anew, what cannot be kept is not said to be, and nothing hangs."""

from __future__ import annotations

import errno
import os
import stat
from functools import partial
from pathlib import Path

import pytest

import measurand.display.keeping as keeping
import measurand.display.writing as writing
import measurand.interrupts as interrupts
from measurand.display.keeping import cache_directory, keep, kept, sealed, unsealed

WHOLE = sealed("a", {"tau": 0.25})


@pytest.fixture(autouse=True)
def anew():
    keeping.tell_once.cache_clear()
    writing._looked_at.clear()
    interrupts.forget()
    yield
    interrupts.forget()


@pytest.fixture
def place(tmp_path) -> Path:
    return tmp_path / "cache" / "reproduce" / "a"


def found(place: Path) -> object:
    return kept(place, partial(unsealed, "a"))


def test_what_is_kept_is_for_its_user_alone_and_no_result(place):
    before = os.umask(0)
    try:
        assert keep(place, WHOLE)
    finally:
        os.umask(before)
    assert found(place) == {"tau": 0.25}
    modes = [stat.S_IMODE(each.stat().st_mode) for each in (place, place.parent, place.parent.parent)]
    assert modes == [0o600, 0o700, 0o700]
    assert interrupts.ending() == "interrupted; nothing was written"
    place.chmod(0o644)
    assert keep(place, WHOLE)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_every_flipped_byte_and_every_beginning_is_found_out():
    for at in range(len(WHOLE)):
        for wrong in (WHOLE[:at], WHOLE[:at] + bytes([WHOLE[at] ^ 1]) + WHOLE[at + 1 :]):
            with pytest.raises(ValueError, match="is damaged"):
                unsealed("a", wrong)
    for wrong in (WHOLE + b"}", b"[" * 100_000, b"{}"):
        with pytest.raises(ValueError, match="is damaged"):
            unsealed("a", wrong)
    with pytest.raises(ValueError, match="holds b"):
        unsealed("a", sealed("b", {"tau": 0.25}))


def _linked(place: Path) -> None:
    place.with_name("b").write_bytes(WHOLE)
    place.symlink_to("b")


WRONG = {
    "is damaged": lambda place: place.write_bytes(WHOLE[:-9]),
    "holds b": lambda place: place.write_bytes(sealed("b", 1)),
    "is no file": Path.mkdir,
    "is no file;": os.mkfifo,
    "cannot be read (Too many levels of symbolic links)": lambda place: place.symlink_to("a"),
    "cannot be read": _linked,
    "others may write to": lambda place: (place.write_bytes(WHOLE), place.chmod(0o666)),
    "bytes, which are too many": lambda place: (place.touch(), os.truncate(place, keeping.MOST + 1)),
}


@pytest.mark.parametrize("why", WRONG)
def test_what_does_not_fit_is_not_used_which_is_said_once_and_replaced(place, caplog, why):
    place.parent.mkdir(parents=True, mode=0o700)
    WRONG[why](place)
    place.chmod(0o600) if why in ("is damaged", "holds b") else None
    assert found(place) is None
    assert found(place) is None
    assert len(caplog.messages) == 1
    assert caplog.messages[0].startswith(f"note: {place} ")
    assert why in caplog.messages[0]
    assert caplog.messages[0].endswith("; what it should hold is made anew")
    assert keep(place, WHOLE) == (not place.is_dir())
    assert found(place) == (None if place.is_dir() else {"tau": 0.25})


def test_a_folder_of_others_or_that_others_may_write_to_is_not_trusted(place, monkeypatch, caplog):
    assert keep(place, WHOLE)
    for mode in (0o770, 0o707):
        place.parent.chmod(mode)
        assert not keep(place, sealed("a", "other"))
        assert found(place) is None
        assert f"others may write to {place.parent} (chmod go-w)" in caplog.messages[-1]
    place.parent.chmod(0o755)
    assert found(place) == {"tau": 0.25}
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    assert not keep(place, sealed("a", "other"))
    assert found(place) is None
    assert f"{place.parent} belongs to another user" in caplog.messages[-1]


def test_where_nothing_can_be_kept_nothing_is_said_to_be_and_nothing_is_left(place, monkeypatch, tmp_path, caplog):
    def fails(number):
        def call(*_, **__):
            raise OSError(number, os.strerror(number))

        return call

    for name, number in (
        ("fsync", errno.ENOSPC),
        ("replace", errno.EDQUOT),
        ("mkdir", errno.EROFS),
        ("open", errno.EACCES),
        ("replace", errno.ESTALE),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(os, name, fails(number))
            assert not keep(place, WHOLE)
        assert list(tmp_path.iterdir()) == []
    (tmp_path / "cache").touch()
    assert not keep(place, WHOLE)
    assert found(place) is None
    assert not keep(tmp_path / ("x" * 300), WHOLE)
    assert found(tmp_path / ("x" * 300)) is None
    assert caplog.messages == []


def test_without_a_home_nothing_is_kept(tmp_path, monkeypatch):
    monkeypatch.delenv("MEASURAND_CACHE", raising=False)
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    for home in ("", "/nonexistent", "relative"):
        monkeypatch.setenv("HOME", home)
        assert cache_directory() is None
        with monkeypatch.context() as patched:
            patched.setenv("XDG_CACHE_HOME", "relative")
            assert cache_directory() is None
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "measurand"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "measurand"
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # a user without an entry
    assert cache_directory() is None


def test_a_large_part_of_a_store_is_read_unless_it_is_known_not_to_fit(tmp_path, monkeypatch):
    (tmp_path / "part").write_bytes(b"12345")
    monkeypatch.setattr(keeping, "MOST", 4)
    for there in (None, 5):
        monkeypatch.setattr(keeping, "most_at_once", lambda there=there: there)
        assert keeping.regular_bytes(str(tmp_path / "part")) == b"12345"
    monkeypatch.setattr(keeping, "most_at_once", lambda: 4)
    with pytest.raises(ValueError, match="has 5 bytes, which do not fit into memory"):
        keeping.regular_bytes(str(tmp_path / "part"))
