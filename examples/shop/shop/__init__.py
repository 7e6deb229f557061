"""The warehouse: what is on the shelf, and what is promised to customers."""
