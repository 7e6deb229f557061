"""What models are told: one file a text, and nothing of it anywhere else. Texts that are called `system` have no gaps."""
