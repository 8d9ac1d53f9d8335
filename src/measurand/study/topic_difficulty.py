"""The difficulty of topics, predicted without judgments: by how much the runs of a topic contradict each other.

The entropy of some runs is low where they agree and high where they do not. That hard topics are those on which systems
disagree is a conjecture, so all of this is exploratory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from attrs import frozen

from measurand.arrays import FloatArray
from measurand.calls import explains_calls
from measurand.display.result import Result
from measurand.display.tables import Column, Document, Paragraph, Part, TableView, valued
from measurand.display.wording import counted, number
from measurand.errors import Caveat, CaveatKind, InputError, about_data
from measurand.exact import whole_number
from measurand.execution import Progress, check_progress, silent
from measurand.information import Signals, entropy
from measurand.judged import judge
from measurand.measures import Measure, parse
from measurand.scores import Scores
from measurand.statistics import Correlation, kendall
from measurand.trec import Names, Qrels, QrelsLike, Run, RunsLike, iterate_runs, read_qrels
from measurand.trec.sources import check_qrels, check_runs

if TYPE_CHECKING:
    from measurand.display.charts import Chart, Figure

DEPTH = 100
"""So many documents of each run are looked at."""

EXPLORATORY = Caveat(
    CaveatKind.ASSUMPTION,
    "exploratory: that topics are hard where runs disagree is a conjecture; docs/how-to/without-judgments.md says how"
    " far it held on four campaigns",
)
"""What is known of the prediction."""

USAGE = 'call topic_difficulty(["a.run", "b.run", "c.run"], "qrels.txt")'
"""How to call it."""


@frozen(kw_only=True, eq=False, repr=False)
class TopicDifficulty(Result):
    """The entropy of the runs on each topic, as a prediction of how hard the topic is; exploratory.

    Parameters
    ----------
    topics : tuple of str
        The topics.
    entropy : array of float
        The entropy of the runs on each, over the documents that they retrieve: the higher, the harder, so it is said.
    documents : array of int
        How many different documents the runs retrieve for each topic.
    runs : array of int
        How many runs retrieve anything for it.
    depth : int
        How many documents of each run were looked at.
    measure : str
        The measure whose mean says how hard a topic is in truth.
    effectiveness : array of float or None
        That mean over all systems, for each topic; NaN for topics without judgments, None without any.
    lower_is_better : bool
        Whether a low mean is that of an easy topic, as for search lengths.
    caveats : tuple of Caveat
        What a reader should know.
    """

    topics: tuple[str, ...]
    entropy: FloatArray
    documents: FloatArray
    runs: FloatArray
    depth: int
    measure: str
    effectiveness: FloatArray | None
    lower_is_better: bool
    caveats: tuple[Caveat, ...]

    def __repr__(self) -> str:
        tau = "" if self.effectiveness is None else f", tau {self.tau:.2f} with {self._hard}"
        return f"<TopicDifficulty of {counted(len(self.topics), 'topic')} (exploratory){tau}>"

    def __getitem__(self, topic: str) -> float:
        if topic not in self.topics:
            raise InputError(f"no run retrieves anything for topic {topic}")
        return float(self.entropy[self.topics.index(topic)])

    @property
    def tau(self) -> Correlation:
        """Kendall's tau between the entropy and the difficulty in truth: a low mean of the measure over systems.

        For measures of which lower values are better, a high one.
        """
        return self._against(self.entropy)

    @property
    def tau_of_documents(self) -> Correlation:
        """The same for the number of different documents, which is simpler and may do as well."""
        return self._against(self.documents)

    @property
    def _hard(self) -> str:
        """What a hard topic has."""
        return f"{'high' if self.lower_is_better else 'low'} {self.measure}"

    def _against(self, predicted: FloatArray) -> Correlation:
        if self.effectiveness is None:
            raise InputError("there are no judgments to compare with; say qrels=…")
        known = ~np.isnan(self.effectiveness)
        harder = self.effectiveness[known] if self.lower_is_better else -self.effectiveness[known]
        return kendall(predicted[known].tolist(), harder.tolist())

    @property
    def hardest_first(self) -> tuple[str, ...]:
        """The topics, that with the highest entropy first; topics of equal entropy in the order of the runs."""
        return tuple(self.topics[place] for place in self._order)

    @property
    def _order(self) -> list[int]:
        return list(map(int, np.argsort(-self.entropy, kind="stable")))

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for every topic, hardest first as predicted."""
        return [
            {
                "topic": self.topics[at],
                "entropy": float(self.entropy[at]),
                "documents": int(self.documents[at]),
                "runs": int(self.runs[at]),
                **({} if self.effectiveness is None else {"effectiveness": self._effectiveness(at)}),
            }
            for at in self._order
        ]

    def _effectiveness(self, at: int) -> float | None:
        value = np.nan if self.effectiveness is None else float(self.effectiveness[at])
        return None if np.isnan(value) else value

    def view(self) -> TableView:
        """Return the table of topics, hardest first as predicted."""
        columns = [
            Column("topic", "topic", left=True, value="topic"),
            valued("entropy", "entropy", number),
            valued("documents", "documents", number),
            valued("runs", "runs", number),
        ]
        if self.effectiveness is not None:
            columns.append(valued(f"mean {self.measure}", "effectiveness", number, key="effectiveness"))
        title = f"{counted(len(self.topics), 'topic')}, hardest first as predicted by the entropy of the runs"
        names = ("topic", "entropy", "documents", "runs", *(() if self.effectiveness is None else ("effectiveness",)))
        kinds = {"topic": str, "entropy": float, "documents": int, "runs": int, "effectiveness": float}
        return TableView(columns, self.rows(), title=title, fields={name: kinds[name] for name in names})

    def document(self) -> Document:
        """Return the topics, hardest first as predicted, and how well the prediction did."""
        said = (
            f"Entropy: of the first {self.depth} documents of the runs, over the documents that they retrieve for the"
            " topic; the higher, the more the runs contradict each other."
        )
        parts: list[Part] = [self.view(), "", Paragraph(said, "faint")]
        if self.effectiveness is not None:
            known = int((~np.isnan(self.effectiveness)).sum())
            compared = (
                f"On {counted(known, 'topic')} with judgments, τ = {self.tau:.2f} between entropy and {self._hard} on"
                f" average over systems; for the number of documents τ = {self.tau_of_documents:.2f}."
            )
            parts.append(Paragraph(compared))
        return Document(parts, self.caveats)

    def to_dict(self) -> dict[str, Any]:
        """Return a row for every topic, and the correlations, ready for JSON."""
        known = self.effectiveness is not None
        taus = {"tau": self.tau, "tau_of_documents": self.tau_of_documents} if known else {}
        return {
            "exploratory": True,
            "depth": self.depth,
            "measure": self.measure,
            **{name: None if np.isnan(tau) else float(tau) for name, tau in taus.items()},
            "topics": self.rows(),
            "caveats": [caveat.to_dict() for caveat in self.caveats],
        }

    def plot(self) -> Figure:
        """Return the drawing: a dot for every topic, its entropy against the mean of the measure over systems.

        Without judgments, against the number of different documents.

        Examples
        --------
        >>> runs = [{"1": {"x": 2.0, "y": 1.0}, "2": {"x": 1.0}}, {"1": {"y": 2.0, "x": 1.0}, "2": {"x": 1.0}}]
        >>> topic_difficulty(dict(zip("ab", runs))).plot()
        Figure('Entropy of the runs and number of different documents on 2 topics.')
        """
        from measurand.display.charts import Figure

        return Figure(_chart(self))


