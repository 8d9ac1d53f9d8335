"""Reading statements: the sentences that people write about scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from fractions import Fraction

from attrs import frozen

from measurand.errors import ParameterError
from measurand.exact import rational
from measurand.scales.meaning.statements import (
    Average,
    Averages,
    Differences,
    Relation,
    Significant,
    Statement,
)
from measurand.scores import place_of

FORMS = (
    "mean of A exceeds mean of B (or: median, geometric mean, lower quartile, upper quartile; is at least, equals)",
    "mean of A is at least 1.2 times mean of B",
    "A is 20 % better than B (or: mean of A is 20 % lower than mean of B)",
    "A is better than B (by the mean)",
    "the difference between A and B is twice that between C and D (or: half, 2.5 times, at least twice)",
    "A and B differ significantly by t (or another test) at 0.05",
)
"""The sentences that are understood."""

_AVERAGES = {
    "arithmetic mean": Average.MEAN,
    "geometric mean": Average.GEOMETRIC,
    "lower quartile": Average.LOWER,
    "first quartile": Average.LOWER,
    "upper quartile": Average.UPPER,
    "third quartile": Average.UPPER,
    "average": Average.MEAN,
    "median": Average.MEDIAN,
    "means": Average.MEAN,
    "mean": Average.MEAN,
    "mode": Average.MODE,
}

_RELATIONS = {
    Relation.AT_LEAST: r">=|≥|is at least|is no less than",
    Relation.AT_MOST: r"<=|≤|is at most|is no more than",
    Relation.ABOVE: r">|exceeds|is (?:greater|higher|larger|bigger|more) than|is above",
    Relation.BELOW: r"<|is (?:smaller|lower|less) than|is below",
    Relation.EQUAL: r"==?|equals|is equal to|is the same as|is",
}
"""What is said of the values …"""

_JUDGEMENTS = {"better": "beats|is better than", "worse": "is worse than"}
"""… and of which are better, which depends on the measure."""

_COUNTS = {"twice": Fraction(2), "double": Fraction(2), "thrice": Fraction(3), "half": Fraction(1, 2)}

_NUMBER = r"\d+(?:[.,]\d+)?(?:/\d+)?"
_FACTOR = rf"(?P<factor>twice|thrice|double|half|{_NUMBER}\s*(?:times|×|\*|x))"
_RELATION = "|".join(
    [f"(?P<{word}>{text})" for word, text in _JUDGEMENTS.items()]
    + [f"(?P<r{place}>{text})" for place, text in enumerate(_RELATIONS.values())]
)


def parse_statement(text: str, systems: Sequence[str], *, lower_is_better: bool = False) -> Statement:
    """Return the statement that a sentence makes about some systems.

    Upper and lower case are alike, unless systems differ in nothing else. What is said to be better or worse, or to
    beat another, is so in the direction of the measure; higher, more, lower and less are said of the values.

    Parameters
    ----------
    lower_is_better
        Whether lower values are better, as for expected search length.

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
    plain = " ".join(text.split()).rstrip(".!")
    names = "|".join(_spaced(name) for name in sorted(systems, key=len, reverse=True))
    for pattern, make in _FORMS:
        found = re.fullmatch(_filled(pattern, names), plain, re.IGNORECASE)
        if found:
            return make(_Sentence(found, systems, lower_is_better))
    _refuse_strangers(plain, systems)
    forms = "\n  ".join(FORMS)
    known = ", ".join(systems[:10]) + (", …" if len(systems) > 10 else "")
    raise ParameterError(f"cannot read {text!r}; write one of\n  {forms}\nwhere A, B are systems: {known}")


def _refuse_strangers(plain: str, systems: Sequence[str]) -> None:
    """Complain of a system that there is not, in a sentence that could be read otherwise."""
    for pattern, _ in _FORMS:
        found = re.fullmatch(_filled(pattern, r"\S+"), plain, re.IGNORECASE)
        for group in "abcd" if found else "":
            said = found.groupdict().get(group) if found else None
            if said and said.casefold() not in {name.casefold() for name in systems}:
                place_of(said, systems)


def _spaced(name: str) -> str:
    return r"\s+".join(re.escape(word) for word in name.split())


def _filled(pattern: str, names: str) -> str:
    return re.sub(r"<(\w)>", lambda place: f"[\"'“‘]?(?P<{place[1]}>{names})[\"'”’]?", pattern)


@frozen(eq=False)
class _Sentence:
    """A sentence that fits one of the forms, and the direction of the scores that it is about."""

    found: re.Match[str]
    known: Sequence[str]
    lower_is_better: bool

    def said(self, group: str) -> str:
        """Return the words of a part, none if the sentence has no such part."""
        return self.found.groupdict().get(group) or ""

    def systems(self, groups: str) -> list[str]:
        """Return the systems that are named."""
        return [self._system(group) for group in groups]

    def _system(self, group: str) -> str:
        said = " ".join(self.found[group].split())
        alike = [name for name in self.known if " ".join(name.split()).casefold() == said.casefold()]
        exactly = [name for name in alike if " ".join(name.split()) == said]
        if len(exactly or alike) > 1:
            raise ParameterError(f"{said!r} may be {' or '.join(exactly or alike)}")
        return (exactly or alike)[0]

    @property
    def relation(self) -> Relation:
        """How the sides stand, as values."""
        if self.said("better") or self.said("worse"):
            return Relation.better(self.lower_is_better != bool(self.said("worse")))
        return next(relation for place, relation in enumerate(_RELATIONS) if self.said(f"r{place}"))

    @property
    def factor(self) -> Fraction:
        """What the other side is multiplied by."""
        said = self.said("factor").lower()
        if not said:
            return Fraction(1)
        word = said.rstrip(" times×*x").strip() if said[0].isdigit() else said
        return _COUNTS[word] if word in _COUNTS else _number(word)


