"""What ends a program early (Ctrl-C, SIGTERM, SIGHUP), and what is true of its files at that moment.

The command line listens to all three alike: each becomes a `KeyboardInterrupt`, so that whatever is half written is
taken away. A file appears at its place in one step; that step and the note that it was done are never torn apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from time import monotonic
from typing import Any, ClassVar

CTRL_C = 2
"""The number of SIGINT, everywhere."""

PATIENCE = 5.0
"""For so many seconds after a signal others are not heard, so that they do not break the cleaning up."""

NAMED = 3
"""So many files are named in a message."""

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")
"""What is listened to; Windows has no SIGHUP."""

WORDS = {1: "hung up", CTRL_C: "interrupted", 15: "terminated"}
"""What is said after a signal."""


class _State:
    number = CTRL_C
    heard_at: float | None = None
    holding = 0
    waiting: int | None = None
    printing = False
    written: ClassVar[dict[str, None]] = {}  # in the order of writing


def listen() -> None:
    """Have SIGINT, SIGTERM and SIGHUP end the program by a `KeyboardInterrupt`, unless they are ignored (`nohup`)."""
    import signal

    for number in (getattr(signal, name, None) for name in SIGNALS):
        if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, _hear)


def _hear(number: int, _: Any) -> None:
    if _State.holding:
        _State.waiting = number
        return
    now = monotonic()
    if _State.heard_at is not None and now - _State.heard_at < PATIENCE:
        return
    _State.number, _State.heard_at = number, now
    raise KeyboardInterrupt


def ignore() -> None:
    """Have no more signals end the program, which is about to end: Python would let them break that off."""
    import signal

    for number in (getattr(signal, name, None) for name in SIGNALS):
        if number is not None and signal.getsignal(number) is _hear:
            signal.signal(number, signal.SIG_IGN)


@contextmanager
def held() -> Iterator[None]:
    """Hold signals back within a `with` block, where the program listens to them; they are heard at its end.

    Examples
    --------
    >>> forget()
    >>> try:
    ...     with held():
    ...         _hear(15, None)
    ...         print("done")
    ... except KeyboardInterrupt:
    ...     print(status(), ending())
    done
    143 terminated; nothing was written
    >>> forget()
    """
    if current_thread() is not main_thread():  # signals are heard in the main thread alone
        yield
        return
    _State.holding += 1
    try:
        yield
    finally:
        _State.holding -= 1
        number = _State.waiting
        if number is not None and not _State.holding:
            _State.waiting = None
            _hear(number, None)


def note_written(path: str) -> None:
    """Note that a file or folder was written, for what is said if the program ends early.

    Parameters
    ----------
    path
        The file or folder, as the user called it.
    """
    _State.written[path] = None


def note_printing() -> None:
    """Note that something is being printed."""
    _State.printing = True


def forget() -> None:
    """Begin anew: nothing was heard, printed or written."""
    _State.number, _State.heard_at, _State.waiting = CTRL_C, None, None
    _State.printing = False
    _State.written.clear()


def heard() -> bool:
    """Return whether a signal was heard that ends the program.

    Examples
    --------
    >>> forget()
    >>> heard()
    False
    """
    return _State.heard_at is not None


def status() -> int:
    """Return the exit status after the signal that was heard: 130 after Ctrl-C, 143 after SIGTERM, 129 after SIGHUP."""
    return 128 + _State.number


def ending(said: str = "") -> str:
    """Return what to say after a signal: which one it was, and what was written.

    Parameters
    ----------
    said
        What is known of the files, if anything; by default those are named that were written.

    Examples
    --------
    >>> forget()
    >>> ending(), ending("2 pieces are kept")
    ('interrupted; nothing was written', 'interrupted; 2 pieces are kept')
    >>> note_written("a.run")
    >>> ending()
    'interrupted; a.run was written'
    >>> forget()
    """
    return f"{WORDS.get(_State.number, 'interrupted')}; {said or _outcome()}"


def _outcome() -> str:
    written = tuple(_State.written)
    if len(written) > NAMED:
        return f"{len(written)} files were written, the last of them {written[-1]}"
    if written:
        return f"{' and '.join(written)} {'was' if len(written) == 1 else 'were'} written"
    return "what was printed may not be all of it" if _State.printing else "nothing was written"
