"""The product: the loop over one run, its phases, delivery, and the background flow; effects through ports."""
