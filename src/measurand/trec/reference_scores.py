"""Files of means and standard deviations of reference runs, as trec_eval's option -Z reads them.

A line holds a topic, the name of a measure, and its mean and standard deviation there:

    301 map 0.1212 0.1545
"""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite

from measurand.scores.standardised import Reference
from measurand.trec.files import Content, FileLike, load
from measurand.trec.lines import decoded, unmarked

COLUMNS = "topic, measure, mean and standard deviation"


def read_reference(source: FileLike) -> Reference:
    """Return the means and standard deviations that a file holds.

    Parameters
    ----------
    source
        The file, plain or compressed.

    Raises
    ------
    InputFileError
        If a line is none of such a file, or a topic and measure stand there twice.

    Examples
    --------
    >>> from io import BytesIO
    >>> read_reference(BytesIO(b"301 map 0.1212 0.1545")).by_measure["map"]
    {'301': (0.1212, 0.1545)}
    """
    content = load(source)
    found: dict[str, dict[str, tuple[float, float]]] = {}
    for number, line in enumerate(decoded(content, unmarked(content)).splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 4:
            raise content.fail(number, f"{len(words)} columns where there are 4: {COLUMNS}")
        topic, measure = words[:2]
        if topic in found.setdefault(measure, {}):
            raise content.fail(number, f"{measure} on topic {topic} stands here for the second time; keep one line")
        found[measure][topic] = (_number(content, number, words[2]), _deviation(content, number, words[3]))
    if not found:
        raise content.fail(None, f"is empty; a line holds {COLUMNS}")
    return Reference(found, content.name)


def reference_lines(reference: Reference) -> Iterator[str]:
    r"""Return the lines of a file of means and standard deviations, topic by topic, with all digits.

    Parameters
    ----------
    reference
        The means and standard deviations.

    Examples
    --------
    >>> list(reference_lines(Reference({"map": {"301": (0.25, 0.5)}})))
    ['301 map 0.25 0.5\n']
    """
    topics = dict.fromkeys(topic for moments in reference.by_measure.values() for topic in moments)
    for topic in topics:
        for measure, moments in reference.by_measure.items():
            if topic in moments:
                yield " ".join((topic, measure, *map(repr, moments[topic]))) + "\n"


def _number(content: Content, line: int, word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = float("nan")
    if not isfinite(value):
        raise content.fail(line, f"{word!r} is no number; a line holds {COLUMNS}")
    return value


def _deviation(content: Content, line: int, word: str) -> float:
    value = _number(content, line, word)
    if value < 0:
        raise content.fail(line, f"the standard deviation {word} is below 0")
    return value
