; Scopes. A scope starts at @head where there is one, so that a definition's own name lies outside of what it defines.
(source_file) @scope.module
(package_clause (package_identifier) @package)

(function_declaration name: (identifier) @bind.function parameters: (parameter_list) @head result: (_)? @returns) @scope.function
(func_literal result: (_)? @returns) @scope.function
(function_type) @scope.function
[(block) (if_statement) (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)
  (expression_case) (type_case) (communication_case) (default_case)] @scope.block

; A method adds to the type of its receiver, wherever in the package that is. The receiver's own name is seen in the method.
(method_declaration receiver: (parameter_list (parameter_declaration type: [(type_identifier) @part (pointer_type (type_identifier) @part)
  (generic_type type: (type_identifier) @part) (pointer_type (generic_type type: (type_identifier) @part))
  (parenthesized_type (pointer_type (type_identifier) @part))]))) @scope.class
(method_declaration name: (field_identifier) @bind.function parameters: (parameter_list) @head @takes result: (_)? @returns) @scope.function
(method_declaration receiver: (parameter_list (parameter_declaration name: (identifier) @bind.parameter type: (_) @type))
  parameters: (parameter_list) @within)
(method_declaration receiver: (parameter_list (parameter_declaration type: [(generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.type)))
  (pointer_type (generic_type type_arguments: (type_arguments (type_elem (type_identifier) @bind.type))))])) parameters: (parameter_list) @within)

; Types. What has methods is a class; an interface is a type.
(type_spec name: (type_identifier) @bind.class type: [(struct_type) (type_identifier) (qualified_type) (generic_type) (pointer_type) (slice_type)
  (array_type) (map_type) (channel_type) (function_type) (parenthesized_type)] @head) @scope.class
(type_spec name: (type_identifier) @bind.type type: (interface_type) @head) @scope.class
[(struct_type) (interface_type)] @scope.class
(type_alias name: (type_identifier) @bind.type type: (_) @type)
(field_declaration name: (field_identifier) @bind.variable type: (_) @type)
(field_declaration !name type: [(type_identifier) (qualified_type) (generic_type)] @base)
(method_elem name: (field_identifier) @bind.function parameters: (parameter_list) @head @takes result: (_)? @returns) @scope.function
(interface_type (type_elem . [(type_identifier) (qualified_type) (generic_type)] @base .))

; Type parameters are seen in the rest of what they belong to.
(type_parameter_declaration name: (identifier) @bind.type type: (type_constraint) @type)
(function_declaration type_parameters: (_) @head) @scope.block
(type_spec type_parameters: (_) @head) @scope.block

; Parameters and named results.
(parameter_declaration name: (identifier) @bind.parameter type: (_) @type)
(variadic_parameter_declaration name: (identifier) @bind.parameter)

; Variables. Below the top of a file they are seen from the end of what declares them.
(const_spec name: (identifier) @bind.variable type: (_)? @type) @after
(var_spec name: (identifier) @bind.variable type: (_) @type) @after
(var_spec name: (identifier) @bind.variable !type) @after
(var_spec . name: (identifier) @bind.variable !type value: (expression_list . (_) @value)) @after
(short_var_declaration left: (expression_list (identifier) @bind.variable)) @after
(short_var_declaration left: (expression_list . (identifier) @bind.variable) right: (expression_list . (_) @value)) @after
(short_var_declaration left: (expression_list (_) . (identifier) @bind.variable) right: (expression_list (_) . (_) @value)) @after
(range_clause left: (expression_list (identifier) @bind.variable) ":=") @after
(range_clause left: (expression_list (_) . (identifier) @bind.variable) ":=" right: (_) @each) @after
(range_clause left: (expression_list . (identifier) @bind.variable .) ":=" right: (_) @each) @after
(receive_statement left: (expression_list (identifier) @bind.variable) ":=") @after
(type_switch_statement alias: (expression_list (identifier) @bind.variable))
(type_switch_statement alias: (expression_list (identifier) @bind.variable) (type_case . type: (_) @type .) @within)
(type_switch_statement alias: (expression_list (identifier) @bind.variable) (type_case . type: (_) @type . (statement_list)) @within)

; Imports.
(import_spec !name path: (interpreted_string_literal (interpreted_string_literal_content) @source)) @import.package
(import_spec !name path: (raw_string_literal (raw_string_literal_content) @source)) @import.package
(import_spec name: (package_identifier) @alias path: (interpreted_string_literal (interpreted_string_literal_content) @source)) @import.package
(import_spec name: (dot) path: (interpreted_string_literal (interpreted_string_literal_content) @source)) @star

(ERROR) @error
