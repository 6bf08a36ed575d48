"""The time zones of states and provinces, by name and postal code.

Covers the United States, Canada and Australia.

The table of places has countries and cities, but only few states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

# A zone with each clock, and its states: the postal code, then the name. A state with two clocks is listed twice.
STATES: Final[Mapping[str, str]] = {
    "America/New_York": (
        "ct connecticut, de delaware, fl florida, ga georgia, in indiana, ky kentucky, me maine, md maryland, "
        "ma massachusetts, mi michigan, nh new hampshire, nj new jersey, ny new york, nc north carolina, oh ohio, "
        "pa pennsylvania, ri rhode island, sc south carolina, tn tennessee, vt vermont, va virginia, "
        "wv west virginia, dc district of columbia"
    ),
    "America/Chicago": (
        "al alabama, ar arkansas, fl florida, il illinois, in indiana, ia iowa, ks kansas, ky kentucky, la louisiana, "
        "mi michigan, mn minnesota, ms mississippi, mo missouri, ne nebraska, nd north dakota, ok oklahoma, "
        "sd south dakota, tn tennessee, tx texas, wi wisconsin"
    ),
    "America/Denver": (
        "co colorado, id idaho, ks kansas, mt montana, ne nebraska, nm new mexico, nd north dakota, or oregon, "
        "sd south dakota, tx texas, ut utah, wy wyoming"
    ),
    "America/Los_Angeles": "ca california, id idaho, nv nevada, or oregon, wa washington",
    "America/Phoenix": "az arizona",
    "America/Anchorage": "ak alaska",
    "Pacific/Honolulu": "hi hawaii",
    "America/Vancouver": "bc british columbia",
    "America/Edmonton": "ab alberta",
    "America/Regina": "sk saskatchewan",
    "America/Winnipeg": "mb manitoba, on ontario",
    "America/Toronto": "on ontario, qc quebec",
    "America/Halifax": "nb new brunswick, ns nova scotia, pe prince edward island",
    "America/St_Johns": "nl newfoundland and labrador",
    "Australia/Sydney": "nsw new south wales, act australian capital territory",
    "Australia/Melbourne": "vic victoria",
    "Australia/Hobart": "tas tasmania",
    "Australia/Brisbane": "qld queensland",
    "Australia/Adelaide": "sa south australia",
    "Australia/Darwin": "nt northern territory",
    "Australia/Perth": "wa western australia",
}


@cache
def zones_of_states() -> Mapping[str, Sequence[str]]:
    """Return the zones of each state, by its folded postal code and by its folded name."""
    zones = dict[str, list[str]]()
    for zone, states in STATES.items():
        for state in states.split(", "):
            code, _, name = state.partition(" ")
            for called in (code, name):
                zones.setdefault(called, []).append(zone)
    return zones
