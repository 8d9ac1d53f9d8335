"""`measurand evaluate --store`: scores of campaigns of any size, kept in a folder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import click

from measurand.cli.emit import emit, note
from measurand.cli.input_format import FilePath
from measurand.cli.options import named_measures, qrels_source, run_sources, seen_as, waiting
from measurand.cli.score_tables import UNLIMITED
from measurand.cli.streams import tell
from measurand.display.wording import counted
from measurand.errors import MeasurandError
from measurand.study.evaluation import DEFAULT_MEASURES

Command = TypeVar("Command", bound=Callable[..., Any])

SETTINGS = ("depth", "ties", "precision", "missing_topics", "grade_scale", "names")
"""The options that say how runs are read and judged."""

OTHERWISE: Mapping[str, str] = {
    "by_topic": "the scores of all topics are in the folder",
    "no_summary": "the numbers over all topics are printed, and the scores of topics are in the folder",
    "unjudged": "the grades of unjudged documents are not varied there",
    "reference": "scores are stored as they are",
    "write_reference": "scores are stored as they are",
    "strict": "numbers over all topics are printed as they are",
}
"""The options of `evaluate` that say nothing where scores are stored, and why."""

PRINTED = ("form", "places", "output")
"""The options of `evaluate` that say how stored scores are printed."""

_OPTIONS = (
    click.option(
        "--store",
        type=FilePath(),
        metavar="FOLDER",
        help="Write the scores of all topics into a folder, as parquet files, and print the numbers over all topics."
        " Files are read block by block, so that they may be larger than memory. FOLDER may be an address such as"
        " s3://bucket/scores.",
    ),
    click.option("--resume", is_flag=True, help="With --store, go on where an earlier call stopped."),
)


systems_option = click.option(
    "--systems", metavar="NAME,…", help="With a FOLDER of stored scores, look at these systems alone."
)
"""Which systems of a store are looked at."""


def refuse_systems(options: Mapping[str, Any]) -> None:
    """Complain of --systems where there are no stored scores.

    Parameters
    ----------
    options
        The options of the command.
    """
    if options["systems"]:
        raise click.UsageError("--systems names systems of stored scores; of RUNs, name those that you want.")


def store_options(command: Command) -> Command:
    """Add the options that have scores stored in a folder."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def store_and_print(qrels: str, runs: Sequence[str], options: Mapping[str, Any]) -> None:
    """Store the scores of runs in a folder, and print the numbers over all topics.

    Parameters
    ----------
    qrels, runs
        As on the command line.
    options
        The options of the command.
    """
    from measurand.study.store.build import store_scores

    _refuse(options)
    wanted = [seen_as(measure, options) for _, measure in named_measures(options["measures"] or DEFAULT_MEASURES)]
    folder = options["store"]
    before = _kept(folder)
    try:
        store = store_scores(
            qrels_source(qrels),
            run_sources(runs),
            wanted,
            into=folder,
            resume=options["resume"],
            progress=waiting(),
            **{name: options[name] for name in SETTINGS},
        )
    except (MeasurandError, KeyboardInterrupt) as stop:
        kept = _kept(folder)
        if kept is None:
            raise
        what = f"{_pieces(kept)} in {folder}; go on with --resume"
        if isinstance(stop, KeyboardInterrupt):
            raise KeyboardInterrupt(what) from None
        if kept != before:
            tell(f"note: {what}")
        raise
    _print(store, options)


def is_store(folder: str) -> bool:
    """Return whether scores were stored in a folder, all or some of them.

    Parameters
    ----------
    folder
        A path or an address.
    """
    from measurand.study.store.folder import Folder
    from measurand.study.store.store_plan import PLAN

    try:
        return Folder.at(folder).has(PLAN)
    except MeasurandError:
        return False


def print_stored(folder: str, options: Mapping[str, Any]) -> None:
    """Print the numbers over all topics of stored scores.

    Parameters
    ----------
    folder
        Where they are stored.
    options
        The options of the command.
    """
    from measurand.study.store.score_store import open_scores

    _refuse(options)
    context = click.get_current_context()
    for each in context.command.params:
        name = each.name or ""
        asked = context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE
        if asked and name in options and name not in PRINTED:
            raise click.UsageError(f"{each.opts[-1]} goes with QRELS and RUN, not with stored scores; leave it out.")
    _print(open_scores(folder), options)


def _refuse(options: Mapping[str, Any]) -> None:
    """Complain of options that say nothing where scores are stored."""
    for name, why in OTHERWISE.items():
        if options[name]:
            raise click.UsageError(f"stored scores do not go with --{name.replace('_', '-')}: {why}.")
    if options["form"] == "trec":
        raise click.UsageError("stored scores do not go with -f trec; -f tsv has the numbers over all topics.")


def _print(store: Any, options: Mapping[str, Any]) -> None:
    """Print the numbers over all topics of stored scores."""
    note(store.caveats)
    emit(
        options["form"],
        options["output"],
        document=lambda: store.document(),
        data=store.to_dict,
        tables=lambda: [store.view(places=options["places"])],
        paper=lambda: [store.view(places=options["places"])],
        width=UNLIMITED,
    )


def _kept(folder: str) -> int | None:
    """Return how many pieces are scored in a folder that is begun and not finished; None of any other."""
    from measurand.study.store.folder import Folder
    from measurand.study.store.store_plan import INDEX, StorePlan

    try:
        place = Folder.at(folder)
        plan = StorePlan.read(place)
        with suppress(MeasurandError, ValueError):
            if place.has(INDEX) and StorePlan.from_dict(place.read_sealed(INDEX)["plan"]) == plan:
                return None
        return plan.scored(place)
    except MeasurandError:
        return None


def _pieces(kept: int) -> str:
    """Return how many pieces a folder holds, as a sentence begins."""
    if not kept:
        return "no piece is scored yet"
    return f"{counted(kept, 'piece')} {'is' if kept == 1 else 'are'} scored and kept"
