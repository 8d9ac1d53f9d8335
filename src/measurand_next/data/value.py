"""What values of data have in common."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from attrs import asdict, frozen


@frozen(eq=False, repr=False)
class Value:
    """A base of attrs classes: their arrays cannot be changed, and they travel without what they have computed."""

    def __attrs_post_init__(self) -> None:
        for name, value in asdict(self, recurse=False).items():
            if isinstance(value, np.ndarray) and value.flags.writeable:
                unwritable = value.view()  # the array of the caller stays as it is
                unwritable.setflags(write=False)
                object.__setattr__(self, name, unwritable)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(type(self), **asdict(self, recurse=False)), ()
