"""Run and judgment files, right, spoilt and damaged, scored by `evaluate`, against definitions and pytrec_eval.

A campaign is drawn and written; then lines say something else (ties, repeats, odd numbers and names, other columns) or
bytes are damaged, and the file may be compressed or have another format. Whatever comes of it:

- with the loops in C and without them the same table, to the bit, or the same complaint, which is one line;
- a table is that of the definition: a plain reader and a plain order here, `Measure.of` for every run;
- on what pytrec_eval can be given, its values.

Called as `python -m fuzz.campaigns SEED SECONDS FOLDER [CASE]`.
"""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
import tempfile
import warnings
from fractions import Fraction
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import measurand as md
import measurand.native as native
from fuzz.files import BOM, Pairs, damaged, draw_campaign, spoilt_lines, trec_lines
from fuzz.harness import Different, run, show
from measurand.errors import MeasurandError
from measurand.judged import NOTHING, POOLED, UNJUDGED
from measurand.measures import catalogue, parse
from measurand.measures.campaigns import with_campaign

VARIANTS = (
    "AP(judged_only=True)@5 AP(rel=2) BPM(T=2)@5 Bpref(rel=2)@6 Compat(p=0.8)@6 DCG(b=2,gain='exp2') ERR(gmax=5)@4"
    " F(beta=2)@5 INST(T=2)@7 IPrec(rel=2)@0.3 P@5 P@1000 R@10 RR@3 Q(beta='1/2',rel=2)@6 RBP(p=0.5) RBP(p='1/3',rel=2)"
    " Rprec(multiple=1.4) SetF(beta=2) Success@1 gRBP(p=0.9) gm(nDCG@5) infAP(rel=2) nDCG(b=3)@6 nDCG@10 nERR@3"
).split()

MEASURES = [*(name for name in catalogue() if name != "interval"), *VARIANTS]
"""What is asked for; what an interval scale takes at any depth is another matter."""

PEER = "G P Rprec bpref infAP map ndcg ndcg_cut recall recip_rank set_F set_P set_map set_recall success".split()
"""What pytrec_eval is asked for, too."""

CLOSE = 1e-12

PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}

READ = (0, 2, 4, 5)
"""Which columns of runs are read; of the four columns of judgments the last is a number, and no other text is one."""

Systems = dict[str, Pairs]


class Unclear(Exception):
    """A file is not what the plain reader here knows: it may have another format."""


def rows_of(data: bytes, columns: int, value: int, open_ended: bool) -> list[list[str]] | None:
    """Return the fields of a TREC file, plainly; None for one that cannot be right.

    Parameters
    ----------
    data
        The file.
    columns, value
        How many columns there are, and which holds the number.
    open_ended
        Whether more may follow.
    """
    lines = data.removeprefix(BOM).split(b"\n")
    words = [line.split() for line in lines]
    kept = [line for line in words if line and not line[0].startswith(b"#")]
    first = kept[0] if kept else []
    if len(first) < columns or (len(first) > columns and not open_ended) or number(first[value]) is None:
        raise Unclear
    if len(lines) == 1 and b"\r" in data.strip():
        return None
    if any(len(line) < columns or (len(line) > columns and not open_ended) for line in kept):
        return None
    try:
        # what stands in the other columns is not looked at
        return [
            [word.decode(errors="strict" if i in READ else "replace") for i, word in enumerate(line)] for line in kept
        ]
    except UnicodeDecodeError:
        return None


def number(text: bytes | str) -> Fraction | None:
    """Return a number as it is written, or None for what is none."""
    word = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    if "_" in word or len(word) > 5000 or not isfinite(_float(word)):
        return None
    try:
        return Fraction(word)
    except (ValueError, ZeroDivisionError):
        return None


def _float(word: str) -> float:
    try:
        top, _, bottom = word.partition("/")
        return float(top) / float(bottom or 1)
    except (ValueError, ZeroDivisionError):
        return float("nan")


