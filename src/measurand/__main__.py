"""The command line as a process: what `measurand` and `python -m measurand` start.

A small evaluation takes less time than Python and its packages need to come up and to go down. So what saves time there
is done here, before anything else is loaded.
"""

from __future__ import annotations

import gc
import os
import sys

GARBAGE = 50_000
"""After so many new objects Python looks for garbage."""

WORKERS = {"concurrent.futures", "multiprocessing"}
"""What is loaded where a command has started threads or processes, which Python ends in good order."""


def start(called: str = "measurand") -> None:
    """Run the command line and end the process.

    Parameters
    ----------
    called
        What the program is called in its help.
    """
    # what is loaded stays to the end: to look for garbage in it takes a tenth of a small evaluation
    gc.set_threshold(GARBAGE)
    if sys.argv[1:2] == ["evaluate"]:
        # it multiplies no large matrices, for which numpy would start a thread on every core
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from measurand.interrupts import ending, heard, listen, status

    try:
        listen()
        from measurand.cli import main

        if heard():  # where Python keeps an error from its importers to itself
            raise KeyboardInterrupt  # noqa: TRY301
        main(called)
    except KeyboardInterrupt as stop:  # while the program was loaded, or was about to end
        if sys.stderr is not None:
            from measurand.letters import on_one_line

            sys.stderr.write(f"measurand: {on_one_line(ending(str(stop)))}\n")
            sys.stderr.flush()
        os._exit(status())
    except SystemExit as stop:
        if stop.code or WORKERS & sys.modules.keys():
            raise
    # all is written, and to take apart what was loaded takes another tenth
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(0)


if __name__ == "__main__":
    start("python -m measurand")
