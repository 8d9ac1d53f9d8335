"""Documents by topic: what judgments and runs have in common."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from attrs import field, frozen

from measurand_next.data.names import Names
from measurand_next.data.rows import Value, check_names, starts_of, whole_numbers
from measurand_next.errors import Caveat, InputError, quoted
from measurand_next.exact import IntArray


@frozen(kw_only=True, eq=False, repr=False)
class ByTopic(Value):
    """Documents by topic, with where they come from."""

    topics: tuple[str, ...]
    ends: IntArray = field(converter=whole_numbers)
    documents: Names
    caveats: tuple[Caveat, ...] = ()
    source: str = ""
    comments: str = ""

    def __attrs_post_init__(self) -> None:
        sizes = np.diff(self.ends, prepend=0)
        if len(self.ends) != len(self.topics) or (sizes < 1).any() or sizes.sum() != len(self.documents):
            raise InputError(f"ends must divide {len(self.documents):,} documents into {len(self.topics):,} topics")
        check_names("topics", self.topics)
        super().__attrs_post_init__()

    def __len__(self) -> int:
        return len(self.documents)

    def nested(self, values: np.ndarray[Any, Any]) -> dict[str, dict[str, Any]]:
        """A value of each document as nested dictionaries: topic, document, value."""
        rows = map(slice, starts_of(self.ends).tolist(), self.ends.tolist())
        return {
            topic: dict(zip(self.documents[part], values[part].tolist(), strict=True))
            for topic, part in zip(self.topics, rows, strict=True)
        }


def flat(table: Mapping[Any, Any]) -> tuple[dict[str, Any], list[Any]]:
    """Topics that have a document, where the rows of each end, and all documents; and the value of each."""
    for topic, several in table.items():
        if not isinstance(several, Mapping):
            why = f"topic {quoted(topic)} has {quoted(several)} where its documents belong"
            raise InputError(f"{why}; write {{topic: {{document: value}}}}")
    filled = {topic: several for topic, several in table.items() if several}
    if not filled:
        raise InputError("nothing there: no topic has a document")
    documents = Names.of(name for several in filled.values() for name in _as_names("document", several))
    ends = np.cumsum([len(several) for several in filled.values()], dtype=np.int64)
    values = [value for several in filled.values() for value in several.values()]
    return {"topics": tuple(_as_names("topic", filled)), "ends": ends, "documents": documents}, values


def _as_names(what: str, names: Collection[Any]) -> Collection[str]:
    """Names as text; some are whole numbers."""
    if all(type(name) is str for name in names):
        return names
    for name in names:
        if isinstance(name, bool) or not isinstance(name, str | int | np.integer):
            raise InputError(f"{what} {quoted(name)} is no name, which is text or a whole number")
    spelled = [str(name) for name in names]
    if len(set(spelled)) < len(spelled):
        raise InputError(f"a {what} is named by a number and by the same number as text; name it once")
    return spelled
