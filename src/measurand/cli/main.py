"""The front door: which commands there are, and how errors reach the user."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import click

from measurand import __version__
from measurand.errors import MeasurandError

COMMANDS = {
    "cite": "Print the BibTeX of what a paper must cite.",
    "compare": "Say who is better, and whether that means anything.",
    "demo": "Write the report on the built-in sample.",
    "esl": "Say how long a search takes, when documents tie.",
    "evaluate": "Score runs against judgments.",
    "fuse": "Combine runs into one.",
    "interval": "Place runs on the interval scale of a measure.",
    "measure": "Profile a measure: what it really does, with counterexamples.",
    "measures": "List the measures, or explain some.",
    "order": "Compare two judged runs.",
    "reproduce": "Work the five papers out anew, beside what they print.",
    "report": "Write everything about an experiment into one page.",
    "unanimity": "Say how rarely measures tie where all measures agree.",
}
"""Every command and what it does; a command's module is loaded when it is called."""


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"measurand.cli.{cmd_name}"), cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="measurand %(version)s")
def program() -> None:
    """Evaluate search systems: what trec_eval and ir_measures do, exactly, with the scale of every number."""


def main() -> None:
    """Run the command line; exit 0 when done, 1 when the input is wrong, 2 when the call is."""
    if sys.stdout is None:
        sys.exit("measurand: the output cannot be written: it is closed")
    try:
        with program.make_context("measurand", sys.argv[1:]) as context:
            program.invoke(context)
        sys.stdout.flush()
        sys.exit(0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except MeasurandError as error:
        click.echo(f"measurand: {error}", err=True)
        sys.exit(1)
    except (KeyboardInterrupt, click.Abort):
        click.echo("measurand: interrupted; nothing was written", err=True)
        sys.exit(130)
    except OSError as error:
        _give_up_output()
        if isinstance(error, BrokenPipeError):
            # whoever read our output has seen enough
            sys.exit(0)
        click.echo(f"measurand: the output cannot be written: {error.strerror}", err=True)
        sys.exit(1)


def _give_up_output() -> None:
    """Keep Python from complaining at exit about output that nobody takes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
