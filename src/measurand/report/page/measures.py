"""The section "Measures": how alike they are, what each of them is and does, and how rarely they tie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from measurand.axioms import AXIOMS
from measurand.display.wording import percent
from measurand.report.page.correlations import heat_maps, ordinal, selves, step, told
from measurand.report.page.profile_views import HEADS, ProfileView
from measurand.report.page.section import Section
from measurand.study.profile import LATTICES
from measurand.study.study import Study


def section(study: Study) -> Section:
    """Return the section."""
    views = [ProfileView(place, name, found) for place, (name, found) in enumerate(study.profiles.items())]
    figures = {view.name: view.figures() for view in views}
    content = {
        "measures": list(study.measures),
        "systems": len(study.systems),
        "correlations": _correlations(study),
        "heads": [HEADS[name] for name in AXIOMS],
        "statements": [(HEADS[name], said) for name, said in AXIOMS.items()],
        "lattices": LATTICES,
        "space": _space(study),
        "profiles": [(view, _scale(study, view.name), figures[view.name]) for view in views],
        "unanimity": _unanimity(study),
    }
    charts = {name: chart for several in figures.values() for name, _, chart in several}
    return Section(name="measures", title="Measures", content=content, charts=charts)


def _correlations(study: Study) -> Mapping[str, Any] | None:
    """Return how alike the measures rank the systems, if there are enough of them: tau of two is 1 or -1."""
    if len(study.systems) < 3:
        return None
    several = len(study.measures) > 1
    return {
        "maps": heat_maps(study) if several else [],
        "told": told(study) if several else [],
        "selves": selves(study),
        "ordinal": ordinal(study),
        "step": step(len(study.systems)),
    }


def _space(study: Study) -> str:
    """Return what runs measures were examined on, if these are the same for all."""
    spaces = {str(profile.space) for profile in study.profiles.values()}
    return spaces.pop() if len(spaces) == 1 else ""


def _scale(study: Study, name: str) -> str:
    """Return the scale that the scores are on, as far as is shown."""
    scores = study.scores(name)
    return f"{scores.scale_label}" + ("" if scores.one_scale else ", another on each topic")


def _unanimity(study: Study) -> Mapping[str, Any] | None:
    """Return how often measures tie where all agree, if there is anything to agree on."""
    table = study.unanimity
    if table is None:
        return None
    found = table.unanimity
    return {
        "rows": [
            (
                row.measure,
                row.found.value,
                None if row.found.tie_rate is None else float(row.found.tie_rate),
                row.found.tied,
            )
            for row in table
        ],
        "pairs": found.pairs,
        "unanimous": found.unanimous,
        "share": percent(found.unanimous / found.pairs) if found.pairs else "–",
        "decided_on": table.decided_on,
        "told_apart": table.told_apart,
        "caveats": [caveat for caveat in table.caveats if caveat not in study.caveats],
    }
