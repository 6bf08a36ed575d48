"""Pictures for messages, drawn from what a Scene says: bytes of PNG and the same in words."""
