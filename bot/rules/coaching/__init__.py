"""Lessons: prepared first hands with a coach.

Their data, and the moments at which the coach has something to say.
"""
