(class_declaration name: (type_identifier) @bind.class (class_heritage)? @bases body: (class_body) @head) @scope.class
(abstract_class_declaration name: (type_identifier) @bind.class (class_heritage)? @bases body: (class_body) @head) @scope.class
(class (class_heritage)? @bases body: (class_body) @head) @scope.class
(interface_declaration name: (type_identifier) @bind.type (extends_type_clause)? @bases body: (interface_body) @head) @scope.class
(type_alias_declaration name: (type_identifier) @bind.type value: (object_type) @head) @scope.class
(type_alias_declaration name: (type_identifier) @bind.type value: (_) @type)
(enum_declaration name: (identifier) @bind.type body: (enum_body) @head) @scope.class
(internal_module name: (identifier) @bind.module body: (statement_block) @head) @scope.namespace
(module name: (identifier) @bind.module body: (statement_block) @head) @scope.namespace
(object_type) @scope.class

(function_declaration name: (identifier) @bind.function parameters: (formal_parameters) @head return_type: (type_annotation (_) @returns)) @scope.function
(method_definition name: (property_identifier) @bind.function parameters: (formal_parameters) @head return_type: (type_annotation (_) @returns)) @scope.function
(function_signature name: (identifier) @bind.function parameters: (formal_parameters) @head return_type: (type_annotation (_) @returns)?) @scope.function
(method_signature name: (property_identifier) @bind.function parameters: (formal_parameters) @head return_type: (type_annotation (_) @returns)?) @scope.function
(abstract_method_signature name: (property_identifier) @bind.function parameters: (formal_parameters) @head) @scope.function
(function_type parameters: (formal_parameters) @head) @scope.function

(public_field_definition name: [(property_identifier) (private_property_identifier)] @bind.variable type: (type_annotation (_) @type)? value: (_)? @value)
(public_field_definition name: [(property_identifier) (private_property_identifier)] @bind.function value: [(arrow_function) (function_expression)] @inner)
(property_signature name: (property_identifier) @bind.variable type: (type_annotation (_) @type)?)
(enum_body name: (property_identifier) @bind.variable)
(enum_assignment name: (property_identifier) @bind.variable)
(lexical_declaration (variable_declarator name: (identifier) @bind.variable type: (type_annotation (_) @type) value: (_)? @value))
(variable_declaration (variable_declarator name: (identifier) @bind.variable.hoist type: (type_annotation (_) @type) value: (_)? @value))
; Type parameters are seen in the rest of what they belong to.
(type_parameters (type_parameter name: (type_identifier) @bind.type))
(function_declaration type_parameters: (_) @head) @scope.block
(function_signature type_parameters: (_) @head) @scope.block
(method_definition type_parameters: (_) @head) @scope.block
(method_signature type_parameters: (_) @head) @scope.block
(class_declaration type_parameters: (_) @head) @scope.block
(abstract_class_declaration type_parameters: (_) @head) @scope.block
(interface_declaration type_parameters: (_) @head) @scope.block
(type_alias_declaration type_parameters: (_) @head) @scope.block
(function_type type_parameters: (_) @head) @scope.block

(formal_parameters (_ pattern: (identifier) @bind.parameter type: (type_annotation (_) @type)?))
(formal_parameters (_ pattern: (rest_pattern (identifier) @bind.parameter)))
(formal_parameters (_ pattern: (object_pattern (shorthand_property_identifier_pattern) @bind.parameter.shorthand) type: (type_annotation (_) @fromtype)?))
(formal_parameters (_ pattern: (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind.parameter.shorthand))
  type: (type_annotation (_) @fromtype)?))
(formal_parameters (required_parameter [(accessibility_modifier) "readonly" (override_modifier)] pattern: (identifier) @bind.field.own type: (type_annotation (_) @type)?))

(call_expression function: (member_expression object: (_) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @bind.parameter !type))))
  (#eq? @_then "then"))
(call_expression function: (member_expression object: (_) @from property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter
    pattern: (object_pattern (shorthand_property_identifier_pattern) @bind.parameter.shorthand) !type)))) (#eq? @_then "then"))
(call_expression function: (member_expression object: (_) @each property: (property_identifier) @_every)
  arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter pattern: (identifier) @bind.parameter !type))))
  (#any-of? @_every "forEach" "map" "filter" "find" "findIndex" "findLast" "some" "every" "flatMap"))

(call_expression function: (member_expression object: (call_expression function: (import) arguments: (arguments (string (string_fragment) @source)))
  property: (property_identifier) @_then) arguments: (arguments . (arrow_function parameters: (formal_parameters . (required_parameter
    pattern: (object_pattern (shorthand_property_identifier_pattern) @name))))) (#eq? @_then "then")) @import.shorthand

(import_statement (import_require_clause (identifier) @alias source: (string (string_fragment) @source))) @import.module
(export_statement "=" (identifier) @name) @export.whole
