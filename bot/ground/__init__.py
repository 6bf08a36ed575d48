"""What everybody names: chairs, deadlines, habits, results. Plain values; they know nothing of the house above."""
