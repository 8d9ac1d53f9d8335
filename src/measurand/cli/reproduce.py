"""`measurand reproduce`: the five papers, worked out anew."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from measurand.cli.emit import coloured, emit, format_option, note, put, wide
from measurand.cli.input_format import FilePath, input_format_option
from measurand.cli.numbers import COUNT
from measurand.cli.options import names_option, qrels_source, run_sources, waiting, workers_option
from measurand.cli.streams import tell
from measurand.display.data import json_text
from measurand.display.keeping import cache_directory
from measurand.display.latex import latex_table
from measurand.display.writing import write_files
from measurand.errors import ParameterError
from measurand.papers.erratum import PAPERS
from measurand.papers.exhibit import Drawn

if TYPE_CHECKING:
    from measurand.papers.scale_tables import ScaleTables

FORMATS = ("table", "json", "latex", "markdown")

BOOKTABS = "% \\usepackage{booktabs}\n"

ON_DATA = ("fff2021", "agms2018")
"""The papers with experiments on campaigns."""


@click.command()
@click.argument("paper", type=click.Choice(list(PAPERS), case_sensitive=False))
@click.argument("qrels", required=False)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@click.option(
    "--depth",
    "depths",
    type=COUNT,
    multiple=True,
    metavar="N",
    help="How many ranks to look at; for fff2021 it may be repeated, and is 5, 10, 20 and 30 by default.",
)
@names_option
@input_format_option
@click.option("--collection-size", type=COUNT, metavar="N", help="How many documents there are (agms2018 on data).")
@click.option(
    "--track",
    type=click.Choice(["T08", "T26", "T27"]),
    help="The runs are those of this track of the paper (fff2021): lay the printed tables beside ours, with causes.",
)
@click.option(
    "--as-published",
    is_flag=True,
    help="Compute the tables (fff2021) as the authors did: AP in doubles, Tukey's range with infinite degrees of"
    " freedom. At 30 ranks it takes minutes.",
)
@click.option(
    "--printed",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    default=None,
    help="Without a campaign: what must hold in the printed tables (fff2021, agms2018). FILE has tables like those that"
    " come with measurand, in place of these.",
)
@click.option("--only", metavar="TEXT", default="", help='A part of the paper, such as "Figure 3" or "Section IV".')
@click.option("--erratum", metavar="ID", help="Show one erratum with its certificate, and run that.")
@format_option(*FORMATS)
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    metavar="DIR",
    help="Write the figures, or the tables of a campaign, into this folder.",
)
@workers_option
def reproduce(paper: str, qrels: str | None, runs: tuple[str, ...], form: str, **options: Any) -> None:
    """Work a paper out anew, beside what it prints.

    PAPER alone prints every example, table and figure that needs no data, ours beside the paper's, and where the
    paper is wrong. With QRELS and RUN, fff2021 makes Tables 2 to 6 and agms2018 Table 2 and Figures 1 to 3 for that
    campaign; with --printed alone, they check their printed tables by themselves. Depths of fff2021 that are finished
    are kept until all are: interrupted, it goes on where it was.
    """
    _check(paper, qrels, runs, form, options)
    if options["erratum"] is not None:
        _print_erratum(paper, options["erratum"])
    elif qrels is None and options["printed"] is not None:
        _print_printed(paper, form, options)
    elif qrels is None:
        _print_paper(paper, form, options)
    elif paper == "fff2021":
        _print_scale_tables(qrels, runs, form, options)
    else:
        _print_information_tables(qrels, runs, form, options)


def _check(paper: str, qrels: str | None, runs: tuple[str, ...], form: str, options: Mapping[str, Any]) -> None:
    """Complain about what does not go together."""
    if qrels is not None and paper not in ON_DATA:
        raise ParameterError(f"{paper} has no experiment on runs; leave out {qrels}")
    if qrels is not None and not runs:
        raise ParameterError(f"no runs: write measurand reproduce {paper} {qrels} RUN...")
    asked = [f"--{name.replace('_', '-')}" for name in ("track", "as_published") if options[name]]
    if asked and (paper != "fff2021" or qrels is None):
        lacks = "" if paper == "fff2021" else f"{paper} has no such tables: "
        advice = f"{asked[0]} is for tables of a campaign, measurand reproduce fff2021 QRELS RUN..."
        raise ParameterError(f"{lacks}{advice}")
    _check_printed(paper, qrels, options)
    if form == "latex" and (qrels is None or paper != "fff2021"):
        raise ParameterError("only the tables of measurand reproduce fff2021 QRELS RUN... come as -f latex")
    if paper == "agms2018" and len(options["depths"]) > 1:
        raise ParameterError("agms2018 looks at one depth, 100 in the paper; give --depth once")
    _check_options_of_data(paper, qrels, options)
    if options["erratum"] is not None and (qrels is not None or form != "table" or options["output"] is not None):
        raise ParameterError("--erratum prints one erratum as text, and nothing else; -f json without it has them all")
    if options["output"] is not None:
        _check_folder(options["output"])


def _check_printed(paper: str, qrels: str | None, options: Mapping[str, Any]) -> None:
    """Complain about printed tables that nothing would come of."""
    if options["printed"] is None:
        return
    if paper not in ON_DATA:
        raise ParameterError(f"--printed is for {' and '.join(ON_DATA)}; {paper} has no tables of experiments")
    if qrels is not None and paper != "fff2021":
        raise ParameterError("--printed goes with a campaign for fff2021 alone; leave out the campaign, or --printed")
    if qrels is not None and options["track"] is None:
        raise ParameterError("--printed goes with --track, which says what the runs are to be compared with")
    if qrels is None and any(options[name] for name in ("only", "erratum", "output")):
        raise ParameterError("--printed checks the printed tables by themselves; leave out --only, --erratum and -o")


def _check_options_of_data(paper: str, qrels: str | None, options: Mapping[str, Any]) -> None:
    """Complain about options that nothing would come of."""
    if options["depths"] and qrels is None:
        raise ParameterError("--depth is for campaigns: measurand reproduce fff2021 QRELS RUN... --depth N")
    if options["only"] and qrels is not None:
        raise ParameterError("--only is for a paper without data; leave it out, or the files")
    if options["collection_size"] is not None and (paper != "agms2018" or qrels is None):
        raise ParameterError("--collection-size is for measurand reproduce agms2018 QRELS RUN...")


def _check_folder(folder: str) -> None:
    """Complain about a folder that cannot be written to, before everything is computed for it."""
    if folder == "-":
        raise ParameterError("-o - : figures and tables are files, so name a folder, as in -o figures")
    there = next((path for path in (Path(folder), *Path(folder).absolute().parents) if path.exists()), Path())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise ParameterError(f"-o {folder}: {there} is no folder that can be written to")


def _print_erratum(paper: str, name: str) -> None:
    from measurand.papers.erratum import find_erratum
    from measurand.papers.reproduction import WIDTH, erratum_text

    entry = find_erratum(paper, name)
    problem = entry.check()
    put(erratum_text(entry, problem, colour=coloured(None), width=wide(WIDTH, None)), None, "table")
    if problem:
        raise click.exceptions.Exit(1)


def _print_paper(paper: str, form: str, options: Mapping[str, Any]) -> None:
    from measurand.papers.reproduction import WIDTH, reproduction_document
    from measurand.papers.reproduction import reproduce as reproduced

    found = reproduced(paper, options["only"], progress=waiting())
    if options["output"] is not None:
        drawings = waiting()(found.paper.drawings, len(found.paper.drawings), "figures")
        _write(options["output"], {drawing.name: drawing.draw() for drawing in drawings})
    emit(form, None, document=lambda: reproduction_document(found), data=found.to_dict, width=WIDTH)


def _print_printed(paper: str, form: str, options: Mapping[str, Any]) -> None:
    """Print what must hold in the printed tables of a paper."""
    from measurand.papers.printed import printed_tables
    from measurand.papers.printed import view as shown
    from measurand.papers.printed.unanimity import printed_unanimity

    file = options["printed"] or None
    if paper == "fff2021":
        tables = printed_tables(file)
        document, data = partial(shown.printed_tables_document, tables), partial(shown.printed_tables_data, tables)
    else:
        rows, name = printed_unanimity(file), file or f"{paper}.toml"
        document = partial(shown.printed_unanimity_document, rows, name)
        data = partial(shown.printed_unanimity_data, rows, name)
    emit(form, None, document=document, data=data, width=shown.WIDTH)


def _print_scale_tables(qrels: str, runs: tuple[str, ...], form: str, options: Mapping[str, Any]) -> None:
    from measurand.papers.printed import printed_tables
    from measurand.papers.scale_tables_view import WIDTH, scale_tables_document, scale_tables_views

    printed = printed_tables(options["printed"] or None)
    tables = _scale_tables(qrels, runs, options)
    note(tables.caveats)
    if tables.resumed:
        tell(f"note: depth {', '.join(map(str, tables.resumed))}: finished before, and kept")
    if options["printed"]:
        for failure in (f"{fail} ({one.row})" for one in printed.identities() for fail in one.fails):
            tell(f"note: {options['printed']}: {failure}")
    beside = None if options["track"] is None else tables.beside(options["track"], printed)
    data = tables.to_dict() | ({} if beside is None else {"printed": beside.to_dict()})

    def latex() -> str:
        return BOOKTABS + "\n".join(map(latex_table, scale_tables_views(tables, beside)))

    if options["output"] is not None:
        _write(options["output"], {}, {"tables.json": _json(data), "tables.tex": latex()})
    if form == "latex":
        put(latex(), None, form)
        return
    emit(form, None, document=lambda: scale_tables_document(tables, beside), data=lambda: data, width=WIDTH)


def _scale_tables(qrels: str, runs: tuple[str, ...], options: Mapping[str, Any]) -> ScaleTables:
    """Return Tables 2 to 6, from what was kept of an interrupted computation where there is any."""
    from measurand.papers.printed.labels import DEPTHS
    from measurand.papers.scale_tables import scale_tables

    cache = cache_directory()
    return scale_tables(
        qrels_source(qrels),
        run_sources(runs),
        depths=options["depths"] or DEPTHS,
        names=options["names"],
        as_published=options["as_published"],
        explain=options["track"] is not None,
        keep=None if cache is None else cache / "reproduce",
        progress=waiting(),
    )


def _print_information_tables(qrels: str, runs: tuple[str, ...], form: str, options: Mapping[str, Any]) -> None:
    from measurand.papers.information_tables import WIDTH, information_tables, information_tables_document

    depth = {"depth": options["depths"][0]} if options["depths"] else {}
    tables = information_tables(
        qrels_source(qrels),
        run_sources(runs),
        collection_size=options["collection_size"],
        names=options["names"],
        progress=waiting(),
        **depth,
    )
    note(tables.caveats)
    if options["output"] is not None:
        _write(options["output"], tables.drawings(), {"tables.json": _json(tables.to_dict())})
    emit(form, None, document=lambda: information_tables_document(tables), data=tables.to_dict, width=WIDTH)


def _json(data: dict[str, Any]) -> str:
    return json_text(data, allow_nan=False)


def _write(folder: str, drawings: Mapping[str, Drawn], texts: Mapping[str, str] | None = None) -> None:
    """Write drawings and texts into a folder, and say so."""
    files = {f"{name}.svg": drawing.to_svg() for name, drawing in drawings.items()} | dict(texts or {})
    write_files(folder, ((name, text.encode()) for name, text in files.items()))
    tell(f"{', '.join(files) or 'nothing'} written to {folder}")
