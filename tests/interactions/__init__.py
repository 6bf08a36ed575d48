"""The door: actions of users arrive once, and answers reach their owner alone."""
