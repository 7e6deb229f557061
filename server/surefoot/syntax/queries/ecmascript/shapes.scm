; What is no token of its own: skipped, or kept byte for byte.
(comment) @skipped
[(string) (template_string) (regex)] @literal
