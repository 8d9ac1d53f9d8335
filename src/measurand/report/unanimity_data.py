"""The unanimity of measures as data for programs, and as a table for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from measurand.axioms.examine import AXIOMS, CONSTRAINTS, Row
from measurand.report.profile_data import verdict_data
from measurand.study.unanimity import UnanimityRow, UnanimityTable
from measurand.verdict import How


def unanimity_data(table: UnanimityTable) -> dict[str, Any]:
    """Return the unanimity of measures as nested dictionaries and lists; what is not defined is None.

    Examples
    --------
    >>> from measurand.study.unanimity import unanimity
    >>> from measurand.trec import read_run
    >>> runs = [read_run({"1": {"d1": 1, "d2": place}}, name=f"s{place}") for place in (0, 2)]
    >>> data = unanimity_data(unanimity({"1": {"d1": 1}}, runs, ["RR", "P@2"], constraints=False))
    >>> [(row["measure"], row["unanimity"], row["tie_rate"]["exact"]) for row in data["measures"]]
    [('RR', 1.0, '0'), ('P@2', 0.0, '1')]
    """
    found, matrix = table.unanimity, table.constraints
    return {
        "systems": found.systems,
        "topics": found.topics,
        "pairs": found.pairs,
        "unanimous": found.unanimous,
        "left_out": found.left_out,
        "self_pairs": found.self_pairs,
        "ties": {"decided_on": table.decided_on, "told_apart": table.told_apart},
        "collection": table.collection,
        "recall_base": None if matrix is None else matrix.recall_base,
        "ranks": None if matrix is None else matrix.depth,
        "measures": [_measure(table, row) for row in table],
        "caveats": [caveat.to_dict() for caveat in table.caveats],
    }


def _measure(table: UnanimityTable, row: UnanimityRow) -> dict[str, Any]:
    found, order, rate = row.found, table.orders[row.measure], row.found.tie_rate
    return {
        "measure": row.measure,
        "unanimity": found.value,
        "tie_rate": None if rate is None else {"exact": str(rate), "value": float(rate)},
        "tied": found.tied,
        "probabilities": {name: str(getattr(found, name)) for name in ("prefers", "all_agree", "joint")},
        "ties": {"exact": order.exact, "told_apart": order.told_apart, "open": order.open},
        "constraints": None if row.constraints is None else _constraints(row),
    }


def _constraints(row: UnanimityRow) -> dict[str, Any]:
    assert row.constraints is not None  # nobody asks otherwise
    printed = dict(zip(CONSTRAINTS, row.printed or "", strict=row.printed is not None))
    return {
        name: {
            **verdict_data(row.constraints.verdicts[name], AXIOMS[name]),
            "printed": None if name not in printed else printed[name] == "1",
            "erratum": row.differing.get(name) or None,
        }
        for name in CONSTRAINTS
    }


def _marks(row: Row) -> Iterator[str]:
    for name, mark in zip(CONSTRAINTS, row.marks, strict=True):
        yield "" if row.verdicts[name].how is How.FAILED else mark


COLUMNS = ("measure", "unanimity", "tie_rate", "tied", "unanimous", "pairs")
"""What the table of measures tells, before the constraints."""


def unanimity_tsv(table: UnanimityTable) -> str:
    """Return a line for each measure, tab-separated: its unanimity, and 1 or 0 for each constraint that was looked at.

    There is neither where a function failed. For each constraint there is a second column, with the mark of the paper's
    table where the measure stands there.
    """
    looked = [] if table.constraints is None else list(CONSTRAINTS)
    text = io.StringIO()
    writer = csv.writer(text, delimiter="\t", lineterminator="\n")
    writer.writerow([*COLUMNS, *looked, *(f"{name}_printed" for name in looked)])
    for row in table:
        found = row.found
        rate = "" if found.tie_rate is None else float(found.tie_rate)
        value = "" if found.value is None else found.value
        marks = [] if row.constraints is None else [*_marks(row.constraints), *(row.printed or [""] * len(looked))]
        writer.writerow([row.measure, value, rate, found.tied, found.unanimous, found.pairs, *marks])
    return text.getvalue()
