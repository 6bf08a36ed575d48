"""The door: from an interaction to an answer. Acknowledge, guard, refuse, answer; one visit a click."""
