"""Processes to choose the moves of house players, and recovery after the death of a process."""
