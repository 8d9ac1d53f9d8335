"""The dialogue of `measurand esl --questionnaire`: questions to the terminal, answers from it or from a file."""

from __future__ import annotations

import sys
from collections.abc import Container, Sequence
from pathlib import Path

import click

from measurand.cli.streams import tell
from measurand.errors import InputFileError, ParameterError
from measurand.search_length.preferences.interview import (
    STEP,
    Choice,
    Question,
    Questionnaire,
    as_choice,
    questionnaire,
    questions,
)
from measurand.trec import write_atomically

MOST = 8
"""There are no more questions than this."""


def answered(given: str | None, step: int | None) -> Questionnaire:
    """Return the questionnaire with the answers that were given as a list, or as the name of a file.

    Answers to questions that are not asked any more, because those before decide, are named on the error stream.

    Parameters
    ----------
    given
        Answers like 1,=,= or a file that holds some; None for none.
    step
        How many documents a step has; None for the usual number.

    Examples
    --------
    >>> len(answered("1, =, =", None).answers)
    3
    """
    asked = questionnaire(step=step or STEP)
    if given is None:
        return asked
    letters = given.replace(",", "").replace(" ", "")
    if letters.strip("12=?"):
        return _read(given, asked)
    for letter in letters[:MOST]:
        asked = asked if asked.question is None else asked.answer(letter)
    _name_unused(letters[len(asked.answers) :])
    return asked


def _name_unused(unused: Sequence[str]) -> None:
    """Say which answers were not used, because those before them decide."""
    if unused:
        those = f"the last {len(unused)} answers are" if len(unused) > 1 else "the last answer is"
        shown = f"{', '.join(unused[:MOST])}{', …' if len(unused) > MOST else ''}"
        tell(f"note: {those} not used ({shown}), because those before decide")


def _read(path: str, asked: Questionnaire) -> Questionnaire:
    """Return the questionnaire with the answers of a file: lines of a question's name and an answer."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "it is no text"
        raise ParameterError(
            f"--answers {path}: neither a list like 1,=,= nor a file that can be read ({why})"
        ) from None
    named, places = _named_answers(path, lines, {question.name for question in questions(asked.step)})
    done = asked.with_answers(named)
    left = [name for name in named if name not in {one.question.name for one in done.answers}]
    if left and done.question is not None:
        why = f"{left[0]} is answered, but {done.question.name}, which is asked before, is not"
        raise InputFileError(path, places[left[0]], f"{why}; answer that too, or delete the lines from here on")
    _name_unused(left)
    return done


def _named_answers(path: str, lines: Sequence[str], known: Container[str]) -> tuple[dict[str, Choice], dict[str, int]]:
    """Return the answers by the names of questions, and the numbers of the lines on which they stand."""
    named: dict[str, Choice] = {}
    places: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        name, *cells = line.split("\t")
        if not line.strip() or name == "question":
            continue
        if not cells:
            raise InputFileError(path, number, "a line has the name of a question, a tab, and an answer")
        try:
            choice = as_choice(cells[0])
        except ParameterError as error:
            raise InputFileError(path, number, str(error)) from None
        if name not in known:
            why = f"{name!r} is one of other questions; --step must be the one that they were asked with"
            raise InputFileError(path, number, why)
        if named.get(name, choice) is not choice:
            why = f"{name} is answered with {choice} here and with {named[name]} on line {places[name]}"
            raise InputFileError(path, number, f"{why}; delete one of the lines")
        named[name] = choice
        places.setdefault(name, number)
    return named, places


def ask(asked: Questionnaire, save: str | None, *, typed: bool) -> Questionnaire:
    """Return the questionnaire with the answers that are typed at the terminal, or stand in the lines of the input.

    Every answer is kept in the file at once, so that the dialogue may be broken off and taken up again.

    Parameters
    ----------
    asked
        The questionnaire, with the answers that are known.
    save
        The file for answers; None for none.
    typed
        Whether lines are read where the input is no terminal; answers that were given otherwise stand for themselves.
    """
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if save is not None and not Path(save).exists():
        _keep(asked, save)
    try:
        while (at_terminal or typed) and (question := asked.question) is not None:
            line = _line(question, len(asked.answers) + 1, at_terminal=at_terminal)
            if line is None:
                break
            choice = _choice(line, len(asked.answers) + 1, at_terminal=at_terminal)
            if choice is not None:
                asked = asked.answer(choice)
                _keep(asked, save)
        if typed and not at_terminal and sys.stdin is not None:
            _name_unused([line.strip() for line in sys.stdin if line.strip()])
    except (KeyboardInterrupt, click.Abort):
        if save is None or not asked.answers:
            raise
        tell("", f"measurand: interrupted; {save} has the answers so far, and --save {save} goes on")
        raise click.exceptions.Exit(130) from None
    if not asked.answers:
        raise ParameterError("no question was answered; answer at a terminal, or say --answers 1,=,=,=")
    return asked


def _line(question: Question, number: int, *, at_terminal: bool) -> str | None:
    """Return what was typed, or the next line of the input; None at its end."""
    if at_terminal:
        options = f"  1  {question.first}", f"  2  {question.second}", "  =  both are as good", "  ?  I cannot say"
        tell("", f"{number}. {question.text}", *options, "[1/2/=/?] ", end="")
    line = sys.stdin.readline() if sys.stdin is not None else ""
    return line if line else None


def _choice(line: str, number: int, *, at_terminal: bool) -> str | None:
    """Return the answer on a line; None where it is none and the question is asked again."""
    try:
        return as_choice(line)
    except ParameterError as error:
        if not at_terminal:
            raise ParameterError(f"answer {number}: {error}") from None
        tell(str(error))
        return None


def _keep(asked: Questionnaire, save: str | None) -> None:
    if save is not None and asked.answers:
        write_atomically(save, [asked.to_tsv().encode()])
