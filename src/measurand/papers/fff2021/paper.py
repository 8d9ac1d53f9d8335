"""What the paper proposes, its exhibits in its order, and its figures.

References
----------
[FerranteFerroFuhr2021]_
"""

from measurand.papers.exhibit import Paper
from measurand.papers.fff2021 import (
    averages_over_topics,
    drawings,
    experiments,
    float_traps,
    interval_transform,
    meaningfulness,
    values_of_measures,
)

ABOUT = r"""A number is worth what may be done with it. On a *nominal* scale numbers are names, on an *ordinal* scale
they say which is more, on an *interval* scale they say how differences compare, on a *ratio* scale how many times as
much there is. A statement about numbers means something only if no permissible change of the scale (another name,
another stretching, another zero, another unit) turns it from true to false. Means, standard deviations, the t test
and analysis of variance ask for an interval scale; medians, the sign test and Kendall's $\tau$ are content with
order. The paper carries this old theory of measurement over to the evaluation of search systems and asks what all the
averaging there is worth.

On one topic a measure is on an interval scale if its values on all runs of a length are equally spaced. Precision,
recall and RBP with $p = 1/2$ pass; average precision, reciprocal rank, DCG, ERR and RBP with any other $p$ do not. So
the step from one run to the next better one is worth more in one place than in another, and a mean adds up what is
not alike. Across topics there is a second trouble: recall, and everything else that depends on the number of relevant
documents, has a scale of its own on every topic. That is why precision and recall can agree on every single topic and
still rank some systems differently on average (Kendall's $\tau$ is .8588 on TREC-8).

The remedy is to replace each value by its place among all the values that the measure can take on runs of that
length, $\varphi(m) = \#\{x \in M(\mathrm{REL}^N) : x \le m\}$. Places are equally spaced by construction and keep the
order of runs on each topic. What changes is everything after averaging. On three campaigns of TREC the paper compares
rankings of systems and eight tests of significance before and after the change, and counts how many pairs of systems
gain or lose significance. A user cares because the answer to “is this system significantly better?” may depend on a
choice of scale that nobody made on purpose.

The idea is sound, and the theory of Sections III and IV reproduces almost number by number; all identities but a
misprint hold between the cells of its tables, all of which are checked. What is wrong is mostly at the edges: closed
forms of $\varphi$ that are off by one (harmless on an interval scale), claims with “only” or “all” that have small
counterexamples (graded RBP, measures on comparable runs, precision and recall on sets), percentages, and averages
whose selection of cells is not the one that is described. Two cautions remain. Equal spacing makes a scale that *can*
be an interval scale; it does not prove that equal steps are equally useful to anybody. And for measures with a recall
base the common scale over topics is a surrogate, as the paper itself says. In double precision the transform goes
wrong for AP, DCG and ERR, because runs that tie no longer do; here ties are exact.
"""

PAPER = Paper(
    name="fff2021",
    reference="FerranteFerroFuhr2021",
    about=ABOUT,
    exhibits=(
        *meaningfulness.EXHIBITS,
        *values_of_measures.EXHIBITS,
        *averages_over_topics.EXHIBITS,
        *interval_transform.EXHIBITS,
        *experiments.EXHIBITS,
        *float_traps.EXHIBITS,
    ),
    drawings=drawings.DRAWINGS,
)
