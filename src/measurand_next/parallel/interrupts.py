"""Ctrl-C, SIGTERM and SIGHUP end a command in one line, with the status of the signal and nothing half written.

Only a command listens; in a program that imports measurand, Python's own `KeyboardInterrupt` stays as it is.
"""

from __future__ import annotations

import os
import signal
import sys
from time import monotonic

TYPE_CHECKING = False  # typing takes longer to load than everything here
if TYPE_CHECKING:
    from types import FrameType
    from typing import NoReturn

SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
AGAIN = getattr(signal, "SIGALRM", 0)  # tells of a signal that came at a bad moment; Windows has no timer

PATIENCE = 5.0  # seconds in which further signals do not break off the cleaning up
SOON = 0.02  # seconds until a signal is heard again


class _State:
    """What has been heard; there is one for the process."""

    def __init__(self) -> None:
        self.number = self.held = 0
        self.since = 0.0
        self.loading, self.waiting = True, False
        self.written: list[str] = []


_state = _State()


def listen() -> None:
    """Have signals end the program, at once until `begin` is called; ignored ones (`nohup`) stay ignored."""
    for number in SIGNALS:
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, _hear)
    if AGAIN:
        signal.signal(AGAIN, _hear)
    sys.unraisablehook = _swallowed


def begin() -> None:
    """Work begins: from now on signals raise `KeyboardInterrupt`, so that what is half done is undone."""
    _state.loading = False


def stop_listening() -> None:
    """Let no signal break off the end of a program that was interrupted; one that is done ends as the system has it."""
    for number in filter(None, (*SIGNALS, AGAIN)):
        if signal.getsignal(number) is _hear:
            signal.signal(number, signal.SIG_IGN if heard() else signal.SIG_DFL)


def heard() -> bool:
    """Whether a signal has asked the program to end."""
    return _state.number > 0


def wrote(path: str) -> None:
    """Note a file that has been written, for what is said if the program ends early."""
    _state.written.append(path)


def _hear(number: int, frame: FrameType | None) -> None:
    """End the program, or have it end by a `KeyboardInterrupt`."""
    now = monotonic()
    if number != AGAIN:
        if heard() and now - _state.since < PATIENCE:
            return
        _state.number, _state.since = number, now
    if _state.held:
        _state.waiting = True
    elif _state.loading:
        end()
    elif not (_imports(frame) and now - _state.since < PATIENCE and _hear_again()):
        raise KeyboardInterrupt


def _hear_again() -> bool:
    """Hear a signal again in a moment, where the system has a timer."""
    if AGAIN:
        signal.setitimer(signal.ITIMER_REAL, SOON)
    return bool(AGAIN)


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being loaded, which may make an ImportError of a `KeyboardInterrupt`."""
    while frame is not None and not frame.f_code.co_filename.startswith("<frozen importlib"):
        frame = frame.f_back
    return frame is not None


def _swallowed(ignored: sys.UnraisableHookArgs) -> None:
    """Raise a `KeyboardInterrupt` again that Python ignores, in `__del__` and callbacks."""
    if not (heard() and ignored.exc_type is KeyboardInterrupt and _hear_again()):
        sys.__unraisablehook__(ignored)


class held:  # noqa: N801 - contextlib takes time to load
    """Hold signals back until the end of a `with` block; processes that are started there never get them."""

    def __enter__(self) -> None:
        _state.held += 1
        if hasattr(signal, "pthread_sigmask"):
            self.before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_SETMASK, self.before)
        _state.held -= 1
        if _state.waiting:
            number, _state.number, _state.waiting = _state.number, 0, False
            signal.raise_signal(number)  # the main thread hears it, whichever this is


def end(error: BaseException | None = None) -> NoReturn:
    """End the program after a signal: undo what the error has left open, say so in one line, wait for nobody."""
    if error is not None:
        from traceback import clear_frames

        clear_frames(error.__traceback__)  # generators end: bars go, and what waits for workers is cancelled
    names = _state.written
    files = ", ".join(names[:3]) + f" and {len(names) - 3} more" * (len(names) > 3) or "nothing"
    line = f"measurand: interrupted; {files} {'were' if len(names) > 1 else 'was'} written\n"
    try:
        os.write(2, line.encode(errors="backslashreplace"))
    finally:
        os._exit(128 + _state.number)