def plain_qrels(data: bytes) -> dict[str, dict[str, Fraction]] | None:
    """Return the judgments of a TREC file, plainly; None for one that cannot be right."""
    rows = rows_of(data, 4, 3, open_ended=False)
    found: dict[str, dict[str, Fraction]] = {}
    for topic, _, document, text in rows or []:
        grade = number(text)
        if grade is None or found.setdefault(topic, {}).setdefault(document, grade) != grade:
            return None
    return found or None


def plain_runs(data: bytes) -> Systems | None:
    """Return the runs of a TREC file by their tags, plainly; None for one that cannot be right."""
    rows = rows_of(data, 6, 4, open_ended=True)
    found: Systems = {}
    for topic, _, document, _, text, tag, *_ in rows or []:
        mine = found.setdefault(tag, {}).setdefault(topic, {})
        if number(text) is None or "/" in text or document in mine:
            return None
        mine[document] = float(text)
    return found or None


def table(qrels: Any, runs: Any, measures: list[str], quick: bool, **options: Any) -> tuple[Any, str]:
    """Return the table of a campaign and no complaint, or none and what was complained of.

    Parameters
    ----------
    qrels, runs, measures, **options
        What `evaluate` is given.
    quick
        Whether the loops in C may be used.
    """
    kept = native._found
    try:
        native._found = kept if quick else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return md.evaluate(qrels, runs, measures, ties="trec", **options), ""
    except MeasurandError as error:
        if len(str(error).splitlines()) != 1:
            raise Different(f"a complaint is not one line: {str(error)!r}") from None
        return None, str(error)
    finally:
        native._found = kept


def check_definition(found: Any, qrels: Any, runs: Systems, measures: list[str]) -> None:
    """Raise Different if a value is not that of the definition, for the grades in a plain order.

    Parameters
    ----------
    found
        The table.
    qrels, runs
        What is in the files.
    measures
        The measures, as they are spelled.
    """
    judged = md.judge([md.read_run(run, name=name) for name, run in runs.items()], qrels, ties="trec")
    if tuple(found.topics) != tuple(qrels) or tuple(found.systems) != tuple(runs):
        raise Different(f"topics {found.topics} and systems {found.systems} are others than {[*qrels]} and {[*runs]}")
    levels = None if judged.relevance is None else {g: i for i, g in enumerate(judged.relevance.grades)}
    codes = {
        topic: {d: int(g if g < 0 or levels is None else levels[g]) for d, g in grades.items()}
        for topic, grades in qrels.items()
    }
    depth = judged.cells.shape[2]
    highest = judged.grade_counts.shape[1]
    for spelled in measures:
        measure = with_campaign(parse(spelled), judged)
        values = found.scores(spelled).values
        for s, pairs in enumerate(runs.values()):
            for t, topic in enumerate(qrels):
                mine, have = pairs.get(topic, {}), codes[topic]
                order = sorted(mine, key=lambda document: (mine[document], document), reverse=True)
                cells = [_cell(have.get(document)) for document in order]
                counts = [
                    sum(max(code, 0) == level and code != -1 for code in have.values()) for level in range(highest)
                ]
                exact = float(measure.of([*cells, *[NOTHING] * (depth - len(cells))], grade_counts=counts))
                if not abs(values[s, t] - exact) <= CLOSE * max(1, abs(exact)):
                    raise Different(
                        f"{spelled} of {order} in topic {topic} is {values[s, t]!r}, and by definition {exact!r}"
                    )


def _cell(code: int | None) -> int:
    return UNJUDGED if code is None else POOLED if code == -1 else max(code, 0)


