"""Surefoot changes code one checked step at a time."""

__version__ = "0.1.0"
