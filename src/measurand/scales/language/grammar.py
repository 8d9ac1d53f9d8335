"""The grammar of statements: every form that a sentence may have, and the statement that it makes.

A form is an item (see `reader`) that yields a maker (see `makers`). Forms are tried from the first to the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from attrs import frozen

from measurand.errors import ParameterError
from measurand.scales.compounds import Compound, Junction, OnTopic, Statement, Under
from measurand.scales.constants import Constant
from measurand.scales.language.complaints import complaint, refuse, unknown_names
from measurand.scales.language.makers import (
    Denied,
    Lower,
    Maker,
    Quantity,
    Score,
    apart,
    best,
    compared,
    constant,
    correlated,
    differences,
    extreme,
    fixed,
    minus,
    pairs,
    percent,
    plain,
    ranking,
    significant,
    times_as,
)
from measurand.scales.language.phrases import (
    BETTER,
    BOUNDS,
    BY_AVERAGE,
    COEFFICIENT,
    FACTOR,
    ITS_MEASURE,
    JUDGED,
    MEASURE,
    NOT_JUDGED,
    NOT_SIGNIFICANTLY,
    NOUN,
    PERCENT,
    RANKED_BY,
    RELATION,
    SIGNIFICANTLY,
    STATISTIC,
    SYSTEM,
    TESTED,
    THE,
    TOPIC,
    WORSE,
    count,
    number,
)
from measurand.scales.language.reader import (
    Item,
    Parsed,
    Reader,
    either,
    made,
    many,
    maybe,
    sequence,
    spaced,
    table,
    words,
)
from measurand.scales.statements import Average, Relation

FORMS = (
    "mean of A exceeds mean of B (or: median, geometric mean, harmonic mean, lower quartile, upper quartile,"
    " standard deviation, coefficient of variation, range, interquartile range; is at least, equals, is below)",
    "mean of A is at least 1.2 times mean of B",
    "mean of A exceeds 0.3 (a number holds to the digits that are written)",
    "A is 20 % better than B (or: mean of A is 20 % lower than mean of B)",
    "A is better than B (by the mean; or: by median)",
    "A is the best (or: the worst; by median)",
    "A > B > C (by the mean; or: by median)",
    "the difference between A and B is twice that between C and D (or: half, 2.5 times, at least twice, exceeds 0.05)",
    "A and B differ significantly by t (or another test) at 0.05",
    "A is significantly better than B by t",
    "1923 pairs differ significantly by t at 0.05 (or: at least 10 pairs)",
    "tau of P@10 and RBP is .7858 (or: spearman, tau_ap; by median, by topic)",
    "mean AP of A exceeds mean P@10 of B",
    "any of them, with: on topic 301; under AP and under nDCG@10; and, or, it is not true that",
)
"""The sentences that are understood."""

LONGEST = 20_000
"""Sentences with more letters are not read."""

GRAMMAR = """\
sentence    = clauses { "or" clauses }
clauses     = clause { "and" clause }
clause      = "it is not true that" clause | "(" sentence ")" | [ place "," ] claim { place }
              (a place before the first claim is that of all; a measure behind a claim also that of those before it)
place       = "on topic" TOPIC | "under" MEASURE { "and" [ "under" ] MEASURE }
claim       = quantity relation [ factor ] ( quantity | "that of" SYSTEM )
            | quantity relation NUMBER
            | difference ( [ "is" ] [ bound ] [ factor ] "that between" SYSTEM "and" SYSTEM | relation NUMBER )
            | ( "mean of" | "score of" ) SYSTEM "minus" ( "mean of" | "score of" ) SYSTEM relation NUMBER
            | [ "mean of" ] SYSTEM "is" [ "at least" ] NUMBER "%" way "than" [ "that of" ] SYSTEM
            | SYSTEM verdict SYSTEM [ "by" ( statistic | NUMBER [ "%" ] ) ]
            | [ "mean of" ] SYSTEM "exceeds" [ "mean of" ] SYSTEM "by" NUMBER
            | SYSTEM "is" factor "as" ( "good" | "bad" | "high" | "large" | … ) "as" SYSTEM
            | SYSTEM "has a" ( "higher" | "lower" ) statistic "than" SYSTEM
            | SYSTEM "is the" ( "best" | "worst" ) [ "by" statistic ]
            | SYSTEM ">" SYSTEM { ">" SYSTEM } [ "by" statistic ]
            | SYSTEM "and" SYSTEM [ "do not" ] "differ significantly" [ test ]
            | SYSTEM "is" [ "not" ] "significantly" ( "better" | "worse" ) "than" SYSTEM [ test ]
            | [ bound ] COUNT "pairs" ( "differ significantly" | "are significant" ) [ test ]
            | correlation ( "of" | "between" ) MEASURE "and" MEASURE [ "by" ( "median" | "topic" ) ] relation NUMBER
