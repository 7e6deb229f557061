; Scopes. A scope starts at @head where there is one, so that a definition's own name lies outside of what it defines.
(module) @scope.module
(function_definition name: (identifier) @bind.function parameters: (parameters) @head return_type: (type)? @returns) @scope.function
(lambda) @scope.function
(class_definition name: (identifier) @bind.class superclasses: (argument_list)? @bases body: (block) @head) @scope.class
[(list_comprehension) (set_comprehension) (dictionary_comprehension) (generator_expression)] @scope.block

; Defaults and annotations of parameters are read outside of the function.
(default_parameter value: (_) @outer)
(typed_default_parameter value: (_) @outer)
(typed_default_parameter type: (_) @outer)
(typed_parameter type: (_) @outer)
(function_definition return_type: (_) @outer)

; What a comprehension first runs over is read outside of it.
(list_comprehension body: (_) . (for_in_clause right: (_) @outer))
(set_comprehension body: (_) . (for_in_clause right: (_) @outer))
(dictionary_comprehension body: (_) . (for_in_clause right: (_) @outer))
(generator_expression body: (_) . (for_in_clause right: (_) @outer))

; Parameters.
(parameters (identifier) @bind.parameter)
(lambda_parameters (identifier) @bind.parameter)
(parameters (typed_parameter . (identifier) @bind.parameter type: (_) @type))
(parameters (typed_parameter . [(list_splat_pattern (identifier) @bind.parameter) (dictionary_splat_pattern (identifier) @bind.parameter)]))
(default_parameter name: (identifier) @bind.parameter)
(typed_default_parameter name: (identifier) @bind.parameter type: (_) @type)
(parameters [(list_splat_pattern (identifier) @bind.parameter) (dictionary_splat_pattern (identifier) @bind.parameter)])
(lambda_parameters [(list_splat_pattern (identifier) @bind.parameter) (dictionary_splat_pattern (identifier) @bind.parameter)])

; Variables.
(assignment left: (identifier) @bind.variable type: (_)? @type right: (_)? @value)
(augmented_assignment left: (identifier) @bind.variable)
(pattern_list (identifier) @bind.variable)
(tuple_pattern (identifier) @bind.variable)
(list_pattern (identifier) @bind.variable)
(pattern_list (list_splat_pattern (identifier) @bind.variable))
(tuple_pattern (list_splat_pattern (identifier) @bind.variable))
(for_statement left: (identifier) @bind.variable right: (_) @each)
(for_in_clause left: (identifier) @bind.variable right: (_) @each)
(with_item value: (as_pattern (_) @entered alias: (as_pattern_target (identifier) @bind.variable)))
(as_pattern_target (identifier) @bind.variable)
(named_expression name: (identifier) @bind.variable.hoist value: (_) @value)
(case_pattern (dotted_name . (identifier) @bind.variable .))
(splat_pattern (identifier) @bind.variable)
(type_alias_statement left: (type (identifier) @bind.type))
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @nonlocal)

; Fields that methods make on the instance.
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @bind.field.own) type: (_)? @type right: (_)? @value
  (#any-of? @_self "self" "cls"))
(augmented_assignment left: (attribute object: (identifier) @_self attribute: (identifier) @bind.field.own) (#any-of? @_self "self" "cls"))

; Names whose values are tested for a type: what is written for them is not all that they may be.
(call function: (identifier) @_test arguments: (argument_list . (identifier) @narrowed) (#any-of? @_test "isinstance" "issubclass" "type" "hasattr" "callable"))
(match_statement subject: (identifier) @narrowed)

; Imports.
(import_statement name: (dotted_name) @source) @import.module
(import_statement name: (aliased_import name: (dotted_name) @source alias: (identifier) @alias)) @import.module
(import_from_statement module_name: (_) @source name: (dotted_name (identifier) @name)) @import
(import_from_statement module_name: (_) @source name: (aliased_import name: (dotted_name (identifier) @name) alias: (identifier) @alias)) @import
(import_from_statement module_name: (_) @source (wildcard_import)) @star

; Names that a module says it offers.
(assignment left: (identifier) @_all right: (_ (string (string_content) @offered)) (#eq? @_all "__all__"))
(augmented_assignment left: (identifier) @_all right: (_ (string (string_content) @offered)) (#eq? @_all "__all__"))
(call function: (attribute object: (identifier) @_all) arguments: (argument_list [(string (string_content) @offered) (_ (string (string_content) @offered))])
  (#eq? @_all "__all__"))

(ERROR) @error
