"""The section "Methods": how the numbers came about, with all options in words, ready to be cited and repeated."""

from __future__ import annotations

from collections.abc import Iterator

from measurand.calls import Default
from measurand.display.wording import counted
from measurand.errors import CaveatKind
from measurand.references import bibtex, citation
from measurand.report.method_paragraph import (
    AS_LATEX,
    CORRECTION,
    keys_of,
    method_paragraph,
    order_of_ties,
    study_references,
)
from measurand.report.page.section import Section
from measurand.report.repeating import command, hindrance, in_python, usual_measures
from measurand.scale import Scale
from measurand.statistics import find_test, need_of
from measurand.study.comparison_settings import AUTO, DRAWN
from measurand.study.plan import Plan, versions
from measurand.study.scale_paragraphs import averages_word
from measurand.study.study import Study


def plan_words(study: Study) -> list[tuple[str, str]]:
    """Return every option of a study with what it was set to, in words."""
    return [*_of_reading(study), *_of_comparing(study.plan), *_of_extent(study.plan), ("Seed", seed_words(study))]


def _of_reading(study: Study) -> Iterator[tuple[str, str]]:
    plan, topics = study.plan, counted(len(study.topics), "topic")
    usual = " (those taken if nothing is said)" if usual_measures(plan) else ""
    yield "Title", plan.title or "none given"
    yield "Measures", f"{', '.join((*plan.measures, *plan.described))}{usual}"
    yield "Primary measure", f"{next(iter(plan.measures))}: claims are made for it, the others are further looks"
    yield "Topics", f"all that were judged, {topics}" if plan.topics is None else f"{', '.join(plan.topics)}: {topics}"
    given = "none given" if not study.queries else "given in memory"
    yield "Texts of topics", plan.queries or given
    yield (
        "Depth",
        f"all {counted(study.judged.depth, 'rank')}" if plan.depth is None else f"the first {plan.depth:,} ranks",
    )
    ratio = study.judged.grade_scale is Scale.RATIO
    if study.judged.grade_counts.shape[1] > 2:
        yield "Grades", "numbers, of which 2 is worth twice 1" if ratio else "ordered: what each is worth is not known"
    by_file = plan.names == "file" or any(caveat.kind is CaveatKind.NAMES for caveat in study.judged.caveats)
    yield "Names of systems", "the names of the run files" if by_file else "the tags in the run files"
    precise = "as doubles" if plan.precision == "double" else "as 32-bit floats, like trec_eval before 10"
    yield "Scores of documents", f"compared {precise}"
    yield "Documents of equal score", order_of_ties(study)
    left_out = f"they are left out of a system's {averages_word(study.raw.results)}"
    zero = plan.missing_topics == "zero"
    yield "Topics that a system left out", "they count as empty results" if zero else left_out


def _of_comparing(plan: Plan) -> Iterator[tuple[str, str]]:
    auto = "the one that fits the scale: paired t test where it admits means over topics, sign test elsewhere"
    replaced = plan.strict and isinstance(plan.test, Default)
    yield "Test", auto if replaced or plan.test == AUTO else need_of(find_test(plan.test)).statistic
    instead = "replaced by what it admits, and refused if it was asked for by name"
    yield "What a scale does not admit", instead if plan.strict else "computed all the same, and said"
    over = "all pairs of systems" if plan.baseline is None else "the pairs with the baseline"
    corrected = f"by {CORRECTION[plan.adjust]}, over {over} under one measure" if plan.adjust != "none" else "none"
    yield "Correction of p-values", f"{corrected}; tests with a correction of their own (Tukey's) keep that"
    yield "Level of significance", f"{plan.alpha:g}, two-sided"
    yield "Baseline", plan.baseline or "none: every two systems are compared"


def _of_extent(plan: Plan) -> Iterator[tuple[str, str]]:
    yield "Pairs with claims", f"{plan.top} under each measure" if plan.baseline is None else "all with the baseline"
    yield "Interval scales", "asked for" if plan.interval else "not asked for"
    yield "Fusion", "asked for" if plan.fuse else "not asked for"


def seed_words(study: Study) -> str:
    """Return what the seed was used for.

    Examples
    --------
    >>> import measurand as md
    >>> seed_words(md.Study.from_files(md.sample.qrels(), md.sample.runs()[:1], "P@10", seed=7))
    '7; no test of this study drew lots, so it changed nothing'
    """
    drawing = {
        result.pairs.needs.statistic
        for comparison in filter(None, (study.raw, study.ranked))
        for result in comparison.results
        if result.pairs.test in DRAWN and len(study.systems) > 1
    }
    if not drawing:
        return f"{study.plan.seed}; no test of this study drew lots, so it changed nothing"
    return f"{study.plan.seed}, for the {' and the '.join(sorted(drawing))}, which draws lots"


ABOUT_TOPICS = (
    "All tests and intervals take the topics for a random sample of those one would like to speak of, independent of"
    " each other; the systems are taken as they are."
)

SIGN = "The sign test assumes no more than that."

OTHER_TESTS = (
    "The signed rank test assumes differences whose distribution is symmetric; the paired t test and its intervals,"
    " differences that are about normal or topics that are many; the two-way analysis of variance, effects of systems"
    " and topics that add up and one spread for all."
)

ABOUT_MEASURES = (
    "p-values are corrected within a measure, not across measures: who looks at many measures and reports the one that"
    " is significant has to correct for that as well."
)

DEBATED = "Whether averages of measures on an ordinal scale mean anything is debated."

BY_MEANS = (
    "This page does not take sides: it orders systems by their means, as most papers do, and says beside each pair how"
    " uneven another spacing of the scale, one for all topics, would have to be to change the order (κ)."
)

STRICTLY = "This page keeps to what each scale admits."


def assumed(study: Study) -> tuple[str, ...]:
    """Return what the numbers of a study rest on."""
    tests = SIGN if {test for _, _, test in study.tests} == {"sign"} else f"{SIGN} {OTHER_TESTS}"
    side = STRICTLY if study.plan.strict else BY_MEANS
    return ABOUT_TOPICS, tests, ABOUT_MEASURES, f"{DEBATED} {side}"


TOLD = ("lead", "clear", "additive", "other_measures")
"""The lines of a conclusion that a paper wants."""


def result_paragraph(study: Study) -> str:
    """Return what was found, in the sentences of the conclusion; nothing for a single system.

    Parameters
    ----------
    study
        The study.
    """
    if len(study.systems) < 2:
        return ""
    conclusion = study.conclusion
    return " ".join([conclusion.headline, *(str(line) for line in conclusion.lines if line.about in TOLD)])


def section(study: Study) -> Section:
    """Return the section: paragraph, references, repetition, options, versions."""
    references = study_references(study)
    keys = keys_of(references)
    return Section(
        name="methods",
        title="How was it done?",
        hint="for your paper: method paragraph, BibTeX, the command that repeats this",
        content={
            "result": result_paragraph(study),
            "paragraph": method_paragraph(study),
            "latex": method_paragraph(study, AS_LATEX),
            "references": [(thing, [citation(key) for key in several]) for thing, several in references.items()],
            "bibtex": bibtex(keys),
            "entries": len(keys),
            "command": command(study),
            "hindrance": hindrance(study),
            "python": in_python(study),
            "options": plan_words(study),
            "versions": versions(),
            "assumed": assumed(study) if len(study.systems) > 1 else (),
        },
    )
