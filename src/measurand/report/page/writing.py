"""Writing the page of a study to a file."""

from __future__ import annotations

import os
from pathlib import Path

from measurand.errors import InputFileError
from measurand.execution import Progress, silent
from measurand.report.page.document import document
from measurand.study.study import Study
from measurand.trec import write_atomically


def write_report(study: Study, path: str | os.PathLike[str], *, progress: Progress = silent) -> Path:
    """Write the page of a study, whole or not at all, and return its path.

    Parameters
    ----------
    study
        The study.
    path
        The file; folders on the way to it are made.
    progress
        Shows how far the computation is.

    Examples
    --------
    >>> import measurand as md
    >>> from tempfile import TemporaryDirectory
    >>> study = md.Study.from_files({"1": {"x": 1}}, {"1": {"x": 2.0, "y": 1.0}}, "P@1")
    >>> with TemporaryDirectory() as folder:
    ...     write_report(study, f"{folder}/report.html").read_text()[:15]
    '<!doctype html>'
    """
    text = document(study, progress=progress).encode()
    target = Path(path)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputFileError(str(path), None, f"cannot be written ({error.strerror or error})") from None
    write_atomically(target, [text])
    return target
