"""What the paper proposes, its exhibits in its order, and its figures.

References
----------
[Amigo2018]_
"""

from measurand.papers.agms2018 import drawings, effectiveness, fusion, information, unanimity
from measurand.papers.exhibit import Paper

ABOUT = r"""A ranking, another ranking, the judgments of an assessor: each is a *signal* that puts documents in order.
The paper asks how much signals tell of a document, and answers in the manner of Shannon. A document $d$ tells
$I(d) = \ln|D| - \ln n$, where $n$ documents of the collection $D$ are at least as high as $d$ in *every* signal. The
first document of a ranking tells most, what nobody retrieves tells nothing, and a signal that repeats another adds
nothing. The mean over the collection is the entropy $H$.

Two things follow from this one number. The **effectiveness** of a ranking $r$ with judgments $g$ is
$\mathrm{OIE} = \alpha_1 H(r) + \alpha_2 H(g) - \beta H(\{r, g\})$: much if the two say the same. And to **fuse**
rankings, order documents by $I$. So a measure that punishes useless documents and a fusion that needs no scores come
from the same idea, and it can be asked of both whether they do what they should: five constraints on measures, and a
number, *metric unanimity*, that is to tell how good a measure is.

Section 3 holds, with small repairs: "monotonic" is increasing, one $\ge$ is $>$, "proportional" is in the
same order, and not every new signal tells something new. Where $\beta$ is above 1, OIE has a property that no other
measure of Table 2 has: a document that is not relevant costs something. Where the collection is small, a relevant one
may cost something, too, which the paper does not tell.

What is built on it needs conditions. Theorem 4.2 says that OIE meets all five constraints; for $\beta$ from 1.13 up
two of them exclude each other, and its bound on $\beta$ is attained by no collection. Three rows of Table 2 have
wrong marks. Theorem 5.1, that one more signal never harms, depends on how Assumption 1 is read, whose formula has a
free $d_0$: for each $d_0$, as in its proof, it is true; as a mean over pairs of documents, as Figure 1 tests it, it
has counterexamples with three documents. In both readings it asks for information that tells all documents apart,
which on a whole collection leaves only signals that agree. The formula for independent signals is printed with the
opposite sign. Metric unanimity depends on one number, how often a measure ties where nobody disagrees; with that rate
$t$ it is $\log_2(2 - t)$ or $1 + \log_2(1 - t)$, by two readings of footnote 6.

The constraints are those of Amigó, Gonzalo and Verdejo (2013), metric unanimity is that of Amigó, Spina and
Carrillo-de-Albornoz (2018), and Proposition 5.2 is proved by Amigó, Giner, Gonzalo and Verdejo (2017).

The runs of the experiments, TREC 2004 Terabyte, may not be passed on. `measurand reproduce agms2018 QRELS RUN...` makes
Table 2 and Figures 1 to 3 from any campaign, with the printed values beside ours.
"""

PAPER = Paper(
    name="agms2018",
    reference="Amigo2018",
    about=ABOUT,
    exhibits=(
        *information.EXHIBITS,
        *effectiveness.EXHIBITS,
        *unanimity.EXHIBITS,
        *fusion.EXHIBITS,
    ),
    drawings=drawings.DRAWINGS,
)
