"""Notes on the error stream: what a reader of the numbers should know."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import click

from measurand.display.wording import listed
from measurand.errors import Caveat, CaveatKind, NotMeaningful
from measurand.scores import Aggregation, Scale, Scores, Table

SHOWN = 6


def mind(table: Table, *, averages: bool = True, strict: bool = False) -> None:
    """Print the caveats of a table, and say which averages their scales do not admit.

    Parameters
    ----------
    averages
        Whether averages are shown at all.
    strict
        Refuse such averages.
    """
    note([*table.caveats, *(caveat for scores in table for caveat in scores.caveats)])
    doubtful = [
        scores for scores in table if any(caveat.kind is CaveatKind.SCALE for caveat in scores.summary().caveats)
    ]
    if not averages:
        return
    gains = [scores.measure for scores in doubtful if scores.scale_label.for_these_gains]
    ordinal = [scores.measure for scores in doubtful if scores.scale < Scale.INTERVAL and scores.measure not in gains]
    # whether the size of the collection matters is told by a caveat of its own
    unknown = [scores.measure for scores in doubtful if _caused(scores.caveats, CaveatKind.COLLECTION)]
    others = [scores for scores in doubtful if scores.measure not in unknown]
    mixed = [scores.measure for scores in others if scores.scale >= Scale.INTERVAL and not scores.one_scale]
    texts = [str(caveat) for scores in doubtful for caveat in _of_geometric_means(scores)]
    if ordinal:
        texts.append(
            f"the scales of {_measures(ordinal)} do not admit averages: a legitimate rescaling can reverse comparisons"
        )
    if gains and strict:
        # otherwise the table has a caveat of its own about gains
        texts.append(f"averages of {_measures(gains)} depend on gains, and grades are ordinal (--grade-scale)")
    if mixed:
        texts.append(f"{_measures(mixed)}: averages mix scales, because every recall base has a scale of its own")
    if strict and unknown:
        texts.append(f"averages of {_measures(unknown)} depend on the size of the collection, which is not said")
    if strict and texts:
        raise NotMeaningful(f"{'; '.join(texts)}. Print topics alone (-q -n), or drop --strict")
    for text in texts:
        click.echo(f"note: {text}", err=True)


def _of_geometric_means(scores: Scores) -> Iterator[Caveat]:
    """Return what is to be known of geometric means: whether the scale is enough, and which scores were lifted."""
    if scores.aggregation is Aggregation.GEOMETRIC:
        own = [caveat for caveat in scores.summary().caveats if caveat not in scores.caveats]
        # that scores are ordinal is told of all measures together
        yield from own if scores.scale >= Scale.INTERVAL else _caused(own, CaveatKind.FLOOR)


def _caused(caveats: Iterable[Caveat], cause: CaveatKind) -> list[Caveat]:
    """Return the caveats that follow from something."""
    return [caveat for caveat in caveats if caveat.cause is cause]


def note(caveats: Iterable[Caveat]) -> None:
    """Print caveats, each once; those about scales are told where averages are."""
    for text in dict.fromkeys(str(caveat) for caveat in caveats if caveat.kind is not CaveatKind.SCALE):
        click.echo(f"note: {text}", err=True)


def _measures(names: Sequence[str]) -> str:
    return listed(names, SHOWN, "more measures")