def check_peer(given: tuple[Any, Any], qrels: Any, runs: Systems, rng: random.Random) -> None:
    """Raise Different if pytrec_eval has other values; scores are compared in single precision, as it does.

    Parameters
    ----------
    given
        The files.
    qrels, runs
        What is in them.
    rng
        Where the draws come from.
    """
    try:
        import pytrec_eval
    except ImportError:
        return
    grades = {grade for found in qrels.values() for grade in found.values()}
    scores = [score for pairs in runs.values() for found in pairs.values() for score in found.values()]
    names = [name for pairs in (qrels, *runs.values()) for topic, found in pairs.items() for name in (topic, *found)]
    fits = all(grade.denominator == 1 and -1 <= grade <= 50 for grade in grades) and max(map(abs, scores)) < 1e30
    # of a topic with grades below 0 alone it does not come back
    fits = fits and all(max(found.values()) >= 0 for found in qrels.values())
    if not fits or any("\0" in name or not name.isprintable() for name in names):
        return
    plain = {topic: {d: int(grade) for d, grade in found.items()} for topic, found in qrels.items()}
    evaluator = pytrec_eval.RelevanceEvaluator(plain, {rng.choice(PEER)})
    for s, (system, pairs) in enumerate(runs.items()):
        theirs = {t: found for t, found in evaluator.evaluate(pairs).items() if t in qrels}
        measures = sorted({name for found in theirs.values() for name in found})
        if not measures:
            continue
        ours, complaint = table(*given, measures, True, precision="single")
        if ours is None:
            raise Different(f"what was scored is refused in single precision: {complaint}")
        for name in measures:
            values = ours.scores(parse(name)).values[s]
            for t, topic in enumerate(ours.topics):
                value = theirs.get(topic, {}).get(name)
                if value is not None and not abs(values[t] - value) <= CLOSE * max(1, abs(value)):
                    raise Different(f"{name} of {system} in topic {topic} is {values[t]!r}, pytrec_eval has {value!r}")


