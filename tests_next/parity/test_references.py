from __future__ import annotations

from measurand import references as old
from measurand_next import references


def test_the_bibliography_is_the_same():
    assert references.bibliography().keys() == old.bibliography().keys()
    for key, entry in old.bibliography().items():
        here, there = (package.citation(key) for package in (references, old))
        if key in {"VanRijsbergen1979", "DelBarrioCuestaMatran2018", "Azzopardi2019"}:
            # names have their particles, titles no marks of LaTeX
            here, there = here.replace("van ", "").replace("del ", ""), there.replace("\\", "")
        assert here == there
        assert references.bibliography()[key].partition("@")[2] == entry.partition("@")[2]
