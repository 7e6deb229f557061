(call_expression function: (identifier) @call)
(call_expression function: (member_expression property: (_) @call))
(new_expression constructor: (identifier) @call)
(new_expression constructor: (member_expression property: (_) @call))
(decorator (identifier) @decorator)
(decorator (member_expression property: (_) @decorator))
(decorator (call_expression function: (identifier) @decorator))
(decorator (call_expression function: (member_expression property: (_) @decorator)))

(member_expression object: (_) @receiver property: (_) @member)
(subscript_expression object: (_) @receiver index: (string (string_fragment) @named))
(pair key: (property_identifier) @key)
(pair_pattern key: (property_identifier) @key)
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @member)) value: (_) @receiver)
(shorthand_property_identifier) @shorthand
(statement_identifier) @label
