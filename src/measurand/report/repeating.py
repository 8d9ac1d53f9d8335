"""Repeating a study: the command and the lines of Python that make the same numbers again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from attrs import fields

from measurand.errors import InputError, ParameterError
from measurand.measures import parse
from measurand.study.evaluation import DEFAULT_MEASURES
from measurand.study.plan import INTERVAL_MEASURES, Plan, Source
from measurand.study.study import Study
from measurand.trec import expand

MANY = 4
"""More runs than these are named by their directory, if it holds nothing else."""

IN_MEMORY = "Data were given in memory or through a pipe, so no command can repeat it."

PAGE = "again.html"


def command(study: Study) -> str | None:
    """Return the command that repeats a study, or None where no command can.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files({"1": {"d1": 1}}, {"1": {"d1": 1.0}}, "P@1")
    >>> command(study), hindrance(study)
    (None, 'Data were given in memory or through a pipe, so no command can repeat it.')
    """
    if hindrance(study):
        return None
    judgments, runs = _parted(study.sources)
    options = " ".join(shlex.quote(word) for word in (*_options(study.plan), *_input_format(study.sources)))
    words = [_as_argument(judgments), *_runs_as_arguments(runs), *([options] if options else [])]
    return " ".join(["measurand report", *words, f"-o {PAGE}"])


def hindrance(study: Study) -> str:
    """Return why no command repeats a study; nothing if one does."""
    plan = study.plan
    if study.judged.stored:
        return "Scores were read from a store: measurand report FOLDER, with the same options, makes the page again."
    if not all(source.repeatable for source in study.sources):
        return IN_MEMORY
    own = [name for name, measure in plan.measures.items() if not _can_be_spelled(name, measure)]
    if own:
        return f"{', '.join(own)} is a function that was given in Python, which no command can name."
    if any("," in topic for topic in plan.topics or ()):
        return "A topic has a comma in its name, which the command line takes for the end of it."
    return ""


def in_python(study: Study) -> str | None:
    """Return the lines of Python that repeat a study, or None where data or functions were given in memory.

    Examples
    --------
    >>> import measurand as md
    >>> study = md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], "P@10", title="One")
    >>> print(in_python(study).splitlines()[-3])
        title='One',
    """
    plan = study.plan
    in_memory = not all(source.repeatable for source in study.sources)
    if in_memory or not all(_can_be_spelled(*each) for each in plan.measures.items()):
        return None
    judgments, runs = _parted(study.sources)
    formats = _formats(study.sources)
    read_judgments = f"md.read_qrels({judgments!r}, format={formats['qrels']!r})" if "qrels" in formats else ""
    read_runs = f"md.read_runs({_runs_in_python(runs)}, format={formats['run']!r})" if "run" in formats else ""
    arguments = [read_judgments or repr(judgments), read_runs or _runs_in_python(runs)]
    if not usual_measures(plan):
        arguments.append(repr([*plan.measures, *plan.described]))
    arguments += [f"{name}={value!r}" for name, value in _told(plan)]
    lines = ["import measurand as md", ""]
    lines += ["study = md.Study.from_files(", *(f"    {argument}," for argument in arguments), ")"]
    return "\n".join([*lines, f"md.write_report(study, {PAGE!r})"])


def usual_measures(plan: Plan) -> bool:
    """Return whether the measures of a plan are those that are taken if none are named.

    Parameters
    ----------
    plan
        The plan of a study.
    """
    return (*plan.measures, *plan.described) == (INTERVAL_MEASURES if plan.interval else DEFAULT_MEASURES)


def _parted(sources: Sequence[Source]) -> tuple[str, list[Source]]:
    [judgments] = [source.name for source in sources if source.role == "judgments"]
    return judgments, [source for source in sources if source.role == "run"]


def _formats(sources: Sequence[Source]) -> dict[str, str]:
    """Return the formats that judgments and runs were said to have."""
    roles = {"judgments": "qrels", "run": "run"}
    return {roles[each.role]: each.format for each in sources if each.format is not None and each.role in roles}


def _input_format(sources: Sequence[Source]) -> list[str]:
    """Return the option that says the formats of files, if any were said."""
    said = ",".join(f"{role}={name}" for role, name in _formats(sources).items())
    return ["--input-format", said] if said else []


def _runs_as_arguments(runs: Sequence[Source]) -> list[str]:
    """Return the arguments that name some runs, with the names that were given to them."""
    if all(run.system is None for run in runs):
        return [_as_argument(name) for name in _gathered([run.name for run in runs])]
    return [_as_argument(r.name) if r.system is None else shlex.quote(f"{r.system}={r.name}") for r in runs]


def _runs_in_python(runs: Sequence[Source]) -> str:
    """Return what reads some runs, with the names that were given to them."""
    if all(run.system is None for run in runs):
        return repr(_gathered([run.name for run in runs]))
    if all(run.system is not None for run in runs):
        return repr({run.system: run.name for run in runs})
    reads = (repr(r.name) if r.system is None else f"md.read_run({r.name!r}, name={r.system!r})" for r in runs)
    return f"[{', '.join(reads)}]"


def _gathered(runs: list[str]) -> list[str]:
    """Return run files, or the directory that holds these and nothing else."""
    folders = {str(Path(run).parent) for run in runs}
    if len(runs) <= MANY or len(folders) > 1:
        return runs
    try:
        held = [str(each) for each in expand(folders)]
    except (InputError, OSError):
        return runs
    return sorted(folders) if list(map(Path, held)) == list(map(Path, runs)) else runs


def _as_argument(name: str) -> str:
    """Return a file's name so that neither the shell nor the command takes it for anything else."""
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def _can_be_spelled(name: str, measure: Any) -> bool:
    try:
        return bool(parse(name) == measure)
    except ParameterError:
        return False


def _told(plan: Plan) -> Iterator[tuple[str, Any]]:
    """Return the options of a plan that are not as they are if nothing is said."""
    for attribute in fields(Plan):
        value = getattr(plan, attribute.name)
        if attribute.name not in ("measures", "described") and value != attribute.default:
            yield attribute.name, list(value) if isinstance(value, tuple) else value


def _options(plan: Plan) -> Iterator[str]:
    if not usual_measures(plan):
        for name in (*plan.measures, *plan.described):
            yield from ("-m", name)
    for name, value in _told(plan):
        if isinstance(value, bool):
            yield "--no-fusion" if name == "fuse" else f"--{name}"
            continue
        text = ",".join(value) if isinstance(value, list) else str(value)
        option = f"--{name.replace('_', '-')}"
        # a value that begins with a dash would be taken for an option
        yield from [f"{option}={text}"] if text.startswith("-") else [option, text]