def other_format(rng: random.Random, pairs: Pairs, value: str) -> tuple[bytes, Pairs | None]:
    """Return judgments or a run in a format other than TREC's, and what is in the file; None if it could be either.

    Parameters
    ----------
    rng
        Where the draws come from.
    pairs
        Grades or scores.
    value
        Which of the two: grade or score.
    """
    rows = [{"qid": t, "docno": d, value: v} for t, found in pairs.items() for d, v in found.items()]
    places = [str(place) for found in pairs.values() for place, _ in enumerate(found, 1)]
    name = rng.choice(("columns", "ranks", *("json", "jsonl", "array", "lists", "results", "rank_eval"), *",\t;|", " "))
    if name in ("json", "jsonl", "array", "lists", "results", "rank_eval"):
        dump = partial(json.dumps, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
        return _as_json(name, pairs, rows, value, dump), _by_place(pairs, value) if name == "lists" else pairs
    if name == "ranks" and value == "score":
        return _table(" ", [(row["qid"], row["docno"], place) for row, place in zip(rows, places, strict=True)]), (
            _by_place(pairs, value)
        )
    cells = [tuple(map(str, row.values())) for row in rows]
    if name in ("columns", "ranks"):
        if name == "ranks" or value == "grade":  # whole numbers may be ranks
            return _table(rng.choice(" \t"), cells), pairs if value == "grade" else None
        return _table(" ", [(t, d, place, v) for (t, d, v), place in zip(cells, places, strict=True)]), pairs
    return _table(name, [("query-id", "corpus-id", value) if name == "\t" else ("qid", "docno", value), *cells]), pairs


def _table(gap: str, rows: list[tuple[str, ...]]) -> bytes:
    return "".join(f"{gap.join(row)}\n" for row in rows).encode()


def _by_place(pairs: Pairs, value: str) -> Pairs:
    """Return what a list without values means: grade 1 for all, or what stands earlier is better."""
    return {
        t: {d: 1 if value == "grade" else 1 / place for place, d in enumerate(found, 1)} for t, found in pairs.items()
    }


def _as_json(name: str, pairs: Pairs, rows: list[dict[str, Any]], value: str, dump: Any) -> bytes:
    shapes: dict[str, Any] = {"json": pairs, "array": rows, "lists": {t: [*found] for t, found in pairs.items()}}
    if name in shapes:
        return bytes(dump(shapes[name]).encode())
    if name == "jsonl":
        return "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    if name == "results":
        hits = {t: [{"doc_id": d, value: v} for d, v in found.items()] for t, found in pairs.items()}
        return "".join(f"{json.dumps({'query_id': t, 'results': found})}\n" for t, found in hits.items()).encode()
    if value == "grade":
        asked = [
            {"id": t, "ratings": [{"_index": "i", "_id": d, "rating": v} for d, v in found.items()]}
            for t, found in pairs.items()
        ]
        return bytes(dump({"requests": asked, "metric": {"precision": {}}}).encode())
    # a response has the best first: by other scores nothing is ranked
    best_first = {t: sorted(found.items(), key=lambda hit: -hit[1]) for t, found in pairs.items()}
    told = {t: {"hits": [{"hit": {"_id": d, "_score": v}} for d, v in found]} for t, found in best_first.items()}
    return bytes(dump({"metric_score": 0.5, "details": told}).encode())


def same(one: Any, other: Any, measures: list[str]) -> bool:
    """Return whether two tables are the same to the bit."""
    if one is None or other is None:
        return one is other
    heads = [(each.topics, each.systems) for each in (one, other)]
    values = [[each.scores(name).values.tobytes() for name in measures] for each in (one, other)]
    return heads[0] == heads[1] and values[0] == values[1]


def case(rng: random.Random) -> None:
    """Try one campaign."""
    qrels, pairs = draw_campaign(rng)
    texts = [trec_lines(qrels), trec_lines(pairs, "tag")]
    exact: list[Any] = [_fractions(qrels), {"tag": pairs}]
    for i, (grammar, plain) in enumerate(((3, plain_qrels), (4, plain_runs))):
        what = rng.random()
        if what < 0.15:
            texts[i], held = other_format(rng, (qrels, pairs)[i], ("grade", "score")[i])
            exact[i] = held if held is None else _fractions(held) if i == 0 else {"run": held}
            if rng.random() < 0.5:
                texts[i], exact[i] = damaged(rng, texts[i]), None
        elif what < 0.6:
            texts[i] = spoilt_lines(rng, texts[i], grammar) if what < 0.5 else damaged(rng, texts[i])
            try:
                exact[i] = plain(texts[i])
                exact[i] = False if exact[i] is None else exact[i]
            except Unclear:
                exact[i] = None
    try_files(rng, texts, exact, rng.sample(MEASURES, rng.choice((1, 2, 4))))


def _fractions(qrels: Pairs) -> dict[str, dict[str, Fraction]]:
    return {topic: {d: Fraction(grade) for d, grade in found.items()} for topic, found in qrels.items()}


def try_files(rng: random.Random, texts: list[bytes], exact: list[Any], measures: list[str]) -> None:
    """Try two files: judgments and runs.

    Parameters
    ----------
    rng
        Where the draws come from.
    texts
        What is in them.
    exact
        What a plain reader finds there; False where it finds an error, None where that is not known.
    measures
        The measures to ask for.
    """
    show(b"\n--- run\n".join(texts) + b"\n--- " + " ".join(measures).encode())
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name, text in zip(("qrels", "run"), texts, strict=True):
            ending, packed = rng.choice(list(PACKED.items())) if rng.random() < 0.2 else ("", bytes)
            data = packed(text)
            if ending and rng.random() < 0.1:
                data, exact = damaged(rng, data), [None, None]
            paths.append(Path(folder) / f"{name}{ending}")
            paths[-1].write_bytes(data)
        given = (str(paths[0]), str(paths[1]))
        found, complaint = table(*given, measures, True)
        other, other_complaint = table(*given, measures, False)
        if not same(found, other, measures) or complaint != other_complaint:
            raise Different(f"with loops in C: {complaint or 'a table'}; without: {other_complaint or 'another table'}")
        if found is None or None in exact:
            return
        if False in exact:
            raise Different(f"{'judgments' if exact[0] is False else 'runs'} are read that a plain reader refuses")
        check_definition(found, exact[0], exact[1], measures)
        check_peer(given, exact[0], exact[1], rng)


if __name__ == "__main__":
    run("campaigns", case)
