; What is no token of its own: skipped, or kept byte for byte.
[(comment) (line_continuation)] @skipped
(string) @literal
