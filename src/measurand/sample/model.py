"""A model of an evaluation campaign, from which the built-in sample is drawn.

For every topic there is a number of candidate documents.

- **Relevance.** Each candidate has a latent relevance, a standard normal number. The topic's recall base
  is drawn from a log-normal distribution, and so many candidates of highest latent relevance are
  relevant. An assessor sees their latent relevance through a little noise and gives grade 3 to the best
  11 %, grade 2 to the next 25 %, grade 1 to the others.
- **Systems.** A system scores a candidate by latent relevance times strength, plus noise, and returns its
  best. Strength is skill, changed by how well the topic suits the system, times the easiness of the
  topic. Skill is that of the family (lexical < dense < hybrid < rerank), changed a little.
- **Families.** Part of the noise is shared by a family, so that relatives retrieve the same documents,
  wrongly too; a hybrid has the noise of lexical and dense systems, half of each. Numbers 1 and 2 of a
  family are near twins, which share almost all noise; number 3 is a further relative; and so on by threes.
- **Judgments.** All but the last three systems are pooled: a document is judged if one of them has it
  near the top. What nobody pooled stays unjudged, relevant or not.
- **Blemishes.** Every fifth system rounds its scores, which makes ties; rerank-1 leaves topics out;
  lexical-2 returns short lists; hybrid-2 is a bit less skilled than its twin but has seen every ninth topic
  before, and is very strong there; one topic has no relevant document.

The constants are chosen such that what is drawn is like real campaigns, and the seed such that the sample shows a clear
leader besides. As `benchmarks/sample_likeness.py` measures it, in percent:

====================================================  =============  =============  =============  =============
..                                                    the sample     COVID round 1  DL 2019        DL 2020
====================================================  =============  =============  =============  =============
decided under every additive measure / significantly  56 / 29        59 / 8         46 / 36        43 / 14
significant pairs, nDCG@10: raw / Holm                67 / 52        62 / 30        54 / 43        43 / 43
significant pairs, AP: raw / Holm                     67 / 58        71 / 45        68 / 39        71 / 54
variance of nDCG@10: systems / topics / both          17 / 48 / 35   16 / 39 / 45   16 / 50 / 34   14 / 50 / 36
pairs with κ = ∞ under nDCG@10                        44             41             36             14
Judged@30 by system: least / median / most            65 / 83 / 88   48 / 63 / 79   72 / 79 / 81   77 / 83 / 90
tied documents by system: least / median / most       0 / 0 / 27     0 / 0 / 2      0 / 1 / 31     0 / 1 / 27
====================================================  =============  =============  =============  =============

The whole table is in `docs/concepts/sample.md`.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.trec import Qrels, Run, read_qrels, read_run

FAMILIES = ("lexical", "dense", "hybrid", "rerank")
SKILLS = (0.55, 0.9, 0.95, 1.3)
HYBRID = FAMILIES.index("hybrid")

# standard deviations: of skill among further relatives and twins, of how topics suit systems, of what an assessor sees
APART, ALIKE, SUITING, SEEING = 0.05, 0.02, 0.2, 0.3
# how much of the noise belongs to the family, to the twins, to one system
SHARED_NOISE, TWINS_NOISE, OWN_NOISE = 0.7, 0.5, 0.12
# logarithms of recall base (mean, standard deviation) and of easiness (standard deviation)
RECALL_BASE, EASINESS = (3.9, 1.1), 0.3
# shares of relevant documents that have the highest grade, and one of the two highest
HIGHEST, HIGH = 0.11, 0.36

# the systems with blemishes, by number: rerank-1 leaves topics out, lexical-2 is short, hybrid-2 has seen topics before
GAPPY, SHORT, LUCKY = 3, 4, 6
LUCK, LACK = 6.0, 0.06


@frozen(eq=False)
class Systems:
    """What is fixed for all topics: the family, the group of near twins and the skill of each system."""

    family: np.ndarray
    twins: np.ndarray
    skill: np.ndarray


@frozen(kw_only=True)
class Campaign:
    """The parameters of a campaign; equal parameters give equal data.

    Parameters
    ----------
    systems, topics, depth : int, default 12, 50 and 100
        The size: how many systems, how many topics, how many documents each returns for each (at most all
        candidates).
    candidates : int, default 600
        How many documents compete for a topic.
    pool : int, default 20
        How deep the judges look into each pooled run.
    blemishes : bool, default True
        Whether there are ties, gaps, short lists, lucky topics and a topic without a relevant document.
    seed : int, default 169
        Where the random numbers start.

    Examples
    --------
    >>> campaign = Campaign(systems=3, topics=2, depth=5, candidates=20, pool=3)
    >>> qrels, runs = campaign.draw()
    >>> [run.name for run in runs], len(qrels.topics)
    (['lexical-1', 'dense-1', 'hybrid-1'], 2)
    """

    systems: int = 12
    topics: int = 50
    depth: int = 100
    candidates: int = 600
    pool: int = 20
    blemishes: bool = True
    seed: int = 169

    def names(self) -> list[str]:
        """Return the systems' names: family and number."""
        return [f"{FAMILIES[i % len(FAMILIES)]}-{i // len(FAMILIES) + 1}" for i in range(self.systems)]

    def draw(self) -> tuple[Qrels, list[Run]]:
        """Return the judgments and the runs."""
        names = self.names()
        results: dict[str, dict[str, dict[str, float]]] = {name: {} for name in names}
        judgments: dict[str, dict[str, int]] = {}
        for topic, grades, scores in self._topics():
            documents = [f"{topic}-{number:05d}" for number in range(self.candidates)]
            judged: set[int] = set()
            for system, name in enumerate(names):
                best = np.argsort(-scores[system], kind="stable")[: self._length(system, topic)].tolist()
                if system < max(1, self.systems - 3):
                    judged.update(best[: self.pool])
                if best:
                    results[name][str(topic)] = {documents[d]: round(float(scores[system, d]), 6) for d in best}
            judgments[str(topic)] = {documents[d]: int(grades[d]) for d in sorted(judged)}
        return read_qrels(judgments), [read_run(results[name], name=name) for name in names]

    def _topics(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        rng = np.random.default_rng(self.seed)
        systems = self._systems(rng)
        for topic in range(self.topics):
            latent = rng.standard_normal(self.candidates)
            grades = self._grades(rng, latent, topic)
            strength = self._strength(rng, systems, topic)
            scores = 20 + 2 * (strength[:, None] * latent + self._noise(rng, systems))
            if self.blemishes:
                scores[1::5] = np.round(scores[1::5], 2)
            yield 301 + topic, grades, scores

    def _systems(self, rng: np.random.Generator) -> Systems:
        number, family = np.divmod(np.arange(self.systems), len(FAMILIES))
        threes, third = np.divmod(number, 3)
        twins = 2 * (len(FAMILIES) * threes + family) + (third == 2)
        skill = np.array(SKILLS)[family] + APART * rng.standard_normal(twins.max() + 1)[twins]
        skill += ALIKE * rng.standard_normal(self.systems)
        if self.blemishes and self.systems > LUCKY:
            skill[LUCKY] -= LACK
        return Systems(family, twins, skill)

    def _grades(self, rng: np.random.Generator, latent: np.ndarray, topic: int) -> np.ndarray:
        base = int(np.clip(rng.lognormal(*RECALL_BASE), 3, self.candidates / 3))
        if self.blemishes and topic == self.topics // 2:
            base = 0
        relevant = np.argsort(-latent, kind="stable")[:base]
        seen = latent[relevant] + SEEING * rng.standard_normal(base)
        best_first = relevant[np.argsort(-seen, kind="stable")]
        grades = np.zeros(self.candidates, dtype=np.int64)
        for share in (1.0, HIGH, HIGHEST):
            grades[best_first[: round(share * base)]] += 1
        return grades

    def _strength(self, rng: np.random.Generator, systems: Systems, topic: int) -> np.ndarray:
        easiness = rng.lognormal(0.0, EASINESS)
        suits = SUITING * rng.standard_normal(systems.twins.max() + 1)[systems.twins]
        strength: np.ndarray = easiness * np.maximum(0.1, systems.skill + suits)
        if self.blemishes and self.systems > LUCKY and topic % 9 == 4:
            strength[LUCKY] *= LUCK
        return strength

    def _noise(self, rng: np.random.Generator, systems: Systems) -> np.ndarray:
        shared = rng.standard_normal((len(FAMILIES), self.candidates))
        shared[HYBRID] = (shared[0] + shared[1]) / np.sqrt(2)
        twins = rng.standard_normal((systems.twins.max() + 1, self.candidates))
        own = rng.standard_normal((self.systems, self.candidates))
        noise: np.ndarray = SHARED_NOISE * shared[systems.family] + TWINS_NOISE * twins[systems.twins] + OWN_NOISE * own
        return noise

    def _length(self, system: int, topic: int) -> int:
        if self.blemishes and self.systems > SHORT:
            if system == GAPPY and topic % 17 == 0:
                return 0
            if system == SHORT and topic % 3 == 0:
                return min(self.depth, 5 + topic % 20)
        return self.depth
