"""Tables: one shell around pure decisions, house players, the clock and the registry.

asyncio; no Discord, no SQL.
"""
