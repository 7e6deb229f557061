(invocation_expression function: [(identifier) @call (generic_name . (identifier) @call)
  (member_access_expression name: [(identifier) @call (generic_name . (identifier) @call)])
  (conditional_access_expression (member_binding_expression name: [(identifier) @call (generic_name . (identifier) @call)]))])
(object_creation_expression type: [(identifier) @call (generic_name . (identifier) @call)
  (qualified_name name: [(identifier) @call (generic_name . (identifier) @call)])])
(primary_constructor_base_type type: [(identifier) @call (generic_name . (identifier) @call)])

(member_access_expression expression: _ @receiver name: [(identifier) @member (generic_name . (identifier) @member)])
(qualified_name qualifier: (_) @receiver name: [(identifier) @member (generic_name . (identifier) @member)])
(member_binding_expression name: [(identifier) @member (generic_name . (identifier) @member)])
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: [(identifier) @member (generic_name . (identifier) @member)]))

(_ type: [(qualified_name name: [(identifier) @type (generic_name . (identifier) @type)]) (identifier) @type (generic_name . (identifier) @type)])
(_ returns: [(qualified_name name: [(identifier) @type (generic_name . (identifier) @type)]) (identifier) @type (generic_name . (identifier) @type)])
(base_list [(qualified_name name: [(identifier) @type (generic_name . (identifier) @type)]) (identifier) @type (generic_name . (identifier) @type)])
(type_argument_list [(qualified_name name: [(identifier) @type (generic_name . (identifier) @type)]) (identifier) @type (generic_name . (identifier) @type)])
(explicit_interface_specifier [(identifier) @type (generic_name . (identifier) @type)])
(attribute name: [(identifier) @decorator (generic_name . (identifier) @decorator) (qualified_name name: (identifier) @decorator)])

; Members that are set or asked for by name alone.
(initializer_expression (assignment_expression left: (identifier) @field))
(object_creation_expression type: (_) @receiver initializer: (initializer_expression (assignment_expression left: (identifier) @field)))
(variable_declaration type: (_) @receiver
  (variable_declarator (implicit_object_creation_expression (initializer_expression (assignment_expression left: (identifier) @field)))))
(with_expression . (_) @receiver (with_initializer (identifier) @field))
(subpattern . (identifier) @field . (_))
(recursive_pattern type: (_) @receiver (property_pattern_clause (subpattern . (identifier) @field . (_))))
(attribute name: (_) @receiver (attribute_argument_list (attribute_argument name: (identifier) @field)))
(anonymous_object_creation_expression (identifier) @key "=")

; Names of arguments.
(argument name: (identifier) @keyword)
(invocation_expression function: (_) @callee arguments: (argument_list (argument name: (identifier) @keyword)))
(object_creation_expression type: (_) @callee arguments: (argument_list (argument name: (identifier) @keyword)))
(tuple_expression (argument name: (identifier) @label))
(tuple_element name: (identifier) @label)

(namespace_declaration name: (identifier) @dotted @path)
(file_scoped_namespace_declaration name: (identifier) @dotted @path)
(labeled_statement . (identifier) @label)
(goto_statement (identifier) @label)
