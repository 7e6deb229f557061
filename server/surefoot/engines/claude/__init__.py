"""A model that plans and edits, held to exact text, planned files and a known list of sites."""
