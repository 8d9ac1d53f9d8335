"""Drawn campaigns, as bytes of TREC files: whatever two readers may see differently."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

NAMES = ("d", "FBIS3-", "doc#", "Ünïcode-", "文書", "clueweb12-0000tw-00-", "a.b/c?d=", "-", "0")
"""How documents are called: short, odd, with several bytes a letter, longer than 16 bytes with the number."""

GRADES = (
    ("0", "1"),
    ("0", "1", "2", "3"),
    ("-2", "-1", "0", "1", "4"),
    ("0", "0.5", "1", "2.25"),
    ("0",),
    ("1", "100"),
)

SCORES: tuple[Callable[[Random, int], str], ...] = (
    lambda _, rank: str(1000 - rank),
    lambda random, _: str(random.randint(0, 3)),
    lambda random, _: f"{random.uniform(-5, 20):.{random.choice((1, 4, 17))}f}",
    lambda random, _: f"{random.choice((0.1, 0.1 + 2**-56, 0.3, 0.1 + 0.2))!r}",
    lambda random, _: f"{random.random():.3e}",
)
"""Scores of a run: falling, many ties, decimals, neighbours among floats, exponents."""


def line(random: Random, *parts: str) -> str:
    return random.choice((" ", " ", " ", "\t", "  ")).join(parts) + random.choice(("\n",) * 9 + (" \n",))


def drawn_run(random: Random, number: int, topics: list[str], documents: list[str]) -> bytes:
    tags = random.sample(("bm25-", "Übung", "run#", "a-tag-of-more-than-16-bytes-"), random.choice((1, 1, 1, 2)))
    lines = []
    for tag in tags:
        score = random.choice(SCORES)
        for topic in topics:
            least = int(topic == topics[0])
            found = random.sample(documents, random.randint(least, len(documents)) if random.random() < 0.9 else least)
            lines += [
                line(random, topic, "Q0", document, str(rank), score(random, rank), f"{tag}{number}")
                for rank, document in enumerate(found, 1)
            ]
    if random.random() < 0.2:
        random.shuffle(lines)
    return "".join(lines).encode()


@pytest.fixture(scope="session")
def drawn() -> Callable[[int], tuple[bytes, list[bytes]]]:
    """A function from a seed to the judgments and the runs of a campaign, the same each time."""

    def draw(seed: int) -> tuple[bytes, list[bytes]]:
        random = Random(seed)
        prefix = random.choice(("", "q", "tøpic-", "a-long-name-of-a-topic-"))
        topics = [f"{prefix}{number}" for number in range(random.choice((1, 2, 5)))]
        many = random.choice((1, 4, 12, 40))
        documents = sorted({f"{random.choice(NAMES)}{random.randint(0, 99)}" for _ in range(many)})
        grades = random.choice(GRADES)
        judged = [
            line(random, topic, "0", document, random.choice(grades))
            for topic in topics
            if topic == topics[0] or random.random() < 0.9
            for document in random.sample(documents, random.randint(1, len(documents)))
        ]
        judged += random.choices(judged, k=random.choice((0, 0, 0, 2)))  # the same line again changes nothing
        if random.random() < 0.3:
            random.shuffle(judged)
        ranked = topics[:1] + [topic for topic in topics[1:] if random.random() < 0.9]
        ranked += ["unjudged"] * (random.random() < 0.2)
        runs = [drawn_run(random, number, ranked, documents) for number in range(random.randint(1, 3))]
        return "".join(judged).encode(), runs

    return draw
