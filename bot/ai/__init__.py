"""House players, pure: a View goes in, an Action comes out."""
