"""Pairs that change between significant and not when scores become interval-scaled, as rows."""

from __future__ import annotations

from typing import Any

from measurand.study.both_scales import TESTS
from measurand.study.study import Study


def flip_rows(study: Study) -> list[dict[str, Any]]:
    """Return a row for every test and every measure that has an interval scale, corrected as the study says.

    Examples
    --------
    >>> import measurand as md
    >>> rows = flip_rows(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:2], "P@10", fuse=False))
    >>> [(row["test"], row["s2ns"], row["ns2s"]) for row in rows][:2]
    [('sign', 0, 0), ('signed_rank', 0, 0)]
    """
    plan = study.plan
    found = []
    for measure in study.scaled:
        for test in TESTS:
            flips = study.tests.flips(measure, test, adjust=plan.adjust, alpha=plan.alpha, baseline=plan.baseline)
            if flips is not None:
                found.append(
                    {
                        "measure": measure,
                        "test": test,
                        "significant_raw": flips.sig,
                        "significant_interval": flips.ranked,
                        "s2ns": flips.s2ns,
                        "ns2s": flips.ns2s,
                        "change_percent": flips.delta,
                    }
                )
    return found
