"""Where a symbol is: parse trees, outlines, resolution, sites and the ledger. The only folder that knows tree-sitter."""
