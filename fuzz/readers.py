"""The fast reader against the one that reads line by line: the same runs and judgments, or none.

Called as `python -m fuzz.readers SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
from typing import Any

import numpy as np

from fuzz.files import draw_file
from fuzz.harness import Different, run
from fuzz.sanitized import load

load()

from measurand.errors import MeasurandError
from measurand.trec import bulk, lines
from measurand.trec.files import Content

FORMS = (lines.RUN, lines.RUN, lines.QRELS)


def said(found: Any) -> list[Any]:
    """Return all that runs or judgments hold, in a form that can be compared to the bit."""
    return [
        (
            getattr(one, "name", ""),
            one.topics,
            np.asarray(one.bounds).tolist(),
            list(one.documents),
            one.document_scores.tobytes() if hasattr(one, "document_scores") else one.grades.tolist(),
            one.caveats,
        )
        for one in (found if isinstance(found, list) else [found])
    ]


def check(form: lines.Format, data: bytes) -> bool:
    """Raise Different if both readers find something else in a file; return whether the fast one read it.

    Parameters
    ----------
    form
        What its columns are.
    data
        What the file holds.
    """
    fast_reader, reader = (
        (bulk.read_runs, lines.read_runs) if form is lines.RUN else (bulk.read_qrels, lines.read_qrels)
    )
    fast = fast_reader(Content("drawn", data))
    if fast is None:
        return False
    try:
        slow = reader(Content("drawn", data))
    except MeasurandError as error:
        raise Different(f"the fast reader reads a {form.kind} that is refused: {error}", data) from None
    if said(fast) != said(slow):
        raise Different(f"the fast reader finds something else in a {form.kind}", data)
    return True


def case(rng: random.Random) -> None:
    """Try one file, and every beginning of a short one; pieces are small, so that lines stand across their ends."""
    form = rng.choice(FORMS)
    data = draw_file(rng, form.columns)
    bulk.PIECE = rng.choice((16, 64, 1 << 10, 1 << 18))
    check(form, data)
    if len(data) < 150 and rng.random() < 0.1:
        for length in range(len(data)):
            check(form, data[:length])


if __name__ == "__main__":
    run("readers", case)
