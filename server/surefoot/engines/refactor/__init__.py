"""Deterministic engines: one verb, one family of files; they are sure or they refuse."""
