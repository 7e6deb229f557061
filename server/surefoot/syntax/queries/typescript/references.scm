(type_identifier) @type
(type_query (identifier) @type)
(extends_clause value: (identifier) @type)
(nested_type_identifier module: (_) @receiver name: (_) @member)
(nested_identifier object: (_) @receiver property: (_) @member)
