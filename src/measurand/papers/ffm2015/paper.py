"""What the paper proposes, its exhibits in its order, and its figures.

References
----------
[FerranteFerroMaistro2015]_
"""

from measurand.papers.exhibit import Paper
from measurand.papers.ffm2015 import balance, figures, measurements, orders, representation

ABOUT = r"""Whether one ranking is better than another should not depend on the measure where everybody would agree
anyway. The paper says where that is so. Put a more relevant document in place of another (**replacement**), or let a
more relevant document change places with a less relevant one above it (**swap**), and the ranking gets better. In
numbers: $r \preceq s$ if down to every rank $k$, for every grade $g$, the run $r$ has no more documents of grade $g$
or more than $s$ has,

$$\#\{j \le k : r_j \ge g\} \le \#\{j \le k : s_j \ge g\}.$$

This order is partial: 10010 and 01101 are not comparable. A measure is a *measurement* of effectiveness if it never
puts the better of two comparable runs below the other. The main theorem says that this is the case exactly if the
measure has both properties, replacement and swap, which are easy to check. AP, nDCG, RBP and ERR have them. So on
comparable runs all these measures agree, and whoever finds that two of them disagree has found incomparable runs,
where the choice of a measure is a choice of what matters. `measurand.levels` asks the same of whole systems.

How measures weigh incomparable runs is what the **balancing index** describes: one highly relevant document on top
against a tail of barely relevant ones that begins at rank $b$; $B(n)$ is the last $b$ at which the tail is still
worth as much. Near $n$ the measure counts documents, as precision does; near 1 it looks at the top. For users this is
the number to look at before a measure is chosen: at 1,000 ranks it is 957 for AP, but 8 for RBP with $p = 0.8$.

The theorem and the idea of the index stand. The details need care. The printed definition of the order is not
reflexive; the example of what ranking adds to sets, and that of AP against precision, do not show what they should;
the construction in the proof fails for three grades, though another one works; three of the four closed forms of the
index are wrong as printed; the algorithm misses the case in which there is no index, as for graded ERR with
its usual stopping probabilities. How often a test tells the simulated systems of Figure 1b apart depends on whether
their shares of relevant documents are kept exactly or only on average.
"""

PAPER = Paper(
    name="ffm2015",
    reference="FerranteFerroMaistro2015",
    about=ABOUT,
    exhibits=(
        *representation.EXHIBITS,
        *orders.EXHIBITS,
        *measurements.EXHIBITS,
        *balance.EXHIBITS,
    ),
    drawings=figures.DRAWINGS,
)
