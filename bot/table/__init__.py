"""Tables: one shell around pure decisions, house players, the clock and the registry.

Uses asyncio, but neither Discord nor SQL.
"""
