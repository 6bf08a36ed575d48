"""House players, pure: a View goes in, an Action comes out.

The entrance is `house_action` in `bot/ai/levels.py`.
"""
