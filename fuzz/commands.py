"""Random command lines: every command and option, right, odd and wrong, with files of all kinds.

Commands and options are those of click's own objects, so a new one is tried as soon as it is there. What must hold
after every call is in `fuzz.program`: exit status, one line on the error stream, no letter that steers a terminal
there, output that is whole or not there, and nothing else changed.

Called as `python -m fuzz.commands SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import os
import random
import re
import resource
import shlex
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from fuzz.harness import Different, Torn, run, show, temporary
from fuzz.program import (
    DECIDED,
    FILES,
    HOSTILE,
    NAMED,
    OUT,
    Ended,
    call,
    check_folder,
    check_said,
    contents,
    fill,
    whole,
)
from measurand.cli.main import COMMANDS, program
from measurand.cli.report import NAMES
from measurand.letters import UNSEEN

MEMORY = 3 << 30
"""So many bytes a case may ask for."""

SHARES = {"report": 0.15, "demo": 0.01, "reproduce": 0.02, "simulate": 0.1, "vectors": 0.02, "measure": 0.3}
"""How often a slow command is drawn, where the others are drawn once."""

RUNS = ("a.run", "b.run", "c.run.gz", "runs", "runs/*", "x=a.run", "a.json", "a.csv", "hostile.run", "formula.run")
JUDGED = ("1,0,1", "0,1,1", "110", "011", "0,2,1", "1,1,0,0", "-1,0,1", "0")
MEASURES = ("AP", "nDCG@10", "P@5", "RR", "map", "RBP(p=0.5)", "AP@3 P@2", "ERR@5", "interval(AP@3)", "ndcg_cut", "ESL")
SENTENCES = ("mean of a exceeds mean of b under AP", "a beats b", "mean of a is 0.5", f"mean of {HOSTILE} exceeds 1")

GOOD: dict[str, Sequence[str]] = {
    "qrels": ("qrels", "qrels", "qrels", "hostile.qrels", "other.qrels", "perquery.csv"),
    "source": ("qrels", "a.run", "b.run"),
    **dict.fromkeys(("runs", "baseline", "candidate"), RUNS),
    "files": ("qrels", *RUNS, *SENTENCES),
    "arguments": ("0.5", "0.4314", "43%", "qrels", "qrels", "a.run", "b.run"),
    "given": (*MEASURES, *JUDGED),
    "things": (*MEASURES, "rrf", "paired_t", "Ferrante2021"),
    **dict.fromkeys(("measures", "measure", "spelling", "names", "primary", "map"), MEASURES),
    "statements": ("statements",),
    "test": ("t", "sign", "wilcoxon", "friedman", "anova", "auto"),
    "method": ("rrf", "combsum", "borda", "condorcet", "mc4", "information"),
    "norm": ("min-max", "z-score", "sum", "rank", "none"),
    "weights": ("1", "0.5", "a.run=2", "1/3"),
    "k": ("60", "1", "0.5"),
    "tag": ("fused", HOSTILE, "a b"),
    "title": ("An experiment", HOSTILE),
    "statement": SENTENCES,
    "effects": ("0.01", "0.01,0.05"),
    "max_drop": ("0.01", "AP=0.2"),
    "broken": ("0.3", "AP=0.5"),
    "queries": ("queries.tsv",),
    "reference": ("reference",),
    "answers": ("answers", "1,2,1", "-"),
    "config": ("gate.toml",),
    "function": ("functions.py:value", "functions.py:wrong", "functions.py:missing"),
    "moves": ("functions.py:better", "functions.py:wrong", "functions.py:missing"),
    "input_format": ("trec", "json", "csv", "qrels=trec,run=trec", "parquet"),
    "grades": ("2", "3", "0,0.3,1"),
    "labels": ("nr,pr,hr", f"nr,{HOSTILE}"),
    "gains": ("0,1,3", "0,1"),
    "level": ("1", "2", "0.5"),
    "depth": ("1", "3", "5"),
    "max_seconds": ("1", "5"),
    "max_memory": ("4MB", "1GiB"),
    "topics": ("1,2", "1*", "x"),
    "systems": ("a,b", "a"),
    "topic": ("1", "2", HOSTILE),
    "assessor": ("x=other.qrels", "y=qrels"),
    "against": ("qrels", "other.qrels"),
    "only": ("Figure 3", "Section IV", "Table"),
    "erratum": ("FFF-1", "x"),
    "printed": ("old", "a.csv"),
    "qmin": ("0.3", "1/3"),
    "qmax": ("1", "3"),
    "cluster": ("nowhere.json",),
    "workers": ("1",),
    "repetitions": ("1", "10"),
    "samples": ("1", "100"),
    "draws": ("1", "100"),
}
"""Values that a parameter may have, by its name; of choices and numbers click knows more."""

ARGUMENTS: dict[str, Sequence[str]] = {
    "meaning": ("qrels a.run b.run", "qrels runs", "qrels hostile.run b.run", "perquery.csv"),
    "explain": ("0.5 qrels a.run", "43.1% qrels b.run", "0.25 hostile.qrels hostile.run", "--table qrels a.run"),
    "esl": ("qrels a.run", "qrels a.run b.run", "2,1:1,0", "qrels hostile.run"),
    "interval": ("AP@3 1,0,1", "P@4", "RR@3 110 011", "RBP(p=0.5)@4 1,1,0,0", "nDCG@3 2,0,1"),
    "order": ("1,0,1 0,1,1", "110 011 101", "0,2,1 1,1,1", "--hasse", "--hasse --depth 3"),
    "reproduce": ("g2022 --only Section", "br1988 --only Table", "fff2021 --printed", "ffm2015 --erratum x"),
    "measure": ("AP@3 -d 3", "P@2 -d 3", "RBP(p=0.5) -d 3", "nDCG@3 -d 3 -g 3"),
    "gate": ("qrels a.run b.run", "qrels b.run a.run", "qrels a.run", "perquery.csv 1 2"),
}
"""Arguments that belong together, by command; those of other commands stand for themselves."""

ODD = (
    *(
        "",
        " ",
        "-",
        "0",
        "-1",
        "2",
        "1.5",
        "1e3",
        "1e999",
        "nan",
        "inf",
        "abc",
        "None",
        "a,b",
        "=",
        "a=b",
        "1/0",
        "\u0663",
    ),
    *(
        str(10**12),
        str(2**63),
        str(2**70),
        "9" * 400,
        "9" * 5000,
        "1e-999999999",
        "0x10",
        "%s%n",
        "*",
        "[",
        "../..",
        "~",
    ),
    *(HOSTILE, "a\u2028b", "a\x85b", "a\nb\nc", "a\rb", "\udcff", "é" * 300, "a" * 100_000, "{0}", "$(x)"),
    *("AP@10000000000", "P@0", "nDCG(b=0)@5", "RBP(p=2)", "F(beta=1e999999999)", "interval(AP@1000)", "AP(rel=10**9)"),
)
"""What no parameter wants, or few do."""

ODD_FILES = (
    *FILES,
    "missing",
    "out",
    "runs",
    ".",
    "/",
    "/dev/null",
    "-",
    "missing/file",
    "a.run/file",
    "x=missing",
    "**",
)

OUTPUTS = {"output", "save", "plot", "figure", "write_reference", "save_baseline", "store"}
"""The parameters that name what is written."""

ODD_OUTPUTS = (
    *("old", "qrels", "out", ".", "missing/new", "old/new", "-", "", "/dev/null", "/dev/full", "/proc/new", "../"),
    *(f"{OUT}/{HOSTILE}", f"{OUT}/a\nb\u2028", f"{OUT}/not-utf8-\udcff", f"{OUT}/{'x' * 255}", f"{OUT}/{'x' * 256}"),
)

ENDINGS = ("", ".json", ".csv", ".html", ".svg", ".png", ".parquet", ".run", ".run.gz", ".txt", ".dot")

CONTEXT = click.Context(program, info_name="measurand")

EXTRA = ("--", "--help", "-h", "--nonsense", f"--{HOSTILE}", "-", "-zz", "--format", "-f", "--format=json")
"""Words that may stand anywhere in a line that is mixed up."""

SHOWING = ("--help", "-h", "--methods", "--grammar", "--version")
"""Options that print something of the program itself, and nothing is written."""


class Line(NamedTuple):
    """A command line.

    Parameters
    ----------
    command
        Its command.
    words
        Its words.
    options
        The options with values that it has, by the names of their parameters; of those that stand twice the last.
    garbled
        Whether words were mixed up afterwards, so that options may mean something else.
    """

    command: str
    words: list[str]
    options: dict[str, str]
    garbled: bool


def draw_line(rng: random.Random) -> Line:
    """Return a command line with a few options.

    Parameters
    ----------
    rng
        Where the draws come from.
    """
    name = rng.choices([*COMMANDS], [SHARES.get(each, 1) for each in COMMANDS])[0]
    command = program.get_command(CONTEXT, name)
    assert command is not None
    wrong = rng.choice((0, 0, 0, 0.05, 0.3))
    offered = [each for each in command.params if isinstance(each, click.Option)]
    usual = min(0.4, rng.choice((0, 1, 2, 4)) / (len(offered) + 1))
    parts: list[list[str]] = []
    options: dict[str, str] = {}
    for option in offered:
        likely = 0.9 if option.required else 0.3 if option.name in ("output", "form") else usual
        if rng.random() < likely:
            spelled = rng.choice([*option.opts, *option.secondary_opts])
            if option.is_flag:
                parts.append([spelled])
                continue
            value = draw_value(rng, option, wrong)
            options[str(option.name)] = value
            parts.append(
                [f"{spelled}={value}"] if spelled.startswith("--") and rng.random() < 0.2 else [spelled, value]
            )
    together = name in ARGUMENTS and rng.random() < 0.8
    if together:
        parts.append(rng.choice(ARGUMENTS[name]).split() + ([rng.choice(SENTENCES)] if name == "meaning" else []))
    for argument in [] if together else command.params:
        if isinstance(argument, click.Argument) and rng.random() >= wrong / 5:
            many = rng.choice((1, 2, 2, 3)) if argument.nargs == -1 else int(argument.required or rng.random() < 0.7)
            place = len(parts) if rng.random() < 0.8 else 0
            parts[place:place] = [[draw_value(rng, argument, wrong)] for _ in range(many)]
    words = [name, *(word for part in parts for word in part)]
    garbled = rng.random() < wrong / 2
    if garbled:
        words = _garbled(rng, words)
    return Line(name, words, options, garbled)


def _garbled(rng: random.Random, words: list[str]) -> list[str]:
    at, what = rng.randrange(len(words) + 1), rng.randrange(5)
    if what == 0:
        return [*words[:at], *words[at + 1 :]]
    if what == 1:
        return rng.sample(words, len(words))
    if what == 2:
        return [*words, *words[1:]]
    extra = rng.choice(
        ("--", "--help", "-h", "--nonsense", f"--{HOSTILE}", "-", "-zz", "--format", "-f", "--format=json")
    )
    return [*words[:at], extra if what == 3 else rng.choice(ODD), *words[at:]]


def draw_value(rng: random.Random, parameter: click.Parameter, wrong: float) -> str:
    """Return a value of a parameter.

    Parameters
    ----------
    rng
        Where the draws come from.
    parameter
        The parameter, as click has it.
    wrong
        How often it is a value that nobody should give.
    """
    name = str(parameter.name)
    if name in OUTPUTS:
        return rng.choice(ODD_OUTPUTS) if rng.random() < max(wrong, 0.1) else f"{OUT}/new{rng.choice(ENDINGS)}"
    if name == "workers" and rng.random() < 0.9:
        return "1"
    if rng.random() < wrong:
        return rng.choice(rng.choice((ODD, ODD_FILES)))
    if isinstance(parameter.type, click.Choice):
        return str(rng.choice(list(parameter.type.choices)))
    if name in GOOD:
        return rng.choice(GOOD[name])
    if isinstance(parameter.type, click.types._NumberRangeBase):
        low = parameter.type.min if parameter.type.min is not None else 0
        return str(low + rng.choice((0, 1, 2, 5))) if isinstance(parameter.type, click.IntRange) else "0.2"
    return rng.choice(rng.choice((ODD, ODD_FILES, MEASURES)))


def targets(line: Line) -> list[str]:
    """Return the files and folders that a command line may write.

    Parameters
    ----------
    line
        The command line.
    """
    named = [value for name, value in line.options.items() if name in OUTPUTS and value not in ("-", "")]
    pages = ["report", *NAMES.values()] if line.command in ("report", "demo") and "output" not in line.options else []
    return [*named, *pages]


def check(line: Line, ended: Ended, before: dict[str, bytes | None], folder: Path) -> None:
    """Raise a failure unless all is as it must be after a call.

    Parameters
    ----------
    line
        The command line.
    ended
        How it ended.
    before
        What was in the folder.
    folder
        The folder.
    """
    check_said(ended, (*NAMED, 3, 4) if line.command == "gate" else NAMED)
    after = contents(folder)
    if line.garbled:
        return
    named = targets(line)
    # of several files the first may be there; and a folder of stored scores that was begun is gone on with later
    begun = [line.options["store"]] if "store" in line.options else []
    begun = named if len(named) > 1 and line.command not in ("report", "demo") else begun
    changed = check_folder(before, after, named if ended.code in DECIDED else begun)
    output = line.options.get("output", "-")
    for name in changed:
        data = after[name]
        if data is None:
            continue
        known = _format(line, name) if name == os.path.normpath(output) else name.rpartition(".")[2]
        known = "trec" if name == os.path.normpath(line.options.get("write_reference", "")) else known
        if not whole(data, known):
            raise Torn(f"{name} is no whole {known} file: it ends with {data[-200:]!r}")
    inside = output.startswith(f"{OUT}/") and not any(word in SHOWING for word in line.words)
    if ended.code in DECIDED and inside and os.path.normpath(output) not in after:
        raise Different(f"exit status {ended.code}, and {output!r} was not written")
    _check_printed(line, ended)


def _format(line: Line, name: str) -> str:
    """Return the format of a file that -o names: as its ending says, if the command looks at that, or as -f says."""
    ending = name.rpartition(".")[2]
    if ending == "gz":
        return ending
    if line.command in ("fuse", "convert"):
        return line.options.get("to") or (ending if ending in ("json", "parquet") else "trec")
    if line.command == "order":
        return ending if ending in ("svg", "png", "html", "json") and "--hasse" in line.words else ""
    return line.options.get("form", "html" if line.command in ("report", "demo") else "")


def _check_printed(line: Line, ended: Ended) -> None:
    output, form = line.options.get("output", "-"), line.options.get("form", "")
    if ended.code not in DECIDED or not ended.out:
        return
    out = ended.out.decode()
    printed = output in ("-", "")
    if printed and form == "json" and not whole(ended.out, "json"):
        raise Torn(f"what is printed is no whole JSON: it ends with {out[-200:]!r}")
    for_people = not printed or (form in ("", "table") and line.command not in ("fuse", "convert", "report", "demo"))
    odd = sorted({found[0] for found in re.finditer(UNSEEN, out)} - {"\n"}) if for_people else []
    if odd:
        raise Different(f"what is printed for people has {odd}: {out[-1000:]!r}")


def case(rng: random.Random) -> None:
    """Try one command line."""
    line = draw_line(rng)
    given = rng.choice((b"", FILES["a.run"], FILES["qrels"], FILES["noise"]))
    show("measurand " + " ".join(shlex.quote(word) for word in line.words))
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        fill(folder)
        before = contents(folder)
        os.chdir(folder)
        try:
            ended = call(line.words, given)
        finally:
            os.chdir(here)
        check(line, ended, before, folder)


def prepare() -> None:
    """Have no browser opened, no more memory taken than there should be, and nothing kept where users keep it."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    click.launch = lambda *_, **__: 0  # type: ignore[assignment]
    os.environ["MEASURAND_CACHE"] = str(temporary())
    os.environ.pop("MEASURAND_NATIVE", None)


if __name__ == "__main__":
    prepare()
    run("commands", case)
