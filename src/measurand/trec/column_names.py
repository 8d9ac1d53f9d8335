"""What others call the columns of runs and judgments: in frames, in headers of files, as keys of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TOPIC = ("topic", "query_id", "qid", "q_id", "topic_id", "query")
"""The topic; the first that there is counts, here as below."""

DOCUMENT = (
    *("document", "doc_id", "docno", "docid", "document_id", "corpus_id", "pid", "passage_id", "doc"),
    *("item_id", "product_id"),
)
"""The document."""

SCORE = ("score", "_score")
"""The score of a document."""

RANK = ("rank",)
"""The rank of a document, where it has no score."""

GRADE = ("grade", "relevance", "label", "rel", "rating", "score")
"""The grade of a document."""

SUBTOPIC = ("subtopic_id", "subtopic", "aspect_id", "aspect")
"""The part of a topic that judgments of diversity tasks are about, which are refused."""

SUBTOPICS = (
    "these are subtopic judgments, as diversity tasks have, which are not read here; give one grade for each document"
    " of a topic, and no column"
)
"""What is said of judgments with such a column."""

RANKED = (
    "there are ranks beside the scores, so this is a run, in the place of judgments; if the scores are grades, leave"
    " out the column"
)
"""What is said of judgments whose rows have scores and ranks, as runs have."""

NAME = ("system", "run", "tag", "name")
"""The run that a row belongs to."""


def plain(name: str) -> str:
    """Return the name of a column in small letters with underscores, as the spellings here are.

    Examples
    --------
    >>> plain(' "Corpus-ID"'), plain("query id")
    ('corpus_id', 'query_id')
    """
    return name.strip(" \t\r\"'").lower().replace("-", "_").replace(" ", "_")


def is_ranking(names: Sequence[str]) -> bool:
    """Return whether columns are those of a run where judgments are expected: scores and ranks, and no grades.

    Examples
    --------
    >>> is_ranking(["qid", "docno", "rank", "score"]), is_ranking(["qid", "docno", "rank", "score", "label"])
    (True, False)
    """
    value = place_of(names, GRADE)
    return value is not None and names[value] in SCORE and place_of(names, RANK) is not None


def place_of(names: Sequence[str], spellings: Iterable[str]) -> int | None:
    """Return where the first of some spellings stands among the names of columns, or None if none does.

    Parameters
    ----------
    names
        The names, as `plain` returns them.
    spellings
        What the column may be called, what counts first first.

    Examples
    --------
    >>> place_of(["qid", "docno", "rank"], DOCUMENT), place_of(["qid", "docno", "rank"], SCORE)
    (1, None)
    """
    return next((names.index(name) for name in spellings if name in names), None)
