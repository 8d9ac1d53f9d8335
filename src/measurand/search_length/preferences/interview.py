"""A questionnaire: a few questions about searches, and what esl is worth to the person who answers them.

Expected search length stands for somebody's preferences if these satisfy conditions ([BollmannRaghavan1988]_,
sections 3 and 5). The questions ask for them one by one: whether fewer nonrelevant documents are better; whether a sure
number is as good as an even chance of fewer or more (half-half questions, the widest first, each of which halves a
range); and whether searches add up. What is asked next depends on the answers, and nothing is asked that can no longer
change the result. Answers become statements, which `check` judges. A handful of answers cannot prove a scale: they
contradict one, or are consistent with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import Any

from attrs import evolve, field, frozen

from measurand.display.result import Result
from measurand.display.tables import Column, Document, Part, TableView, Words
from measurand.display.wording import counted
from measurand.errors import ParameterError
from measurand.exact import whole_number
from measurand.scale import Scale
from measurand.search_length.lottery import Lottery
from measurand.search_length.preferences.checking import NOTHING_WITH_TIES, Answer, Report, check, in_a_sentence
from measurand.search_length.preferences.representation import Kind, Statement

STEP = 4
"""Questions are about 0, 4, 8, 12 and 16 nonrelevant documents if nothing is said."""

LARGEST = 10**6
"""No question is about steps of more documents than this."""


class Choice(StrEnum):
    """An answer to a question between two things."""

    FIRST = "1"
    SECOND = "2"
    EQUAL = "="
    SKIP = "?"


CHOICES = {"1": "the first", "2": "the second", "=": "as good", "?": "cannot say"}
"""The answers in words."""

ORDER, HALF, SUMS = "order", "half-half", "sums"


@frozen(repr=False)
class Question(Result):
    """A question between two things.

    Parameters
    ----------
    name
        What it is called in files of answers.
    kind
        What it is about: "order", "half-half" or "sums".
    text
        The question in words.
    first, second
        The two things in words.
    one, other
        The two lotteries that it compares, in nonrelevant documents.
    expected
        How somebody answers who goes by expected search length.

    Examples
    --------
    >>> print(questionnaire().question.text)
    Which would you rather look at: 0 nonrelevant documents, or 4?
    """

    name: str
    kind: str
    text: str
    first: str
    second: str
    one: Lottery
    other: Lottery
    expected: Choice

    def __str__(self) -> str:
        return self.text

    def document(self) -> Document:
        """Return the question and the answers there are."""
        options = [("1", self.first), ("2", self.second), ("=", "both are as good"), ("?", "I cannot say")]
        columns = [Column("answer", 0, left=True), Column("means", 1, left=True)]
        return Document([Words.of(self.text, "strong"), TableView(columns, options)])


def _order(few: int, many: int) -> Question:
    text = f"Which would you rather look at: {few} nonrelevant documents, or {many}?"
    sides = Lottery.sure(few), Lottery.sure(many)
    return Question(f"order-{few}-{many}", ORDER, text, str(few), str(many), *sides, Choice.FIRST)


def _half(low: int, high: int) -> Question:
    middle = (low + high) // 2
    sure, chance = f"{middle} for sure", f"{low} or {high} with equal chances"
    text = f"Which would you rather look at: {middle} nonrelevant documents for sure, or {chance}?"
    sides = Lottery.sure(middle), Lottery.uniform(low, high)
    return Question(f"half-{low}-{high}", HALF, text, sure, chance, *sides, Choice.EQUAL)


def _split(step: int) -> Question:
    even, uneven = f"{step} in each of them", f"0 in one and {2 * step} in the other"
    both = f"{step} nonrelevant documents in each, or {uneven}"
    text = f"You have two searches to do. Which would you rather look at: {both}?"
    total = Lottery.sure(2 * step)
    return Question(f"sums-{step}-{step}", SUMS, text, even, uneven, total, total, Choice.EQUAL)


def _after(behind: int, step: int) -> Question:
    sure, chance = f"{step} more for sure", f"0 or {2 * step} more with equal chances"
    text = (
        f"You have just been through {behind} nonrelevant documents in another search. Which would you rather look at"
        f" in the next one: {sure}, or {chance}?"
    )
    sides = Lottery.sure(behind + step), Lottery.uniform(behind, behind + 2 * step)
    return Question(f"sums-after-{behind}", SUMS, text, sure, chance, *sides, Choice.EQUAL)


def questions(step: int) -> tuple[Question, ...]:
    """Return every question that there is for a step, of which nobody is asked all.

    Examples
    --------
    >>> [question.name for question in questions(1)][:4]
    ['order-0-1', 'half-0-4', 'half-0-2', 'half-2-4']
    """
    halves = _half(0, 4 * step), _half(0, 2 * step), _half(2 * step, 4 * step)
    orders = _order(step, 2 * step), _order(2 * step, 4 * step)
    return (_order(0, step), *halves, *orders, _split(step), _after(4 * step, step))


@frozen
class Answered:
    """A question and the answer to it.

    Parameters
    ----------
    question
        The question.
    choice
        The answer.
    """

    question: Question
    choice: Choice

    @property
    def as_esl(self) -> bool:
        """Whether somebody who goes by expected search length would answer so."""
        return self.choice is self.question.expected

    @property
    def statement(self) -> Statement | None:
        """What the answer states about two lotteries; None if it states nothing about them."""
        if self.choice is Choice.SKIP or self.question.kind == SUMS:
            return None
        sides = self.question.one, self.question.other
        if self.choice is Choice.EQUAL:
            return Statement(sides[0], Kind.AS_GOOD, sides[1])
        better, worse = sides if self.choice is Choice.FIRST else sides[::-1]
        return Statement(better, Kind.BETTER, worse)

    def __str__(self) -> str:
        one, other = self.question.first, self.question.second
        if self.choice is Choice.SKIP:
            return f"between {one} and {other} you could not say"
        if self.choice is Choice.EQUAL:
            return f"{one} is as good to you as {other}"
        return (
            f"{one} is better to you than {other}"
            if self.choice is Choice.FIRST
            else f"{other} is better to you than {one}"
        )


def _read_step(value: object) -> int:
    step = whole_number("step", value, such_as=STEP)
    if step > LARGEST:
        raise ParameterError(f"step must be at most {LARGEST:,}, not {step:,}")
    return step


@frozen(repr=False)
class Questionnaire(Result):
    """Questions, the answers so far, and what follows from them.

    Parameters
    ----------
    step
        Questions are about 0 to 4 times this many nonrelevant documents.
    answers
        The answers so far, in the order of the questions.

    Examples
    --------
    >>> asked = questionnaire()
    >>> while asked.question is not None:
    ...     asked = asked.answer("1" if asked.question.kind == "order" else "=")
    >>> len(asked.answers), print(asked.sentence)
    Your 6 answers are consistent with a ratio scale.
    (6, None)

    References
    ----------
    [BollmannRaghavan1988]_, sections 3 and 5
    """

    step: int = field(default=STEP, converter=_read_step)
    answers: tuple[Answered, ...] = ()

    def __repr__(self) -> str:
        state = "done" if self.question is None else "not done"
        return f"<Questionnaire: {counted(len(self.answers), 'answer')}, {state}>"

    @property
    def question(self) -> Question | None:
        """The next question; None where no other could change the result."""
        given = {answered.question.name for answered in self.answers}
        return next((question for question in self._wanted() if question.name not in given), None)

    def answer(self, choice: Choice | str) -> Questionnaire:
        """Return the questionnaire with one more answer.

        Parameters
        ----------
        choice
            "1" for the first, "2" for the second, "=" if both are as good, "?" if that cannot be said.

        Examples
        --------
        >>> questionnaire().answer("2").question is None     # who likes nonrelevant documents is asked no more
        True
        """
        question = self.question
        if question is None:
            raise ParameterError("nothing is left to be asked: the answers so far decide")
        return evolve(self, answers=(*self.answers, Answered(question, as_choice(choice))))

    def _wanted(self) -> Iterator[Question]:
        """Yield the questions that matter, given the answers so far, in the order in which they are asked."""
        chosen = {answered.question.name: answered.choice for answered in self.answers}
        first, *others = questions(self.step)
        halves, orders, sums = others[:3], others[3:5], others[5:]
        yield first
        if chosen.get(first.name) in (Choice.SECOND, Choice.EQUAL):
            return
        for half in halves:
            yield half
            if chosen.get(half.name) in (Choice.FIRST, Choice.SECOND):
                # esl fails where there are ties; whether it still orders sure numbers is left
                yield from _as_long_as_esl_answers((first, *orders), chosen)
                return
        if Choice.SKIP not in (chosen.get(question.name) for question in (first, *halves)):
            yield from _as_long_as_esl_answers(sums, chosen)

    @cached_property
    def report(self) -> Report | None:
        """What `check` says of the answers as statements, in steps; None as long as nothing was stated.

        All five numbers count, so that who cannot say is never consistent with more than who can.
        """
        stated = [answered.statement for answered in self.answers]
        statements = [self._in_steps(one) for one in stated if one is not None]
        return check(statements, sums=self._sums, numbers=range(5)) if statements else None

    @property
    def _sums(self) -> bool | None:
        """Whether searches add up to the person; None if that is not known."""
        said = [answered.choice for answered in self.answers if answered.question.kind == SUMS]
        if any(choice in (Choice.FIRST, Choice.SECOND) for choice in said):
            return False
        return True if said.count(Choice.EQUAL) == 2 else None

    def _in_steps(self, statement: Statement) -> Statement:
        # only multiples of the step are asked about, and nothing is claimed of the numbers between them
        sides = [
            Lottery({k // self.step: probability for k, probability in side.items()})
            for side in (statement.one, statement.other)
        ]
        return Statement(sides[0], statement.kind, sides[1])

    @property
    def result(self) -> Answer | None:
        """What esl is for these answers: unusable, ordinal, interval or ratio; None as long as nothing was stated."""
        return None if self.report is None else self.report.answer

    @property
    def scale(self) -> Scale | None:
        """The scale that the answers are consistent with; None if esl is unusable, or nothing was stated."""
        return None if self.result is None else self.result.scale

    @property
    def ordinal_without_ties(self) -> bool:
        """Whether esl is unusable where documents tie, and yet orders the sure numbers as the answers do."""
        orders = [answered for answered in self.answers if answered.question.kind == ORDER]
        return self.result is Answer.UNUSABLE and len(orders) > 1 and all(one.as_esl for one in orders)

    @property
    def deciding(self) -> tuple[Answered, ...]:
        """The answers that decide: those that contradict esl, or else those that keep a stronger scale away."""
        against = [one for one in self.answers if not one.as_esl and one.choice is not Choice.SKIP]
        open_ones = [one for one in self.answers if one.choice is Choice.SKIP]
        return tuple(against or open_ones or self.answers)

    @property
    def sentence(self) -> str:
        """The result in a sentence, which claims no more than the answers show."""
        number = counted(len(self.answers), "answer")
        verb = "is" if len(self.answers) == 1 else "are"
        if self.result is None:
            return "No answer states a preference, so nothing is known of what esl is worth to you."
        if self.result is Answer.UNUSABLE:
            tail = (
                "; on rankings without ties they are consistent with an ordinal scale"
                if self.ordinal_without_ties
                else ""
            )
            return f"Your {number} contradict{'s' if verb == 'is' else ''} expected search length{tail}."
        article = "a" if self.result is Answer.RATIO else "an"
        return f"Your {number} {verb} consistent with {article} {self.result} scale."

    @property
    def why(self) -> tuple[str, ...]:
        """The reasons in sentences: which answers decide, what may be computed, and what is not shown."""
        if self.result is None:
            return ()
        decided = "; ".join(map(str, self.deciding))
        return (f"What decides: {decided}.", *self._meaning(), self._limits())

    def _meaning(self) -> Iterator[str]:
        answer = self.result
        if answer is Answer.UNUSABLE and self.ordinal_without_ties:
            yield "Where documents tie, means of search lengths do not stand for your preferences."
            yield f"Where documents do not tie: {in_a_sentence(Scale.ORDINAL)}"
            return
        if answer is Answer.UNUSABLE and self.question is not None:
            yield NOTHING_WITH_TIES
        elif answer is Answer.ORDINAL and not self._directed:
            yield "Whether fewer nonrelevant documents are better to you was not said, so that esl may be upside down."
            yield "Only if they are, medians and rank statistics of esl mean something."
        elif answer is Answer.INTERVAL and self._sums is None:
            yield "Means and differences of esl mean something."
            yield "Whether searches add up to you was not said; only if they do, percentages mean something as well."
        else:
            yield in_a_sentence(self.scale)
        if answer is Answer.ORDINAL:
            yield "Your answers do not say how much worse more documents are: that can be had in other ways as well."
        if answer is Answer.INTERVAL and self._sums is False:
            yield "Searches do not add up to you, so that twice the search length is not twice as bad."

    @property
    def _directed(self) -> bool:
        """Whether something was said to be better than something."""
        return self.report is not None and self.report.verdicts["direction"].holds

    def _limits(self) -> str:
        numbers = f"0 to {4 * self.step} documents in steps of {self.step}"
        final = self.result is Answer.UNUSABLE
        claim = "A contradiction is final." if final else "That is no proof for other numbers or chances."
        change = "show whether esl still orders rankings without ties" if final else "could change this"
        left = "" if self.question is None else f" Questions are left that {change}."
        return f"The questions are about {numbers}. {claim}{left}"

    def document(self) -> Document:
        """Return the result, the reasons, and the answers beside those of somebody who goes by esl."""
        columns = [
            Column("question", lambda one: one.question.text, left=True, wrap="words"),
            Column("answer", lambda one: CHOICES[one.choice], left=True),
            Column("by esl", lambda one: CHOICES[one.question.expected], left=True),
        ]
        table: list[Part] = [TableView(columns, self.answers, narrow="stack")] if self.answers else []
        return Document([Words.of(self.sentence, "strong"), *self.why, "", *table])

    def to_dict(self) -> dict[str, Any]:
        """Return everything in words and numbers that JSON knows."""
        return {
            "result": None if self.result is None else str(self.result),
            "scale": None if self.scale is None else str(self.scale),
            "ordinal_without_ties": self.ordinal_without_ties,
            "sentence": self.sentence,
            "why": list(self.why),
            "done": self.question is None,
            "step": self.step,
            "answers": [
                {"question": one.question.name, "text": one.question.text, "answer": str(one.choice)}
                for one in self.answers
            ],
            "deciding": [one.question.name for one in self.deciding],
        }

    def to_tsv(self) -> str:
        """Return the answers as lines of question, answer and text, with tabs between them.

        Examples
        --------
        >>> questionnaire("1").to_tsv().splitlines()[1].split()[:2]
        ['order-0-4', '1']
        """
        rows = [("question", "answer", "text")]
        rows += [(one.question.name, str(one.choice), one.question.text) for one in self.answers]
        return "".join("\t".join(row) + "\n" for row in rows)

    def with_answers(self, named: Mapping[str, Choice | str]) -> Questionnaire:
        """Return the questionnaire with answers to the questions that have these names.

        Parameters
        ----------
        named
            Answers by the names of questions. Those to questions that are not asked any more are left out.

        Examples
        --------
        >>> questionnaire().with_answers({"order-0-4": "1", "half-0-16": "="}).question.name
        'half-0-8'
        """
        asked = self
        while (question := asked.question) is not None and question.name in named:
            asked = asked.answer(named[question.name])
        return asked


def _as_long_as_esl_answers(asked: Iterable[Question], chosen: Mapping[str, Choice]) -> Iterator[Question]:
    """Yield questions up to the first that was answered otherwise than by esl: then the others change nothing."""
    for question in asked:
        yield question
        if chosen.get(question.name, question.expected) is not question.expected:
            return


def as_choice(value: object) -> Choice:
    """Return an answer from how it is written.

    Examples
    --------
    >>> as_choice("="), as_choice(" 2 ")
    (<Choice.EQUAL: '='>, <Choice.SECOND: '2'>)
    """
    try:
        return Choice(str(value).strip())
    except ValueError:
        written = str(value).strip()
        raise ParameterError(f"an answer is 1, 2, = (both are as good) or ? (cannot say), not {written!r}") from None


def questionnaire(
    answers: Iterable[Choice | str] | Mapping[str, Choice | str] = (), *, step: int = STEP
) -> Questionnaire:
    """Return the questions that show what esl is worth to somebody, with the answers that are known.

    Parameters
    ----------
    answers
        Answers in the order of the questions, such as `"1==="`, or by the names of questions: "1" for the first, "2"
        for the second, "=" if both are as good, "?" if that cannot be said.
    step
        Questions are about 0 to 4 times this many nonrelevant documents.

    Examples
    --------
    >>> questionnaire("1=====").result
    <Answer.RATIO: 'ratio'>
    >>> cautious = questionnaire("1111")
    >>> cautious.result, cautious.ordinal_without_ties
    (<Answer.UNUSABLE: 'unusable'>, True)
    >>> print(cautious.why[0])
    What decides: 8 for sure is better to you than 0 or 16 with equal chances.

    References
    ----------
    [BollmannRaghavan1988]_, sections 3 and 5
    """
    asked = Questionnaire(step=step)
    if isinstance(answers, Mapping):
        return asked.with_answers(answers)
    for choice in answers:
        asked = asked.answer(choice)
    return asked
