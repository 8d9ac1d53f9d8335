"""Files that evaluations of embedding models leave: predictions, which are runs, and means, which are none.

MTEB writes the documents of every query to `TASK_predictions.json` if it is given a `prediction_folder`, for each
subset and split of the task; sentence-transformers writes `…_predictions_cosine.jsonl` with `write_predictions=True`.
Their other files hold means over queries. Nothing can be tested with a mean, and nothing scored: they are refused, with
what to keep instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve

from measurand.display.wording import listed
from measurand.errors import InputError
from measurand.trec.column_names import TOPIC, place_of, plain
from measurand.trec.files import Content
from measurand.trec.run import Run

META = "mteb_model_meta"
"""The first key of MTEB's predictions: which model they are of."""

FIRST = 4096
"""So many bytes tell what a file is."""

MTEB_KEYS = (b'"mteb_version"', b'"task_name"')
"""What a result file of MTEB has among its first keys."""

MEANS_ONLY = "holds means over topics, and no rankings, judgments or scores of topics"
"""Why some files cannot be used."""


def instead_of_means(data: bytes) -> str | None:
    """Return what to use instead of a file that holds means alone, or None for any other file.

    Parameters
    ----------
    data
        What the file begins with.

    Examples
    --------
    >>> instead_of_means(b"epoch,steps,cosine-Accuracy@1,cosine-NDCG@10")
    'evaluate with write_predictions=True, and compare QRELS …_predictions_cosine.jsonl...'
    >>> instead_of_means(b"name,qid,measure,value") is None
    True
    """
    head = data[:FIRST].lstrip()
    header = head.partition(b"\n")[0].decode("utf-8", "replace").strip().split(",")
    if header[:2] == ["epoch", "steps"]:
        return "evaluate with write_predictions=True, and compare QRELS …_predictions_cosine.jsonl..."
    if header[0] == "name" and len(header) > 1 and not {"measure", "value"} & set(header) and not _has_topics(header):
        return "take perquery.csv, or the frame of pt.Experiment(…, perquery=True)"
    if head.startswith(b"{") and all(key in head for key in MTEB_KEYS):
        return "run mteb with prediction_folder=…, and compare QRELS TASK_predictions.json..."
    return None


def _has_topics(header: list[str]) -> bool:
    return place_of([plain(name) for name in header], TOPIC) is not None


def is_predictions(content: Content) -> bool:
    """Return whether a file is one of MTEB's predictions, by its first key.

    Parameters
    ----------
    content
        The file.
    """
    return content.head[:FIRST].lstrip(b"{ \r\n\t").startswith(f'"{META}"'.encode())


def read_predictions(content: Content) -> list[Run]:
    """Return the runs of a file of MTEB's predictions: one of the model, or one for each subset and split.

    Several are called `MODEL/SUBSET/SPLIT`.

    Parameters
    ----------
    content
        The file.

    Examples
    --------
    >>> data = b'{"mteb_model_meta": {"model_name": "bm25s"}, "default": {"test": {"q1": {"d1": 2.5}}}}'
    >>> [run.name for run in read_predictions(Content("NFCorpus_predictions.json", data))]
    ['bm25s']
    """
    import json

    from measurand.trec import frames
    from measurand.trec.formats.json_files import OBJECT, OBJECTS, TOO_DEEP, Twice, unique

    content.check_objects(OBJECTS, OBJECT)
    try:
        held = json.loads(content.data, object_pairs_hook=unique)
    except Twice as error:
        raise content.fail(None, f"{error} stands twice in one object; keep one") from None
    except RecursionError:
        raise content.fail(None, TOO_DEEP) from None
    except ValueError as error:
        raise content.fail(None, f"is no whole JSON file ({error}); write it again") from None
    meta = held.pop(META)
    model = str(meta.get("model_name") or "") if isinstance(meta, Mapping) else ""
    parts = [(subset, split, found) for subset, splits in held.items() for split, found in _splits(splits)]
    if not parts:
        raise content.fail(None, "holds no predictions; run mteb again with prediction_folder=…")
    runs = []
    for subset, split, found in parts:
        _check_scores(content, f"{subset}/{split}", found)
        called = model if len(parts) == 1 else "/".join(filter(None, (model, subset, split)))
        try:
            runs.append(evolve(frames.run_from_mapping(found), name=called))
        except InputError as error:
            raise content.fail(None, f"{subset}/{split}: {error}") from None
    return runs


def _splits(splits: Any) -> list[tuple[str, Any]]:
    return list(splits.items()) if isinstance(splits, Mapping) else []


def _check_scores(content: Content, part: str, found: Any) -> None:
    """Complain of predictions of another kind of task than retrieval."""
    if not isinstance(found, Mapping) or not all(isinstance(each, Mapping) for each in found.values()):
        kinds = listed(["retrieval", "reranking"])
        raise content.fail(None, f"{part} has no scores of documents by query; tasks of {kinds} have them")
