"""What the paper proposes, in our words. To be written.

References
----------
[FerranteFerroFuhr2021]_
"""

from measurand.papers.paper import Paper

PAPER = Paper(name="fff2021", reference="FerranteFerroFuhr2021", about="To be written.", exhibits=())
