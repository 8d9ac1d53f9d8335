"""Where weak orders come from: scores with judgments, and judged runs with their ties."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence, Set
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np

from measurand.arrays import BoolArray, Cells
from measurand.errors import InputError, ParameterError
from measurand.exact import whole_number
from measurand.judged.grades import NOTHING
from measurand.search_length.rank import Counts


def counts_of_scores(
    scores: Mapping[Any, Any] | Sequence[Any],
    judgments: Mapping[Any, int] | Collection[Any],
    rel: int = 1,
    collection: int | None = None,
) -> list[Counts]:
    """Return the documents of each rank, by score; what was not retrieved comes last.

    Examples
    --------
    >>> counts_of_scores([1, 2, 1], [1, 0, 0])
    [(0, 1), (1, 1)]
    """
    lowest = whole_number("rel, the lowest grade that counts as relevant,", rel)
    if isinstance(scores, Mapping):
        grades = _grades(judgments, lowest)
        pairs = [(score, grades.get(document, 0), document) for document, score in scores.items()]
        missed = [grade for document, grade in grades.items() if document not in scores]
    else:
        pairs, missed = _side_by_side(scores, judgments), []
    groups: defaultdict[Any, list[bool]] = defaultdict(list)
    for score, grade, document in pairs:
        groups[_score(score, document)].append(_grade(grade, document) >= lowest)
    ranks = [_counted(groups[score]) for score in sorted(groups, reverse=True)]
    relevant, nonrelevant = _counted(_grade(grade, "a judged document") >= lowest for grade in missed)
    nonrelevant += _elsewhere(collection, len(pairs) + len(missed))
    return [*ranks, *([(relevant, nonrelevant)] if relevant + nonrelevant else [])]


def counts_of_run(
    run: Sequence[int] | Cells, tied: Sequence[bool] | BoolArray | None = None, rel: int = 1
) -> list[Counts]:
    """Return the documents of each rank of a judged run, down to where nothing stands.

    Examples
    --------
    >>> counts_of_run((1, 0, 2), (False, True, False))
    [(1, 1), (1, 0)]
    """
    lowest = whole_number("rel, the lowest grade that counts as relevant,", rel)
    cells = np.asarray(run)
    if cells.ndim != 1 or (cells.size and cells.dtype.kind not in "iub"):
        raise ParameterError(f"{run!r} is no judged run; write grades such as (1, 0, 2), -1 for unjudged")
    ties = np.zeros(cells.shape, bool) if tied is None else np.asarray(tied, bool)
    if ties.shape != cells.shape:
        raise ParameterError(f"the run has {cells.size} cells, but {ties.size} places say whether they are tied")
    ends = np.flatnonzero(cells == NOTHING)
    length = int(ends[0]) if ends.size else cells.size
    if not length:
        return []
    starts = ~ties[:length]
    starts[0] = True
    first = np.flatnonzero(starts)
    relevant = np.add.reduceat((cells[:length] >= lowest).astype(np.int64), first)
    sizes = np.diff(np.append(first, length))
    return list(zip(relevant.tolist(), (sizes - relevant).tolist(), strict=True))


def _grades(judgments: Mapping[Any, int] | Collection[Any], lowest: int) -> Mapping[Any, int]:
    """Return the grade of each judged document; the members of a set are relevant."""
    if isinstance(judgments, Mapping):
        return judgments
    if isinstance(judgments, Set):
        return dict.fromkeys(judgments, lowest)
    raise ParameterError(
        f"scores by document need the grades by document, or the set of relevant documents, not a "
        f"{type(judgments).__name__}"
    )


def _side_by_side(scores: Sequence[Any], judgments: Any) -> list[tuple[Any, Any, str]]:
    """Return each score with its grade and its place."""
    if isinstance(judgments, Mapping | Set) or not all(hasattr(part, "__len__") for part in (scores, judgments)):
        raise ParameterError("scores in a sequence need a sequence of the grades of the same documents")
    if len(scores) != len(judgments):
        raise ParameterError(f"there are {len(scores)} scores but {len(judgments)} grades; each document has both")
    lists = [part.tolist() if isinstance(part, np.ndarray) else part for part in (scores, judgments)]
    return [(score, grade, f"document {n}") for n, (score, grade) in enumerate(zip(*lists, strict=True), 1)]


def _score(score: Any, document: Any) -> Any:
    if not isinstance(score, Real | Decimal) or score != score:
        raise InputError(f"the score of {document} is {score!r}, which is no number and has no place in an order")
    return score


def _grade(grade: Any, document: Any) -> int:
    if not isinstance(grade, int | np.integer | np.bool_):
        raise InputError(f"the grade of {document} is {grade!r}; grades are whole numbers")
    return int(grade)


def _counted(relevant: Iterable[bool]) -> Counts:
    marks = list(relevant)
    return sum(marks), len(marks) - sum(marks)


def _elsewhere(collection: int | None, known: int) -> int:
    """Return how many documents of the collection were neither retrieved nor judged."""
    if collection is None:
        return 0
    size = whole_number("collection, the number of documents there are,", collection, 0)
    if size < known:
        raise ParameterError(f"a collection of {size} documents is too small for the {known} retrieved or judged ones")
    return size - known
