"""The card of six tiles: what would overturn a conclusion, each assumption as a number, a few words and a tone."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import inf, isinf, isnan
from typing import TYPE_CHECKING

from attrs import frozen

from measurand.display.markup import joined, tagged
from measurand.display.tables import Column, Paragraph, Part, TableView, Words
from measurand.display.wording import counted, equals
from measurand.study.margins.margin import UNTRUE, How, Margin
from measurand.study.margins.pair import Claimed
from measurand.study.margins.scale import on_interval_scale, times

if TYPE_CHECKING:
    from markupsafe import Markup

    from measurand.study.margins.margins import Margins

CHANCE = (0.05, 0.2)
"""p at most this is good, at most that is unsure."""

SCALE = (13.0, 3.5)
"""κ from here on is good if chance is, from there on unsure."""

TOPICS = (0.18, 0.06)
"""The share of topics from here on is good, above that unsure."""

DOCUMENTS = (0.05, 0.01)
"""The share of judgments, or of unjudged documents, from here on is good, above that unsure."""

LEGEND = (
    "Green, amber, red: chance p ≤ 0.05, ≤ 0.2; topics from 18 %, above 6 %; judgments and unjudged documents from 5 %,"
    " above 1 %; scale × 13 or an interval scale, × 3.5, and never green unless chance is, nor where topics have scales"
    " of their own and one is lost; ties none, some."
)
"""The thresholds of the tones, in words."""

WORDS = {
    "chance": {
        "good": "chance alone would rarely do this",
        "unsure": "this might be chance",
        "bad": "this could well be chance",
    },
    "topics": {
        "some": "dropping {number} is enough",
        "none": "no topics can be dropped to overturn it",
        "weights": ", or counting some topics {times} times as much as others",
    },
    "judgments": {
        "some": "{number} wrong {grades} would overturn it",
        "none": "no other grades overturn it",
        "unknown": "not computed for this page",
    },
    "unjudged": {
        "some": "{number} of the highest grade would overturn it",
        "none": "no grades of these documents overturn it",
        "empty": "every document that counts was judged",
        "unknown": "not computed for this page",
    },
    "scale": {
        "some": "some differences would have to count {times} times as much as others",
        "none": "no other spacing of the values overturns it",
        "tried": "no other spacing of the values that was tried overturns it",
        "interval": "the measure is on an interval scale; ",
        "alike": "with all topics rescaled alike, ",
        "apart": "each topic has a scale of its own: counting some {times} times as much as others overturns it",
    },
    "ties": {
        "some": "another order of tied documents would overturn it",
        "none": "no order of tied documents overturns it",
        "tried": "no order that was tried overturns it",
        "unknown": "not computed for this page",
    },
}
"""What tiles say, by assumption; the page's script fills the tiles of other pairs with the same words."""

COLOURS = {"good": "#1b7f4d", "unsure": "#b7791f", "bad": "#b83232", "": "#6b7785"}
"""The colour at the top of a tile."""

GRID = "display: grid; grid-template-columns: repeat(auto-fit, minmax(11em, 1fr)); gap: 0.7em; max-width: 75em"
TILE = "border: 1px solid color-mix(in srgb, currentColor 25%, transparent); border-top: 4px solid {colour};"
INSIDE = " border-radius: 0.5em; padding: 0.6em 0.8em"


@frozen
class Tile:
    """One assumption: how large a change of it overturns the conclusion.

    Parameters
    ----------
    name
        The assumption.
    number
        The margin, as people read it.
    words
        What that says, in a few words.
    tone
        "good", "unsure" or "bad"; empty where it does not apply.
    """

    name: str
    number: str
    words: str
    tone: str = ""


def tiles(margins: Margins, *, without: Collection[str] = ()) -> tuple[Tile, ...]:
    """Return the six tiles of the margins of a conclusion.

    Parameters
    ----------
    margins
        The margins.
    without
        Which of "judgments" and "unjudged" are not looked at, because they take long.
    """
    each = {"topics": _topics, "judgments": _judgments, "unjudged": _unjudged, "scale": _scale, "ties": _ties}
    if not margins.holds:
        return (_chance(margins), *(Tile(name.capitalize(), "–", UNTRUE) for name in each))
    found = (_not_looked(name) if name in without else tile(margins) for name, tile in each.items())
    return (_chance(margins), *found)


