"""House players, pure: a View goes in, an Action comes out.

The entrance is `choose` in `bot/ai/levels.py`.
"""
