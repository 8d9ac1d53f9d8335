"""`measurand cite`: the references of what was used."""

from __future__ import annotations

import click

from measurand.errors import ParameterError
from measurand.fusion.methods import REFERENCES
from measurand.measures import parse
from measurand.references import bibliography, bibtex
from measurand.statistics.needs import references_of
from measurand.statistics.registry import find_test

STATISTICS = {
    "kendall": ("Kendall1945",),
    "tau_ap": ("Yilmaz2008", "UrbanoMarrero2017"),
    "holm": ("Holm1979",),
    "bh": ("BenjaminiHochberg1995",),
    "cohens_d": ("Cohen1988",),
    "cliffs_delta": ("Cliff1993",),
    "rank_biserial": ("Kerby2014",),
    "letters": ("Piepho2004", "Gramm2007"),
    "interval": ("FerranteFerroFuhr2021",),
    "scale_effect": ("FerranteFerroFuhr2021",),
    "esl": ("Cooper1968", "BollmannRaghavan1988"),
    "ties": ("McSherryNajork2008",),
    "dominance": ("FerranteFerroMaistro2015",),
    "meaning": ("Adams1965", "FerranteFerroFuhr2021"),
    "unanimity": ("Amigo2018",),
}
"""What is no measure and no test, and is cited all the same."""


@click.command()
@click.argument("things", nargs=-1, required=True, metavar="THING...")
def cite(things: tuple[str, ...]) -> None:
    """Print the BibTeX entries of each THING.

    A THING is a measure such as nDCG@10, a test such as paired_t, a fusion such as rrf, or a key.
    """
    click.echo(bibtex(key for thing in things for key in _keys(thing)))


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
        return (parse(thing).reference,)
    except ParameterError as error:
        raise ParameterError(f"{error} (and no reference has that key: {', '.join(sorted(bibliography()))})") from None
