"""The append-only record that is the run: SQLite rows and run locks."""
