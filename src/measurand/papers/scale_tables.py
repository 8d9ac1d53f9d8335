"""What interval scales change in a campaign: Tables 2 to 6 of Ferrante, Ferro and Fuhr (2021), for any campaign.

`scale_tables` computes them depth by depth. Depths that are finished are kept in a folder (`KeptParts`) until all are,
so that a long computation can be interrupted and resumed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, field, frozen

import measurand.display.keeping as keeping
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Column, Document, TableView, valued
from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, ParameterError
from measurand.exact import whole_number
from measurand.execution import Item, Progress, silent, takes_executor
from measurand.judged import JudgedRuns
from measurand.papers.fff2021.as_published import AS_PUBLISHED, IN_DOUBLES, WITH_INFINITE_DF
from measurand.papers.printed import Average, Comparison, PrintedTables, averages, differences, printed_tables
from measurand.papers.printed.labels import (
    DEPTHS,
    MEASURES,
    PAIRS,
    SYSTEMS,
    TESTS_IN_ORDER,
    TOPICS,
    WITH_RECALL_BASE,
    WITHOUT_RECALL_BASE,
    in_order,
)
from measurand.scales import EXACT, Conventions, ScaleEffect, scale_effects
from measurand.study.evaluation import judge_files
from measurand.study.plan import versions
from measurand.trec import Names, QrelsLike, RunsLike

if TYPE_CHECKING:
    from concurrent.futures import Executor

TABLES = ("table2", "table3", "table4", "table56")


@frozen(kw_only=True, repr=False)
class ScaleTables(Result):
    """Tables 2 to 6 for a campaign, in the paper's layout.

    Parameters
    ----------
    tables
        By table and depth (as text): in `table2` and `table3` Kendall's tau of each measure with its ranks among all
        runs, where ties share a rank, or have the mean of their ranks; in `table4` that of each two measures, raw
        (`msr`), ranked (`rnk`), and the change in percent; in `table56`, by measure and test, the significant pairs
        of systems, those that are lost and those that are won, and the change in percent. None is undefined.
    systems, topics
        How many there are.
    conventions
        How average precision and Tukey's test are computed: as is right, or as the paper did.
    otherwise
        The same tables under other conventions, by what these are called; they explain where the printed tables differ.
    caveats
        What is to be known of the result.
    resumed
        The depths that were kept from an interrupted computation.

    References
    ----------
    [FerranteFerroFuhr2021]_, tables 2 to 6
    """

    tables: Mapping[str, Mapping[str, Any]]
    systems: int
    topics: int
    conventions: Conventions = EXACT
    otherwise: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(factory=dict)
    caveats: tuple[Caveat, ...] = ()
    resumed: tuple[int, ...] = ()

    def __repr__(self) -> str:
        return f"<ScaleTables: {self.systems} systems × {self.topics} topics, depth {', '.join(map(str, self.depths))}>"

    @property
    def depths(self) -> tuple[int, ...]:
        """The depths that were looked at."""
        return tuple(int(depth) for depth in self.tables["table2"])

    def averages(self, depth: int) -> list[Average]:
        """Return the averages over Tables 5 and 6 that section VIII-C quotes; none where a measure was left out.

        Parameters
        ----------
        depth
            One of the depths that were looked at.
        """
        cells = self.tables["table56"][str(depth)]
        return averages({str(depth): cells}) if set(cells) == set(MEASURES) else []

    def beside(self, track: str, printed: PrintedTables | None = None) -> Comparison:
        """Return what the paper prints for a track, cell by cell beside these tables, with the causes of differences.

        Causes are found where the tables were computed under other conventions too, or are those of the paper. A
        campaign of another size than the track has other runs: that is why its numbers differ, and no cause is sought.

        Parameters
        ----------
        track
            T08, T26 or T27: that a campaign of its size is this one is for the caller to know.
        printed
            The printed tables, if not those that come with measurand.
        """
        other = self._other_runs(track)
        tried = self.otherwise if not other and (self.otherwise or self.conventions == AS_PUBLISHED) else None
        return evolve(differences(self.tables, printed or printed_tables(), track, tried), other_runs=other)

    def _other_runs(self, track: str) -> str:
        """Return how one sees that the runs are not those of a track, nothing if they may be."""
        if (self.systems, self.topics) == (SYSTEMS.get(track), TOPICS) or track not in SYSTEMS:
            return ""
        return (
            f"{track} has {SYSTEMS[track]} runs on {TOPICS} topics; this campaign has {self.systems} on {self.topics}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the tables, ready for JSON, with the size of the campaign and the caveats."""
        campaign = {"systems": self.systems, "topics": self.topics, "pairs": self.systems * (self.systems - 1) // 2}
        caveats = [caveat.to_dict() for caveat in self.caveats]
        return {**self.tables, "campaign": campaign, "conventions": str(self.conventions), "caveats": caveats}

    def document(self) -> Document:
        """Return tables 2 and 3: how alike each measure and its ranks order the systems, by depth."""
        size = f"{self.systems} systems × {self.topics} topics"
        titles = {name: f"Table {name[5:]}, {size}: tau of a measure with its ranks" for name in ("table2", "table3")}
        depth = Column("depth", 0, left=True, value=lambda row: int(row[0]))
        columns = [depth, *(valued(name, place) for place, name in enumerate(MEASURES, 1))]
        views = [TableView(columns, self._taus(name), title=title) for name, title in titles.items()]
        return Document(views, self.caveats)

    def _taus(self, name: str) -> list[list[Any]]:
        return [[depth, *map(taus.get, MEASURES)] for depth, taus in self.tables[name].items()]


@explains_calls
@takes_executor
def scale_tables(
    qrels: QrelsLike,
    runs: RunsLike,
    *,
    depths: int | Iterable[int] = DEPTHS,
    names: Names = "auto",
    as_published: bool = False,
    explain: bool = False,
    keep: Path | None = None,
    progress: Progress = silent,
    executor: Executor | None = None,  # noqa: ARG001 - the decorator reads it
) -> ScaleTables:
    """Return Tables 2 to 6 for a campaign, by the paper's experiments.

    Documents are ranked by single-precision scores, every grade above 0 is relevant alike, averages are rounded to 8
    decimals before they are correlated, and the tests follow Matlab's conventions. Exact values decide which scores
    tie, and Tukey's test has the degrees of freedom that there are, unless the tables are wanted as published.

    Parameters
    ----------
    qrels, runs
        Anything that `read_qrels` and `read_runs` accept.
    depths
        How many ranks of each run are looked at; shorter runs are filled up with nonrelevant documents.
    names
        What systems are called by, as for `read_runs`: "auto", "tag" or "file".
    as_published
        Whether to compute the tables as the authors did: average precision ranked among the different doubles that
        runs come to, and Tukey's range with infinite degrees of freedom. At 30 ranks the doubles take minutes.
    explain
        Whether to compute the tables under each of these two conventions too, so that `beside` can tell which of them
        makes a number differ from the printed one.
    keep
        A folder for what is finished, until everything is: an interrupted computation goes on from there.
    progress
        Shows how far it is.
    executor : concurrent.futures.Executor, optional
        What shares the work: threads, processes, or a cluster's. Results are the same.

    Examples
    --------
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> tables = scale_tables({"1": {"d1": 1}}, runs, depths=[2])
    >>> tables.tables["table2"]["2"]["RR"], tables.tables["table4"]["2"]["P vs RR"]["msr"]
    (1.0, None)

    References
    ----------
    [FerranteFerroFuhr2021]_, sections VII and VIII
    """
    several = [depths] if isinstance(depths, int) else depths
    wanted = sorted({whole_number("depth", depth) for depth in several})
    if not wanted:
        raise ParameterError("no depth was asked for; the paper's are 5, 10, 20 and 30")
    judged = judge_files(qrels, runs, names=names, progress=progress, depth=wanted[-1], precision="single")
    if len(judged.systems) < 2:
        raise ParameterError("one system alone has nobody to be compared with; name the runs of two or more")
    own = AS_PUBLISHED if as_published else EXACT
    others = (IN_DOUBLES, WITH_INFINITE_DF, AS_PUBLISHED) if explain and not as_published else ()
    under = tuple(map(str, (own, *others)))
    done = None if keep is None else KeptParts(keep, digest_of(judged, tuple(MEASURES.items()), under))
    before = () if done is None else done.names
    try:
        parts = [_part(judged, depth, (own, *others), done, progress) for depth in wanted]
    except KeyboardInterrupt:
        raise KeyboardInterrupt("" if done is None else done.outcome()) from None
    if done is not None:
        done.forget()
    caveats = [Caveat(CaveatKind(each["kind"]), each["text"]) for part in parts for each in part["caveats"]]
    tables = {
        name: {table: {at: rows for part in parts for at, rows in part[name][table].items()} for table in TABLES}
        for name in under
    }
    return ScaleTables(
        tables=tables.pop(str(own)),
        systems=len(judged.systems),
        topics=len(judged.topics),
        conventions=own,
        otherwise=tables,
        caveats=_told_once(caveats),
        resumed=tuple(depth for depth in wanted if f"depth-{depth}" in before),
    )


def _told_once(caveats: Iterable[Caveat]) -> tuple[Caveat, ...]:
    """Return caveats, those that say the same of several measures or depths as one."""
    about: dict[tuple[CaveatKind, str], list[str]] = {}
    for caveat in dict.fromkeys(caveats):
        label, has, rest = caveat.text.partition(" has ")
        name, colon, said = caveat.text.partition(": ")
        if has and label in MEASURES:
            key, named = (caveat.kind, f"each has {rest}"), [label]
        elif colon and name.partition("@")[0] in MEASURES:
            key, named = (caveat.kind, said), [name]
        else:
            key, named = (caveat.kind, caveat.text), []
        about.setdefault(key, []).extend(named)
    return tuple(Caveat(doubt, _said_of(names, said)) for (doubt, said), names in about.items())


def _said_of(names: Sequence[str], said: str) -> str:
    """Return what is said of some measures, of one alone, or of none."""
    if len(names) == 1 and said.startswith("each has "):
        return f"{names[0]} {said.removeprefix('each ')}"
    return f"{listed(names, len(MEASURES))}: {said}" if names else said


def _part(
    judged: JudgedRuns, depth: int, conventions: Sequence[Conventions], kept: KeptParts | None, progress: Progress
) -> dict[str, Any]:
    """Return the tables of one depth by the names of conventions, from what was kept where it is there."""

    def made() -> dict[str, Any]:
        effects = scale_effects(judged, MEASURES.values(), depth, conventions, progress=_at(depth, progress))
        parts = [_labelled(effect, depth) for effect in effects]
        named = {str(under): part["tables"] for under, part in zip(conventions, parts, strict=True)}
        return named | {"caveats": parts[0]["caveats"]}

    return made() if kept is None else kept.made(f"depth-{depth}", made)


def _at(depth: int, progress: Progress) -> Progress:
    """Return a progress that says which depth is being looked at."""

    def shown(items: Iterable[Item], total: int | None, what: str) -> Iterable[Item]:
        return progress(items, total, f"depth {depth}: {what}")

    return shown


def _labelled(effect: ScaleEffect, depth: int) -> dict[str, Any]:
    """Return the tables of an effect, and its caveats, with the paper's labels in place of our spellings."""
    labels = {f"{spelling}@{depth}": label for label, spelling in MEASURES.items()}
    # a short name is part of longer ones, such as R of RR
    spelled = re.compile("|".join(rf"\b{re.escape(each)}(?!\d)" for each in sorted(labels, key=len, reverse=True)))

    def called(text: str, cutoff: str = "") -> str:
        return spelled.sub(lambda hit: labels[hit[0]] + cutoff, text)

    def told(caveat: Caveat) -> dict[str, Any]:
        # what is said of scales is the same at every depth, and told once
        return caveat.to_dict() | {"text": called(caveat.text, "" if caveat.kind is CaveatKind.SCALE else f"@{depth}")}

    found, at = effect.to_dict(), str(depth)
    tables = {
        table: {at: _in_order(table, {called(row): cells for row, cells in found[table][at].items()})}
        for table in TABLES
    }
    return {"tables": tables, "caveats": [told(caveat) for caveat in effect.caveats]}


def _in_order(table: str, rows: dict[str, Any]) -> dict[str, Any]:
    """Return the rows of a table in the order of the paper, and pairs of measures in its directions."""
    if table == "table4":
        turned = {in_order(name): cell for name, cell in rows.items()}
        return {name: turned[name] for name in PAIRS if name in turned}
    if table == "table56":
        labels = [label for label in (*WITHOUT_RECALL_BASE, *WITH_RECALL_BASE) if label in rows]
        return {label: {test: rows[label][test] for test in TESTS_IN_ORDER} for label in labels}
    return rows


@frozen
class KeptParts:
    """A folder with finished parts of one computation.

    Parameters
    ----------
    folder
        Where the parts lie; it is made when the first is kept.
    key
        What tells this computation from others: a digest of all that it depends on.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     kept = KeptParts(Path(folder, "parts"), "0f")
    ...     kept.made("depth-5", lambda: {"tau": 1.0}), kept.made("depth-5", lambda: {"tau": 0.0}), kept.names
    ({'tau': 1.0}, {'tau': 1.0}, ('depth-5',))
    """

    folder: Path
    key: str

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that are there, and sound."""
        names = sorted(path.name.split(".")[0] for path in self._files())
        return tuple(name for name in names if self._found(name) is not None)

    def made(self, name: str, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return a part that was kept, or make it and keep it.

        Parameters
        ----------
        name
            The name of the part.
        make
            A function that computes it.
        """
        found = self._found(name)
        if found is not None:
            return found
        part = make()
        # whoever cannot keep anything has to start anew, and is given the result all the same
        keeping.keep(self._path(name), keeping.sealed(self._path(name).name, part))
        return part

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.{self.key}.json"

    def _found(self, name: str) -> dict[str, Any] | None:
        return keeping.kept(self._path(name), partial(keeping.unsealed, self._path(name).name))

    def outcome(self) -> str:
        """Return what to say of the parts where the computation ends early; nothing if there are none."""
        several = ", ".join(name.replace("-", " ") for name in self.names)
        return f"{several}: kept in {self.folder}, and the same command goes on from there" if several else ""

    def forget(self) -> None:
        """Remove the parts: all is done."""
        for path in self._files():
            with suppress(OSError):
                path.unlink()

    def _files(self) -> list[Path]:
        with suppress(OSError):
            return sorted(self.folder.glob(f"*.{self.key}.json"))
        return []


def digest_of(judged: JudgedRuns, *settings: object) -> str:
    """Return what tells judged runs, settings and the versions of everything from all others.

    Parameters
    ----------
    judged
        The judged runs.
    settings
        Whatever else the computation depends on.

    Examples
    --------
    >>> one, other = (JudgedRuns.on_one_topic([run], (1, 1)) for run in [(0, 1), (1, 0)])
    >>> digest_of(one) == digest_of(one), digest_of(one) == digest_of(other), digest_of(one) == digest_of(one, 30)
    (True, False, False)
    """
    found = sha256(repr((versions(), judged.systems, judged.topics, settings)).encode())
    for array in (judged.cells, judged.lengths, judged.grade_counts):
        found.update(repr((array.shape, str(array.dtype))).encode())
        found.update(array.tobytes())
    return found.hexdigest()[:32]
