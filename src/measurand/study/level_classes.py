"""Which measures a level of agreement covers: the classes of measures behind "A is ahead under every such measure".

A level says for which measures one system is at least as good as another on the mean over topics. The weakest level
that decides the mean of a measure follows from what is proved of the measure (`measurand.axioms.families`) and from its
declared facts, never from its name.
"""

from __future__ import annotations

from enum import StrEnum

from measurand.measures import Measure


class Level(StrEnum):
    """For which measures one system is at least as good as another, the strongest level first.

    A stronger level is greater and implies the weaker ones.

    Examples
    --------
    >>> Level.TOPICS > Level.EVERY_MEASURE > Level.ADDITIVE > Level.THIS_MEASURE
    True
    >>> print(f"A is ahead {Level.ADDITIVE.words}")
    A is ahead under every additive measure
    """

    TOPICS = "topics"
    EVERY_MEASURE = "every measure"
    ADDITIVE = "every additive measure"
    THIS_MEASURE = "this measure"

    @property
    def words(self) -> str:
        """The level as it stands in a sentence."""
        return {
            Level.TOPICS: "on every topic, under every measure",
            Level.EVERY_MEASURE: "under every measure",
            Level.ADDITIVE: "under every additive measure",
            Level.THIS_MEASURE: "under this measure",
        }[self]

    @property
    def strength(self) -> int:
        """How many levels are weaker."""
        return len(Level) - 1 - list(Level).index(self)

    def implies(self, other: Level) -> bool:
        """Return whether what holds at this level holds at another.

        Parameters
        ----------
        other
            The other level.

        Examples
        --------
        >>> Level.TOPICS.implies(Level.ADDITIVE), Level.ADDITIVE.implies(Level.TOPICS)
        (True, False)
        """
        return self.strength >= other.strength

    def __lt__(self, other: str) -> bool:
        return self.strength < Level(other).strength

    def __le__(self, other: str) -> bool:
        return self.strength <= Level(other).strength

    def __gt__(self, other: str) -> bool:
        return self.strength > Level(other).strength

    def __ge__(self, other: str) -> bool:
        return self.strength >= Level(other).strength


def level_of(measure: Measure, *, depth: int, grades: int, deepest: int | None = None) -> Level:
    """Return the weakest level that is enough to decide the mean of a measure.

    Parameters
    ----------
    measure
        The measure.
    depth
        How many ranks of every run the level looks at.
    grades
        How many grades there are, 0 included.
    deepest
        How many ranks the longest run has; by default nothing is known, and measures need a cutoff.
    """
    raise NotImplementedError


def is_covered(measure: Measure, level: Level, *, depth: int, grades: int, deepest: int | None = None) -> bool:
    """Return whether a level decides the mean of a measure.

    Parameters
    ----------
    measure
        The measure.
    level
        The level that holds.
    depth, grades, deepest
        As in `level_of`.
    """
    needed = level_of(measure, depth=depth, grades=grades, deepest=deepest)
    return needed is not Level.THIS_MEASURE and level.implies(needed)


def differs_by_recall_base_alone(measure: Measure) -> bool:
    """Return whether a value is one of the binary run, the same on all topics, divided by the recall base.

    Parameters
    ----------
    measure
        The measure.
    """
    raise NotImplementedError


def covered(level: Level, *, depth: int, grades: int) -> tuple[Measure, ...]:
    """Return the measures of the catalogue, cut at a depth, whose mean is decided at a level.

    Parameters
    ----------
    level
        The level that holds.
    depth
        How many ranks of every run the level looks at.
    grades
        How many grades there are, 0 included.
    """
    raise NotImplementedError


def covered_in_words(level: Level, *, depth: int, grades: int) -> str:
    """Return the measures that a level covers as a short list of names.

    Parameters
    ----------
    level
        The level that holds.
    depth
        How many ranks of every run the level looks at.
    grades
        How many grades there are, 0 included.
    """
    raise NotImplementedError
