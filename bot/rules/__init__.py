"""The rules of the games, pure: they have never heard of Discord, SQL, a clock or asyncio."""
