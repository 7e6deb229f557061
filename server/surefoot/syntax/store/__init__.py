"""Facts of files that were seen before, on disk: a cache that may be thrown away at any time."""
