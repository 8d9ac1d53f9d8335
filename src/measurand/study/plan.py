"""The plan of a study, the files that it read with their digests, and the versions that it was computed with."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from attrs import field, fields_dict, frozen

from measurand.calls import option, truth
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.judged import Judgments, Results, Ties
from measurand.measures import Measure
from measurand.statistics import ALPHA, find_test
from measurand.statistics.multiple_comparisons import correction, level
from measurand.study.comparison_settings import AUTO, TEST, TOP
from measurand.study.evaluation import DEFAULT_MEASURES, primary_first, read_measures
from measurand.trec import NamedFile, expand
from measurand.trec.datasets import is_dataset
from measurand.trec.files import bytes_of, check_named, format_of, judgments_in

INTERVAL_MEASURES = ("nDCG@10", "AP@30", "P@10", "RR@10", "Judged@10")
"""The measures where none are named and interval scales are wanted, which need a cutoff."""

RULES = tuple(rule for rule in Ties if rule is not Ties.FILE)
"""How a study can order documents of equal score. It considers all their orders, which a file leaves out."""

PACKAGES = ("measurand", "numpy", "scipy")
"""The packages that numbers come from."""


def _topics(topics: str | Sequence[str] | None) -> tuple[str, ...] | None:
    if topics is None:
        return None
    if not isinstance(topics, Iterable):
        raise ParameterError(f'topics must be names or patterns, not {topics!r}; write topics="1,2" or ["MB1*", "7"]')
    several = topics.split(",") if isinstance(topics, str) else topics
    return tuple(name for topic in several if (name := str(topic).strip()))


def _top(top: int) -> int:
    return whole_number("top", top, 0, such_as=TOP)


def _named_file(queries: Any) -> str | None:
    """Return the path or the id of texts that can be read again; None for what was given in memory."""
    return os.fspath(queries) if isinstance(queries, str | os.PathLike) else None


def _strict(strict: bool) -> bool:
    return truth("strict", strict)


@frozen(kw_only=True)
class Plan:
    """The measures and options of a study.

    Parameters
    ----------
    measures
        By the spelling of each, the primary one first.
    described
        The measures that say how much was judged, by spelling: shown, never tested or ranked by.
    title
        What to call the study.
    depth
        How many ranks of each run are used, by default all.
    topics
        The topics to use, or patterns such as `MB1*`; a text may name several, with commas between.
    queries
        The file with the texts of topics, or the id of a collection; None if there are none, or not in a file.
    baseline
        The system that all others are compared with; by default every two systems are compared.
    test, adjust, alpha
        How pairs are tested, as for `compare`.
    strict
        Whether what the scale of a measure does not admit is replaced by what it admits, as for `compare`.
    interval
        Whether measures are looked at on their interval scales as well.
    names, precision, missing_topics, grade_scale
        How runs are read and judged, as for `judge`.
    ties
        What is taken of documents of equal score, as for `judge`; but not the order of a file, since every order is
        considered.
    top
        For how many pairs there are claims under each measure.
    fuse
        Whether to fuse the runs and judge the fusions.
    seed
        Where chance comes from.

    Examples
    --------
    >>> Plan.of("P@10", topics="1,2*").chosen(("1", "2", "21", "31"))
    ('1', '2', '21')
    """

    measures: Mapping[str, Measure]
    described: Mapping[str, Measure] = field(factory=dict)
    title: str | None = None
    depth: int | None = None
    topics: tuple[str, ...] | None = field(default=None, converter=_topics)
    queries: str | None = field(default=None, converter=_named_file)
    baseline: str | None = None
    test: str = TEST
    adjust: str = field(default="holm", converter=correction)
    alpha: float = field(default=ALPHA, converter=level)
    strict: bool = field(default=False, converter=_strict)
    names: str = "auto"
    precision: str = "double"
    ties: str | None = None
    missing_topics: str = "zero"
    grade_scale: str | None = None
    top: int = field(default=TOP, converter=_top)
    interval: bool = False
    fuse: bool = True
    seed: int = 0

    def __attrs_post_init__(self) -> None:
        if self.ties is not None:
            option("ties", self.ties, RULES)
        if self.test != AUTO:
            find_test(self.test)

    @classmethod
    def of(
        cls,
        measures: Measure | str | Iterable[Measure | str] | None = None,
        *,
        primary: Measure | str | None = None,
        **options: Any,
    ) -> Plan:
        """Return a plan for some measures.

        Parameters
        ----------
        measures
            The measures; by default `DEFAULT_MEASURES`, or `INTERVAL_MEASURES` where interval scales are wanted.
        primary
            The measure that claims are made for; by default the first.
        options
            The other fields.
        """
        unknown = sorted(set(options) - set(fields_dict(cls)) | (set(options) & {"measures", "described"}))
        if unknown:
            known = ", ".join(name for name in fields_dict(cls) if name not in ("measures", "described"))
            raise ParameterError(f"a study has no option {', '.join(unknown)}; it has {known}")
        default = INTERVAL_MEASURES if options.get("interval") else DEFAULT_MEASURES
        wanted = primary_first(read_measures(default if measures is None else measures), primary)
        by_name = {repr(measure): measure for measure in wanted.values()}
        described = {name: measure for name, measure in by_name.items() if measure.about_judgments}
        compared = {name: measure for name, measure in by_name.items() if name not in described}
        return cls(measures=compared, described=described, **options)

    def chosen(self, topics: Sequence[str]) -> tuple[str, ...]:
        """Return which of some topics are used."""
        if self.topics is None:
            return tuple(topics)
        idle = [asked for asked in self.topics if not any(_meant(topic, asked) for topic in topics)]
        if idle or not self.topics:
            what = f"no topic is called {', '.join(idle)}" if idle else "no topic is named"
            raise ParameterError(f"{what}; the first of the judgments are {', '.join(topics[:5])}")
        return tuple(topic for topic in topics if any(_meant(topic, asked) for asked in self.topics))

    @property
    def judging(self) -> dict[str, Any]:
        """The options of `judge`."""
        return {name: getattr(self, name) for name in ("depth", "precision", "missing_topics", "grade_scale")}

    @property
    def comparing(self) -> dict[str, Any]:
        """The options of `compare`, but for whom to compare with."""
        told = {name: getattr(self, name) for name in ("test", "adjust", "alpha", "strict")}
        return {**told, "rng": self.seed}


def _meant(topic: str, asked: str) -> bool:
    return topic == asked or fnmatchcase(topic, asked)


@frozen(kw_only=True)
class Source:
    """Something that a study read.

    Parameters
    ----------
    role
        "judgments", "run", or "queries" for the texts of topics.
    name
        The file's path as it was given, the id of a collection, or what else the data are.
    sha256
        The digest of the file as it lies on disk, packed or not; None for what is no file.
    size
        How many bytes the file has.
    system
        What the system of a run was called by whoever named its file; None if nobody did.
    dataset
        Whether it is a collection of ir_datasets, and its name an id there.
    format
        The name of the format that it was said to have; None where that was found by its content.
    comments
        The comments at the head of the file, where metadata may stand.
    """

    role: str
    name: str
    sha256: str | None = None
    size: int | None = None
    system: str | None = None
    dataset: bool = False
    format: str | None = None
    comments: tuple[str, ...] = ()

    @property
    def repeatable(self) -> bool:
        """Whether it can be read again by its name.

        Examples
        --------
        >>> Source(role="run", name="given in memory (dict)").repeatable
        False
        """
        return self.dataset or self.sha256 is not None


def sources_of(qrels: Any, runs: Iterable[Any], queries: Any = None) -> tuple[Source, ...]:
    """Return what is about to be read, judgments first; directories and patterns as the files they stand for.

    Parameters
    ----------
    qrels, runs, queries
        The judgments, the runs, and the texts of topics if there are any.

    Examples
    --------
    >>> from measurand import sample
    >>> [judgments, *_] = sources_of(sample.qrels(), sample.runs())
    >>> judgments.role, judgments.sha256[:8], judgments.size
    ('judgments', '1f2f6519', 10223)
    """
    texts = () if queries is None else (_source("queries", queries),)
    return (_source("judgments", qrels), *(_source("run", run) for run in expand(runs)), *texts)


def _source(role: str, origin: Any) -> Source:
    if not isinstance(origin, str | os.PathLike):
        comments = origin.comments if isinstance(origin, Results | Judgments) else ()
        return Source(role=role, name=_described(origin), comments=comments)
    if role != "run" and is_dataset(origin):
        return Source(role=role, name=str(origin), dataset=True)
    check_named(os.fspath(origin))
    path = Path(origin)
    if role == "judgments" and path.is_dir():
        path = Path(judgments_in(str(path))[0])
    if path.exists() and not path.is_file():
        # a pipe can be read only once
        return Source(role=role, name=str(origin))
    data = bytes_of(path if Path(origin).is_dir() else origin)
    system = origin.name if isinstance(origin, NamedFile) else None
    name = str(path if Path(origin).is_dir() else origin)
    told: dict[str, Any] = {"system": system, "format": format_of(origin)}
    return Source(role=role, name=name, sha256=sha256(data).hexdigest(), size=len(data), **told)


def _described(origin: Any) -> str:
    """Return what data are that did not come from a file that can be read again."""
    named = getattr(origin, "name", None)
    return f"{named} (given in memory)" if isinstance(named, str) else f"given in memory ({type(origin).__name__})"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that numbers come from.

    Examples
    --------
    >>> list(versions())
    ['measurand', 'numpy', 'scipy', 'Python']
    """
    return {name: _version(name) for name in PACKAGES} | {"Python": platform.python_version()}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
