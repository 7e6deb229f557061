"""What models answer, from the bytes of a provider to values."""
