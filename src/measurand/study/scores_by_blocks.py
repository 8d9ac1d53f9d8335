"""The scores of a campaign in memory by workers far away: a block of it at a time, under all measures at once.

A block is sent once, and weighs about what it says: its grades, and how many documents of each grade its topics have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np
from attrs import evolve

from measurand.arrays import FloatArray
from measurand.execution import Progress, mapped, silent
from measurand.judged import JudgedRuns
from measurand.measures import Measure
from measurand.measures.campaigns import with_campaign
from measurand.measures.exact_ties import floats, settled_values
from measurand.measures.scored import scored
from measurand.scores import Scores

CELLS = 2**20
"""A block has about so many grades."""


def can_be_cut(measure: Measure, judged: JudgedRuns) -> bool:
    """Return whether the scores of judged runs under a measure can be had from blocks of them.

    Measures that look at ties, or count whole campaigns, cannot.

    Parameters
    ----------
    measure, judged
        The measure, and the judged runs.

    Examples
    --------
    >>> from measurand.measures import AP, ESL
    >>> judged = JudgedRuns.on_one_topic([(1, 0)], (5, 2))
    >>> can_be_cut(AP, judged), can_be_cut(ESL, judged)
    (True, False)
    """
    return judged.groups is None and not measure.on_weak_orders and type(measure).scores is Measure.scores


def scores_by_blocks(
    judged: JudgedRuns, measures: Mapping[str, Measure], progress: Progress = silent
) -> dict[str, Scores]:
    """Return the scores of judged runs under some measures, computed in blocks by the executor in use.

    Workers compute floats; where two are too close to call, it is decided here, where all are known.

    Parameters
    ----------
    judged
        The judged runs.
    measures
        The measures, by name, for each of which `can_be_cut` is true.
    progress
        Shows how far a long computation is.

    Examples
    --------
    >>> from measurand.measures import AP
    >>> judged = JudgedRuns.on_one_topic([(1, 0), (0, 1)], (5, 1))
    >>> scores_by_blocks(judged, {"AP": AP})["AP"].values.tolist()
    [[1.0], [0.5]]
    """
    if not measures:
        return {}
    known = [with_campaign(measure, judged) for measure in measures.values()]
    places = list(_places(judged))
    values = np.zeros((len(known), len(judged.systems), len(judged.topics)))
    blocks = (_block(judged, *place) for place in places)
    found = progress(mapped(partial(_floats, known), blocks), len(places), "blocks of runs")
    for place, block in zip(places, found, strict=True):
        values[:, *place] = block
    named = zip(measures.items(), known, values, strict=True)
    return {name: scored(each, judged, settled_values(on, judged, some)) for (name, each), on, some in named}


def _places(judged: JudgedRuns) -> Iterator[tuple[slice, slice]]:
    """Return which systems and topics make a block: some systems on all topics, or one on some."""
    topics = max(1, min(len(judged.topics), CELLS // max(1, judged.depth)))
    systems = max(1, CELLS // max(1, judged.depth * len(judged.topics)))
    for first in range(0, len(judged.systems), systems):
        for start in range(0, len(judged.topics), topics):
            yield slice(first, first + systems), slice(start, start + topics)


def _block(judged: JudgedRuns, systems: slice, topics: slice) -> JudgedRuns:
    """Return a block of judged runs, with nothing but the grades."""
    bare = evolve(judged, ranked_documents=None, judgments=None, ties=None, caveats=())
    block = bare.part(judged.systems[systems], np.arange(len(judged.topics))[topics])
    # names are not looked at
    return evolve(block, systems=_numbers(block.systems), topics=_numbers(block.topics))


def _numbers(names: Sequence[str]) -> tuple[str, ...]:
    return ("",) * len(names)


def _floats(measures: Sequence[Measure], block: JudgedRuns) -> FloatArray:
    """Return the floats of all measures, measures × systems × topics."""
    return np.stack([floats(measure, block) for measure in measures])
