"""Processes that choose the moves of house players, and recovery after their death."""