@explains_calls
def topic_difficulty(
    runs: RunsLike,
    qrels: QrelsLike | None = None,
    measure: Measure | str = "AP",
    *,
    depth: int = DEPTH,
    names: Names = "auto",
    progress: Progress = silent,
) -> TopicDifficulty:
    """Return the entropy of the runs on each topic, as a prediction of how hard the topic is; exploratory.

    Runs that agree have little entropy together, and runs that contradict each other much. With judgments, the
    prediction is compared with the mean score of all systems on each topic.

    Parameters
    ----------
    runs : path, open file, frame, dict, Run, or several
        At least two runs, in any form that `read_runs` accepts.
    qrels : path, open file, frame, dict or Qrels, optional
        Judgments, to see how good the prediction is.
    measure : Measure or str, default "AP"
        The measure whose mean over systems says how hard a topic is in truth.
    depth : int, default 100
        How many documents of each run are looked at, in trec_eval's order.
    names : {"auto", "tag", "file"}
        What runs are called by, as for `read_runs`.
    progress : callable, optional
        Shows progress: a function of an iterable, its length and a word for its items that returns the iterable.

    Examples
    --------
    >>> runs = [{"1": {"x": 2.0, "y": 1.0}, "2": {"x": 2.0, "y": 1.0}}, {"1": {"y": 2.0, "x": 1.0}, "2": {"x": 1.0}}]
    >>> found = topic_difficulty(dict(zip("ab", runs)))
    >>> found.hardest_first, round(found["1"], 4), round(found["2"], 4)
    (('1', '2'), 0.6931, 0.3466)

    References
    ----------
    [Amigo2018]_, definition 3.3 and section 7
    """
    check_progress(progress)
    check_runs(runs, USAGE)
    depth = whole_number("depth, the number of documents that are looked at,", depth)
    wanted = parse(measure)
    if qrels is not None:
        check_qrels(qrels, USAGE)
        qrels = read_qrels(qrels)
    read = list(progress(iterate_runs(runs, names=names), None, "reading runs"))
    if len(read) < 2:
        raise InputError("there is 1 run, and it takes two to disagree")
    cut = _by_topic([run.down_to(depth) for run in read])
    judged = None if qrels is None else _scores(read, qrels, wanted, tuple(cut))
    signals = [Signals.of(rankings) for rankings in cut.values()]
    entropies = [entropy(each) for each in progress(signals, len(signals), "entropy of each topic")]
    return TopicDifficulty(
        topics=tuple(cut),
        # topics whose entropies differ by rounding alone tie
        entropy=np.round(entropies, 12),
        documents=np.array([len(each.documents) for each in signals]),
        runs=np.array([len(each) for each in signals]),
        depth=depth,
        measure=repr(wanted),
        effectiveness=None if judged is None else _effectiveness(judged, tuple(cut)),
        lower_is_better=wanted.lower_is_better,
        caveats=(EXPLORATORY, *(() if judged is None else about_data(judged.caveats))),
    )


