"""From an interaction to a reply: acknowledge, guard, refuse, answer; one visit per click."""
