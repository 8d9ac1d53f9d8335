"""What the paper proposes, in our words. To be written.

References
----------
[BollmannRaghavan1988]_
"""

from measurand.papers.paper import Paper

PAPER = Paper(name="br1988", reference="BollmannRaghavan1988", about="To be written.", exhibits=())
