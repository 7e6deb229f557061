"""What people read about a run, rendered from events alone."""
