(call_expression function: (identifier) @call)
(call_expression function: (selector_expression field: (field_identifier) @call))
(call_expression function: (parenthesized_expression (identifier) @call))
(call_expression function: (index_expression operand: (identifier) @call))
(call_expression function: (index_expression operand: (selector_expression field: (field_identifier) @call)))
; A generic function that is told its types looks like a conversion.
(type_conversion_expression type: (generic_type type: (type_identifier) @call))
(type_conversion_expression type: (generic_type type: (qualified_type name: (type_identifier) @call)))

(selector_expression operand: (_) @receiver field: (field_identifier) @member)
(qualified_type package: (_) @receiver name: (type_identifier) @member)
(type_identifier) @type
(package_clause (package_identifier) @dotted) @path
(label_name) @label

; Keys of struct literals. A key of an array or a map is a name like any other, unless what it stands in has no type of its own.
(composite_literal type: [(type_identifier) (qualified_type) (generic_type) (struct_type)] @receiver
  body: (literal_value (keyed_element key: (literal_element (identifier) @field))))
(composite_literal type: [(slice_type element: (_) @receiver) (array_type element: (_) @receiver) (implicit_length_array_type element: (_) @receiver)]
  body: (literal_value (literal_element (literal_value (keyed_element key: (literal_element (identifier) @field))))))
(composite_literal type: [(map_type value: (_) @receiver) (slice_type element: (_) @receiver) (array_type element: (_) @receiver)]
  body: (literal_value (keyed_element value: (literal_element (literal_value (keyed_element key: (literal_element (identifier) @field)))))))
(literal_element (literal_value (keyed_element key: (literal_element (identifier) @field))))
