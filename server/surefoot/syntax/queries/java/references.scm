(method_invocation name: (identifier) @call @function)
(method_invocation object: (_) @receiver name: (identifier) @member @function)
(method_reference . (_) @receiver "::" (identifier) @member @function .)
(field_access object: (_) @receiver field: (identifier) @member)
(scoped_identifier scope: (_) @receiver name: (identifier) @member)
(scoped_type_identifier (_) @receiver (type_identifier) @member .)

(type_identifier) @type
(object_creation_expression type: [(type_identifier) @call (generic_type . (type_identifier) @call) (scoped_type_identifier (type_identifier) @call .)
  (generic_type . (scoped_type_identifier (type_identifier) @call .))])
(record_pattern . (identifier) @type)

(annotation name: [(identifier) @decorator (scoped_identifier name: (identifier) @decorator)])
(marker_annotation name: [(identifier) @decorator (scoped_identifier name: (identifier) @decorator)])
(annotation name: (_) @callee arguments: (annotation_argument_list (element_value_pair key: (identifier) @keyword @function)))

; A label of a switch is a constant of what is asked about.
(switch_expression condition: (parenthesized_expression (_) @receiver)
  body: (switch_block [(switch_rule (switch_label (identifier) @constant)) (switch_block_statement_group (switch_label (identifier) @constant))]))

(package_declaration (identifier) @dotted @path)
(labeled_statement . (identifier) @label)
(break_statement (identifier) @label)
(continue_statement (identifier) @label)
