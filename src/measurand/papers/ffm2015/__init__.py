"""A measure of effectiveness should respect what everybody agrees on: a better document in a place, or moved up.

References
----------
[FerranteFerroMaistro2015]_
"""

from measurand.papers.ffm2015 import order_of_runs
from measurand.papers.paper import Paper

ABOUT = """\
To be written: two to five paragraphs of Markdown, in our words: what the paper proposes and why a user cares.
"""

PAPER = Paper(
    name="ffm2015",
    reference="FerranteFerroMaistro2015",
    about=ABOUT,
    exhibits=(*order_of_runs.EXHIBITS,),
)
