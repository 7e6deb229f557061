; Scopes. Variables are seen in their function alone: functions and classes do not see what stands around them.
(program) @scope.module
(namespace_definition name: (namespace_name) @package !body)
(namespace_definition name: (namespace_name) @scopename body: (_) @head) @scope.namespace
[(function_definition) (class_declaration) (interface_declaration) (trait_declaration) (enum_declaration) (anonymous_class)] @outer

(class_declaration name: (name) @bind.class (base_clause)? @bases (class_interface_clause)? @bases body: (_) @head) @scope.class
(interface_declaration name: (name) @bind.class (base_clause)? @bases body: (_) @head) @scope.class
(trait_declaration name: (name) @bind.class body: (_) @head) @scope.class
(enum_declaration name: (name) @bind.class (class_interface_clause)? @bases body: (_) @head) @scope.class
(anonymous_class (base_clause)? @bases (class_interface_clause)? @bases body: (_) @head) @scope.class
(use_declaration [(name) (qualified_name)] @base)

(function_definition name: (name) @bind.function parameters: (_) @head return_type: (_)? @returns) @scope.function
(method_declaration name: (name) @bind.function parameters: (_) @head return_type: (_)? @returns) @scope.function
(anonymous_function return_type: (_)? @returns) @scope.function
(arrow_function return_type: (_)? @returns) @scope.function
(use_as_clause (class_constant_access_expression (name) (name)) (name) @bind.function .)
(use_as_clause . (name) (name) @bind.function .)

; Members.
(property_declaration type: (_)? @type (property_element name: (variable_name (name) @bind.variable)))
(property_declaration !type (property_element name: (variable_name (name) @bind.variable) default_value: (_)? @value))
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @bind.variable.own))
(assignment_expression left: (member_access_expression object: (variable_name (name) @_this) name: (name) @bind.field.own) right: (_) @value
  (#eq? @_this "this"))
(class_declaration body: (_ (const_declaration (const_element . (name) @bind.variable))))
(interface_declaration body: (_ (const_declaration (const_element . (name) @bind.variable))))
(trait_declaration body: (_ (const_declaration (const_element . (name) @bind.variable))))
(enum_declaration body: (_ (const_declaration (const_element . (name) @bind.variable))))
(enum_declaration name: (name) @type body: (_ (enum_case name: (name) @bind.variable)))

; Constants of a file.
(program (const_declaration (const_element . (name) @bind.variable)))
(namespace_definition body: (_ (const_declaration (const_element . (name) @bind.variable))))
(function_call_expression function: (name) @_define arguments: (arguments . (argument (string (string_content) @bind.variable))) (#eq? @_define "define"))

; Parameters and variables.
(simple_parameter type: (_)? @type name: (variable_name (name) @bind.parameter))
(variadic_parameter name: (variable_name (name) @bind.parameter))
(property_promotion_parameter type: (_)? @type name: (variable_name (name) @bind.parameter))
(assignment_expression left: (variable_name (name) @bind.variable) right: (_) @value)
(reference_assignment_expression left: (variable_name (name) @bind.variable) right: (_) @value)
(augmented_assignment_expression left: (variable_name (name) @bind.variable) right: (_) @value)
(list_literal (variable_name (name) @bind.variable))
(list_literal (by_ref (variable_name (name) @bind.variable)))
(foreach_statement (_) . (variable_name (name) @bind.variable))
(foreach_statement (_) . (by_ref (variable_name (name) @bind.variable)))
(foreach_statement (_) . (pair (variable_name (name) @bind.variable)))
(static_variable_declaration name: (variable_name (name) @bind.variable) value: (_)? @value)
(catch_clause type: (_) @type name: (variable_name (name) @bind.variable))
(global_declaration (variable_name (name) @bind.variable @global))
(anonymous_function_use_clause (variable_name (name) @bind.variable @nonlocal))
(anonymous_function_use_clause (by_ref (variable_name (name) @bind.variable @nonlocal)))

; Imports: of a class, a function, a constant or a namespace; which of them it is turns out where the name is used.
(namespace_use_clause (qualified_name (namespace_name) @source (name) @name) alias: (name)? @alias) @import
(namespace_use_declaration (namespace_use_clause . (name) @source !alias)) @import.package
(namespace_use_declaration (namespace_use_clause . (name) @source alias: (name) @alias)) @import.module
(namespace_use_declaration (namespace_name) @source body: (namespace_use_group (namespace_use_clause . (name) @name alias: (name)? @alias) @import))
(namespace_use_declaration (namespace_name) @source body: (namespace_use_group (namespace_use_clause (qualified_name (namespace_name) @source (name) @name)
  alias: (name)? @alias) @import))

(ERROR) @error
