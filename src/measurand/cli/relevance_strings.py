"""`measurand evaluate -m relstring`: the grades of the first ranks, shown as a string beside the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve

from measurand.display.tables import Column, TableView
from measurand.errors import ParameterError
from measurand.judged import JudgedRuns
from measurand.judged.grades import relevance_string

Strings = Mapping[str, Mapping[tuple[str, str], str]]
"""By the name to print: the string of every system and topic."""


def strings_asked(asked: Sequence[str]) -> tuple[list[str], dict[str, int]]:
    """Return which of the things asked for are measures, and which are strings, with how many ranks each shows.

    A number of ranks that is named takes the place of the one that comes with all of trec_eval's measures.

    Parameters
    ----------
    asked
        Measures and names of trec_eval's, one by one.

    Examples
    --------
    >>> strings_asked(["map", "relstring.5"]), strings_asked(["all_trec"])
    ((['map'], {'relstring_5': 5}), (['all_trec'], {'relstring': 10}))
    """
    if not any("relstring" in text or text == "all_trec" for text in asked):
        return list(asked), {}
    from measurand.measures.trec_names import STRING, STRING_RANKS, string_ranks

    measures = [text for text in asked if string_ranks(text) is None]
    named = {text.replace(".", "_"): string_ranks(text) or 0 for text in asked if text not in measures}
    return measures, named or {STRING: STRING_RANKS}


def strings_of(judged: JudgedRuns, ranks: Mapping[str, int], *, judged_only: bool) -> Strings:
    """Return the strings of all runs.

    Parameters
    ----------
    judged
        The judged runs.
    ranks
        By the name to print, how many ranks to show.
    judged_only
        Whether documents without judgment are removed first.
    """
    seen = judged.condensed if judged_only and ranks else judged
    return {
        name: {
            (system, topic): relevance_string(shown[s, t].tolist(), number)
            for s, system in enumerate(seen.systems)
            for t, topic in enumerate(seen.topics)
        }
        for name, number in ranks.items()
        for shown in [seen.first(number)]
    }


def with_strings(view: TableView, strings: Strings, *, alone: bool = False) -> TableView:
    """Return a table of scores by topic with a column for each kind of string.

    Parameters
    ----------
    view
        A table with a row for every system and topic.
    strings
        The strings.
    alone
        Whether strings take the place of scores.
    """
    if not strings:
        return view
    kept = 2 if alone else len(view.columns)
    columns = [*view.columns[:kept], *(Column(name, name, left=True) for name in strings)]
    fields = dict(list(view.fields.items())[:kept]) | dict.fromkeys(strings, str)
    texts = [
        {name: found.get((row["system"], row["topic"]), "") for name, found in strings.items()} for row in view.rows
    ]
    rows = [
        {key: value for key, value in {**row, **beside}.items() if key in fields}
        for row, beside in zip(view.rows, texts, strict=True)
    ]
    return evolve(view, columns=columns, rows=rows, fields=fields)


def nested(strings: Strings) -> dict[str, dict[str, dict[str, str]]]:
    """Return strings by name, system and topic, for programs.

    Parameters
    ----------
    strings
        The strings.
    """
    found: dict[str, dict[str, dict[str, str]]] = {}
    for name, texts in strings.items():
        for (system, topic), text in texts.items():
            found.setdefault(name, {}).setdefault(system, {})[topic] = text
    return found


def check_by_topic(strings: Mapping[str, int], *, by_topic: bool) -> None:
    """Complain of strings for which a table without topics has no place.

    Parameters
    ----------
    strings
        By name, how many ranks each shows.
    by_topic
        Whether every topic is printed.
    """
    if strings and not by_topic:
        raise ParameterError(f"{next(iter(strings))} shows every topic by itself: add -q")
