"""Section 4: which of two judged runs is better, whatever the measure."""

from __future__ import annotations

from collections.abc import Iterator

from measurand.orders import compare
from measurand.papers.exhibit import Line, exhibit, line


@exhibit("FFM-4.2-rank", "FFM-4.2-ex2", "FFM-4.2-ex3", "FFM-4.2-ex4", where="Section 4.2, examples")
def examples_of_rankings() -> Iterator[Line]:
    """Pairs of rankings that the order of prefixes compares, or leaves apart."""
    lowest = (0, 1, 1, 2, 2)
    yield line("01122 against 01123", compare(lowest, (0, 1, 1, 2, 3)), paper="less")
    yield line("01122 against 01113", compare(lowest, (0, 1, 1, 1, 3)), paper="incomparable")
    yield line("01122 against 20121", compare(lowest, (2, 0, 1, 2, 1)), paper="incomparable", erratum="E05")
    yield line("11022 against 20121, meant instead", compare((1, 1, 0, 2, 2), (2, 0, 1, 2, 1)))
    yield line("01010 against 10001", compare((0, 1, 0, 1, 0), (1, 0, 0, 0, 1)), paper="incomparable")


EXHIBITS = (examples_of_rankings,)
