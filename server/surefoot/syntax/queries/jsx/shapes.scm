; Text between tags: its line breaks and the indentation around them mean nothing.
(jsx_text) @markup
