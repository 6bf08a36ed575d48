"""The SQL by topic: each repository declares its queries once."""