def card(margins: Margins) -> Markup:
    """Return the six tiles as HTML.

    Parameters
    ----------
    margins
        The margins.
    """
    shown = [_tile(tile) for tile in tiles(margins)]
    head = tagged("p", tagged("strong", margins.question), style="margin: 0.4em 0")
    legend = tagged("p", tagged("small", LEGEND), style="margin: 0.4em 0; max-width: 75em; opacity: 0.75")
    return joined([head, tagged("div", joined(shown, "\n"), style=GRID), legend], "\n")


def _tile(tile: Tile) -> Markup:
    name = tagged("div", tile.name, style="font-size: 0.85em; opacity: 0.75")
    number = tagged("div", tile.number, style="font-size: 1.4em; font-weight: bold; line-height: 1.3")
    words = tagged("div", tile.words, style="font-size: 0.85em")
    style = TILE.format(colour=COLOURS[tile.tone]) + INSIDE
    return tagged("div", joined([name, number, words]), style=style, **{"data-tone": tile.tone or "none"})


def _tone(size: float, good: float, unsure: float) -> str:
    """Return the tone of a size where larger is better."""
    return "good" if size >= good else "unsure" if size > unsure else "bad"


def counted_margin(margin: Margin, of: int) -> str:
    """Return a margin that counts things out of so many, as people read it.

    Parameters
    ----------
    margin
        The margin.
    of
        How many there are.

    Examples
    --------
    >>> counted_margin(Margin(value=8, how=How.AT_MOST, sentence=""), 513)
    '≤ 8 of 513'
    >>> counted_margin(Margin(value=inf, how=How.EXACT, sentence=""), 513)
    'none'
    """
    if margin.value is None:
        return "–"
    if isinf(margin.value):
        return "none" if margin.how is How.EXACT else "none found"
    return f"{'' if margin.how is How.EXACT else '≤ '}{int(margin.value):,} of {of:,}"


def ratio_margin(margin: Margin) -> str:
    """Return a margin that is a ratio, as people read it.

    Parameters
    ----------
    margin
        The margin.

    Examples
    --------
    >>> ratio_margin(Margin(value=3.5625, how=How.EXACT, sentence="")), ratio_margin(Margin(value=inf, how=How.FOUND,
    ... sentence=""))
    ('× 3.6', 'none found')
    """
    if margin.value is None:
        return "–"
    if isinf(margin.value):
        return "none" if margin.how is How.EXACT else "none found"
    return f"{'' if margin.how is How.EXACT else '≤ '}× {times(margin.value)}"


def _counted_tone(margin: Margin, of: int, thresholds: tuple[float, float]) -> str:
    if margin.value is None:
        return ""
    if isinf(margin.value):
        return "good" if margin.how is How.EXACT else "unsure"
    tone = _tone(float(margin.value) / max(1, of), *thresholds)
    # of a bound from above it is not known whether it is good
    return "unsure" if tone == "good" and margin.how is not How.EXACT else tone


def _some(name: str, margin: Margin) -> str:
    """Return that so many topics or documents are enough, in words."""
    number = int(margin.value or 0)
    most = "" if margin.how is How.EXACT else "at most "
    return WORDS[name]["some"].format(number=f"{most}{number:,}", grades="grade" if number == 1 else "grades")


def _chance(margins: Margins) -> Tile:
    p = float(margins.chance.value if margins.chance.value is not None else inf)
    if isnan(p) or isinf(p):
        return Tile("Chance", "–", margins.chance.sentence)
    tone = "good" if p <= CHANCE[0] else "unsure" if p <= CHANCE[1] else "bad"
    return Tile("Chance", f"p {equals(p)}", WORDS["chance"][tone], tone)


def _topics(margins: Margins) -> Tile:
    found, n = margins.topics, len(margins.pair.topics)
    weights, words = margins.scale.own, WORDS["topics"]
    also = ""
    if weights.value is not None and not isinf(weights.value):
        also = words["weights"].format(times=times(weights.value))
    lost = found.value is not None and isinf(found.value)
    said = words["none"] if lost else f"{_some('topics', found)}{also}"
    return Tile("Topics", counted_margin(found, n), said, _counted_tone(found, n, TOPICS))


def _judgments(margins: Margins) -> Tile:
    found = margins.judgments
    if found.value is None:
        return Tile("Judgments", "–", found.sentence)
    words = WORDS["judgments"]["none"] if isinf(found.value) else _some("judgments", found)
    tone = _counted_tone(found, found.of, DOCUMENTS)
    return Tile("Judgments", counted_margin(found, found.of), words, tone)


def _not_looked(name: str) -> Tile:
    return Tile(name.capitalize(), "–", WORDS[name]["unknown"])


