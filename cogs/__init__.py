"""What people can do: one module for each thing a person wants to do.

A cog finds the table, calls it, answers.
"""
