"""Claims of the text about the printed tables, beside what their cells come to.

What the text says is data, in `fff2021/said.toml`: the ends of a `Range` of cells, a `Tally` of the cells in which
something holds, or a `Quoted` average.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import product
from math import inf
from types import MappingProxyType

from attrs import field, frozen

from measurand.errors import ParameterError
from measurand.papers.exhibit import Found, Line, Mark, line
from measurand.papers.printed.cells import averages
from measurand.papers.printed.labels import DEEP_TRACKS, MEASURES, PAIRS, TRACKS, Cells, cell_at
from measurand.scales import EIGHT

TALLIES = MappingProxyType({"lower": "{} is lower in Table 3 than in Table 2", "more": "{} finds more pairs than {}"})
"""What is counted, in words: of a measure, or of two tests."""

WORDS = MappingProxyType({"s2ns": "pairs lost", "ns2s": "pairs won", "delta": "pairs lost or won", "error": "±"})
"""What is averaged, in words."""


@frozen(kw_only=True)
class Range:
    """The lowest and the highest of some cells.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    table
        2, 3, 4, or 56 for Tables 5 and 6.
    of
        Measures, or pairs of them in Table 4; all if empty.
    column
        Which number of a cell, in Tables 4 to 6.
    track
        The only track that is meant; nothing for all.
    besides
        Measures with the depths of runs that the text excepts.
    below, above
        Only cells between these bounds are meant.
    loss
        Whether the text speaks of 100 − 100 τ, in percent.
    text
        What the text says, under lowest and highest, with its digits; nothing if it does not say it.
    erratum
        What explains that the cells come to something else.
    """

    row: str
    section: str
    table: int
    of: tuple[str, ...] = field(default=(), converter=tuple)
    column: str = "tau"
    track: str = ""
    besides: Mapping[str, tuple[int, ...]] = field(factory=dict)
    below: float = inf
    above: float = -inf
    loss: bool = False
    text: Mapping[str, str] = field(factory=dict)
    erratum: str = ""

    def ends(self, cells: Cells) -> tuple[float, float] | None:
        """Return the lowest and the highest of the cells; None if some are unknown, or there is none.

        Parameters
        ----------
        cells
            The tables by their names.

        Examples
        --------
        >>> taus = {track: {"P": 1.0, "AP": 0.5 + place / 100} for place, track in enumerate(TRACKS)}
        >>> of_ap, of_rr = (Range(row="", section="", table=2, of=[name]) for name in ("AP", "RR"))
        >>> of_ap.ends({"table2": taus}), of_rr.ends({"table2": taus})
        ((0.5, 0.61), None)
        """
        found = list(self._numbers(cells))
        kept = [number for number in found if number is not None and self.above < number < self.below]
        return (min(kept), max(kept)) if kept and None not in found else None

    def _numbers(self, cells: Cells) -> Iterator[float | None]:
        """Return every number meant; None for one that is unknown."""
        tracks = [self.track] if self.track else TRACKS if self.table in (2, 3) else DEEP_TRACKS
        for track, name in product(tracks, self.of or (PAIRS if self.table == 4 else MEASURES)):
            if int(track.rpartition("_")[2]) in self.besides.get(name, ()):
                continue
            place = (f"table{self.table}", track, name)
            if self.table in (2, 3):
                yield cell_at(cells, *place)
            elif self.table == 4:
                yield cell_at(cells, *place, self.column)
            else:
                yield from (cell_at(cells, *place, test, self.column) for test in EIGHT)

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return the two ends beside the text.

        Parameters
        ----------
        cells
            The tables by their names.
        """
        ends = self.ends(cells)
        if ends is not None:
            lowest, highest = (round(100 - 100 * end, 2) for end in reversed(ends)) if self.loss else ends
            known = {"lowest": lowest, "highest": highest} if lowest < highest else {"lowest": lowest}
            for name, end in known.items():
                if name in self.text or not self.text:
                    what = f"{self.words}: {name}" if lowest < highest else self.words
                    yield _line(what, end, self.text.get(name), self.erratum)

    @property
    def words(self) -> str:
        """Which cells, in words."""
        parts = [
            "Tables 5 and 6" if self.table == 56 else f"Table {self.table}",
            " and ".join(self.of),
            "" if self.column == "tau" else self.column,
            self.track,
            *(f"{name} not at N = {' and '.join(map(str, depths))}" for name, depths in self.besides.items()),
            f"cells below {self.below:g}" if self.below < inf else "",
            f"cells above {self.above:g}" if self.above > -inf else "",
            "loss in percent" if self.loss else "",
        ]
        return ", ".join(filter(None, parts))


