"""`measurand cite`: the references of what was used."""

from __future__ import annotations

import click

from measurand.cli.emit import put
from measurand.errors import ParameterError
from measurand.fusion.methods import REFERENCES
from measurand.measures import parse
from measurand.references import FOUNDATIONS, STATISTICS, bibliography, bibtex
from measurand.statistics.needs import references_of
from measurand.statistics.registry import find_test


@click.command()
@click.argument("things", nargs=-1, required=True, metavar="THING...")
def cite(things: tuple[str, ...]) -> None:
    """Print the BibTeX entries of each THING.

    A THING is a measure such as nDCG@10, a test such as paired_t, a fusion such as rrf, or a key.
    """
    put(bibtex(key for thing in things for key in _keys(thing)) + "\n", None, "text")


def _keys(thing: str) -> tuple[str, ...]:
    if thing in bibliography():
        return (thing,)
    if thing in STATISTICS:
        return STATISTICS[thing]
    if thing in REFERENCES:
        return REFERENCES[thing]
    try:
        return references_of(find_test(thing))
    except ParameterError:
        pass
    try:
        measure = parse(thing)
    except ParameterError as error:
        raise ParameterError(f"{error} (and no reference has that key: {', '.join(sorted(bibliography()))})") from None
    return (measure.reference, *FOUNDATIONS.get(measure.name, ()))
