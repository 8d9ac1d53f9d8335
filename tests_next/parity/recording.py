"""A plugin of pytest: keeps every file below a megabyte that tests give to measurand's readers of TREC files."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from measurand.errors import MeasurandError
from measurand.trec import bulk, formats, lines

FOLDER = Path(os.environ["RECORDED"])


def recording(kind: str, read: Callable[..., Any]) -> Callable[..., Any]:
    def recorded(content: Any, *others: Any, **options: Any) -> Any:
        with suppress(MeasurandError, OSError):
            if len(data := bytes(content.data)) < 1_000_000:
                (FOLDER / f"{kind}-{sha256(data).hexdigest()}").write_bytes(data)
        return read(content, *others, **options)

    return recorded


for module in (bulk, formats, lines):
    for name in ("read_runs", "read_qrels"):
        setattr(module, name, recording(name, getattr(module, name)))
