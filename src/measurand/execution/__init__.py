"""How a long job is carried out: by one worker or by several, with a progress bar or without.

A long job is cut into pieces that depend on nothing but the job, never on who does them, so that its result is the same
for any number of workers. `mapped` has the pieces done by the executor in use, which `carried_out_by` sets: that of a
function's `executor=`, or the `Workers` or the `Cluster` of the command line. `ahead` has pieces done in threads, for
work that holds up no other thread (reading files, loops in C). Both return what comes of the pieces in order.

Random numbers are drawn by `generator` in the order of the pieces, before these are handed out.
"""

from __future__ import annotations

from measurand.execution.carriers import ahead, cores, threads_at_work, workers_in_use, works_alone, works_far_away
from measurand.execution.carrying_out import carried_out_by, check_executor, mapped, takes_executor
from measurand.execution.job_options import (
    HIGHEST_SEED,
    MOST_WORKERS,
    Item,
    Outcome,
    Progress,
    Rng,
    check_progress,
    generator,
    silent,
)
from measurand.execution.workers import Workers

__all__ = [
    "HIGHEST_SEED",
    "MOST_WORKERS",
    "Item",
    "Outcome",
    "Progress",
    "Rng",
    "Workers",
    "ahead",
    "carried_out_by",
    "check_executor",
    "check_progress",
    "cores",
    "generator",
    "mapped",
    "silent",
    "takes_executor",
    "threads_at_work",
    "workers_in_use",
    "works_alone",
    "works_far_away",
]
