"""Private panels on players' screens, as long as Discord permits edits."""
