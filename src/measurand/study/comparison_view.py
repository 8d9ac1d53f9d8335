"""How systems are shown whose runs are compared under a measure: beside their scores, levels, dominance and claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from attrs import frozen

from measurand.display.tables import Column, Paragraph, Part, TableView, Words
from measurand.display.wording import capitalised, counted, percent
from measurand.scores import Scores
from measurand.study.dominance_matrix import DominanceMatrix
from measurand.study.levels_view import HEADING, column_in_words, held_under
from measurand.study.scores_view import OF_SCORES, ScoresView, pair_fields, system_fields

if TYPE_CHECKING:
    from measurand.study.measure_result import MeasureResult

SPOKEN = 20
"""Of so many pairs it is said what the comparison is worth."""

CONCLUDED = 3
"""Of so many pairs it is said what other measures and other spacings say, below a conclusion."""

OF_RUNS: Mapping[str, type] = {
    **dict.fromkeys(("level", "level_ahead"), str),
    **dict.fromkeys(("level_significant",), bool),
    **dict.fromkeys(("p_level", "p_level_corrected"), float),
    **dict.fromkeys(("dominance_wins", "dominance_ties", "dominance_losses", "dominance_undecided"), int),
}
"""What their runs tell beyond the scores."""


FIELDS = system_fields({**OF_SCORES, **OF_RUNS})
"""What is known of a system under a measure."""

PAIR_FIELDS = pair_fields({**OF_SCORES, **OF_RUNS})
"""What is known of two systems under a measure."""


@frozen(eq=False, kw_only=True)
class MeasureResultView(ScoresView):
    """How systems are shown whose runs are compared under a measure.

    Parameters
    ----------
    result
        How they stand.
    strict
        Whether numbers that the scale does not admit are left out.
    dominance
        How they stand under every measure that respects replacement and swap.
    described
        The scores of measures that say how much was judged, for columns of their own.
    """

    between: ClassVar[Mapping[str, type]] = {**OF_SCORES, **OF_RUNS}

    result: MeasureResult
    dominance: DominanceMatrix
    described: Sequence[Scores] = ()

    def _against(self, place: int, reference: int) -> dict[str, Any]:
        dominance, at = self.dominance, (place, reference)
        return {
            **super()._against(place, reference),
            **self._level(place, reference),
            **{f"dominance_{name}": int(getattr(dominance, name)[at]) for name in ("wins", "ties", "losses")},
            "dominance_undecided": int(dominance.incomparable[at]),
        }

    def _level(self, place: int, reference: int) -> dict[str, Any]:
        """Return for which measures one of two systems is ahead of the other."""
        pair = self.result.levels.pair_at(place, reference)
        return {
            "level": str(pair.level),
            "level_ahead": pair.ahead,
            "level_significant": pair.significant,
            "p_level": pair.p,
            "p_level_corrected": pair.p_corrected,
        }

    def _held_under(self, row: Mapping[str, Any]) -> str:
        """Return for which measures the order of a row and the reference holds, in a word or two."""
        if row["against"] is None:
            return ""
        places, named = self.result.places, (row["system"], row["against"])
        better = None
        if set(named) <= places.keys() and places[named[0]] != places[named[1]]:
            better = min(named, key=places.__getitem__)
        return held_under(self.result.levels.pair(*named), better)

    def _meaning(self, view: TableView) -> str:
        return f" {capitalised(column_in_words(self.result.levels))}" if HEADING in view.headings else ""

    def _columns(self, rows: list[dict[str, Any]], *, admitted: bool) -> Iterator[Column]:
        yield from super()._columns(rows, admitted=admitted)
        for scores in self.described:
            yield _share_judged(scores)

    def _compared(self, *, fits: bool) -> Iterator[Column]:
        yield from super()._compared(fits=fits)
        yield Column(HEADING, self._held_under, left=True, dispensable=7, latex="Holds under")

    def _claims(self, *, concluded: bool) -> Iterator[Part]:
        result = self.result
        if result.claims:
            several, told = len(result.claims) > 1, CONCLUDED if concluded else SPOKEN
            for claim in result.claims[:told]:
                words = Words(((claim.headline, "strong"), (f" {claim.sentence}", "")))
                if concluded:
                    both = ((f"{claim.system} and {claim.against}: ", "strong"),) if several else ()
                    words = Words((*both, (claim.beyond, "")))
                yield Paragraph(words, indent=1)
            more = len(result.claims) - told
            if more > 0:
                yield Paragraph(f"… and {counted(more, 'more pair')}; -f json has them.", "faint", indent=1)

    def to_dict(self) -> dict[str, Any]:
        """Return everything as nested dictionaries and lists; numbers that are not finite are None."""
        found = super().to_dict()
        caveats = found.pop("caveats")
        return {**found, "claims": [claim.to_dict() for claim in self.result.claims], "caveats": caveats}


def _share_judged(scores: Scores) -> Column:
    """Return a column of how much of each system was judged."""
    means = scores.mean()
    return Column(scores.measure, lambda row: percent(means[row["system"]]), dispensable=4)
