"""The command line as a process, which listens to signals before it loads anything: `python -m measurand_next`."""

from __future__ import annotations

import os
import sys

from measurand_next.parallel import interrupts

TYPE_CHECKING = False  # typing takes time to load
if TYPE_CHECKING:
    from collections.abc import Callable


def start() -> None:
    """Run the command line and end the process."""
    interrupts.listen()
    # the same bits as in workers, which have one thread for linear algebra; and numpy starts sooner
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        try:
            main = load()
            interrupts.begin()
            status = main()
            sys.stdout.flush()
        finally:
            interrupts.stop_listening()
    except BaseException as error:
        if interrupts.heard():
            interrupts.end(error)
        raise
    if interrupts.heard():  # Python kept it to itself
        interrupts.end()
    sys.exit(status)


def load() -> Callable[[], int]:
    """The commands, with all that takes time to load; they come later."""
    import measurand_next.data.judge  # noqa: F401

    return refuse


def refuse() -> int:
    """Answer --version, and refuse everything else by name."""
    from measurand_next.errors import on_one_line

    asked = sys.argv[1:2] or ["every command"]
    if asked == ["--version"]:
        from importlib.metadata import version

        print(f"measurand {version('measurand')}")
        return 0
    sys.stderr.write(f"measurand: `{on_one_line(asked[0])}` comes later\n")
    return 2


if __name__ == "__main__":
    start()
