"""Options that several commands share, and how files and measures are named on the command line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import IO, Any, TypeVar, get_args

import click

from measurand.cli.emit import format_option
from measurand.cli.input_format import FilePath, as_qrels, as_runs, input_format_option, read_named
from measurand.cli.numbers import COUNT, WORKERS, Grade
from measurand.cli.streams import hand_out
from measurand.errors import InputError, ParameterError
from measurand.execution import Progress, Workers, carried_out_by, silent
from measurand.judged import JudgedRuns, Ties
from measurand.judged.judge import MissingTopics
from measurand.judged.ranking import Precision
from measurand.letters import shown
from measurand.measures import Measure, parse_many
from measurand.measures.around import innermost
from measurand.measures.campaigns import in_collection
from measurand.measures.parameters import is_given
from measurand.measures.parse import is_measure, split_measures
from measurand.scale import GRADE_SCALES
from measurand.study.evaluation import judge_files
from measurand.trec import NamedFile, Names, Qrels, Run, expand

Item = TypeVar("Item")
Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("table", "tsv", "csv", "json", "latex", "markdown")
"""The formats of commands whose result is a table."""

WRITTEN = ("trec", "json", "parquet", "beir", "msmarco")
"""The formats that runs and judgments are written in."""

READ_ONLY = (".csv", ".jsonl")
"""Endings of formats that are read and never written."""

MANY = 10
"""From so many runs on, a terminal shows how far the reading is."""

table_or_json = format_option("table", "json", "markdown")

output_file = click.option(
    "-o",
    "--output",
    type=FilePath(dir_okay=False),
    callback=lambda _, __, path: None if path == "-" else path,
    help="Write to a file instead of printing; - prints.",
)

run_files = click.argument("runs", metavar="RUN...", nargs=-1, required=True)


measures_option = click.option(
    "-m",
    "--measure",
    "--measures",
    "measures",
    multiple=True,
    metavar="MEASURE",
    help="A measure, spelled as by ir_measures, trec_eval or ranx; may be repeated. `measurand measures` lists them.",
)


def _take_workers(context: click.Context, option: click.Parameter, value: int | str | None) -> None:
    """Have what a command computes carried out by so many workers, or by those of a cluster, until it ends."""
    given = context.meta.setdefault(f"{__name__}.workers", {})
    given[option.name] = value
    if context.resilient_parsing or len(given) < 2:
        return
    number, address = given["workers"], given["cluster"]
    if number is not None and address is not None:
        raise click.UsageError("--workers is for this machine and --cluster for several; give one of them.", context)
    if address is None:
        context.with_resource(carried_out_by(context.with_resource(Workers(number))))
    else:
        from measurand.execution.cluster import connected  # rarely used

        context.with_resource(carried_out_by(context.with_resource(connected(address))))


_WORKERS = (
    click.option(
        "--workers",
        type=WORKERS,
        metavar="N",
        expose_value=False,
        callback=_take_workers,
        help="How many workers share long jobs; by default one for each core. The results are the same.",
    ),
    click.option(
        "--cluster",
        metavar="ADDRESS",
        expose_value=False,
        callback=_take_workers,
        help="The Dask cluster whose workers share long jobs: the address of its scheduler, such as tcp://host:8786, or"
        " its scheduler file.",
    ),
)


def workers_option(command: Command) -> Command:
    """Give a command the options that say who shares its long jobs."""
    for option in reversed(_WORKERS):
        command = option(command)
    return command


def ties_option(rules: Iterable[str], more: str = "") -> Callable[[Command], Command]:
    """Return the option that says how documents of equal score are ordered.

    Parameters
    ----------
    rules
        Which rules a command knows; groups are for programs alone, and not offered.
    more
        What to say of it beside.
    """
    offered = [str(rule) for rule in rules if rule != Ties.GROUPS]
    file = " file (as in the file)," if Ties.FILE in offered else ""
    text = (
        f"How to order documents of equal score: trec (by id, descending),{file} or the mean (expected), least (min) or"
        " greatest (max) value over all their orders. Default: trec, except for ESL, ESLR and OIE, which are defined on"
        " ties."
    )
    return click.option("--ties", type=click.Choice(offered), help=f"{text}{more}")


_TIES = ties_option(Ties)

names_option = click.option(
    "--names",
    type=click.Choice(get_args(Names)),
    default="auto",
    show_default=True,
    help="Call systems by their run tags or by their files; auto: by tags, unless two files have the same.",
)

_JUDGING = (
    click.option(
        "--missing-topics",
        type=click.Choice([str(each) for each in MissingTopics]),
        default="zero",
        show_default=True,
        help="What topics that a run left out count: nothing gained, or not at all.",
    ),
    click.option(
        "--grade-scale",
        type=click.Choice([str(each) for each in GRADE_SCALES]),
        show_default="ordinal",
        help="What grades of relevance are: ordered, or numbers of which 2 is worth twice 1.",
    ),
    click.option("-M", "--depth", type=COUNT, metavar="N", help="Cut every ranking after N documents."),
    click.option(
        "--precision",
        type=click.Choice([str(each) for each in Precision]),
        default="double",
        show_default=True,
        help="Compare scores as doubles, or as 32-bit floats like trec_eval before 10.",
    ),
    names_option,
    input_format_option,
)


_RELEVANCE = (
    click.option(
        "-l",
        "--level",
        "rel",
        type=Grade(),
        metavar="GRADE",
        help="The lowest grade that counts as relevant: by default 1, or half of the highest where some are decimals.",
    ),
    click.option("-J", "--judged-only", is_flag=True, help="Remove documents without judgment first."),
    click.option(
        "--collection-size",
        "collection",
        type=COUNT,
        metavar="N",
        help="How many documents there are, for measures that want to know (ESL, OIE).",
    ),
)


def strict_option(text: str) -> Callable[[Command], Command]:
    """Return the option that keeps to what the scales of measures admit.

    Parameters
    ----------
    text
        What a command replaces, and what it refuses.
    """
    return click.option("--strict", is_flag=True, help=text)


def relevance_options(command: Command) -> Command:
    """Give a command the options that say what counts as relevant, and what is looked at."""
    for option in reversed(_RELEVANCE):
        command = option(command)
    return command


def seen_as(measure: Measure, options: Mapping[str, Any]) -> Measure:
    """Return the measure with the relevance level, treatment of unjudged documents and collection asked for."""
    changes: dict[str, Any] = {}
    if options["rel"] is not None and not is_given(innermost(measure).parameters().get("rel", 0)):
        changes["rel"] = options["rel"]
    if options["judged_only"]:
        changes["judged_only"] = True
    seen = measure(**changes) if changes else measure
    return seen if options["collection"] is None else in_collection(seen, options["collection"])


def judging_options(command: Command) -> Command:
    """Give a command the options that say how runs are read, ranked and judged."""
    return judging_options_without_ties(_TIES(command))


def judging_options_without_ties(command: Command) -> Command:
    """Give a command the options that say how runs are read and judged, where all orders of ties are looked at."""
    for option in reversed(_JUDGING):
        command = option(command)
    return command


def judge_named(qrels: str, runs: Sequence[str], options: Mapping[str, Any], *, documents: bool = False) -> JudgedRuns:
    """Return the judged runs of the files on a command line, as its judging options say."""
    files = run_sources(runs)
    return judge_files(
        qrels_source(qrels),
        files,
        names=options["names"],
        progress=bar(len(files)),
        total=len(files),
        documents=documents,
        depth=options["depth"],
        ties=options["ties"],
        precision=options["precision"],
        missing_topics=options["missing_topics"],
        grade_scale=options["grade_scale"],
    )


def named_measures(texts: Iterable[str], *, trec: bool = False) -> list[tuple[str, Measure]]:
    """Return the measures in some option values, with the names they were called by.

    Examples
    --------
    >>> named_measures(["AP@30 map"])
    [('AP@30', AP@30), ('map', AP)]
    """
    named = [pair for text in split_measures(texts) for pair in parse_many(text, trec=trec)]
    if not named:
        raise ParameterError("-m names no measure; write it like -m nDCG@10")
    return named


def run_sources(runs: Iterable[str]) -> list[Any]:
    """Return the files that the RUNs on a command line stand for: those of directories and patterns, and NAME=FILE.

    Parameters
    ----------
    runs
        The arguments.
    """
    found: list[Any] = []
    for text in runs:
        name, path = named_file(text)
        if name is None:
            found += expand([opened(text)])
        elif path == "-":
            found.append(read_named(standard_input(), name))
        else:
            files = expand([path])
            if len(files) > 1 or os.path.isdir(path):
                what = "is a directory" if os.path.isdir(path) else f"is {len(files)} files"
                raise ParameterError(f"{text}: a name is for one file, and {path} {what}; write {name}=FILE")
            found.append(NamedFile(name, str(files[0])))
    return as_runs(found)


def qrels_source(qrels: str) -> Any:
    """Return what the QRELS on a command line stand for.

    Parameters
    ----------
    qrels
        The argument.
    """
    return as_qrels(opened(qrels))


def named_file(text: str) -> tuple[str | None, str]:
    """Return the name and the file of a RUN that is written NAME=FILE; without a name what is a file as it stands.

    Parameters
    ----------
    text
        The argument.

    Examples
    --------
    >>> named_file("bm25=runs/a.txt"), named_file("runs/a.txt"), named_file("runs/k1=0.9.txt")
    (('bm25', 'runs/a.txt'), (None, 'runs/a.txt'), (None, 'runs/k1=0.9.txt'))
    """
    name, sign, path = text.partition("=")
    if not (name and sign and path) or "/" in name or os.sep in name or is_measure(text):
        return None, text
    # a file or a pattern that has a sign of equality in it, such as k1=0.9.txt, means itself
    return (None, text) if os.path.exists(text) or _matches(text) else (name, path)


def _matches(pattern: str) -> bool:
    """Return whether a pattern stands for some file."""
    if not any(letter in pattern for letter in "*?["):
        return False
    from glob import glob

    return bool(glob(pattern))


def opened(path: str) -> str | IO[bytes]:
    """Return a path as it is, and standard input for `-`."""
    if not path:
        raise ParameterError("an empty argument names no file; perhaps a variable of the shell is empty")
    if not os.path.exists(path) and is_measure(path):
        raise ParameterError(f"{path}: there is no such file; a measure goes behind -m: -m {path}")
    return standard_input() if path == "-" else path


def standard_input() -> IO[bytes]:
    """Return standard input, or complain that it is closed."""
    if sys.stdin is None:
        raise InputError("standard input is closed, and - reads it; name a file")
    return sys.stdin.buffer


def refuse_to_overwrite(output: str | None, inputs: Iterable[str]) -> None:
    """Complain if the file to write is one of those to read."""
    if output is None:
        return
    target = os.path.realpath(output)
    for path in (named_file(text)[1] for text in inputs):
        if any(os.path.realpath(file) == target for file in _files_of(path)):
            raise ParameterError(f"-o {output} would overwrite what is to be read; name another file")


def _files_of(path: str) -> list[Any]:
    """Return the files that an argument stands for; none where it cannot be read, which its reader explains."""
    splits = os.path.join(path, "qrels")
    try:
        return [] if path == "-" or "://" in path else expand([splits if os.path.isdir(splits) else path])
    except InputError:
        return []


def write_data(held: Run | Qrels, output: str, to: str | None = None) -> None:
    """Write a run or judgments to a file, in the format that is asked for or that its name says.

    Parameters
    ----------
    held
        The run or the judgments.
    output
        The file; - prints.
    to
        The name of a format, of `WRITTEN`; by default what the ending says, and trec for all others; but
        endings of `READ_ONLY` are refused.
    """
    bare = output.lower()
    for packing in (".gz", ".xz", ".bz2", ".zst"):
        bare = bare.removesuffix(packing)
    ending = os.path.splitext(bare)[1]
    if to is None and ending in READ_ONLY:
        raise ParameterError(f"{ending[1:]} is read and not written; write .json or .parquet, or a format after --to")
    wanted = to or {".json": "json", ".parquet": "parquet"}.get(ending, "trec")
    write = getattr(held, f"to_{wanted}", None)
    if write is None:
        what = "runs" if isinstance(held, Run) else "judgments"
        others = [name for name in WRITTEN if hasattr(held, f"to_{name}")]
        raise ParameterError(f"{what} are not written as {wanted}; choose one of {', '.join(others)}")
    if output != "-":
        write(output)
        return
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        write(os.path.join(folder, "output"))
        with open(os.path.join(folder, "output"), "rb") as file:
            hand_out(file.read(), wanted)


def bar(n: int) -> Progress:
    """Return a progress bar on the error stream if it is a terminal and there is something to wait for."""
    if n < MANY or not sys.stderr.isatty():
        return silent
    return _bar


def waiting() -> Progress:
    """Return a progress bar on the error stream if it is a terminal."""
    return _bar if sys.stderr.isatty() else silent


def _bar(items: Iterable[Item], total: int | None, what: str) -> Iterable[Item]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    return track(items, description=escape(shown(what)), total=total, console=Console(stderr=True), transient=True)
