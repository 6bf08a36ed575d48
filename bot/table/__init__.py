"""Tables: seats, clocks, who may act when, and what happens if nobody does. asyncio, no Discord, no SQL."""
