"""The command line: commands read, call and emit; they compute nothing."""

from measurand.cli.main import main

__all__ = ["main"]
