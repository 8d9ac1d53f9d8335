"""A model of an evaluation campaign, from which the built-in sample and the benchmarks are drawn.

For every topic there is a number of candidate documents.

- **Relevance.** Each candidate has a latent relevance, a standard normal number. The topic's recall base
  is drawn from a log-normal distribution, and so many candidates of highest latent relevance are
  relevant; most of them have grade 1, some 2, few 3.
- **Systems.** A system scores a candidate by its latent relevance times the system's skill and the
  topic's easiness, plus noise. Part of the noise is shared by the systems of a family (lexical, dense,
  hybrid, reranking), so that relatives retrieve the same documents, wrongly too. It returns its best.
- **Blemishes.** Some systems round their scores, which makes ties; one leaves topics out; one returns
  short lists.
- **Judgments.** All but the last two systems are pooled: a document is judged if one of them has it
  near the top. What nobody pooled stays unjudged, relevant or not. One topic may end without a
  relevant document.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from attrs import frozen

from measurand.trec import Qrels, Run, read_qrels, read_run

FAMILIES = ("lexical", "dense", "hybrid", "rerank")


@frozen(kw_only=True)
class Campaign:
    """The parameters of a campaign; equal parameters give equal data.

    Parameters
    ----------
    systems, topics, depth : int, default 12, 50 and 100
        The size: how many systems, how many topics, how many documents each returns for each.
    candidates : int, default 400
        How many documents compete for a topic.
    pool : int, default 25
        How deep the judges look into each pooled run.
    blemishes : bool, default True
        Whether there are ties, gaps and short lists.
    seed : int, default 20151113
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
    candidates: int = 400
    pool: int = 25
    blemishes: bool = True
    seed: int = 20151113

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
                if system < max(1, self.systems - 2):
                    judged.update(best[: self.pool])
                if best:
                    results[name][str(topic)] = {documents[d]: round(float(scores[system, d]), 6) for d in best}
            judgments[str(topic)] = {documents[d]: int(grades[d]) for d in sorted(judged)}
        return read_qrels(judgments), [read_run(results[name], name=name) for name in names]

    def _topics(self) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
        rng = np.random.default_rng(self.seed)
        skill = np.linspace(1.5, 0.7, self.systems)[rng.permutation(self.systems)]
        kin = np.arange(self.systems) % len(FAMILIES)
        for topic in range(self.topics):
            latent = rng.standard_normal(self.candidates)
            base = int(np.clip(rng.lognormal(3.0, 0.8), 3, self.candidates / 3))
            if self.blemishes and topic == self.topics // 2:
                base = 0
            grades = np.zeros(self.candidates, dtype=np.int64)
            relevant = np.argsort(-latent, kind="stable")[:base]
            grades[relevant] = rng.choice([1, 2, 3], p=[0.6, 0.28, 0.12], size=base)
            easiness = rng.normal(1.0, 0.35)
            shared = rng.standard_normal((len(FAMILIES), self.candidates))[kin]
            own = rng.standard_normal((self.systems, self.candidates))
            scores = 10 + easiness * skill[:, None] * latent + 0.8 * shared + 0.6 * own
            if self.blemishes:
                scores[1::5] = np.round(scores[1::5], 1)
            yield 301 + topic, grades, scores

    def _length(self, system: int, topic: int) -> int:
        if self.blemishes and self.systems > 4:
            if system == 3 and topic % 17 == 0:
                return 0
            if system == 4 and topic % 3 == 0:
                return min(self.depth, 5 + topic % 20)
        return self.depth
