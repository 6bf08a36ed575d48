"""How a database of an older version becomes one of this version; ``versions`` holds one file a step."""
