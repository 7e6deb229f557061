"""Checks on overlays, with the real tools and with scripted ones."""
