"""`measurand cite`: the references of what was used."""

from __future__ import annotations

import click

from measurand.errors import ParameterError
from measurand.measures import parse
from measurand.references import bibliography, bibtex


@click.command()
@click.argument("things", nargs=-1, required=True, metavar="THING...")
def cite(things: tuple[str, ...]) -> None:
    """Print the BibTeX entries of each THING: a measure such as nDCG@10, or the key of a reference."""
    click.echo(bibtex(_key(thing) for thing in things))


def _key(thing: str) -> str:
    if thing in bibliography():
        return thing
    try:
        return parse(thing).reference
    except ParameterError as error:
        raise ParameterError(f"{error} (and no reference has that key: {', '.join(sorted(bibliography()))})") from None
