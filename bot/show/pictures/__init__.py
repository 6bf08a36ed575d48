"""Pictures for messages, drawn from a Scene: PNG bytes, and the same content in words."""
