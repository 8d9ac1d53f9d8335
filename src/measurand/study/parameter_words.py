"""The sentence of a parameter map: who is ahead where, in plain words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from measurand.display.wording import listed
from measurand.study.parameter_curves import ParameterValue

if TYPE_CHECKING:
    from measurand.study.parameter_map import ParameterMap, Segment

PLACES, MOST_PLACES = 4, 60
"""Values are written to so many decimals, and to more, up to a limit, where they would look alike."""

MOST = 4
"""Up to so many changes of the lead are told one by one."""

Run = tuple[str, ParameterValue, ParameterValue | None]
"""Where a system is ahead, but for values at which the systems are level: its name, from where and to where."""


def written_values(values: Sequence[ParameterValue]) -> list[str]:
    """Return values of a parameter, in ascending order, to as many decimals as tell them apart.

    Parameters
    ----------
    values
        The values, no two of which are the same.

    Examples
    --------
    >>> written_values([ParameterValue.of(Fraction(number)) for number in ("0", "1/3", "0.99999", "1")])
    ['0', '0.33333', '0.99999', '1']
    """
    texts: list[str] = []
    for places in range(PLACES, MOST_PLACES):
        texts = [_written(value, places) for value in values]
        if all(one != other for one, other in pairwise(texts)):
            break
    return texts


def _written(value: ParameterValue, places: int) -> str:
    """Return the value rounded to so many decimals, without zeros at the end."""
    close = value.narrowed(Fraction(1, 10 ** (places + 6)))
    digits = f"{round((close.low + close.high) / 2 * 10**places):0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}".rstrip("0").rstrip(".")


def map_sentence(found: ParameterMap) -> str:
    """Return who is ahead where, in words.

    Parameters
    ----------
    found
        The map.

    Examples
    --------
    >>> from measurand.judged import JudgedRuns
    >>> from measurand.study.parameter_map import parameter_map
    >>> judged = JudgedRuns.on_one_topic([(1, 0, 0), (0, 1, 1), (1, 0, 0)], (3, 2))
    >>> map_sentence(parameter_map(judged, "s0", "s2", "RBP"))
    's0 and s2 are level for every p'
    """
    if not found.topics:
        return f"{found.a} and {found.b} have no topic in common"
    if all(each.leader is None for each in found.segments):
        return f"{found.a} and {found.b} are level {_everywhere(found)}"
    runs = _runs(found.segments)
    return _over_steps(found, runs) if found.steps else _over_numbers(found, runs)


def _runs(segments: Sequence[Segment]) -> list[Run]:
    leading = [each for each in segments if each.leader is not None]
    grouped = [list(several) for _, several in groupby(leading, key=lambda each: each.leader)]
    return [(str(several[0].leader), several[0].low, several[-1].high) for several in grouped]


def _everywhere(found: ParameterMap) -> str:
    """Return words for all values of the parameter."""
    low, high = found.ends
    first, last = written_values([low])[0], "" if high is None else written_values([high])[0]
    if found.over == "p":
        return "for every p"
    if found.over == "gain":
        if first == last:
            return f"where grade {found.grade} is worth {first}"
        return f"whatever grade {found.grade} is worth from {first} {f'to {last}' if last else 'up'}"
    if found.over == "b":
        return "for every base"
    return f"at cutoff {first}" if first == last else f"at every cutoff from {first} to {last}"


def value_texts(found: ParameterMap) -> Callable[[ParameterValue], str]:
    """Return how the values of a map are written: all its ends, and where the lead changes or the systems are level.

    Parameters
    ----------
    found
        The map.
    """
    ends = (value for each in found.segments for value in (each.low, each.high) if value is not None)
    ordered = sorted({(value.low, value.high): value for value in (*found.changes, *found.touches, *ends)}.items())
    written = written_values([value for _, value in ordered])
    texts = {key: text for (key, _), text in zip(ordered, written, strict=True)}
    return lambda value: texts[value.low, value.high]


def _over_numbers(found: ParameterMap, runs: Sequence[Run]) -> str:
    """Return the sentence for a parameter that can be any number."""
    written = value_texts(found)
    changes, touches = list(map(written, found.changes)), list(map(written, found.touches))
    level = listed(touches) if touches else ""
    if not changes:
        told = f"{runs[0][0]} is ahead {_everywhere(found)}"
        return f"{told} but {level}, where they are level" if touches else told
    below = (
        f"for p < {changes[0]}" if found.over == "p" else f"where grade {found.grade} is worth less than {changes[0]}"
    )
    also = f"; level at {level}, too" if touches else ""
    names = [name for name, _, _ in runs]
    if len(changes) == 1:
        return f"{names[0]} is ahead {below}, {names[1]} above{also}"
    if len(changes) > MOST:
        return _many(
            len(changes), f"{names[0]} is ahead first, {below}", f"{names[-1]} last, above {changes[-1]}", also
        )
    middle = [
        f"{name} between {one} and {other}" for name, (one, other) in zip(names[1:-1], pairwise(changes), strict=True)
    ]
    return ", ".join([f"{names[0]} is ahead {below}", *middle, f"{names[-1]} above {changes[-1]}"]) + also


def _many(changes: int, first: str, last: str, level: str) -> str:
    return f"the lead changes {changes} times; {first}, and {last}{level}"


def _over_steps(found: ParameterMap, runs: Sequence[Run]) -> str:
    """Return the sentence for a parameter that is a whole number."""
    end, noun = found.segments[-1].high, "base" if found.over == "b" else "cutoff"
    spans = [_span(low, high, end) for _, low, high in runs]
    names = [name for name, _, _ in runs]
    levels = [_span(each.low, each.high, end) for each in found.segments if each.leader is None]
    if len(runs) == 1 and not levels:
        return f"{names[0]} is ahead {_everywhere(found)}"
    level = f"; {'but ' if _inside(found, runs) else ''}level {_level(levels)}" if levels else ""
    first, last = f"{names[0]} is ahead {_placed(spans[0], noun)}", f"{names[-1]} {_placed(spans[-1])}"
    if len(runs) - 1 > MOST:
        first, last = f"{names[0]} is ahead first, {_placed(spans[0], noun)}", f"{names[-1]} last, {_placed(spans[-1])}"
        return _many(len(runs) - 1, first, last, "")
    others = [f"{name} {_placed(span)}" for name, span in zip(names[1:-1], spans[1:-1], strict=True)]
    return ", ".join([first, *others, *([last] if len(runs) > 1 else [])]) + level


def _inside(found: ParameterMap, runs: Sequence[Run]) -> bool:
    """Return whether the systems are level between values at which one of them is ahead."""
    level = [int(each.low.low) for each in found.segments if each.leader is None]
    ends = [(int(low.low), int(low.low if high is None else high.low)) for _, low, high in runs]
    return any(low < value < high for value in level for low, high in ends)


Span = tuple[int, int | None]
"""The first and the last of some whole numbers; None where they go on to the end."""


def _span(low: ParameterValue, high: ParameterValue | None, end: ParameterValue | None) -> Span:
    first, last, most = (int(value.low) for value in (low, high, end) if value is not None)
    return first, None if last == most and first != last else last


def _placed(span: Span, noun: str = "") -> str:
    """Return words for whole numbers, with what they are the first time."""
    first, last = span
    if last is None:
        return f"from {noun} {first} on".replace("  ", " ")
    if first == last:
        return f"at {noun} {first}".replace("  ", " ")
    return f"at {noun}s {first} to {last}" if noun else f"from {first} to {last}"


def _level(spans: Sequence[Span]) -> str:
    """Return where the systems are level."""
    within = [str(first) if first == last else f"{first} to {last}" for first, last in spans if last is not None]
    ending = [f"from {first} on" for first, last in spans if last is None]
    at = f"at {listed(within)}" if within else ""
    return " and ".join(filter(None, [at, *ending]))
