"""The section "Methods": how the numbers came about, ready to be reported, cited and repeated."""

from __future__ import annotations

from measurand.references import bibtex, citation
from measurand.report.method_paragraph import AS_LATEX, keys_of, method_paragraph, study_references
from measurand.report.page.plan_words import plan_words
from measurand.report.page.section import Section
from measurand.report.repeating import command, hindrance, in_python
from measurand.study.plan import versions
from measurand.study.study import Study

ASSUMED = (
    "All tests and intervals take the topics for a random sample of those one would like to speak of, independent of"
    " each other; the systems are taken as they are.",
    "The sign test assumes no more than that. The signed rank test assumes differences whose distribution is symmetric;"
    " the paired t test and its intervals, differences that are about normal or topics that are many; the two-way"
    " analysis of variance, effects of systems and topics that add up and one spread for all.",
    "p-values are corrected within a measure, not across measures: who looks at many measures and reports the one that"
    " is significant has to correct for that as well.",
    "Whether averages of measures on an ordinal scale mean anything is debated. This page does not take sides: it marks"
    " such averages, says which comparisons no permissible rescaling can turn round, and shows interval-scaled values"
    " beside raw ones.",
)
"""What the numbers of a study rest on."""


def section(study: Study) -> Section:
    """Return the section: paragraph, references, repetition, options, versions."""
    references = study_references(study)
    keys = keys_of(references)
    return Section(
        name="methods",
        title="Methods",
        content={
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
            "assumed": ASSUMED if len(study.systems) > 1 else (),
        },
    )
