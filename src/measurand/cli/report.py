"""`measurand report`: everything about an experiment, in one page."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import click

from measurand.cli.compare import primary_measure, testing_options
from measurand.cli.emit import is_raw, put, raw_option, wide
from measurand.cli.input_format import FilePath
from measurand.cli.options import (
    judging_options_without_ties,
    measures_option,
    named_measures,
    opened,
    qrels_source,
    refuse_to_overwrite,
    relevance_options,
    run_sources,
    seen_as,
    ties_option,
    waiting,
    workers_option,
)
from measurand.cli.stored import is_store, refuse_systems, systems_option
from measurand.cli.streams import say, tell
from measurand.display.data import json_text
from measurand.display.writing import check_folder
from measurand.errors import ParameterError
from measurand.letters import shown
from measurand.study.comparison_settings import TEST
from measurand.study.evaluation import DEFAULT_MEASURES, DEFAULTS, ReadingOptions, no_options
from measurand.study.plan import INTERVAL_MEASURES, RULES
from measurand.study.study import Study

PAGE = "report.html"
"""What the page is called if nothing is said."""

NAMES = {"html": PAGE, "latex": "report.tex", "json": "report.json"}
"""What is written into a folder is called so."""

WIDTH = 120

PLANNED = ("title", "depth", "topics", "baseline", "adjust", "alpha", "strict", "top", "seed", "interval")
"""The options that say how a study is made …"""

READ = ("names", "precision", "ties", "missing_topics", "grade_scale")
"""… and how runs are read and judged."""


@click.command()
@click.argument("qrels")
@click.argument("runs", metavar="RUN...", nargs=-1)
@measures_option
@relevance_options
@testing_options
@click.option("--topics", metavar="NAME,…", help="Look at these topics alone; names or patterns such as 'MB1*'.")
@click.option(
    "--queries",
    type=FilePath(),
    metavar="FILE",
    help="Show the texts of topics: TSV, CSV, JSON, JSONL or TREC topics, plain or compressed.",
)
@systems_option
@click.option("--title", metavar="TEXT", help="What to call the experiment.")
@click.option("--interval", is_flag=True, help="Look at the measures on their interval scales as well.")
@click.option("--no-fusion", is_flag=True, help="Do not look at what combining the runs would give.")
@click.option("--data", is_flag=True, help="Write into a folder, with everything in the page as JSON, parquet and CSV.")
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(list(NAMES)),
    default="html",
    show_default=True,
    help="A page; or the tables of a paper (booktabs), or everything as JSON, printed unless -o names a file.",
)
@raw_option
@judging_options_without_ties
@ties_option(RULES, " Every order is looked at in any case.")
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    metavar="PATH",
    help=f"The file to write, {PAGE} by default; - prints; with --data a folder.",
)
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
@workers_option
def report(qrels: str, runs: tuple[str, ...], form: str, output: str | None, **options: Any) -> None:
    """Write everything about an experiment into one page.

    QRELS and RUN are files of TREC's format or another (see --input-format), plain or compressed, or - for standard
    input; RUN may also be a directory or
    a pattern, and NAME=FILE names a system. QRELS and the FILE of --queries may also be an id of ir_datasets, where
    that package is installed. The page needs no network and no server. Documents of equal score are
    ranked as trec_eval does, except for ESL, ESLR and OIE, which are defined on ties, unless --ties says otherwise.
    A FOLDER that evaluate --store made, in the place of QRELS and RUN, is for a campaign of any size: where not all of
    its systems fit into memory, the page has the best 20 by the primary measure, and the baseline.
    """
    if options["data"] and form != "html":
        raise ParameterError(f"--data writes a folder; leave out -f {form}, or --data")
    printed = output == "-" or (form != "html" and output is None)
    if output == "-" and (options["data"] or options["show"]):
        raise ParameterError(f"-o - prints the page; leave out {'--data' if options['data'] else '--open'}, or -o -")
    target = None if printed else _target(output, NAMES[form], folder=options["data"])
    texts = options["queries"]
    refuse_to_overwrite(None if target is None else str(target), [qrels, *runs, *([] if texts is None else [texts])])
    if options["data"]:
        check_folder(output or "report")
    study = _from_store(qrels, options) if not runs and is_store(qrels) else _from_files(qrels, runs, options)
    if options["data"]:
        write_folder(study, Path(output or "report"), show=options["show"])
    elif form == "html" and target is not None:
        write_page(study, target, show=options["show"])
    else:
        put(_written(study, form), None if target is None else str(target), form)


def _from_files(qrels: str, runs: tuple[str, ...], options: Mapping[str, Any]) -> Study:
    """Return the study of files of judgments and runs."""
    if not runs:
        raise click.MissingParameter(param_type="argument", param_hint="'RUN...'")
    refuse_systems(options)
    texts, default = options["queries"], INTERVAL_MEASURES if options["interval"] else DEFAULT_MEASURES
    return Study.from_files(
        qrels_source(qrels),
        run_sources(runs),
        [seen_as(measure, options) for _, measure in named_measures(options["measures"] or default)],
        queries=None if texts is None else opened(texts),
        primary=primary_measure(options),
        test=options["test"] or TEST,
        progress=waiting(),
        fuse=not options["no_fusion"],
        **{name: options[name] for name in (*PLANNED, *READ)},
    )


def _from_store(folder: str, options: Mapping[str, Any]) -> Study:
    """Return the study of stored scores."""
    no_options("report", cast(ReadingOptions, {name: options[name] for name in DEFAULTS}), "stored scores")
    if options["topics"]:
        raise click.UsageError("--topics goes with QRELS and RUN, not with stored scores; leave it out")
    texts, names = options["queries"], options["measures"]
    return Study.from_store(
        folder,
        [seen_as(measure, options) for _, measure in named_measures(names)] if names else None,
        queries=None if texts is None else opened(texts),
        primary=primary_measure(options),
        test=options["test"] or TEST,
        progress=waiting(),
        **{name: options[name] for name in ("systems", *PLANNED) if name not in ("depth", "topics")},
    )


def _target(output: str | None, name: str, *, folder: bool) -> Path:
    """Return the file that is to be written."""
    path = Path(output or ("report" if folder else name))
    inside = folder or path.is_dir() or str(output).endswith(("/", os.sep))
    return path / name if inside else path


def _written(study: Study, form: str) -> str:
    from measurand.report.page import document
    from measurand.report.study_data import study_data
    from measurand.report.study_latex import study_latex

    if form == "html":
        return document(study, progress=waiting())
    if form == "latex":
        return study_latex(study)
    return json_text(study_data(study))


def write_page(study: Study, target: Path, *, show: bool = False) -> None:
    """Write the page of a study, tell what it says, and open it if that is wanted."""
    from measurand.report.page import write_report

    write_report(study, target, progress=waiting())
    _tell(study, target, show=show)


def _tell(study: Study, target: Path, *, show: bool) -> None:
    """Tell what a page says, and open it if that is wanted."""
    width = wide(WIDTH, None)
    say(*click.wrap_text(shown(study.conclusion.headline), width).split("\n"))
    for line in study.conclusion.lines:
        say(*click.wrap_text(shown(str(line)), width, "- ", "  ").split("\n"))
    say("", f"{target} ({target.stat().st_size / 1e6:.1f} MB) is the page; open it in a browser.")
    if show:
        click.launch(str(target.resolve()))


def write_folder(study: Study, folder: Path, *, show: bool = False) -> None:
    """Write the page of a study and everything in it as data into a folder."""
    from measurand.columns import writes_parquet
    from measurand.report.page import document
    from measurand.report.study_data import write_study_data

    # both are made before either is moved to its place: all is written or nothing
    page = document(study, progress=waiting()).encode(errors="backslashreplace")
    paths = write_study_data(study, folder, besides={PAGE: page}, raw=is_raw())
    _tell(study, folder / PAGE, show=show)
    say(*(str(path) for path in paths if path.name != PAGE))
    if not writes_parquet():
        tell("Parquet files need polars or pyarrow: pip install 'measurand[frames]'.")


def has_screen() -> bool:
    """Say whether somebody sits at a screen on which a browser can open."""
    somebody = sys.stdout.isatty() and not os.environ.get("CI")
    return somebody and (sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY")))
