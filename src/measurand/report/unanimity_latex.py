"""The unanimity of measures as a table for a paper."""

from __future__ import annotations

from measurand.axioms.examine import CONSTRAINTS
from measurand.report.latex import booktabs, tex
from measurand.report.unanimity_text import HEADS, sign
from measurand.study.unanimity import UnanimityRow, UnanimityTable

MARKS = {"✓": r"$\checkmark$", "(✓)": r"($\checkmark$)", "✗": r"$\times$", "?": "?"}
"""How the marks of the text are written; the one in brackets rests on trials, and the last one is open."""


def unanimity_latex(table: UnanimityTable) -> str:
    r"""Return a booktabs table like the paper's Table 2, the highest unanimity first.

    Examples
    --------
    >>> from measurand.study.unanimity import unanimity
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> table = unanimity({"1": {"d1": 1}}, runs, ["RR", "P@2"], constraints=False)
    >>> print(unanimity_latex(table).splitlines()[3])
    Measure & MU & Tie rate \\
    """
    looked = [] if table.constraints is None else list(CONSTRAINTS)
    found = table.unanimity
    caption = f"% All measures agree on {found.unanimous} of {found.pairs} {found.compared}.\n"
    if table.constraints is not None:
        topic = f"a topic with {table.constraints.recall_base} relevant documents among {table.collection}"
        caption += f"% Constraints on runs of {table.constraints.depth} ranks, for {topic}.\n"
    head = ["Measure", "MU", "Tie rate", *(HEADS[name] for name in looked)]
    return caption + booktabs(f"lrr{'c' * len(looked)}", head, [_row(row) for row in table])


def _row(row: UnanimityRow) -> list[str]:
    found = row.found
    numbers = ["--" if number is None else f"{float(number):.4f}" for number in (found.value, found.tie_rate)]
    marks = [] if row.constraints is None else [MARKS[sign(row.constraints.verdicts[name])[0]] for name in CONSTRAINTS]
    return [tex(row.measure), *numbers, *marks]
