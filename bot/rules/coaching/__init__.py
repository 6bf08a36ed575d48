"""Lessons: the data of prepared first hands, and the moments at which the coach speaks."""
