"""Compilers, type checkers and linters over texts that are on nobody's disk yet, and what they say together."""
