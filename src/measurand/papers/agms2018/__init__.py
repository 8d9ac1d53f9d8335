"""What the paper proposes, in our words. To be written.

References
----------
[Amigo2018]_
"""

from measurand.papers.paper import Paper

PAPER = Paper(name="agms2018", reference="Amigo2018", about="To be written.", exhibits=())
