"""The front door: which commands there are, and how errors reach the user."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress
from errno import EBADF
from importlib import import_module
from typing import NoReturn

import click

from measurand import __version__
from measurand.cli.streams import give_up, mend_streams, say, tell
from measurand.interrupts import ending, forget, heard, ignore, status
from measurand.letters import on_one_line

COMMANDS = {
    "cite": "Print the BibTeX of what a paper must cite.",
    "compare": "Say who is better, and whether that means anything.",
    "convert": "Write a run or judgments in another format.",
    "demo": "Write the report on the built-in sample.",
    "esl": "Say how long a search takes, when documents tie.",
    "evaluate": "Score runs against judgments.",
    "explain": "Say which convention gives a number.",
    "fuse": "Combine runs into one.",
    "gate": "Fail if a run has fallen behind another by too much.",
    "interval": "Place runs on the interval scale of a measure.",
    "learn": "Find the measure that preferences between runs ask for.",
    "meaning": "Say whether a sentence about scores survives every rescaling.",
    "measure": "Profile a measure: what it really does, with counterexamples.",
    "measures": "List the measures, or explain some.",
    "order": "Compare judged runs, two or more.",
    "portfolio": "Say what several systems reach together, topic by topic.",
    "reproduce": "Work the five papers out anew, beside what they print.",
    "report": "Write everything about an experiment into one page.",
    "simulate": "Say which test to take here: its type I error and power.",
    "unanimity": "Say how rarely measures tie where all measures agree.",
    "vectors": "Write test vectors for authors of other tools.",
}
"""Every command and what it does; a command's module is loaded when it is called."""


NO_MEMORY = "not enough memory; take fewer runs, topics or measures at a time, or cut rankings (--depth 1000)"
"""What is said where nobody foresaw how much memory something takes."""

SIGNALLED = 128
"""An exit status beyond it is that of a program that a signal has ended."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"measurand.cli.{cmd_name}"), cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from measurand.calls import FUNCTIONS, nearest

            close = nearest(args[0], COMMANDS, FUNCTIONS)
            hint = f"did you mean {close}?" if close else f"there is {', '.join(COMMANDS)}"
            ctx.fail(f"No such command {args[0]!r}; {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _print_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked:
        from measurand.native import is_there  # `from measurand` would look for a measure of the name, and load numpy

        say(f"measurand {__version__} ({'with' if is_there() else 'without'} the C module)")
        context.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_version,
    help="Show the version, and whether its C module is there; then exit.",
)
def program() -> None:
    """Evaluate search systems: what trec_eval and ir_measures do, exactly, with the scale of every number."""


def main(called: str = "measurand") -> None:
    """Run the command line; exit 0 when done, 1 when the input is wrong, 2 when the call is.

    Parameters
    ----------
    called
        What the program is called in its help.
    """
    mend_streams()
    forget()
    try:
        _call(called)
        sys.stdout.flush()
        sys.exit(0)
    except click.exceptions.Exit as stop:
        _flush()
        _leave(stop.exit_code)
    except click.ClickException as error:
        _explain(error)
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, click.Abort) as stop:
        with suppress(OSError):  # the terminal may be gone
            _say(ending(str(stop)), stop)
        ignore()
        _leave(status())
    except OSError as error:
        _give_up_output(error)
    except MemoryError as error:
        _say(f"{NO_MEMORY}{f' ({error})' if str(error) else ''}", error)
        sys.exit(1)
    except Exception as error:
        from measurand.errors import MeasurandError  # loads attrs, and nothing may have gone wrong

        if not isinstance(error, MeasurandError):
            raise
        _say(str(error), error)
        sys.exit(1)


def _call(called: str) -> None:
    """Call the program with what stands on the command line."""
    try:
        with program.make_context(called, sys.argv[1:]) as context:
            program.invoke(context)
    except click.exceptions.Exit:
        raise
    except Exception as error:
        # modules in C that are being loaded make an ImportError of a signal
        if heard():
            raise KeyboardInterrupt from error
        raise


def _say(what: str, stop: BaseException) -> None:
    """Print what ended the program, on a line of its own: progress bars that were under way are taken away before."""
    from traceback import clear_frames

    # a bar ends with the loop that it belongs to, and what was raised in there still holds on to that
    clear_frames(stop.__traceback__)
    if "rich.progress" in sys.modules:
        from rich.console import Console

        # which a bar hides, and does not bring back if it is interrupted while it begins
        Console(stderr=True).show_cursor()
    tell(f"measurand: {on_one_line(what)}")


def _leave(code: int) -> NoReturn:
    """End the program; if that was interrupted, without waiting for threads that are still at work."""
    if code > SIGNALLED:
        # after a signal within `exec`, which libraries call, `python -m` ends as by Ctrl-C; another one forgets that
        exec("")
        # to load it now would load numpy, which cannot be loaded again where the signal came meanwhile
        execution = sys.modules.get("measurand.execution")
        if execution is not None and execution.threads_at_work():
            with suppress(OSError):
                sys.stdout.flush()
            os._exit(code)
    sys.exit(code)


def _explain(error: click.ClickException) -> None:
    """Print what is wrong with a call in one line; the help where there is no call at all."""
    context = getattr(error, "ctx", None)
    if not sys.argv[1:]:
        error.show()
        return
    if context is None:
        tell(f"measurand: {' '.join(error.format_message().split())} (-h explains it)")
        return
    tell(f"{context.command_path}: {_reason(error, context)} (-h explains it)")


def _reason(error: click.ClickException, context: click.Context) -> str:
    """Return what is wrong with a call, and what to write instead where that is known."""
    if isinstance(error, click.NoSuchOption):
        offered = [name for each in context.command.params for name in each.opts if name.startswith("--")]
        close = _option(error.option_name, offered)
        return f"No such option {error.option_name}{f'; did you mean {close}?' if close else '.'}"
    why = " ".join(error.format_message().split())
    if isinstance(error, click.MissingParameter):
        usage = " ".join(context.command.collect_usage_pieces(context))
        return f"{why.removesuffix('.')}; write {context.command_path} {usage}"
    return why


def _option(word: str, known: Iterable[str]) -> str | None:
    """Return which option is meant by a word, by what other tools call it or by its letters."""
    from measurand.calls import PARAMETERS, nearest

    plain = {name.lstrip("-").replace("-", "_"): name for name in known}
    close = nearest(word.lstrip("-").replace("-", "_"), plain, PARAMETERS)
    return None if close is None else plain[close]


def _flush() -> None:
    """Hand over what was printed; where nobody takes it, say so and end the program."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        give_up(sys.stdout)
    except OSError as error:
        _give_up_output(error)


def _give_up_output(error: OSError) -> NoReturn:
    """End the program, because its output cannot be written, and say so; but a reader may have seen enough."""
    give_up(sys.stdout)
    if isinstance(error, BrokenPipeError):
        sys.exit(0)
    _say(f"the output cannot be written: {'it is closed' if error.errno == EBADF else error.strerror or error}", error)
    sys.exit(1)
