"""The migrations of the database to this version's schema.

``versions`` holds a file per step.
"""
