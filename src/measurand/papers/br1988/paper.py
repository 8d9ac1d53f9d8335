"""What the paper proposes, its exhibits in its order, and its figures.

References
----------
[BollmannRaghavan1988]_
"""

from measurand.papers.br1988 import drawings, lotteries, preferences, sums_of_searches
from measurand.papers.exhibit import Paper

ABOUT = """\
A system that gives several documents the same score has not said which of them comes first. Its result is a *weak \
order*: ranks that hold one document or many. Cooper proposed to judge it by the *expected search length*, the mean \
number of nonrelevant documents that are inspected before the $i$-th relevant one is found, when chance decides \
inside a rank. Bollmann and Raghavan ask when somebody may use that number, and for what: may search lengths only be \
ordered, may they be averaged, and does it mean anything that one is 20 % shorter than another?

Their answer comes from the theory of decisions. A result and a number of wanted documents are a *lottery*: so many \
nonrelevant documents with such a probability. A reader has preferences between lotteries. If these form a weak \
order, are independent of what is mixed into both sides, and are continuous, they go by the mean of some utility \
$f(k)$ of the number of nonrelevant documents (the theorem of von Neumann and Morgenstern). If besides one document \
fewer or one more, with equal chances, is as good as neither, $\\tfrac12 P_{k-1} + \\tfrac12 P_{k+1} \\sim P_k$ (with \
$P_k$ for $k$ nonrelevant documents for sure), then $f(k) = \\gamma k + \\delta$ and the mean of $f$ is the expected \
search length up to unit and origin. So whoever averages search lengths supposes readers who mind the tenth \
nonrelevant document exactly as much as the first. A reader with $f(k) = -k^2$ has consistent preferences, and \
expected search length gets them wrong.

If preferences also carry over to one search after another (a *convolution* of lotteries), minus the expected search \
length adds up as searches do, and nothing but its unit is free: it is on a ratio scale, and percentages mean \
something. This is the part that evaluation rarely does: saying which readers a mean stands for before it is taken, \
with conditions that can be put to a person, or to a program.

The theory stands, with repairs; its two theorems are cited from Fishburn (1979) and from Krantz, Luce, Suppes and \
Tversky (1971). The conditions as summed up in the last section also hold for readers who enjoy nonrelevant \
documents, $f(k) = +k$, or do not care, $f = 0$; that 0 is better than 1, which the derivation has, belongs to them. \
The Archimedean condition on sums asks for one number of repetitions that makes up for *every* head start, which not \
even expected search length provides; the number must be allowed to depend on the head start. The lemma on weak and \
strict weak orders needs asymmetry. That sums of results need not be results is shown here by the sum of two results \
`+-`; the paper gives no example of that.
"""

PAPER = Paper(
    name="br1988",
    reference="BollmannRaghavan1988",
    about=ABOUT,
    exhibits=(
        *lotteries.EXHIBITS,
        *preferences.EXHIBITS,
        *sums_of_searches.EXHIBITS,
    ),
    drawings=drawings.DRAWINGS,
)