def _by_topic(runs: Sequence[Run]) -> Mapping[str, dict[str, dict[str, float]]]:
    """Return by topic the scores of documents by run, for the runs that retrieve something."""
    found: dict[str, dict[str, dict[str, float]]] = {}
    for run in runs:
        names, scores, bounds = list(run.documents), run.document_scores.tolist(), run.bounds.tolist()
        for place, topic in enumerate(run.topics):
            rows = slice(bounds[place], bounds[place + 1])
            if rows.stop > rows.start:
                # only the order counts, and documents that a run leaves out stand below all that it has
                level = {score: height for height, score in enumerate(sorted(set(scores[rows])), 1)}
                pairs = zip(names[rows], scores[rows], strict=True)
                found.setdefault(topic, {})[run.name] = {name: level[score] for name, score in pairs}
    if not found:
        raise InputError("the runs retrieve nothing for any topic")
    return found


def _scores(runs: Sequence[Run], qrels: Qrels, measure: Measure, topics: tuple[str, ...]) -> Scores:
    """Return the scores of all systems on the topics that have judgments."""
    known = set(qrels.topics)
    shared = [topic for topic in topics if topic in known]
    if not shared:
        raise InputError("the judgments have no topic of the runs; are these files of one campaign?")
    return measure.scores(judge(runs, qrels.on_topics(shared), documents=False))


def _effectiveness(scores: Scores, topics: tuple[str, ...]) -> FloatArray:
    """Return the mean score of all systems on each topic; NaN without judgments."""
    means = dict(zip(scores.topics, scores.values.mean(axis=0).tolist(), strict=True))
    return np.array([means.get(topic, np.nan) for topic in topics])


def _chart(found: TopicDifficulty) -> Chart:
    from measurand.display.charts import ACCENT, styled

    judged = found.effectiveness is not None
    other = f"mean {found.measure} over systems" if judged else "different documents"
    key = "effectiveness" if judged else "documents"
    rows = [row for row in found.rows() if row[key] is not None]
    what = f"mean {found.measure}" if judged else "number of different documents"
    subtitle = [f"a dot for every topic; first {found.depth} documents of each run"]
    if judged:
        subtitle.append(f"τ = {found.tau:.2f} between entropy and {found._hard}")
    tooltip = [{"field": "topic"}, {"field": "entropy", "format": ".3f"}, {"field": key, "title": other}]
    content = {
        "title": {"text": "Entropy of the runs and difficulty of topics (exploratory)", "subtitle": subtitle},
        "width": 460,
        "height": 320,
        "data": {"values": rows},
        "mark": {"type": "circle", "color": ACCENT, "opacity": 0.6, "size": 60},
        "encoding": {
            "x": {"field": "entropy", "type": "quantitative", "title": "entropy", "scale": {"zero": False}},
            "y": {"field": key, "type": "quantitative", "title": other, "scale": {"zero": judged}},
            "tooltip": tooltip,
        },
    }
    return styled(f"Entropy of the runs and {what} on {counted(len(rows), 'topic')}.", content)