@frozen(kw_only=True)
class Tally:
    """In how many cells something holds.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    kind
        "lower": a measure has a lower tau in Table 3 than in Table 2; "more": a test finds more pairs than another.
    of
        The measure, all if empty; or the two tests.
    text
        "most" if the text says that it holds in most cells; nothing if it does not say it.
    erratum
        What explains that it does not.
    """

    row: str
    section: str
    kind: str
    of: tuple[str, ...] = field(default=(), converter=tuple)
    text: str = ""
    erratum: str = ""

    def count(self, cells: Cells) -> tuple[int, int] | None:
        """Return in how many cells it holds, and of how many; None if some cells are unknown.

        Parameters
        ----------
        cells
            The tables by their names.

        Examples
        --------
        >>> tests = {"paired_t": {"sig": 3}, "signed_rank": {"sig": 4}}
        >>> cells = {"table56": {track: dict.fromkeys(MEASURES, tests) for track in DEEP_TRACKS}}
        >>> Tally(row="", section="", kind="more", of=["signed_rank", "paired_t"]).count(cells)
        (33, 33)
        """
        if self.kind == "lower":
            places = product(TRACKS, self.of or MEASURES)
            both = [[cell_at(cells, table, *place) for table in ("table3", "table2")] for place in places]
        else:
            places = product(DEEP_TRACKS, MEASURES)
            both = [[cell_at(cells, "table56", *place, test, "sig") for test in reversed(self.of)] for place in places]
        if any(None in two for two in both):
            return None
        return sum(one < other for one, other in both), len(both)

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return whether it holds in most cells, beside the text.

        Parameters
        ----------
        cells
            The tables by their names.
        """
        found = self.count(cells)
        if found is not None:
            holds, among = found
            what = f"{TALLIES[self.kind].format(*self.of or ['a measure'])}: in most cells (in {holds} of {among})"
            yield _line(what, 2 * holds > among, self.text == "most" or None, self.erratum)


@frozen(kw_only=True)
class Quoted:
    """An average over cells of Tables 5 and 6.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    section
        Where the text speaks of it.
    name
        The selection of cells, as in `measurand.papers.printed.selections`.
    text
        What the text says, with its digits; nothing if it does not say it.
    erratum
        What explains that the cells come to something else.
    """

    row: str
    section: str
    name: str
    text: Mapping[str, str] = field(factory=dict)
    erratum: str = ""

    def lines(self, cells: Cells) -> Iterator[Line]:
        """Return the means of the printed percentages beside the text.

        Parameters
        ----------
        cells
            The tables by their names.
        """
        try:
            [found] = [each for each in averages(cells.get("table56", {}), by="percentages") if each.name == self.name]
        except ParameterError:  # some cells are unknown
            return
        for name, mean in {**found.means, "error": found.error}.items():
            if mean is not None and (name in self.text or not self.text):
                yield _line(f"{self.name}: {WORDS[name]}, %", mean, self.text.get(name), self.erratum)


@frozen(kw_only=True)
class Stated:
    """A number that the text gives, or a claim, beside what the cells come to.

    Parameters
    ----------
    row
        The row of the conformance checklist.
    line
        What the text says, if it says it, and what the cells come to; with the erratum where these differ.
    """

    row: str
    line: Line


@cache
def _said() -> tuple[Range | Tally | Quoted, ...]:
    text = (files("measurand.papers") / "fff2021" / "said.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    kinds = {"range": Range, "tally": Tally, "average": Quoted}
    return tuple(kind(**entry) for name, kind in kinds.items() for entry in content[name])


def stated(cells: Cells) -> list[Stated]:
    """Return what the text of Ferrante, Ferro and Fuhr says of cells, beside what these come to.

    Parameters
    ----------
    cells
        The tables by their names. What is said of cells that are not all known is left out.

    Examples
    --------
    >>> taus = {track: {"AP": 0.69 + place / 100} for place, track in enumerate(TRACKS)}
    >>> [(one.row, one.line.mark.value, one.line.errata) for one in stated({"table2": taus})]
    [('FFF-T2-prose', '✓', ()), ('FFF-T2-prose', '✗', ('E33',))]

    References
    ----------
    [FerranteFerroFuhr2021]_, section VIII
    """
    return [Stated(row=one.row, line=each) for one in _said() for each in one.lines(cells)]


def _line(what: str, ours: Found, said: str | bool | None, erratum: str) -> Line:
    """Return a line that names the erratum only where the two differ."""
    found = line(what, ours, said=said)
    return line(what, ours, said=said, erratum=erratum) if found.mark is Mark.DIFFERS else found
