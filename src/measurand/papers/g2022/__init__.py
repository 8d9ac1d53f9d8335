"""What the paper proposes, in our words. To be written.

References
----------
[Giner2022]_
"""

from measurand.papers.paper import Paper

PAPER = Paper(name="g2022", reference="Giner2022", about="To be written.", exhibits=())
