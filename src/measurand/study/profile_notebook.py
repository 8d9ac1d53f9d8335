"""How a profile shows itself in a notebook: facts, and what holds of the measure, with how that is known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from measurand.display.markup import joined, note, table, tagged
from measurand.verdict import How, Verdict

ASIDE = ("reference",)
"""Facts that are told elsewhere."""


def profile_html(
    name: str,
    about: Sequence[str],
    facts: Mapping[str, str],
    kinds: Mapping[str, Mapping[str, Verdict]],
    scale: str,
) -> str:
    """Return a profile as HTML: sentences, facts, and tables of verdicts.

    Examples
    --------
    >>> verdicts = {"Properties": {"swap": Verdict(True, how=How.PROVED)}}
    >>> "<caption" in profile_html("P", ["A share."], {"family": "additive"}, verdicts, "")
    True
    """
    told = [*about, scale]
    known = ([fact, said] for fact, said in facts.items() if fact not in ASIDE)
    pieces = [
        note(tagged("strong", name)),
        *(note(text) for text in told if text),
        table("Facts", ["fact", "what is declared"], known, left=2),
        *(
            table(kind, ["name", "verdict", "how it is known", "why"], _rows(verdicts), left=4)
            for kind, verdicts in kinds.items()
            if verdicts
        ),
    ]
    return str(joined(pieces, "\n"))


def _rows(verdicts: Mapping[str, Verdict]) -> Iterator[Sequence[str]]:
    for name, verdict in verdicts.items():
        failed = verdict.how is How.FAILED and name != "well_defined"
        answer = "? not decided" if failed else f"✓ {verdict.answered}" if verdict else f"✗ {verdict.answered}"
        why = verdict.argument or (verdict.witness is not None and str(verdict.witness)) or verdict.checked
        yield name.replace("_", " "), answer, str(verdict.how), str(why)