quantity    = [ "the" ] statistic [ MEASURE ] "of" SYSTEM | statistic "(" SYSTEM ")" | ( MEASURE | "score" ) "of" SYSTEM
              (of a measure, the mean; a score is that of one topic)
difference  = "the difference between" SYSTEM "and" SYSTEM
              (the mean of the first minus that of the second, which may be below 0)
statistic   = "mean" | "median" | "geometric mean" | "harmonic mean" | "lower quartile" | "upper quartile" | "mode"
            | "standard deviation" | "coefficient of variation" | "range" | "interquartile range"
relation    = "exceeds" | "is at least" | "equals" | "is" | "is at most" | "is below" | ">" | ">=" | "=" | "<=" | "<"
            | "is better than" | "is worse than" | …
verdict     = "beats" | "outperforms" | "is better than" | "performs better than" | "is worse than" | …
            | "does not beat" | "is not better than" | …
way         = "better" | "worse" | "higher" | "lower" | "more" | "less"
factor      = "twice" | "half" | NUMBER "times" | … (above 0)
bound       = "at least" | "at most" | "more than" | "less than"
test        = "by" TEST [ "at" NUMBER [ "%" ] ]
correlation = "tau" | "spearman" | "tau_ap"
SYSTEM, TOPIC, MEASURE: names, the longest that is known; in quotes if need be. Case matters where names differ in it.
NUMBER: 0.3, .3, 0,3, 1/3, -2; not 1,234, which may be 1234 or 1.234. TEST: t, sign, wilcoxon, anova, …"""
"""The grammar, for people: every form that is read."""


OF = words("of", "in", "for")

WAYS = words("better", "higher", "more", "greater", "worse", "lower", "less")

BEATS = table(JUDGED)

ON_AVERAGE = table({"is (on average) better than": BETTER, "is on average better than": BETTER})

DIFFERENT = (
    ("differ", "significantly"),
    ("differs", "significantly"),
    *((verb, how) for verb in ("are", "is") for how in ("significantly different", "significant")),
)
"""What is said of pairs of systems."""

QUANTITY = either(
    made(
        sequence(THE, STATISTIC, NOUN, maybe(words("of")), maybe(ITS_MEASURE), OF, SYSTEM),
        lambda *said: Quantity(said[1], said[4], said[6]) if said[3] is None or said[4] else None,
    ),
    made(sequence(STATISTIC, words("("), SYSTEM, words(")")), lambda *said: Quantity(said[0], None, said[2])),
    made(sequence(THE, words("score"), OF, SYSTEM), lambda *said: Quantity(Average.MEAN, None, said[3], single=True)),
    made(sequence(THE, ITS_MEASURE, OF, SYSTEM), lambda *said: Quantity(Average.MEAN, said[1], said[3])),
)

OTHER = either(
    QUANTITY,
    made(sequence(words("that of", "the one of", "that in", "in", "of"), SYSTEM), lambda _, name: name),
)

BETWEEN = made(
    sequence(THE, words("difference between"), SYSTEM, words("and"), SYSTEM), lambda *said: (said[2], said[4])
)

BETWEEN_OTHERS = made(
    sequence(words("that between", "the difference between", "the one between"), SYSTEM, words("and"), SYSTEM),
    lambda *said: (said[1], said[3]),
)

AS_LARGE = maybe(words("as large as", "as big as", "as high as", "the size of"))


def _any_word(reader: Reader, position: int) -> Parsed:
    """Yield whatever word stands at a position."""
    word = reader.word_at(position)
    if word.isalpha():
        yield word, reader.start(position) + len(word)


MEAN_OF = maybe(words("the mean of", "mean of", "the mean score of", "mean score of", "that of"))
"""What may stand before a system where means are compared."""

CLAIMS: tuple[Item, ...] = (
    made(sequence(QUANTITY, RELATION, maybe(FACTOR), OTHER), compared),
    made(sequence(QUANTITY, RELATION, number), constant),
    made(
        sequence(QUANTITY, words("minus", "less", "−", "-"), OTHER, RELATION, number),
        lambda one, _, other, relation, value: minus(one, other, relation, value),
    ),
    made(
        sequence(BETWEEN, words("is"), maybe(table(BOUNDS)), maybe(FACTOR), AS_LARGE, BETWEEN_OTHERS),
        lambda pair, _, bound, factor, __, others: differences(pair, others, bound, factor),
    ),
    made(
        sequence(BETWEEN, RELATION, number),
        lambda pair, relation, value: (
            None
            if relation in (BETTER, WORSE)
            else fixed(Constant(Average.MEAN, pair[0], Relation(relation), value, b=pair[1]))
        ),
    ),
    made(
        sequence(
            MEAN_OF,
            SYSTEM,
            words("is"),
            maybe(words("at least")),
            PERCENT,
            WAYS,
            words("than"),
            MEAN_OF,
            SYSTEM,
        ),
        lambda *said: percent(said[1], said[4], said[5], said[8]),
    ),
    made(
        sequence(SYSTEM, BEATS, SYSTEM, words("by"), maybe(words("at least")), PERCENT),
        lambda a, judged, b, _, __, value: percent(a, value, judged, b),
    ),
    made(
        sequence(
            MEAN_OF,
            SYSTEM,
            either(BEATS, words("exceeds")),
            MEAN_OF,
            SYSTEM,
            words("by"),
            maybe(words("at least")),
            number,
        ),
        lambda *said: apart(said[1], said[2], said[4], said[7]),
    ),
    made(
        sequence(
            SYSTEM,
            words("has a"),
            table(
                dict.fromkeys(("higher", "larger", "greater"), Relation.ABOVE)
                | dict.fromkeys(("lower", "smaller"), Relation.BELOW)
            ),
            STATISTIC,
            words("than"),
            SYSTEM,
        ),
        lambda a, _, relation, statistic, __, b: plain(a, relation, b, statistic),
    ),
    made(
        sequence(SYSTEM, words("is"), FACTOR, words("as"), _any_word, words("as"), SYSTEM),
        lambda *said: times_as(said[0], said[2], said[4].lower(), said[6]),
    ),
    made(
        sequence(
            SYSTEM, words("and"), SYSTEM, words("differ significantly", "are significantly different"), maybe(TESTED)
        ),
        lambda a, _, b, __, tested: significant(a, b, tested),
    ),
    made(
        sequence(SYSTEM, words("differs significantly from", "is significantly different from"), SYSTEM, maybe(TESTED)),
        lambda a, _, b, tested: significant(a, b, tested),
    ),
    made(
        sequence(SYSTEM, table(SIGNIFICANTLY), SYSTEM, maybe(TESTED)),
        lambda a, way, b, tested: significant(a, b, tested, way),
    ),
    made(
        sequence(SYSTEM, table(NOT_SIGNIFICANTLY), SYSTEM, maybe(TESTED)),
        lambda a, way, b, tested: Denied(significant(a, b, tested, way)),
    ),
    made(
        sequence(
            SYSTEM,
            words("and"),
            SYSTEM,
            words("do not differ significantly", "are not significantly different"),
            maybe(TESTED),
        ),
        lambda a, _, b, __, tested: Denied(significant(a, b, tested)),
    ),
    made(
        sequence(
            SYSTEM,
            words("does not differ significantly from", "is not significantly different from"),
            SYSTEM,
            maybe(TESTED),
        ),
        lambda a, _, b, tested: Denied(significant(a, b, tested)),
    ),
    made(
        sequence(SYSTEM, table(NOT_JUDGED), SYSTEM, BY_AVERAGE),
        lambda a, way, b, average: Denied(plain(a, way, b, average)),
    ),
    made(
        sequence(
            maybe(table(BOUNDS)),
            count,
            words("pairs of systems", "system pairs", "pairs", "pair of systems", "system pair", "pair"),
            words(*(f"{verb} {how}" for verb, how in DIFFERENT)),
            maybe(made(sequence(words("for", "under"), MEASURE), lambda _, name: name)),
            maybe(TESTED),
        ),
        lambda bound, found, _, __, measure, tested: pairs(bound, found, measure, tested),
    ),
    made(
        sequence(
            words("there are"),
            maybe(table(BOUNDS)),
            count,
            words("significantly different", "significant"),
            words("system pairs", "pairs of systems", "pairs"),
            maybe(made(sequence(words("for", "under"), MEASURE), lambda _, name: name)),
            maybe(TESTED),
        ),
        lambda *said: pairs(said[1], said[2], said[5], said[6]),
    ),
    made(
        sequence(
            SYSTEM, table({"is the best": False, "is the worst": True}), maybe(words("system", "run")), BY_AVERAGE
        ),
        lambda system, worst, _, average: best(system, worst, average),
    ),
    made(
        sequence(
            SYSTEM,
            table({"is not the best": False, "is not the worst": True}),
            maybe(words("system", "run")),
            BY_AVERAGE,
        ),
        lambda system, worst, _, average: None if (found := best(system, worst, average)) is None else Denied(found),
    ),
    made(
        sequence(SYSTEM, table({"has the highest": True, "has the lowest": False}), STATISTIC),
        lambda system, highest, average: extreme(system, highest, average),
    ),
    made(sequence(many(SYSTEM, words(">")), BY_AVERAGE), lambda systems, average: ranking(average, *systems)),
    made(
        sequence(
            SYSTEM,
            either(BEATS, ON_AVERAGE, table({">": Relation.ABOVE, "exceeds": Relation.ABOVE, "<": Relation.BELOW})),
            SYSTEM,
            BY_AVERAGE,
        ),
        plain,
    ),
    made(
        sequence(COEFFICIENT, words("of", "between"), MEASURE, words("and"), MEASURE, RANKED_BY, RELATION, number),
        lambda *said: correlated(said[0], said[2], said[4], *said[5:]),
    ),
)
"""What may be claimed, the first that fits is meant."""

PLACE = either(
    made(sequence(words("on topic", "for topic"), TOPIC), lambda _, topic: ("topic", topic)),
    made(
        sequence(
            words("under", "for", "in terms of", "measured by"),
            many(MEASURE, either(words("and under", "and", ", under", ","))),
        ),
        lambda _, names: ("measures", names),
    ),
)
"""Of which topic, or under which measures."""


@frozen
class _Claim:
    """A claim that was read, with the topics and measures before and behind it."""

    make: Maker
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    denied: bool = False

    @property
    def measures(self) -> list[str]:
        return [name for kind, names in (*self.before, *self.after) if kind == "measures" for name in names]

    @property
    def topics(self) -> list[str]:
        return [topic for kind, topic in (*self.before, *self.after) if kind == "topic"]


def _claim(reader: Reader, position: int) -> Parsed:
    """Yield statements with the topics and measures that they are about."""
    opening = maybe(made(sequence(PLACE, maybe(words(","))), lambda place, _: (place,)), ())
    for before, start in opening(reader, position):
        for claim in CLAIMS:
            for maker, end in claim(reader, start):
                for after, last in _places(reader, end):
                    denied = isinstance(maker, Denied)
                    yield _Claim(maker.make if denied else maker, before, after, denied), last


def _places(reader: Reader, position: int) -> Parsed:
    for place, end in PLACE(reader, position):
        for others, last in _places(reader, end):
            yield (place, *others), last
    yield (), position


def _clause(reader: Reader, position: int) -> Parsed:
    for _, start in words("it is not true that", "it is not the case that", "not")(reader, position):
        for inner, end in _clause(reader, start):
            yield (Junction.NOT, (inner,)), end
    for _, start in words("(")(reader, position):
        for inner, end in _sentence(reader, start):
            for _, last in words(")")(reader, end):
                yield inner, last
    yield from _claim(reader, position)


def _joined(junction: Junction, item: Item, between: Item) -> Item:
    return made(
        made(many(item, between), lambda *parts: (parts,)),
        lambda parts: parts[0] if len(parts) == 1 else (junction, parts),
    )


_CLAUSES = _joined(Junction.AND, _clause, words("and", ", and", "but", "while"))

_sentence = _joined(Junction.OR, _CLAUSES, words("or", ", or"))


def parse_statement(
    text: str,
    systems: Sequence[str],
    *,
    lower_is_better: bool | Lower = False,
    topics: Sequence[str] = (),
    measures: Sequence[str] = (),
    find_measure: Callable[[str], str | None] | None = None,
) -> Statement:
    """Return the statement that a sentence makes about some systems.

    Upper and lower case are alike, unless systems differ in nothing else. What is said to be better or worse, or to
    beat another, is so in the direction of the measure; higher, more, lower and less are said of the values.

    Parameters
    ----------
    text : str
        A sentence of one of `FORMS`; `GRAMMAR` has the rules.
    systems : sequence of str
        The names of the systems.
    lower_is_better : bool or callable, default False
        Whether lower values are better, as for expected search length; or a function that answers for a measure, None
        for the one that is meant where none is named.
    topics, measures : sequence of str
        The names of the topics and of the measures that may occur.
    find_measure : callable, optional
        Returns the measure that a text spells, or None; by default only `measures` occur.

    Examples
    --------
    >>> print(parse_statement("The mean of A is greater than that of B", ["A", "B"]))
    mean of A exceeds mean of B
    >>> print(parse_statement("A is 20 % better than B", ["A", "B"]))
    mean of A is at least 1.2 times mean of B
    >>> print(parse_statement("A is 20 % better than B", ["A", "B"], lower_is_better=True))
    mean of A is at most 0.8 times mean of B
    >>> print(parse_statement("A differs significantly from B by the t test at 0.01", ["A", "B"]))
    A and B differ significantly by t at 0.01
    """
    direction = lower_is_better
    lower: Lower = direction if callable(direction) else lambda _: bool(direction)
    find = find_measure or (lambda _: None)
    several = [Reader(each, systems, topics, measures, find) for each in _ended(text, (*systems, *topics, *measures))]
    for reader in several:
        found = _first(reader, lower)
        if found is not None:
            return found
    reader = several[0]
    if reader.unclear:
        raise ParameterError(reader.unclear[max(reader.unclear)])
    guess = _first(Reader(reader.text, systems, topics, measures, find, strangers=True), lower)
    if guess is not None:
        for name in unknown_names(guess):
            refuse(name, text, systems, topics, measures)
    raise ParameterError(complaint(reader, text, FORMS))


def _ended(text: str, names: Sequence[str]) -> list[str]:
    """Return a sentence without its full stop; and with it, if that may belong to a name."""
    whole = spaced(text)
    bare = whole.rstrip(".! ")
    tail = range(len(bare), len(whole) + 1) if any(name.endswith((".", "!")) for name in names) else [len(bare)]
    return [whole[:end] for end in tail]


def _first(reader: Reader, lower: Lower) -> Statement | None:
    """Return the first statement that a sentence makes, if it can be read."""
    too_long = f"the sentence that begins {reader.text[:40]!r} is too long to be read; say it in parts"
    if len(reader.text) > LONGEST:
        raise ParameterError(too_long)
    try:
        return next(_read(reader, lower), None)
    except RecursionError:
        raise ParameterError(too_long) from None


def _read(reader: Reader, lower: Lower) -> Iterator[Statement]:
    """Yield the statements that a sentence makes when it is read to its end."""
    for tree, end in _sentence(reader, 0):
        if end < len(reader.text):
            reader.fail(reader.start(end), "the end of the sentence")
            continue
        found = _built(tree, lower, alone=len(reader.topics) < 2)
        if found is not None:
            yield found


def _built(tree: Any, lower: Lower, *, alone: bool) -> Statement | None:
    """Return the statement of what was read.

    What stands before the first claim holds for all claims; a measure behind a claim also for those before it that
    have none. Where there is a topic `alone`, a score needs none.
    """
    claims = list(_claims(tree))
    opening = claims[0].before
    following, inherited = list[str](), dict[int, list[str]]()
    for claim in reversed(claims):
        own = claim.measures
        if not own:
            inherited[id(claim)] = [
                name for kind, names in opening if kind == "measures" for name in names
            ] or following
        following = own or following
    return _joined_claims(tree, lower, inherited, [name for kind, name in opening if kind == "topic"], alone=alone)


def _claims(tree: Any) -> Iterator[_Claim]:
    """Yield the claims of a sentence, in their order."""
    if isinstance(tree, _Claim):
        yield tree
    else:
        for part in tree[1]:
            yield from _claims(part)


def _joined_claims(
    tree: Any, lower: Lower, inherited: dict[int, list[str]], topics: list[str], *, alone: bool
) -> Statement | None:
    if not isinstance(tree, _Claim):
        parts = [_joined_claims(part, lower, inherited, topics, alone=alone) for part in tree[1]]
        return None if None in parts else Compound(tree[0], parts)
    own = tree.topics or topics
    if len(own) > 1:
        return None
    measures: Sequence[str | None] = tree.measures or inherited[id(tree)] or [None]
    found = [_placed(tree, lower, measure, own, alone=alone) for measure in measures]
    if None in found and not tree.measures:
        # it names its measures by itself
        found = [_placed(tree, lower, None, own, alone=alone)]
    if None in found:
        return None
    return found[0] if len(found) == 1 else Compound(Junction.AND, found)


def _placed(claim: _Claim, lower: Lower, measure: str | None, topics: list[str], *, alone: bool) -> Statement | None:
    """Return the statement of a claim under one measure, and on one topic if there is one."""
    said = claim.make(lower, measure)
    if isinstance(said, Score):
        said = said.statement
        if not topics and not alone:
            raise ParameterError("a score is that of one topic: name it (… on topic 1), or say mean of A")
    if said is None:
        return None
    own = said.measure if isinstance(said, Under) else measure
    inner = said.statement if isinstance(said, Under) else said
    for topic in topics:
        inner = OnTopic(inner, topic)
    placed = inner if own is None else Under(inner, own)
    return Compound(Junction.NOT, (placed,)) if claim.denied else placed
