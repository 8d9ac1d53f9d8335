"""What is cited for what is no measure, no test and no fusion."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

STATISTICS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "kendall": ("Kendall1945",),
        "tau_ap": ("Yilmaz2008", "UrbanoMarrero2017"),
        "holm": ("Holm1979",),
        "bh": ("BenjaminiHochberg1995",),
        "cohens_d": ("Cohen1988",),
        "cliffs_delta": ("Cliff1993",),
        "rank_biserial": ("Kerby2014",),
        "letters": ("Piepho2004", "Gramm2007"),
        "interval": ("FerranteFerroFuhr2021",),
        "scale_effect": ("FerranteFerroFuhr2021",),
        "esl": ("Cooper1968", "BollmannRaghavan1988"),
        "ties": ("McSherryNajork2008",),
        "dominance": ("FerranteFerroMaistro2015",),
        "meaning": ("Adams1965", "FerranteFerroFuhr2021"),
        "unanimity": ("Amigo2018",),
    }
)
"""The keys of what is cited, by what `measurand cite` calls it."""