def _unjudged(margins: Margins) -> Tile:
    found = margins.unjudged
    if found.value is None:
        return Tile("Unjudged", "–", found.sentence)
    if not found.documents:
        return Tile("Unjudged", "none", WORDS["unjudged"]["empty"], "good")
    words = WORDS["unjudged"]["none"] if isinf(found.value) else _some("unjudged", found)
    tone = _counted_tone(found, found.documents, DOCUMENTS)
    return Tile("Unjudged", counted_margin(found, found.documents), words, tone)


def _scale(margins: Margins) -> Tile:
    found = margins.scale.shared
    if found.value is None:
        return Tile("Scale", "–", found.sentence)
    kappa = float(found.value)
    interval = on_interval_scale(margins.pair.scores)
    likely = _chance(margins).tone == "good" and margins.scale.at_most is None
    tone = _tone(inf if interval else kappa, *SCALE)
    tone = tone if (likely and (found.how is How.EXACT or interval)) or tone == "bad" else "unsure"
    words, number = WORDS["scale"], ratio_margin(found)
    if isinf(kappa) and margins.scale.at_most is not None:
        apart = times(margins.scale.at_most)
        said, number = words["apart"].format(times=apart), f"topics × {apart}"
    elif isinf(kappa):
        said = words["none" if found.how is How.EXACT else "tried"]
    else:
        said = words["some"].format(times=times(kappa))
        if interval and margins.pair.claim is Claimed.ORDER:
            said = f"{words['interval']}{said}"
        elif margins.scale.at_most is not None:
            said = f"{words['alike']}{said}"
    return Tile("Scale", number, said, tone)


def _ties(margins: Margins) -> Tile:
    found = margins.ties
    if found.value is None:
        return Tile("Ties", "–", found.sentence)
    words = WORDS["ties"]
    if isinf(found.value):
        sure = found.how is How.EXACT
        said = words["none" if sure else "tried"]
        return Tile("Ties", "none" if sure else "none found", said, "good" if sure else "unsure")
    return Tile("Ties", "some", words["some"], "unsure")


def plain_line(margins: Margins) -> str:
    """Return the margins, but for that of chance, in one line of text.

    Parameters
    ----------
    margins
        The margins.
    """
    return "; ".join(f"{tile.name.lower()} {tile.number}" for tile in tiles(margins)[1:])


def margins_table(several: Sequence[Margins], *, alone: bool = False) -> TableView:
    """Return the margins of several conclusions, a row for each.

    Parameters
    ----------
    several
        The margins.
    alone
        Whether there are other pairs, which no significance is corrected for here.
    """
    taken = {Claimed.SIGNIFICANT: ", taken alone"} if alone else {}
    rows = [
        {
            "claim": f"{margins.conclusion()}{taken.get(margins.pair.claim, '')}",
            **{tile.name.lower(): Words.of(tile.number, tile.tone) for tile in tiles(margins)},
        }
        for margins in several
    ]
    names = ("chance", "topics", "judgments", "unjudged", "scale", "ties")
    columns = [Column("what is said", "claim", left=True), *(Column(name, name) for name in names)]
    return TableView(columns, rows, title="What would overturn it?", narrow="stack")


def margins_parts(several: Sequence[Margins], others: int, *, alone: bool) -> Iterator[Part]:
    """Yield the table of margins, and that other pairs have theirs, too; nothing if there are none.

    Parameters
    ----------
    several
        The margins.
    others
        How many other pairs are spoken of.
    alone
        Whether there are other pairs, which no significance is corrected for here.
    """
    if several:
        yield margins_table(several, alone=alone)
        if others > 0:
            where = "md.margins(judged, measure, a, b), or .margins of a claim"
            yield Paragraph(f"Those of {counted(others, 'other pair')}: {where}.", "faint", indent=1)
        yield ""


LINES = (
    "What would overturn it: the smallest change of each assumption after which it is no longer true that one system is"
    " ahead (level counts), or that the test is significant for this pair taken alone.",
    "topics: dropping so many overturns it. judgments: so many wrong grades do. unjudged: so many unjudged documents of"
    " the highest grade do. scale: if some differences count so many times as much as others, all topics"
    " rescaled alike; “topics ×”: if some topics do, each with a scale of its own. ties: another order of documents of"
    " equal score. ≤: found, fewer may do. none: no change does. none found: a search found none."
    " –: not looked for, or does not apply.",
)
"""How to read the table of margins."""
