"""What runs and judgments can be read from, as types of parameters."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import IO, Literal, Protocol, TypeAlias

from measurand.judged import Judgments, Results


class ArrowFrame(Protocol):
    """A frame that exports itself to Arrow, as those of polars, pandas, pyarrow and DuckDB do."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the frame as a stream of Arrow."""


class InterchangeFrame(Protocol):
    """A frame that speaks the interchange protocol of dataframes, as older pandas does."""

    def __dataframe__(self, nan_as_null: bool = False, allow_copy: bool = True) -> object:
        """Return the frame as an object of the protocol."""


class LazyFrame(Protocol):
    """A lazy frame of polars, which has a plan and no data yet."""

    def collect_schema(self) -> object:
        """Return the names and types of its columns."""


FileLike: TypeAlias = str | os.PathLike[str] | IO[bytes] | IO[str]
"""A path, or an open file; gz, xz, bz2 and zst are unpacked."""

FrameLike: TypeAlias = ArrowFrame | InterchangeFrame | LazyFrame
"""A frame of polars, pandas or Arrow."""

QrelsLike: TypeAlias = FileLike | FrameLike | Mapping[str, Mapping[str, int]] | Judgments
"""What `read_qrels` reads: a file, a frame, `{topic: {document: grade}}`, or judgments that were read before."""

RunLike: TypeAlias = FileLike | FrameLike | Mapping[str, Mapping[str, float]] | Results
"""What `read_run` reads: a file, a frame, `{topic: {document: score}}`, or a run that was read before."""

RunsLike: TypeAlias = RunLike | Iterable[RunLike] | Mapping[str, RunLike]
"""What `read_runs` reads: one run or several, directories, patterns such as `runs/*.gz`, or `{name: run}`."""

Names: TypeAlias = Literal["auto", "tag", "file"]
"""What systems are called by: their run tags or their files."""
