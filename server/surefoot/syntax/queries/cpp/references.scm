(call_expression function: (template_function name: (identifier) @call))
(call_expression function: (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)
  (qualified_identifier name: [(identifier) @call (template_function name: (identifier) @call)])]))
(call_expression function: (field_expression field: (template_method name: (field_identifier) @call)))
(field_expression argument: (_) @receiver field: (template_method name: (field_identifier) @member))
(field_expression argument: (_) @receiver field: (qualified_identifier name: (identifier) @member))

(qualified_identifier scope: (_) @receiver name: [(identifier) @member (type_identifier) @member
  (template_function name: (identifier) @member) (template_type name: (type_identifier) @member) (destructor_name (identifier) @member)])
(qualified_identifier scope: (_) @receiver name: (qualified_identifier scope: [(namespace_identifier) @member (template_type name: (type_identifier) @member)]))
(new_expression type: (type_identifier) @call)
(field_initializer (field_identifier) @slot)
(using_declaration (qualified_identifier scope: (_) @receiver name: (identifier) @member))
(qualified_identifier !scope name: [(identifier) @rooted (type_identifier) @rooted (template_function name: (identifier) @rooted)])
