"""The figures of profiles."""

from __future__ import annotations

from measurand.charts import Chart
from measurand.profiles import Profile


def profile_figure(profile: Profile) -> Chart:
    """Return the figure of a profile: its image beside an equally spaced scale, and its balancing curve.

    Examples
    --------
    >>> from measurand.profiles import profile
    >>> [panel["title"]["text"] for panel in profile_figure(profile("RR", depth=4))["hconcat"]]
    ['RR: 5 values on 16 runs', 'Balancing index']
    """
    return profile.plot().to_dict()
