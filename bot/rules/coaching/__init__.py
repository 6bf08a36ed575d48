"""Lessons: prepared first hands with a coach: their data, and the moments at which the coach has something to say."""
