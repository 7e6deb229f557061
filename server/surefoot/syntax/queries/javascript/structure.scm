(class_declaration name: (identifier) @bind.class (class_heritage)? @bases body: (class_body) @head) @scope.class
(class (class_heritage)? @bases body: (class_body) @head) @scope.class
(class_body (field_definition property: [(property_identifier) (private_property_identifier)] @bind.variable value: (_)? @value))

(formal_parameters (identifier) @bind.parameter)
(formal_parameters (assignment_pattern left: (identifier) @bind.parameter))
(formal_parameters (rest_pattern (identifier) @bind.parameter))
(formal_parameters (object_pattern (shorthand_property_identifier_pattern) @bind.parameter.shorthand))
(formal_parameters (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind.parameter.shorthand)))

(call_expression function: (member_expression object: (_) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (identifier) @bind.parameter))) (#eq? @_then "then"))
(call_expression function: (member_expression object: (_) @from property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters .
    (object_pattern (shorthand_property_identifier_pattern) @bind.parameter.shorthand)))) (#eq? @_then "then"))
(call_expression function: (member_expression object: (call_expression function: (import) arguments: (arguments (string (string_fragment) @source)))
  property: (property_identifier) @_then) arguments: (arguments . (arrow_function parameters: (formal_parameters .
    (object_pattern (shorthand_property_identifier_pattern) @name)))) (#eq? @_then "then")) @import.shorthand

(import_statement (import_clause (named_imports (import_specifier name: "default" @name alias: (_) @alias))) source: (string (string_fragment) @source)) @import
(export_statement (export_clause (export_specifier name: "default" @name !alias)) source: (string (string_fragment) @source)) @export
(export_statement (export_clause (export_specifier name: "default" @name alias: (_) @alias)) source: (string (string_fragment) @source)) @export
