"""Spellings of measures, right, odd and damaged, with parameters from far beyond their ranges.

Whatever is spelled:

- it is read within a second, to a measure, or refused with a ParameterError of one short line;
- the representation of a measure reads back as an equal measure, of the same representation;
- the measure scores a small campaign as its definition does, or says in one line why it cannot.

Called as `python -m fuzz.spellings SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import random
import time
import warnings
from fractions import Fraction
from typing import Any

import measurand as md
from fuzz.campaigns import check_definition
from fuzz.harness import Different, Hung, run, show
from measurand.errors import MeasurandError, ParameterError
from measurand.measures import aliases, catalogue, parse, trec_names

SECONDS = 1.0
"""So much time of the processor reading a spelling takes at most."""

LONG = 700
"""So many characters a complaint has at most."""

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "d": 3, "e": 0}, "q3": {"z": 0}}
RUNS = {
    "one": {"q1": {"x": 4.0, "a": 3.0, "b": 2.0}, "q2": {"a": 1.0, "b": 1.0}},
    "two": {"q1": {"c": 2.0, "a": 1.0}, "q2": {"d": 3.0, "e": 2.0, "a": 1.0}, "q3": {"z": 1.0, "y": 0.5}},
}

NAMES = [*(name for name in catalogue() if name != "interval"), *aliases.ALIASES, *trec_names.FAMILIES]

USUAL = "0 1 2 3 5 10 0.5 0.8 1/3 2.5 1e-9 '1/2' '0.25' 1.0 7/8 1000".split()

ODD = (
    "-1 -0.0 1e400 1e-400 1e-999999999 1e999999999 9223372036854775807 9223372036854775808 1/0 nan inf 'nan' 'inf'"
    " 'Infinity' 1_0 '1_0' 0x10 0b11 0o7 1j '١٠' ١٠ ² '²' '１' '2\\n' 1e3 '1e3' '1/3e5' 1/3/5 2**70 2**10**10 1+1 True"
    " False None '' 'x' b'1' [1] [] () (1,2) {} {1} ... -True AP P@5"
).split()

LENGTHY = [
    *(f"1{'0' * size}" for size in (12, 40, 400, 5000)),
    *(f"0.{'3' * size}" for size in (30, 50, 5000)),
    *(f"0.{'0' * 39}1", f"'{'9' * 3000}'", f"'{'9/' * 2000}'", "1" * 4301, f"'1/{'7' * 60}'", "' 2 '", "1 if 1 else 2"),
]

NUMBERS = [*USUAL * 2, *ODD, *LENGTHY]

GAINS = (
    "'linear' 'exp2' linear exp2 {1:1,2:3,3:4} {1:1,2:'2.5',3:9} {1:1} {0:0,1:2} '1=3,2=9' '1=3,2=9,3=1/3' '1=1e400'"
    " '1=1,1=1' '=,=' {0:1} {2:1} {1:-1} {1:nan} {'1':1,'2':2} {0.5:1,1:2} {1:2,2:1} {1000000000000:1} {1:1e400}"
    " {True:1} {1:True} {1:{1:1}} {(1,):1} {None:1} '1=3,2' {-1:1} {1:1,1.0:2} {1:1e-999999999} 'exp3'"
).split()

AROUND = ("gm(%s)", "gm(%s)", "interval(%s, depth=3, grades=4)", "gm(measure=%s)", "gm(%s)@3", "(%s)")

JOINTS = "()[]{}=,@.'\"\\_- \t\n\0\u2028é²#%*/:1e9"


def draw(rng: random.Random) -> str:
    """Return the spelling of a measure, more or less."""
    what = rng.random()
    if what < 0.02:
        return _giant(rng)
    text = _measure(rng)
    for _ in range(rng.choice((0, 0, 0, 0, 1, 2))):
        text = rng.choice(AROUND) % text
    if what > 0.85 and text:
        for _ in range(rng.choice((1, 1, 2, 5))):
            place = rng.randrange(len(text) + 1)
            cut = rng.choice((0, 0, 1, 3))
            text = text[:place] + rng.choice((*JOINTS, "")) + text[place + cut :]
    return text


def _measure(rng: random.Random) -> str:
    name = rng.choice(NAMES)
    known = catalogue().get(name)
    given = []
    for parameter in known.parameters() if known is not None else ("rel", "p"):
        if rng.random() < 0.35:
            value = rng.choice(GAINS if parameter == "gain" and rng.random() < 0.8 else NUMBERS)
            given.append(f"{rng.choice((parameter, parameter, parameter, 'measure', 'Rel', ''))}={value}")
    inside = f"({', '.join(given)})" if given or rng.random() < 0.05 else ""
    end = rng.choice(("", "", "", "@", "_", ".", "_cut_", "_at_", "@ ", "-l"))
    return f"{name}{inside}{end}{rng.choice(NUMBERS) if end else ''}"


def _giant(rng: random.Random) -> str:
    """Return a spelling of great length or depth."""
    size = rng.choice((50, 1000, 20_000, 90_000))
    return rng.choice(
        (
            "gm(" * size + "AP" + ")" * size,
            "nDCG(gain={" + ", ".join(f"{grade}: {grade}" for grade in range(size)) + "})",
            "nDCG(gain='" + ",".join(f"{grade}={grade}" for grade in range(size)) + "')",
            "AP" + "@5" * size,
            "AP(" + "rel=1, " * size + ")",
            "P." + ",".join(map(str, range(1, size))),
            "A" * size,
            "AP(rel=" + "-" * size + "1)",
            "AP(rel=" + "[" * size + "]" * size + ")",
            "P@" + "0" * size + "5",
            "iprec_at_recall_" + ".1," * size,
            "AP(rel=" + "1/" * size + "1)",
            "AP " * size,
        )
    )


def read(text: str) -> md.Measure | None:
    """Return the measure that a text spells, None where it is refused as it has to be."""
    begun = time.process_time()
    try:
        found = parse(text)
    except ParameterError as error:
        found = None
        said = str(error)
        if len(said.splitlines()) != 1 or len(said) > LONG:
            raise Different(f"a complaint is not one short line: {said[:2000]!r}") from None
    spent = time.process_time() - begun
    if spent > SECONDS:
        raise Hung(f"reading a spelling took {spent:.1f} seconds")
    return found


def case(rng: random.Random) -> None:
    """Try one spelling."""
    text = draw(rng)
    show(text)
    found = read(text)
    if found is None:
        return
    if getattr(found, "label", ""):  # such a measure is called by its label, which means nothing to others
        return
    again = parse(repr(found))
    if again != found or repr(again) != repr(found):
        raise Different(f"{found!r} reads back as {again!r}")
    try_to_score(found)


def try_to_score(measure: md.Measure) -> None:
    """Raise Different if a measure scores the small campaign in another way than its definition.

    Parameters
    ----------
    measure
        The measure.
    """
    exact: Any = {topic: {name: Fraction(grade) for name, grade in found.items()} for topic, found in QRELS.items()}
    runs = [md.read_run(pairs, name=name) for name, pairs in RUNS.items()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            found = md.evaluate(QRELS, runs, [measure], ties="trec")
        except MeasurandError as error:
            if len(str(error).splitlines()) != 1:
                raise Different(f"a complaint is not one line: {str(error)!r}") from None
            return
        check_definition(found, exact, RUNS, [repr(measure)])


if __name__ == "__main__":
    run("spellings", case, patience=20)
