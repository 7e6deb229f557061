; Scopes. A class starts at its body, so that its name, type parameters and bases lie outside of it; a method at its parameters.
(compilation_unit) @scope.module
(namespace_declaration name: (_) @scopename body: (_) @head) @scope.namespace
(file_scoped_namespace_declaration name: (_) @package)

(class_declaration name: (identifier) @bind.class (base_list)? @bases body: (_) @head) @scope.class
(struct_declaration name: (identifier) @bind.class (base_list)? @bases body: (_) @head) @scope.class
(interface_declaration name: (identifier) @bind.class (base_list)? @bases body: (_) @head) @scope.class
(enum_declaration name: (identifier) @bind.class body: (_) @head) @scope.class
(record_declaration name: (identifier) @bind.class !body (parameter_list) @head (base_list)? @bases) @scope.class
(record_declaration name: (identifier) @bind.class (base_list)? @bases body: (_) @head) @scope.class
(record_declaration (base_list) @outer)
(class_declaration name: (identifier) @bind.class !body)
(struct_declaration name: (identifier) @bind.class !body)
(delegate_declaration name: (identifier) @bind.type)
(delegate_declaration parameters: (_) @head) @scope.function

; Parameters of a class are seen in it, those of a record are its properties.
(class_declaration (parameter_list (parameter type: (_) @type name: (identifier) @bind.parameter)) body: (_) @within)
(struct_declaration (parameter_list (parameter type: (_) @type name: (identifier) @bind.parameter)) body: (_) @within)
(record_declaration (parameter_list (parameter type: (_) @type name: (identifier) @bind.variable)) body: (_) @within)
(record_declaration !body (parameter_list (parameter type: (_) @type name: (identifier) @bind.variable)))

; Type parameters are seen in the rest of what they belong to.
[(class_declaration (type_parameter_list) @head) (struct_declaration (type_parameter_list) @head) (interface_declaration (type_parameter_list) @head)
  (record_declaration (type_parameter_list) @head) (delegate_declaration (type_parameter_list) @head)
  (method_declaration (type_parameter_list) @head) (local_function_statement (type_parameter_list) @head)] @scope.block
(type_parameter name: (identifier) @bind.type)

(method_declaration returns: (_) @returns name: (identifier) @bind.function parameters: (parameter_list) @head) @scope.function
(local_function_statement type: (_) @returns name: (identifier) @bind.function parameters: (parameter_list) @head) @scope.function
(constructor_declaration name: (identifier) @bind.function.called parameters: (parameter_list) @head) @scope.function
[(operator_declaration) (conversion_operator_declaration) (indexer_declaration) (destructor_declaration)] @scope.function
[(lambda_expression) (anonymous_method_expression) (accessor_declaration) (query_expression)] @scope.function
[(block) (for_statement) (foreach_statement) (using_statement) (catch_clause) (switch_section) (switch_expression_arm) (fixed_statement)] @scope.block

; Properties, events, fields and local variables. `var` says nothing of a type.
(property_declaration type: (_) @type name: (identifier) @bind.variable)
(property_declaration type: (_) @returns name: (identifier) @scopename [accessors: (_) value: (_)] @head) @scope.function
(event_declaration type: (_) @type name: (identifier) @bind.variable)
(enum_declaration name: (identifier) @type body: (enum_member_declaration_list (enum_member_declaration name: (identifier) @bind.variable)))
(variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @bind.variable))
(variable_declaration type: (implicit_type) (variable_declarator . name: (identifier) @bind.variable . (_) @value .))
(variable_declaration type: [(identifier) (qualified_name) (generic_name) (predefined_type) (nullable_type) (array_type) (alias_qualified_name)
  (pointer_type) (tuple_type) (ref_type) (scoped_type) (function_pointer_type)] @type (variable_declarator name: (identifier) @bind.variable))
(tuple_pattern name: (identifier) @bind.variable)
(foreach_statement type: (implicit_type) left: (identifier) @bind.variable right: (_) @each)
(foreach_statement type: [(identifier) (qualified_name) (generic_name) (predefined_type) (nullable_type) (array_type)] @type left: (identifier) @bind.variable)
(declaration_expression type: (implicit_type) name: (identifier) @bind.variable)
(declaration_expression type: [(identifier) (qualified_name) (generic_name) (predefined_type) (nullable_type) (array_type)] @type name: (identifier) @bind.variable)
(declaration_pattern type: (implicit_type) name: (identifier) @bind.variable)
(declaration_pattern type: [(identifier) (qualified_name) (generic_name) (predefined_type) (nullable_type) (array_type)] @type name: (identifier) @bind.variable)
(recursive_pattern type: (_) @type name: (identifier) @bind.variable)
(var_pattern name: (identifier) @bind.variable)
(catch_declaration type: (_) @type name: (identifier) @bind.parameter)
(from_clause name: (identifier) @bind.variable)
(from_clause . name: (identifier) @bind.variable . (_) @each .)
(let_clause . (identifier) @bind.variable)
(join_clause . (identifier) @bind.variable)

; Parameters.
(parameter type: (_) @type name: (identifier) @bind.parameter)
(parameter !type name: (identifier) @bind.parameter)
(parameter_list type: (_) @type name: (identifier) @bind.parameter)
(implicit_parameter) @bind.parameter

; Imports: of a namespace or of the static members of a class, and under another name.
(using_directive !name [(identifier) (qualified_name) (alias_qualified_name)] @source) @star
(using_directive name: (identifier) @alias (qualified_name qualifier: (_) @source name: [(identifier) @name (generic_name . (identifier) @name)])) @import
(using_directive name: (identifier) @alias . (identifier) @source) @import.module

(ERROR) @error
