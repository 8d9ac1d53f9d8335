"""Files of few columns without a header: MS MARCO's runs and judgments, ColBERT's rankings, plain scores."""

from __future__ import annotations

from itertools import pairwise

from attrs import evolve

from measurand.errors import Caveat, CaveatKind
from measurand.trec import bulk, lines
from measurand.trec.files import Content
from measurand.trec.formats.ranks import RANKS, by_rank, is_ranks, ranks_or_scores
from measurand.trec.formats.recognise import first_line
from measurand.trec.lines import QRELS, Format, read_grade, read_score
from measurand.trec.run import Qrels, Run

SCORES = Format("run", ("topic", "document", "score"), 2, read_score)
"""A topic, a document and a score."""

RANKED_SCORES = Format("run", ("topic", "document", "rank", "score"), 3, read_score)
"""A topic, a document, a rank, which is ignored, and a score."""

GRADES = Format("judgment file", ("topic", "document", "grade"), 2, read_grade, wanted=QRELS.wanted)
"""A topic, a document and a grade."""

INSIST = '--input-format msmarco for ranks, --input-format scores for scores (format="msmarco", "scores" in Python)'
"""How to say what the third column of a run is."""


def runs(content: Content, quick: bool, form: Format) -> list[Run]:
    """Return the runs of a file with some columns parted by spaces and tabs.

    Parameters
    ----------
    content
        The file.
    quick
        Whether to try the loops in C first.
    form
        What its columns are.
    """
    found = bulk.read_runs(content, form, explain=True) if quick else None
    return found if found is not None else lines.runs_of(content, form, lines.lines_of(content, form))


def read_ranks(content: Content, quick: bool) -> list[Run]:
    """Return the run of a file of topics, documents and ranks, as MS MARCO's are."""
    (run,) = runs(content, quick, RANKS)
    if not is_ranks(run.document_scores):
        (run,) = runs(content, False, RANKS)  # which says in what line something is no rank
    return [by_rank(run)]


def read_runs(content: Content, quick: bool) -> list[Run]:
    """Return the run of a file of topics, documents and either ranks or scores."""
    return [ranks_or_scores(content, run, INSIST) for run in runs(content, quick, SCORES)]


def read_qrels(content: Content, quick: bool) -> Qrels:
    """Return the judgments of a file of topics, documents and grades."""
    _refuse_ranks(content)
    found = bulk.read_qrels(content, GRADES, explain=True) if quick else None
    if found is None:
        found = lines.qrels_of(content, GRADES, lines.lines_of(content, GRADES))
    text = f"{content.name}: the three columns are taken for topic, document and grade"
    return evolve(found, caveats=(*found.caveats, Caveat(CaveatKind.FORMAT, text)))


def _refuse_ranks(content: Content, most: int = 1 << 16) -> None:
    """Complain of a run with ranks in the place of judgments: the values of its first topic grow from 1 on."""
    first = first_line(content.head)
    rows = [line.split() for line in content.head[first.start : first.start + most].split(b"\n")[:100]]
    texts = [row[2] for row in rows[:-1] if len(row) == 3 and row[0] == rows[0][0]]
    values = [int(text) for text in texts if text.isdigit()]
    grow = all(low < high for low, high in pairwise(values))
    if len(values) == len(texts) > 3 and values[0] == 1 and grow:
        why = "the third column counts 1, 2, 3, …, as ranks do: is this a run, in the place of a judgment file?"
        raise content.fail(first.number, why)
