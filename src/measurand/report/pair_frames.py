"""Tables about pairs: of systems, by tests, effects and dominance; of measures, by correlation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from measurand.report.flip_rows import flip_rows
from measurand.report.frame_rows import labelled, of_rows
from measurand.statistics import AllPairs
from measurand.study.both_scales import RANKED, RAW
from measurand.study.comparison import SystemComparison
from measurand.study.measure_result import Standing
from measurand.study.study import Study

if TYPE_CHECKING:
    import polars as pl


def standings_by_scale(study: Study) -> Iterator[tuple[str, str, SystemComparison, Standing]]:
    """Return every standing with the measure and the scale that it is about."""
    for name in study.measures:
        yield name, RAW, study.raw, study.standing(name)
    for name in study.scaled:
        ranked = study.standing_on_interval(name)
        if study.ranked is not None and ranked is not None:
            yield name, RANKED, study.ranked, ranked


def pairs_frame(study: Study) -> pl.DataFrame:
    """Return what each test says of every two systems, without and with correction."""
    import polars as pl

    return pl.concat(
        labelled(_pair_frame(study, study.tests.of(measure, scale, test)), measure=measure, scale=scale, test=test)
        for measure, scale, test in study.tests
    )


def _pair_frame(study: Study, pairs: AllPairs) -> pl.DataFrame:
    import polars as pl

    plan = study.plan
    adjusted = pairs.adjust(plan.adjust, baseline=plan.baseline)
    frame = pairs.table().rename({"p": "p_uncorrected"})
    tested = pl.lit(True) if plan.baseline is None else (pl.col("a") == plan.baseline) | (pl.col("b") == plan.baseline)
    p = pl.Series(adjusted.table()["p"])
    return _named(frame).with_columns(
        correction=pl.lit(adjusted.adjusted),
        p=pl.when(tested).then(p),
        significant=pl.when(tested).then(p <= plan.alpha),
    )


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame of pairs in which these have names even if there are none."""
    import polars as pl

    return frame.with_columns(pl.col("a", "b").cast(pl.String))


def effects_frame(study: Study) -> pl.DataFrame:
    """Return how far every two systems are apart, and whether the order of their means is robust."""
    import polars as pl

    upper = np.triu_indices(len(study.systems), 1)
    frames = [
        labelled(
            _named(standing.effects.table()).with_columns(robust=pl.Series(~standing.robustness.fragile[upper])),
            measure=name,
            scale=scale,
        )
        for name, scale, _, standing in standings_by_scale(study)
    ]
    return pl.concat(frames)


def correlations_frame(study: Study) -> pl.DataFrame:
    """Return how alike measures rank the systems, and each with its interval-scaled self."""
    found = study.agreement
    rows = [
        {"a": a, "b": b, "raw": pair.raw, "interval": pair.ranked, "change_percent": pair.delta}
        for (a, b), pair in found.pairs.items()
    ]
    rows += [{"a": name, "b": study.scaled[name], "raw_with_interval": tau} for name, tau in found.selves.items()]
    return of_rows(rows, ("a", "b", "raw", "interval", "change_percent", "raw_with_interval"))


def flips_frame(study: Study) -> pl.DataFrame:
    """Return how many pairs change between significant and not on the interval scale."""
    names = ("measure", "test", "significant_raw", "significant_interval", "s2ns", "ns2s", "change_percent")
    return of_rows(flip_rows(study), names)


def dominance_frame(study: Study) -> pl.DataFrame:
    """Return how every two systems stand, topic by topic, under every measure that respects replacement and swap."""
    import polars as pl

    matrix = study.raw.dominance
    rows, columns = np.triu_indices(len(study.systems), 1)
    names = np.array(study.systems, dtype=object)
    counts = {"wins": matrix.wins, "ties": matrix.ties, "losses": matrix.losses, "undecided": matrix.incomparable}
    return pl.DataFrame(
        {
            "a": names[rows].tolist(),
            "b": names[columns].tolist(),
            **{name: count[rows, columns] for name, count in counts.items()},
        },
        schema_overrides={"a": pl.String, "b": pl.String},
    )
