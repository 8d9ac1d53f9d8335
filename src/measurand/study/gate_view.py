"""What a gate says: the verdict first, then why, a row for every measure, and the topics that broke."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import frozen

from measurand.display.numerals import (
    MOST_PLACES,
    chance,
    decimal,
    places_of,
    places_that_subtract,
    roughly,
    roughly_counted,
    told_apart,
    with_minus,
)
from measurand.display.tables import Column, Document, Legend, Paragraph, Part, TableView, Words
from measurand.display.wording import counted, listed, one_line, percent
from measurand.exact import decimals
from measurand.statistics.power import POWER

if TYPE_CHECKING:
    from measurand.study.gate import GateResult
    from measurand.study.gate_measure import MeasureGate, Outcome, TopicChange

PLACES = 4
"""So many decimals scores have in tables."""

NEAR = 1e-8
"""Numbers closer than this look the same in a sentence."""

LONGEST_LIST = 20
"""So many broken topics are listed."""

WORST = 5
"""So many of the topics that lost most are listed where none broke and the gate does not pass."""

LONGEST_TEXT = 60
"""So many letters of what a topic asks for are shown."""

LIKE_THESE = "Over topics like these"
"""How sentences begin that are inferences."""

NOT_OTHERS = "Nothing is said of other topics."
"""What stands where nothing is inferred."""

TONES = {"pass": "strong good", "fail": "strong bad", "undecided": "strong unsure"}
"""How verdicts are coloured."""


def score(value: float, sign: str = "", places: int = PLACES) -> str:
    """Return a score, or a difference of scores, as tables have it; infinities as ∞.

    Parameters
    ----------
    value
        The number.
    sign
        `"+"` for a difference, which shows its sign.
    places
        How many decimals.

    Examples
    --------
    >>> score(0.25), score(-0.25, "+"), score(float("-inf"), "+")
    ('0.2500', '-0.2500', '-∞')
    """
    return (
        f"{value:{sign}}".replace("inf", "∞")
        if value in (float("inf"), float("-inf"))
        else decimals(value, places, sign)
    )


def verdict_words(outcome: Outcome) -> Words:
    """Return the word of a verdict in its tone, in capitals.

    Parameters
    ----------
    outcome
        The verdict.
    """
    return Words.of(outcome.upper(), TONES[outcome])


def measure_sentence(found: MeasureGate) -> str:
    """Return what happened under a measure on these topics, and what follows for topics like these, in some sentences.

    Parameters
    ----------
    found
        What the gate found under the measure.
    """
    return " ".join([_here(found), *_elsewhere(found)])


def _here(found: MeasureGate) -> str:
    """Return what happened on these topics, of which nothing is uncertain."""
    number = len(found.topics)
    if found.same:
        return f"{found.measure} is the same on {_all(number)}: {decimal(found.means[0])}."
    where = "On the one topic" if number == 1 else f"On these {counted(number, 'topic')}"
    if found.difference >= 0:
        return f"{where} {_moved(found)}."
    allowed = f"{_number(found.max_drop)} allowed"
    limit = f"{'within' if found.within_here else 'more than'} the {allowed}"
    return f"{where} {_moved(found)}, {limit if found.max_drop else 'and no drop is allowed'}."


def _others_could(found: MeasureGate) -> str:
    return f"up to {percent(found.could_change)} of others could ({percent(1 - found.alpha)})"


def _elsewhere(found: MeasureGate) -> Iterator[str]:
    """Return what follows for topics like these."""
    if found.on_these_topics:
        if found.failed and found.within_here:
            yield "Every drop of the mean fails here (--fail-on-drop)."
        yield NOT_OTHERS
    elif found.same:
        yield f"Nothing changed on {'it' if len(found.topics) == 1 else 'these'}; {_others_could(found)}."
    else:
        yield from _follows(found)


def _all(topics: int) -> str:
    return "the one topic" if topics == 1 else f"all {counted(topics, 'topic')}"


def _moved(found: MeasureGate) -> str:
    """Return by how much the mean moved."""
    if not found.difference:
        return f"{found.measure} has the same mean as before, {decimal(found.means[1])}"
    size, ends = moved_by(*found.means)
    if found.lower_is_better:
        return (
            f"{found.measure} got {'worse' if found.difference < 0 else 'better'} by {size}, {ends} (lower is better)"
        )
    return f"{found.measure} {'fell' if found.difference < 0 else 'rose'} by {size}, {ends}"


def moved_by(old: float, new: float) -> tuple[str, str]:
    """Return how far a score moved, and from where to where, with as many decimals as make it come out.

    Parameters
    ----------
    old, new
        The scores.

    Examples
    --------
    >>> moved_by(0.75, 0.5), moved_by(0.43121, 0.43119), moved_by(0.4784, 0.2536)
    (('0.250', 'from 0.750 to 0.500'), ('0.00002', 'from 0.43121 to 0.43119'), ('0.2248', 'from 0.4784 to 0.2536'))
    """
    apart = len(told_apart([old, new])[0].partition(".")[2])
    places = places_that_subtract(new, old, new - old, apart, fixed=True)
    return decimal(abs(new - old), places), f"from {decimal(old, places)} to {decimal(new, places)}"


def _bound(found: MeasureGate, value: float) -> str:
    """Return how large a drop is, with as many decimals as tell it from what is allowed."""
    allowed, least = float(found.max_drop), places_of([value])
    apart = (places for places in range(least, MOST_PLACES + 1) if f"{value:.{places}f}" != f"{allowed:.{places}f}")
    return decimal(value, least if abs(value - allowed) <= NEAR else next(apart, least))


def _number(value: Fraction) -> str:
    """Return a number as it was given."""
    return with_minus(f"{float(value):g}")


def _sure(found: MeasureGate) -> str:
    """Return how often a bound holds, and by what."""
    return f"({percent(1 - found.alpha)}, {_by(found)})"


def _both_ends(found: MeasureGate) -> str:
    return f"({percent(1 - 2 * found.alpha)} interval, {_by(found)})"


def _by(found: MeasureGate) -> str:
    if found.method.value == "bound":
        return f"if no topic changes by more than {found.largest_change:g}"
    return found.method.value


def _is_allowed(found: MeasureGate) -> str:
    """Return how large a drop is allowed."""
    return f"{_number(found.max_drop)} is allowed" if found.max_drop else "no drop is allowed"


def _follows(found: MeasureGate) -> Iterator[str]:
    """Return what follows from how far the mean moved."""
    low, high = found.interval
    if found.fell_too_far:
        beyond = f"more than the {_number(found.max_drop)} allowed" if found.max_drop else "and no drop is allowed"
        yield f"{LIKE_THESE} the mean drop is at least {_bound(found, -high)} {_sure(found)}, {beyond}."
    elif found.failed:
        yield f"{_dropped(found)}; drops that are not chance fail here, harmless or not (--fail-on-drop)."
    elif found.undecided:
        yield from _undecided(found)
    elif low > 0:
        yield f"{LIKE_THESE} the mean gain is at least {decimal(low)} {_sure(found)}."
    elif low == 0:
        yield f"{LIKE_THESE} the mean does not drop {_sure(found)}."
    else:
        yield f"{LIKE_THESE} the mean drop is at most {_bound(found, -low)} {_sure(found)}; {_is_allowed(found)}."


def _dropped(found: MeasureGate) -> str:
    """Return how large a drop is that is no chance, and whether it is within what is allowed."""
    low, high = found.interval
    within = f"within the {_number(found.max_drop)} allowed"
    least = f"{LIKE_THESE} the mean drop is at least {_bound(found, -high)}"
    if found.within:
        return f"{least} and at most {_bound(found, -low)} {_both_ends(found)}, {within}"
    if found.p < found.alpha:
        return f"{least} {_sure(found)}. With so many measures it may still be {within} ({_corrected(found)})"
    return f"{least} {_sure(found)}, perhaps {within}"


def _corrected(found: MeasureGate) -> str:
    p = found.p if found.p_corrected is None else found.p_corrected
    return f"p {chance(p, found.alpha)} after Holm's correction"


def _undecided(found: MeasureGate) -> Iterator[str]:
    low, high = found.interval
    topics = f"{'this' if len(found.topics) == 1 else 'these'} {counted(len(found.topics), 'topic')}"
    if found.largest_change is None:
        yield (
            f"To speak of others takes the most that one topic can change under {found.measure}, which has no range:"
            " --largest-change says it."
        )
    elif found.p < found.alpha:
        alone = f"a mean drop of more than the {_number(found.max_drop)} allowed" if found.max_drop else "a mean drop"
        yield (
            f"Alone that would be {alone} over topics like these; with so many measures it may be chance"
            f" ({_corrected(found)})."
        )
    elif found.method.value == "bound":
        yield from _too_few(found)
    elif high < 0:
        yield (
            f"{LIKE_THESE} the mean drop is at least {_bound(found, -high)} {_sure(found)}, but {topics} cannot tell"
            f" whether it is more than the {_number(found.max_drop)} allowed."
        )
        yield from _as_observed(found, "drop")
    else:
        yield (
            f"{LIKE_THESE} it may be anything from a drop of {_bound(found, -low)} to a gain of {decimal(high)}"
            f" {_both_ends(found)}, and {_is_allowed(found)}: {topics} cannot tell."
        )
        yield from _would_tell(found)


def _too_few(found: MeasureGate) -> Iterator[str]:
    """Return why these topics cannot speak of others, what cannot be excluded, and what would help."""
    number, changed = len(found.topics), found.changed
    needed = found.carriers_needed
    share = f"{changed:,} of {counted(number, 'topic')} changed"
    if number < needed:
        share, why = ("One topic" if number == 1 else f"{number:,} topics"), "too few to speak of others"
    elif changed < needed:
        why = "too few to speak of others"
    elif not found.carriers:
        share, why = f"{_all(number).capitalize()} changed by the same amount", "of how others change that says nothing"
    elif found.carriers < needed:
        why = f"but about {round(found.carriers):,} make most of the difference: too few to speak of others"
    else:
        why = f"so little that one other that changes by {found.largest_change:g} could outweigh them"
    says = ", " if why.startswith(("but", "so")) else " is " if number == 1 else ": "
    yield f"{share}{says}{why}."
    low, high = found.interval
    if high < 0:
        ends = f"at least {_bound(found, -high)} and at most {_bound(found, -low)} {_both_ends(found)}"
        yield f"{LIKE_THESE} the mean drop is {ends}; {_is_allowed(found)}."
    elif low < 0:
        yield f"{LIKE_THESE} a mean drop of up to {_bound(found, -low)} cannot be excluded {_sure(found)}."
    if found.unchanged_needed is not None and found.unchanged_needed > number:
        unchanged = f"{counted(found.unchanged_needed, 'topic')} on which nothing changes"
        yield f"It takes {unchanged} to exclude one of more than {_number(found.max_drop)}."
    if 2 * float(abs(found.changes).max()) <= (found.largest_change or 0.0):
        yield "If one topic can change less, --largest-change says how much."


def _as_observed(found: MeasureGate, what: str) -> Iterator[str]:
    """Return how many topics would tell if what was seen is the truth."""
    if found.topics_if_as_observed is not None:
        needed = roughly_counted(found.topics_if_as_observed)
        times = f"{percent(POWER)} of the time"
        yield f"If the {what} is what it looks like, about {needed} topics like these would ({times})."


def _would_tell(found: MeasureGate) -> Iterator[str]:
    """Return how many topics would tell that nothing changed, and what so many topics can tell."""
    needed, topics = found.topics_if_unchanged, counted(len(found.topics), "topic")
    times = f"{percent(POWER)} of the time"
    if not found.max_drop:
        yield "Only a change for the better can pass."
    elif needed is not None and needed <= len(found.topics):
        yield from _as_observed(found, "change")
        yield f"If nothing changes in the mean, {topics} like these would show it {times} or more."
    elif found.decidable_drop is not None:
        shown = (
            "no number of topics that anybody could judge would show it"
            if needed is None
            else f"about {roughly_counted(needed)} topics like these would show it ({times})"
        )
        yield (
            f"If nothing changes in the mean, {shown}; these {topics} can settle a max drop of"
            f" {roughly(found.decidable_drop)}."
        )


def _interval(found: MeasureGate) -> str:
    low, high = found.interval
    if found.same:
        return "unchanged"
    return "none" if high == float("inf") else f"[{score(low, '+')}, {score(high, '+')}]"


def measures_table(several: Sequence[MeasureGate]) -> TableView:
    """Return the table of measures: means, change with interval, what is allowed, topics won and lost, broken ones.

    Parameters
    ----------
    several
        What the gate found under each measure.
    """
    level = percent(1 - 2 * several[0].alpha)
    inferred = [] if several[0].on_these_topics else [Column(level, _interval, dispensable=1)]
    ends = [row.means for row in several]
    places = max(places_that_subtract(new, old, new - old, PLACES, fixed=True) for old, new in ends)
    return TableView(
        [
            Column("measure", lambda row: one_line(row.measure), left=True, wrap="no"),
            Column("verdict", lambda row: Words.of(str(row.outcome), TONES[row.outcome]), left=True, wrap="no"),
            Column("baseline", lambda row: score(row.means[0], places=places), dispensable=2),
            Column("candidate", lambda row: score(row.means[1], places=places), dispensable=2),
            Column("change", lambda row: score(row.difference, "+", places)),
            *inferred,
            Column("max drop", lambda row: f"{float(row.max_drop):g}"),
            Column("won–tied–lost", lambda row: "–".join(map(str, row.won_tied_lost)), dispensable=3),
            Column("broke", lambda row: f"{len(row.broken):,}"),
        ],
        several,
        records=[each.to_dict() for each in several],
    )


@frozen
class _Line:
    """A topic in the list of those that broke."""

    measure: str
    change: TopicChange
    text: str


def topics_table(
    lines: Sequence[tuple[MeasureGate, TopicChange]], texts: Mapping[str, str], **options: Any
) -> TableView:
    """Return a table of topics, with what they ask for where that is known.

    Numbers come first and texts last, so that no line of a log begins with what somebody searched for.

    Parameters
    ----------
    lines
        Measures and topics.
    texts
        What topics ask for.
    options
        What else `TableView` takes.
    """
    rows = [_Line(found.measure, change, texts.get(change.topic, "")) for found, change in lines]
    columns = [
        Column("drop", lambda row: score(row.change.drop), value=lambda row: row.change.drop),
        Column("baseline", lambda row: score(row.change.baseline), value=lambda row: row.change.baseline),
        Column("candidate", lambda row: score(row.change.candidate), value=lambda row: row.change.candidate),
        Column("measure", lambda row: one_line(row.measure), left=True, wrap="no"),
        Column(
            "topic", lambda row: one_line(row.change.topic), left=True, wrap="no", value=lambda row: row.change.topic
        ),
        Column(
            "text",
            lambda row: one_line(row.text, LONGEST_TEXT),
            left=True,
            wrap="words",
            value=lambda row: row.text,
        ),
    ]
    view = TableView(columns, rows, **options)
    several = len({row.measure for row in rows}) > 1
    kept = ["drop", "baseline", "candidate", *(["measure"] if several else []), "topic"]
    return view.select(*kept, *(["text"] if any(row.text for row in rows) else []))


@frozen(eq=False, repr=False)
class GateView:
    """How a result of the gate is shown.

    Parameters
    ----------
    result : GateResult
        The result.
    """

    result: GateResult

    @property
    def reasons(self) -> list[str]:
        """Why the verdict is what it is: the sentences of the measures that decide, and of topics that broke."""
        result = self.result
        found = [each for each in result.results if each.outcome is result.outcome]
        said = [measure_sentence(each) for each in found]
        if result.too_many_broken:
            said.append(self.about_broken())
        return said

    @property
    def headline(self) -> str:
        """The verdict and the first reason, as one line."""
        return f"{self.result.outcome.upper()}. {self._start()}"

    def _start(self) -> str:
        """Return which measures decide, where there are several, and else what the one says."""
        result = self.result
        if len(result.results) == 1:
            return " ".join([*self.reasons, *self._instead()])
        if result.passed and all(each.same for each in result.results):
            number = max(len(each.topics) for each in result.results)
            where = "the one topic" if number == 1 else f"all {counted(number, 'topic')}"
            said = f"On {where} nothing changed under {len(result.results)} measures"
            return f"{said}. {NOT_OTHERS}" if result.on_these_topics else f"{said}; {_others_could(result.results[0])}."
        if result.passed:
            same = [each for each in result.results if each.same]
            held = [each for each in result.results if not each.same]
            several = len(held) > 1
            none = f"none of {len(held)} measures fell" if several else f"{held[0].measure} did not fall"
            here = f"On these topics {none} by more than is allowed"
            unchanged = f"Nothing changed under {listed([each.measure for each in same])}"
            if result.on_these_topics:
                return " ".join([f"{here}.", *([f"{unchanged}."] if same else []), NOT_OTHERS])
            bounds = [f"{each.measure} {_by(each)}" for each in held if each.method.value == "bound"]
            sure = f"({'; '.join([f'{percent(1 - result.alpha)} each', *bounds])})" if several else _sure(held[0])
            others = f"over topics like these {'none does' if several else 'it does not'} either {sure}."
            return " ".join([f"{here}, and {others}", *([f"{unchanged}; {_others_could(same[0])}."] if same else [])])
        which = [each.measure for each in result.results if each.outcome is result.outcome]
        what = "cannot be decided"
        if result.failed:
            far = all(each.fell_too_far for each in result.results if each.failed)
            what = "dropped too far" if far else "dropped"
        first = f"{listed(which)} {what} ({len(which)} of {len(result.results)} measures)." if len(which) > 1 else ""
        return " ".join(filter(None, [first, *self.reasons, *self._instead()]))

    def _instead(self) -> Iterator[str]:
        """Return what would decide at once."""
        if self.result.undecided:
            yield "--on-these-topics would decide by these alone."

    @property
    def in_short(self) -> str:
        """The verdict and the numbers that decide, without sentences."""
        result = self.result
        decisive = [each for each in result.results if each.outcome is result.outcome] or list(result.results)
        first = decisive[0]
        more = f" and {counted(len(decisive) - 1, 'measure')} more" if len(decisive) > 1 else ""
        broke = f"; {counted(len(first.broken), 'topic')} broke" if first.broken else ""
        moved = f"{score(first.difference, '+')} {'on these topics' if result.on_these_topics else _interval(first)}"
        if first.same:
            moved = f"unchanged on {counted(len(first.topics), 'topic')}"
        numbers = f"{first.measure} {moved}, max drop {float(first.max_drop):g}"
        return f"{result.outcome.upper()}: {numbers}{more}{broke}"

    def about_broken(self) -> str:
        """Return how many topics broke, under each measure, and how many may."""
        result = self.result
        said = [
            f"{_broke(len(each.broken), len(each.topics))} (dropped by more than {_number(each.broken_drop)}"
            + (f" under {each.measure})" if len(result.results) > 1 else ")")
            for each in result.results
        ]
        limit = (
            "" if result.max_broken is None else f"; {f'at most {most}' if (most := result.max_broken) else 'none'} may"
        )
        return f"{'; '.join(said)}{limit}."

    def about_topics(self) -> str:
        """Return on how many topics the first measure gained, stayed and lost, and how many gained much."""
        found = self.result.results[0]
        won, tied, lost = found.won_tied_lost
        under = f"Under {found.measure} the" if len(self.result.results) > 1 else "The"
        gained = f"{len(found.improved):,} improved by more than {_number(found.broken_drop)}"
        return f"{under} candidate wins {counted(won, 'topic')}, ties {tied:,}, loses {lost:,}; {gained}."

    def document(self) -> Document:
        """Return all of it, the verdict first."""
        result = self.result
        parts: list[Part] = [
            verdict_words(result.outcome) + f". {self._start()}",
            *self._names(),
            "",
            measures_table(result.results),
            "",
            self.about_topics(),
        ]
        if not result.too_many_broken:
            parts.append(self.about_broken())
        parts += [*self._topics(), "", Legend(lambda _: self.legend())]
        return Document(parts, result.caveats)

    def _names(self) -> Iterator[Part]:
        """Return who is compared with whom, unless both are runs of one name."""
        result = self.result
        if result.baseline != result.candidate or result.stored is not None:
            when = "" if result.stored is None else f", stored {one_line(result.stored)} UTC"
            yield Paragraph(f"Baseline: {one_line(result.baseline)}{when}", "faint")
            yield Paragraph(f"Candidate: {one_line(result.candidate)}", "faint")

    def _topics(self) -> Iterator[Part]:
        """Return the list of topics that broke, or of those that lost most where the gate does not pass."""
        result = self.result
        broken = [(each, change) for each in result.results for change in each.broken]
        if broken:
            yield ""
            several = " of each measure" if len({each.measure for each, _ in broken}) > 1 else ""
            title = f"Broken topics, worst{several} first"
            yield topics_table(broken[:LONGEST_LIST], result.queries, title=title)
            if len(broken) > LONGEST_LIST:
                yield f"… and {len(broken) - LONGEST_LIST:,} more; -f json has them all."
        elif not result.passed:
            decisive = next((each for each in result.results if each.outcome is result.outcome), result.results[0])
            if worst := decisive.dropped()[:WORST]:
                yield ""
                lines = [(decisive, change) for change in worst]
                title = f"Largest drops under {decisive.measure}" if len(result.results) > 1 else "Largest drops"
                yield topics_table(lines, result.queries, title=title)

    def legend(self) -> Iterator[str]:
        """Return how to read it."""
        result = self.result
        if result.on_these_topics:
            yield (
                "Change: on these topics; + is better. Fail: the mean fell by more than the max drop. Of other topics"
                " nothing is said (--on-these-topics)."
            )
        elif not all(each.same for each in result.results):
            yield (
                f"Change: on these topics; + is better. {percent(1 - 2 * result.alpha)}: where the mean change over"
                f" topics like these lies, each end wrong {percent(result.alpha)} of the time ({self._methods()})."
                " Pass: it lies above minus the max drop. Fail: it lies below."
            )
        if any(each.same for each in result.results):
            yield "Scores that are the same on all topics pass, because nothing changed."
        if len(result.results) > 1:
            holm = "" if result.on_these_topics else ", with Holm's correction for the number of measures"
            yield f"All measures must pass. One that fails is enough{holm}."
        if result.fail_on_drop:
            which = "of the mean" if result.on_these_topics else "that is not chance"
            yield f"--fail-on-drop fails every drop {which}, and so drops that are too small to matter, too."
        if result.max_broken is None:
            yield "Broken topics are listed and fail nothing; --max-broken N says how many may break."

    def _methods(self) -> str:
        """Return by what intervals were found."""
        found = [each for each in self.result.results if each.method.value in ("paired t", "bound")]
        said = (f"{'at most, ' * (each.method.value == 'bound')}{_by(each)}" for each in found)
        return "; ".join(dict.fromkeys(said)) or "here there is none"


def _broke(broken: int, topics: int) -> str:
    if not broken:
        return "No topic broke"
    return f"{broken:,} of {counted(topics, 'topic')} broke"
