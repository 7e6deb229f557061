"""One file per method: convert, call, convert. `table.py` lists them."""
