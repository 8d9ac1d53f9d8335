"""Draw the pictures of the documentation: `.venv/bin/python docs/pictures.py [NAME...]`, all of them or some.

What a command of measurand draws is drawn by that command. The others are Vega-Lite specifications in measurand's
style, of numbers that measurand computes.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from pathlib import Path

from pictures_of_levels import counts_by_rank, rbp_map, who_is_ahead
from pictures_of_margins import dropped_topics, possible_differences, stretched_steps, wrong_judgments
from pictures_of_measures import balancing, constraints, counted_values, first_page, lottery, spacing, weights
from pictures_of_systems import dominances, fusion_bars, pvalues, rescaling, strips, topic_differences

import measurand as md
from measurand import sample
from measurand.cli.main import program
from measurand.display.charts import Chart, draw

IMAGES = Path(__file__).resolve().parent / "images"

COMMANDS = {
    "hasse-swap.svg": "order --hasse --depth 4 -m AP",
    "hasse-incomparable.svg": "order 1,0,0,1 0,1,1,0 --hasse --depth 4",
    "rr.svg": "measure RR --depth 4 --figure",
    "interval-dcg.svg": 'interval "DCG(b=2)@6" 1,1,0,0,1 0,0,1,1,0 --plot',
}
"""Pictures that a command draws; those that do not say where to write get `-o`."""

DRAWN: dict[str, Callable[[], Chart]] = {
    "strips.svg": strips,
    "spacing.svg": spacing,
    "rescaling.svg": rescaling,
    "weights.svg": weights,
    "constraint-matrix.svg": constraints,
    "balancing.svg": balancing,
    "levels.svg": counts_by_rank,
    "levels-graph.svg": who_is_ahead,
    "levels-map.svg": rbp_map,
    "margins-topics.svg": dropped_topics,
    "margins-judgments.svg": wrong_judgments,
    "margins-unjudged.svg": possible_differences,
    "margins-scale.svg": stretched_steps,
    "dominance.svg": dominances,
    "pvalues.svg": pvalues,
    "lottery.svg": lottery,
    "counted-values.svg": counted_values,
    "fusion-bars.svg": fusion_bars,
    "topic-differences.svg": topic_differences,
    "first-page.svg": first_page,
    "topic-difficulty.svg": lambda: md.topic_difficulty(sample.runs(), sample.qrels()).plot().to_dict(),
    "fusion-gain.svg": lambda: md.papers.fusion_gain(sample.qrels(), sample.runs()).chart(),
}
"""Pictures that are specifications of their own."""


def make(name: str) -> None:
    """Draw one picture."""
    if name in DRAWN:
        (IMAGES / name).write_bytes(draw(DRAWN[name](), name))
    else:
        words = shlex.split(COMMANDS[name])
        where = [] if words[-1] in ("--figure", "--plot") else ["-o"]
        program.main([*words, *where, str(IMAGES / name)], prog_name="measurand", standalone_mode=False)


if __name__ == "__main__":
    for each in sys.argv[1:] or [*COMMANDS, *DRAWN]:
        make(each)