def _number(text: str) -> Fraction:
    return rational(text.replace(",", "."))


def _comparison(sentence: _Sentence) -> Averages:
    average = _AVERAGES[sentence.said("average").lower()]
    other = sentence.said("other")
    if other and _AVERAGES[other.lower()] is not average:
        raise ParameterError(f"the {average} of one system and the {other} of another cannot be compared")
    a, b = sentence.systems("ab")
    return Averages(average, a, b, sentence.relation, factor=sentence.factor)


def _by_percent(sentence: _Sentence) -> Averages:
    a, b = sentence.systems("ab")
    share, way = _number(sentence.said("percent")) / 100, sentence.said("way").lower() or "better"
    judged = {"better": sentence.lower_is_better, "worse": not sentence.lower_is_better}
    less = judged.get(way, way in ("lower", "less"))
    if less and share >= 1:
        raise ParameterError(f"nothing is {sentence.said('percent')} % {way}; say less than 100 %")
    if less:
        return Averages(Average.MEAN, a, b, Relation.AT_MOST, factor=1 - share)
    return Averages(Average.MEAN, a, b, Relation.AT_LEAST, factor=1 + share)


def _plain(sentence: _Sentence) -> Averages:
    a, b = sentence.systems("ab")
    return Averages(Average.MEAN, a, b, sentence.relation)


def _differences(sentence: _Sentence) -> Differences:
    a, b, c, d = sentence.systems("abcd")
    relation = {
        "at least": Relation.AT_LEAST,
        "at most": Relation.AT_MOST,
        "more than": Relation.ABOVE,
        "larger than": Relation.ABOVE,
        "less than": Relation.BELOW,
    }.get(sentence.said("bound").lower(), Relation.EQUAL)
    return Differences(a, b, c, d, relation, factor=sentence.factor)


def _significant(sentence: _Sentence) -> Significant:
    from measurand.statistics.registry import find_test

    a, b = sentence.systems("ab")
    test = re.sub(r"^(the|a) | test$", "", sentence.said("test").strip(), flags=re.IGNORECASE)
    find_test(test)
    if not sentence.said("alpha"):
        return Significant(a, b, test)
    level = _number(sentence.said("alpha"))
    return Significant(a, b, test, float(level / 100 if sentence.said("percent") else level))


_AVERAGE = "|".join(_AVERAGES)
_LEVEL = rf"(?: at (?:the )?(?:level )?(?:of )?(?:alpha ?= ?|α ?= ?)?(?P<alpha>{_NUMBER})(?P<percent> ?%)?(?: level)?)?"

_FORMS: tuple[tuple[str, Callable[[_Sentence], Statement]], ...] = (
    (
        rf"(?:the )?(?P<average>{_AVERAGE}) (?:score )?of <a> (?:{_RELATION}) (?:{_FACTOR} )?"
        rf"(?:the )?(?:(?P<other>{_AVERAGE}) (?:score )?of|that of) <b>",
        _comparison,
    ),
    (
        rf"(?P<average>{_AVERAGE})\s*\( ?<a> ?\) ?(?:{_RELATION}) ?(?:{_FACTOR} ?)?(?P<other>{_AVERAGE})\s*\( ?<b> ?\)",
        _comparison,
    ),
    (
        rf"(?P<means>(?:the )?mean (?:score )?of )?<a> is (?:at least )?(?P<percent>{_NUMBER}) ?(?:%|percent|per cent) "
        r"(?P<way>better|higher|more|greater|worse|lower|less) than"
        r" (?(means)(?:that of|(?:the )?mean (?:score )?of) )<b>",
        _by_percent,
    ),
    (
        rf"<a> (?:beats|outperforms) <b> by (?:at least )?(?P<percent>{_NUMBER}) ?(?:%|percent|per cent)(?P<way>)",
        _by_percent,
    ),
    (
        rf"<a> has a (?:(?P<r2>higher|larger|greater)|(?P<r3>lower|smaller)) (?P<average>{_AVERAGE}) than <b>",
        _comparison,
    ),
    (
        r"(?:the )?difference between <a> and <b> is (?:(?P<bound>at least|at most|more than|larger than|less than) )?"
        rf"(?:{_FACTOR} )?(?:as large as |as big as |the size of )?(?:that|the difference|the one) between <c> and <d>",
        _differences,
    ),
    (rf"<a> and <b> differ significantly (?:by|under|according to|with) (?P<test>.+?){_LEVEL}", _significant),
    (rf"<a> differs significantly from <b> (?:by|under|according to|with) (?P<test>.+?){_LEVEL}", _significant),
    (r"<a> (?:(?P<better>is better than|beats|outperforms)|(?P<worse>is worse than)|(?P<r2>>)) <b>", _plain),
)
