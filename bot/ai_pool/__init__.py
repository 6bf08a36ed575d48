"""Worker processes that decide for house players, and what happens when one dies."""
