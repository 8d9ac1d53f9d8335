"""How a comparison shows itself in a notebook: a table of systems for every measure, and what may be said of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from measurand.display.markup import caveat_notes, joined, note, table, tagged
from measurand.display.wording import counted, pvalue
from measurand.errors import Caveat
from measurand.scores.notebook import STARRED
from measurand.scores.summary import Summary, written
from measurand.statistics.multiple_comparisons import CORRECTED
from measurand.study.dominance import DOMINANCE, DominanceMatrix
from measurand.study.measure_result import Standing

if TYPE_CHECKING:
    from markupsafe import Markup

SPOKEN = 6
"""Of so many pairs it is told what may be said."""

LETTERS = "letters: systems that share one do not differ significantly; "
LEGEND = f"topics: won–tied–lost; {DOMINANCE}"


def comparison_html(
    standings: Sequence[Standing],
    dominance: DominanceMatrix,
    caveats: Iterable[Caveat],
    *,
    baseline: str | None,
    strict: bool,
) -> str:
    """Return a comparison of systems as HTML.

    Examples
    --------
    >>> import measurand as md
    >>> comparison = md.compare(md.sample.qrels(), md.sample.runs(), "P@10")
    >>> html = comparison_html(comparison.standings, comparison.dominance, [], baseline=None, strict=False)
    >>> html.count("<table"), "robust" in html
    (1, True)
    """
    pieces: list[Markup] = []
    averages = [summary for standing in standings for summary in _averages(standing, strict)]
    for standing in standings:
        pieces.append(_standing(standing, dominance, baseline or standing.systems[0], strict))
        pieces.extend(_claims(standing))
    lettered = any(any(standing.letters.values()) for standing in standings)
    pieces.append(note(f"{LETTERS if lettered else ''}{LEGEND}"))
    if not all(summary.admitted for summary in averages):
        pieces.append(note(STARRED))
    every = [*caveats, *(caveat for summary in averages for caveat in summary.caveats)]
    every += [caveat for standing in standings for caveat in standing.pairs.caveats]
    return str(joined([*pieces, caveat_notes(dict.fromkeys(every))], "\n"))


def _averages(standing: Standing, strict: bool) -> list[Summary]:
    """Return the numbers per system that are shown: what systems are ordered by, and the mean where it may be."""
    both = [standing.summary, standing.means]
    return [both[0]] if both[0].statistic == both[1].statistic or (strict and not both[1].admitted) else both


def _standing(standing: Standing, dominance: DominanceMatrix, reference: str, strict: bool) -> Markup:
    scores, pairs, averages = standing.scores, standing.pairs, _averages(standing, strict)
    caption = (
        f"{scores.measure} ({scores.on_scale}), best {standing.summary.statistic} first;"
        f" against {reference}: {pairs.needs.statistic}, p-values {CORRECTED[pairs.adjusted]}"
    )
    lettered = any(standing.letters.values())
    heads = ["system", *(f"{each.statistic}{'' if each.admitted else '*'}" for each in averages)]
    heads += [*(["letters"] if lettered else []), "topics", "p", "dominance"]
    rows = (
        [
            scores.systems[place],
            *(written(each[place], each.statistic) for each in averages),
            *([standing.letters[scores.systems[place]]] if lettered else []),
            *_against(standing, dominance, place, pairs.place(reference)),
        ]
        for place in standing.order
    )
    return table(caption, heads, rows)


def _against(standing: Standing, dominance: DominanceMatrix, place: int, reference: int) -> Iterator[str]:
    """Return how a system stands to the one that it is compared with."""
    if place == reference:
        yield from ("", "", "")
        return
    effects, at = standing.effects, (place, reference)
    yield f"{effects.wins[at]}–{effects.ties[at]}–{effects.losses[at]}"
    yield pvalue(float(standing.pairs.pvalues[at]))
    yield f"{dominance.wins[at]}–{dominance.ties[at]}–{dominance.losses[at]} ({dominance.incomparable[at]})"


def _claims(standing: Standing) -> Iterator[Markup]:
    """Return what may be said of some pairs of systems."""
    for claim in standing.claims[:SPOKEN]:
        yield note(joined([tagged("strong", claim.meaning.answer), f": {claim.headline}. {claim.sentence}"]))
    more = len(standing.claims) - SPOKEN
    if more > 0:
        yield note(f"{counted(more, 'more pair')} in .claims")
    if len(standing.order) > 1:
        yield note(standing.robustly)
