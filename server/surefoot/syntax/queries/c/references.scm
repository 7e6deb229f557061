(call_expression function: (identifier) @call)
(call_expression function: (parenthesized_expression (identifier) @call))
(call_expression function: (field_expression field: (field_identifier) @call))

(field_expression argument: (_) @receiver field: (field_identifier) @member)
(type_identifier) @typed
(statement_identifier) @label
(offsetof_expression type: (_) @receiver member: (field_identifier) @member)

; Fields that a literal names.
(initializer_pair designator: (field_designator (field_identifier) @field))
(declaration type: (_) @receiver declarator: (init_declarator
  value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @field)))))
(declaration type: (_) @receiver declarator: (init_declarator declarator: (array_declarator)
  value: (initializer_list (initializer_list (initializer_pair designator: (field_designator (field_identifier) @field))))))
(compound_literal_expression type: (type_descriptor) @receiver
  value: (initializer_list (initializer_pair designator: (field_designator (field_identifier) @field))))
