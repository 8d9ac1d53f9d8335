"""What the paper proposes, its exhibits in its order, and its figures.

References
----------
[Giner2022]_
"""

from measurand.papers.exhibit import Paper
from measurand.papers.g2022 import few_values, figures, judged_runs, lattices, rankings, sets

ABOUT = r"""
Before anything is measured, some judged runs are better than others. The paper takes three operations, *replacement*
(a better document in place of another), *projection* (the first difference decides) and *swapping* (a better document
moves up), and asks which orders they make on judged sets and rankings. Such an order may be a lattice: any two runs
$x$ and $y$ have a join $x \vee y$, the least run that is at least as good as both, and a meet $x \wedge y$. A measure
$v$ is then called a valuation if it shares out what two runs are worth between these two:
$v(x) + v(y) = v(x \vee y) + v(x \wedge y)$.

Why a user cares: in a distributive lattice every run is the join of a few *join-irreducible* runs, and a valuation is
known as soon as it is known on these. With three grades and 100 ranks there are $3^{100}$ rankings and 200 such runs.
So a measure can be written down as a small table, two measures can be compared by comparing two tables, and
$v(x \vee y) - v(x \wedge y)$ says how far two runs are apart. Generalized precision and recall are valuations on sets.
Together with rank-biased precision and discounted cumulated gain they are so on rankings where only replacement counts.

What holds: the orders by projection and by replacement, their joins, meets and join-irreducible runs, the eight
propositions, and every number that the text takes from the figures. What does not: a finite order is not a lattice
for being finite. By replacement and swapping, the order that most evaluation has in mind, rankings with three grades
or more are none, and the interval that is said to be a pentagon, for which an earlier paper is cited, is a chain of
three runs. Theorem 3, which is Rota's, needs the value of the worst run as well, and the count of 300 values should
be 200.

The paper concludes that measures are not fixed by few values where swapping counts (in Sections 1 and 6.3: not
necessarily). Many are. With two grades the order by replacement and swapping is a distributive lattice, its
join-irreducible runs are the $N(N+1)/2$ blocks of relevant documents, and not only sums over ranks are valuations on
it but average precision, reciprocal rank and expected reciprocal rank as well: 55 values fix average precision on all
1024 runs of ten ranks. With more grades the same holds, for measures that add up over grades, in the smallest lattice
around the order.
"""

PAPER = Paper(
    name="g2022",
    reference="Giner2022",
    about=ABOUT.strip(),
    exhibits=(
        judged_runs.three_operations,
        *lattices.EXHIBITS,
        *judged_runs.EXHIBITS,
        judged_runs.orders_of_operations,
        *sets.EXHIBITS,
        judged_runs.swapping_alone,
        judged_runs.rejected,
        *rankings.EXHIBITS,
        *few_values.EXHIBITS,
    ),
    drawings=figures.DRAWINGS,
)
