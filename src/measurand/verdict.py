"""Verdicts: whether a property holds, how that is known, and the runs that show it, as text, table and drawing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from math import ceil
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.display.data import exact_number, plain
from measurand.display.result import Result, briefly, shortened
from measurand.display.tables import Document, TableView, Words, cells_view, facts
from measurand.display.text import aligned_text
from measurand.display.wording import counted
from measurand.errors import FunctionFailed
from measurand.exact import with_fraction

if TYPE_CHECKING:
    from measurand.display.charts import Chart, Figure

LONG = 24
"""Runs that are longer are shown as blocks of equal grades."""

MOST = 40
"""So many blocks of a run are shown at most."""

LINE = 90
"""So many letters a line of a drawing has."""

CELL = 34
"""How high a grade is drawn, in pixels, and how wide if it is one digit."""

LETTER = 8
"""How much wider for every other letter."""

HIGHEST = 4
"""Higher grades look like this one."""


class How(StrEnum):
    """How a verdict was reached, the strongest first."""

    PROVED = "proved"
    EXHAUSTIVE = "exhaustive"
    COUNTEREXAMPLE = "counterexample"
    SAMPLED = "sampled"
    FAILED = "failed"


@frozen
class Witness:
    """The runs that decide a verdict, with what the measure makes of them; unpacks into the runs.

    Parameters
    ----------
    runs
        Judged runs, the one that should be worse first.
    values
        Their exact values.
    why
        One sentence that says what the runs show.

    Examples
    --------
    >>> worse, better = Witness(((0, 1), (1, 0)), (2, 1), "the swap loses")
    >>> better
    (1, 0)
    """

    runs: tuple[tuple[Any, ...], ...]
    values: tuple[Any, ...] = ()
    why: str = ""

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        return self.runs[index]

    def __str__(self) -> str:
        return self.why or " and ".join(map(str, self.runs))

    def to_dict(self) -> dict[str, Any]:
        """Return the runs, their values and what they show, ready for JSON."""
        values = [exact_number(value) for value in self.values]
        return {"runs": plain(self.runs), "values": values, "why": self.why}


@frozen(repr=False)
class Verdict(Result):
    """The answer to a question about a measure, an order or a scale: truthy when the property holds.

    Parameters
    ----------
    holds
        Whether the property holds, as far as was looked.
    witness
        What breaks it (or, for a property of existence, the example).
    checked
        The runs that were checked, in words: all runs of a length, a family by proof, a sample.
    how
        How the verdict was reached. A sampled "holds" may be wrong; a counterexample is final (up to rounding, for
        functions that answer in floats). Where a function failed on a run, nothing could be decided.
    argument
        The proof in a sentence, where there is one.

    Examples
    --------
    >>> bool(Verdict(True, None, "all 16 runs of 4 ranks", How.EXHAUSTIVE))
    True
    """

    holds: bool
    witness: Any = None
    checked: str = ""
    how: How = How.EXHAUSTIVE
    argument: str = ""

    def __bool__(self) -> bool:
        return self.holds

    @property
    def sentence(self) -> str:
        """The answer and the reason, in one sentence.

        Examples
        --------
        >>> Verdict(True, checked="all 16 runs of 4 ranks").sentence
        'holds (exhaustive): all 16 runs of 4 ranks'
        """
        reasons = [self.argument, "" if self.witness is None else _told(self.witness), self.checked]
        return ": ".join([f"{self.answered} ({self.how})", *list(filter(None, reasons))[:1]])

    @property
    def answered(self) -> str:
        """The answer in words.

        Examples
        --------
        >>> Verdict(False).answered
        'does not hold'
        """
        return "holds" if self.holds else "does not hold"

    @property
    def decided(self) -> str:
        """How the verdict was reached, and on what it rests.

        Examples
        --------
        >>> Verdict(True, checked="all 16 runs of 4 ranks").decided
        'exhaustive: all 16 runs of 4 ranks'
        """
        if self.how is How.COUNTEREXAMPLE:
            return f"the smallest counterexample from {self.checked}"
        if self.how is How.FAILED:
            return "the function failed on a run" if self.witness else self.checked
        return f"{self.how}: {self.argument or self.checked}"

    @property
    def certain(self) -> bool:
        """Whether nothing that was left unlooked at could change the verdict."""
        return self.how not in (How.SAMPLED, How.FAILED)

    def plot(self) -> Figure:
        """Return a drawing: the runs that decide the verdict as strips of grades, or its sentence where none do.

        Examples
        --------
        >>> Verdict(False, Witness(((0, 1), (1, 0)), (2, 1), "the swap loses"), how=How.COUNTEREXAMPLE).plot()
        Figure('does not hold (counterexample): the swap loses')
        """
        from measurand.display.charts import Figure  # loaded when something is drawn

        runs, values = self._shown()
        return Figure(runs_chart(self.sentence, f"{self.answered} ({self.how})", self._sentences(), runs, values))

    def document(self) -> Document:
        """Return the answer, how it is known, and the runs that decide it."""
        view = self._runs()
        answer = Words.of(self.answered, "strong") + f" ({self.how})"
        return Document([answer, *self._sentences(), *([] if view is None else [view])])

    def _runs(self) -> TableView | None:
        """Return the table of the runs that decide the verdict, if some do."""
        runs, values = self._shown()
        rows = [(str(place), strip(run), value) for place, (run, value) in enumerate(_beside(runs, values), 1)]
        view = cells_view(("run", "grades by rank", "value"), rows, left=2, title="Runs that show it")
        return view if runs else None

    def __str__(self) -> str:
        view = self._runs()
        return "\n\n".join([self.sentence, *([aligned_text(Document([view]))] if view is not None else [])])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {shortened(self.sentence)}>"

    def _main(self) -> TableView:
        told = [("holds", self.holds), ("how", str(self.how)), ("sentence", self.sentence), ("checked", self.checked)]
        return facts(told)

    def to_dict(self, statement: str = "") -> dict[str, Any]:
        """Return whether a statement holds, how that is known, and what decides it, ready for JSON.

        Parameters
        ----------
        statement
            What holds or does not.
        """
        return {
            "holds": self.holds,
            "statement": statement,
            "how": str(self.how),
            "checked": self.checked,
            "argument": self.argument or None,
            "witness": self.witness.to_dict() if hasattr(self.witness, "to_dict") else None,
        }

    def _sentences(self) -> list[str]:
        """Return what there is to say, in sentences."""
        witness = "" if self.witness is None else _told(self.witness)
        found = [self.argument, witness, f"Looked at: {self.checked}" if self.checked else ""]
        return list(dict.fromkeys(filter(None, found)))

    def _shown(self) -> tuple[Sequence[Sequence[Any]], Sequence[Any]]:
        """Return the runs that decide the verdict, and their values."""
        # what else a witness may hold than judged runs is told in its sentence
        if isinstance(self.witness, Witness) and all(type(run) is tuple for run in self.witness.runs):
            return self.witness.runs, self.witness.values
        return (), ()


def _told(witness: Any) -> str:
    """Return what a witness says: its sentence, or its numbers in short."""
    return briefly(witness) if isinstance(witness, tuple | list | dict) else str(witness)


def unusable(failure: FunctionFailed) -> Verdict:
    """Return the verdict on a function that failed on a run, and so has no property of a measure.

    Parameters
    ----------
    failure
        What went wrong, and on which run.

    Examples
    --------
    >>> print(unusable(FunctionFailed("Mine", (1, 0), "answered nan")).witness)
    Mine answered nan on (1, 0)
    """
    return Verdict(False, Witness((failure.run,), (), str(failure)), "runs until it failed on one", How.FAILED)


def first_broken(verdicts: Sequence[Verdict]) -> Verdict:
    """Return the first verdict that fails, or else the least certain of those that hold.

    Parameters
    ----------
    verdicts
        At least one verdict.

    Examples
    --------
    >>> first_broken([Verdict(True, how=How.PROVED), Verdict(True, how=How.SAMPLED)]).how
    <How.SAMPLED: 'sampled'>
    """
    broken = [verdict for verdict in verdicts if not verdict.holds]
    return broken[0] if broken else max(verdicts, key=lambda verdict: list(How).index(verdict.how))


def strip(run: Sequence[Any]) -> Words:
    """Return a judged run as a strip of grades, first rank first.

    Parameters
    ----------
    run
        The grades by rank.

    Examples
    --------
    >>> str(strip((1, 0, 2))), str(strip((0,) * 30 + (1,)))
    (' 1  0  2 ', ' 30×0  1 ')
    """
    pieces = tuple((f" {text} ", f"grade {min(max(ceil(grade), 0), HIGHEST)}") for text, grade in blocks(run))
    return Words(pieces) if run else Words.of("nothing", "faint")


def runs_chart(
    description: str, title: str, said: Sequence[str], runs: Sequence[Sequence[Any]], values: Sequence[Any]
) -> Chart:
    """Return the drawing of judged runs, one below the other, with their values; sentences alone where there are none.

    Examples
    --------
    >>> chart = runs_chart("A swap.", "holds", ["It gains."], [(0, 1), (1, 0)], [1, 2])
    >>> [cell["text"] for cell in chart["layer"][1]["data"]["values"]]
    ['0', '1', '1', '0']
    """
    from measurand.display.charts import styled

    pieces = [blocks(run) for run in runs]
    wide = CELL + LETTER * max((len(text) - 1 for strip in pieces for text, _ in strip), default=0)
    highest = max((grade for strip in pieces for _, grade in strip), default=0)
    cells = [
        {"x": x * wide, "right": (x + 1) * wide - 4, "y": y * CELL, "below": (y + 1) * CELL - 4}
        | {"middle": (x + 0.5) * wide - 2, "text": text, "share": float(max(grade, 0) / max(highest, 1))}
        for y, strip in enumerate(pieces)
        for x, (text, grade) in enumerate(strip)
    ]
    ends = [
        {"middle": len(strip) * wide + 8, "y": y * CELL, "text": f"value {value}"}
        for y, (strip, (_, value)) in enumerate(zip(pieces, _beside(runs, values), strict=True))
        if value
    ]
    lines = [line for text in said for line in wrap(text, LINE)]
    size = {"width": max(wide * max(map(len, pieces), default=0) + 180, 320), "height": max(CELL * len(runs), 1)}
    layers = [_squares(cells, size), _texts(cells, "center", size), _texts(ends, "left", size)]
    return styled(description, {"title": {"text": title, "subtitle": lines, "offset": 12}, **size, "layer": layers})


def blocks(run: Sequence[Any]) -> list[tuple[str, Any]]:
    """Return a run as pieces of text with their grades: one for every rank, or for equal grades in a row.

    The grade of a label is 0.

    Parameters
    ----------
    run
        A judged run.

    Examples
    --------
    >>> blocks((1, 0)), blocks((0,) * 30 + (1,))
    ([('1', 1), ('0', 0)], [('30×0', 0), ('1', 1)])
    >>> blocks((0, 1) * 500)[-2:]
    [('1', 1), ('… 960 more ranks', 0)]
    """
    if len(run) <= LONG:
        return [(str(grade), _number(grade)) for grade in run]
    counts = [(grade, sum(1 for _ in same)) for grade, same in groupby(run)]
    shown = [(str(grade) if count == 1 else f"{count}×{grade}", _number(grade)) for grade, count in counts[:MOST]]
    left = sum(count for _, count in counts[MOST:])
    return [*shown, *([(f"… {counted(left, 'more rank')}", 0)] if left else [])]


def _number(grade: Any) -> Any:
    return 0 if isinstance(grade, str) else grade


def _beside(runs: Sequence[Sequence[Any]], values: Sequence[Any]) -> Iterator[tuple[Sequence[Any], str]]:
    """Return every run with its value in words, or with nothing where it has none."""
    return zip(runs, [*map(with_fraction, values), *[""] * len(runs)], strict=False)


def _squares(cells: list[Chart], size: Chart) -> Chart:
    scale = {"domain": [0, 1], "range": ["#ffffff", "#5ec4b0"], "interpolate": "rgb"}
    fill: Chart = {"field": "share", "type": "quantitative", "legend": None, "scale": scale}
    from measurand.display.charts import GREY

    mark = {"type": "rect", "stroke": GREY, "opacity": 1, "cornerRadius": 3, "aria": False}
    places = {"x": _place("x", size["width"]), "x2": {"field": "right"}, "y": _place("y", size["height"])}
    return {"data": {"values": cells}, "mark": mark, "encoding": {**places, "y2": {"field": "below"}, "fill": fill}}


def _texts(cells: list[Chart], align: str, size: Chart) -> Chart:
    from measurand.display.charts import INK

    mark = {"type": "text", "align": align, "baseline": "middle", "dy": CELL / 2 - 2, "color": INK, "fontSize": 12}
    places = {"x": _place("middle", size["width"]), "y": _place("y", size["height"])}
    return {"data": {"values": cells}, "mark": mark, "encoding": {**places, "text": {"field": "text"}}}


def _place(field: str, most: float) -> Chart:
    """Return a place in pixels, counted from the upper left."""
    domain = [most, 0] if field == "y" else [0, most]
    scale = {"domain": domain, "nice": False, "zero": False}
    return {"field": field, "type": "quantitative", "axis": None, "scale": scale}
