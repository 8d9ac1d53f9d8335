"""The built-in sample: a small campaign with ties, gaps and unjudged documents, and the model behind it."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

from measurand.sample.model import Campaign

__all__ = ["Campaign", "qrels", "runs", "write"]


def folder() -> Path:
    """Return the folder with the sample's files."""
    with as_file(files("measurand.sample") / "data") as path:
        return path


def qrels() -> Path:
    """Return the sample's judgment file.

    Examples
    --------
    >>> qrels().name
    'sample.qrels.gz'
    """
    return folder() / "sample.qrels.gz"


def runs() -> list[Path]:
    """Return the sample's run files.

    Examples
    --------
    >>> len(runs())
    12
    """
    return sorted((folder() / "runs").glob("*.run.gz"))


def write(campaign: Campaign, target: Path, ending: str = ".gz") -> None:
    """Write the judgments and runs of a campaign into a folder, as TREC files.

    Parameters
    ----------
    campaign : Campaign
        The campaign to be written.
    target : Path
        The directory to write to.
    ending : str, default ".gz"
        What names of files end with, such as ".gz".
    """
    judgments, several = campaign.draw()
    (target / "runs").mkdir(parents=True, exist_ok=True)
    judgments.to_trec(target / f"sample.qrels{ending}")
    for run in several:
        run.to_trec(target / "runs" / f"{run.name}.run{ending}")
