; Shared by TypeScript, TSX and JavaScript. A scope starts at @head where there is one, so that a definition's own name lies outside.
(program) @scope.module
(statement_block) @scope.block
[(for_statement) (for_in_statement) (switch_body)] @scope.block
(catch_clause parameter: (identifier) @bind.variable) @scope.block
(catch_clause) @scope.block
(object) @scope.object

(function_declaration name: (identifier) @bind.function parameters: (formal_parameters) @head) @scope.function
(generator_function_declaration name: (identifier) @bind.function parameters: (formal_parameters) @head) @scope.function
(function_expression) @scope.function
(function_expression name: (identifier) @bind.function)
(generator_function) @scope.function
(arrow_function) @scope.function @borrows
(arrow_function parameter: (identifier) @bind.parameter)
(method_definition name: (_) @scopename parameters: (formal_parameters) @head) @scope.function
(variable_declarator name: (identifier) @scopename value: [(arrow_function) (function_expression) (class)] @named)
(pair key: (_) @scopename value: [(arrow_function) (function_expression)] @named)

(class_body (method_definition name: [(property_identifier) (private_property_identifier)] @bind.function parameters: (formal_parameters) @head) @scope.function)
(object (method_definition name: (property_identifier) @bind.function))
(object (pair key: (property_identifier) @bind.variable value: (_) @value))

; CommonJS: a function that is made where it is exported.
(assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @bind.function.hoist)
  right: [(arrow_function) (function_expression)] @inner (#eq? @_exports "exports"))
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  property: (property_identifier) @bind.function.hoist) right: [(arrow_function) (function_expression)] @inner
  (#eq? @_module "module") (#eq? @_exports "exports"))

; Variables and patterns.
(lexical_declaration (variable_declarator name: (identifier) @bind.variable value: (_)? @value))
(lexical_declaration (variable_declarator name: (identifier) @bind.function value: [(arrow_function) (function_expression)] @inner))
(lexical_declaration (variable_declarator name: (identifier) @bind.class value: (class) @inner))
(variable_declaration (variable_declarator name: (identifier) @bind.variable.hoist value: (_)? @value))
(variable_declaration (variable_declarator name: (identifier) @bind.function.hoist value: [(arrow_function) (function_expression)] @inner))
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @bind.variable.shorthand) value: (_) @from)
(variable_declarator name: (object_pattern (object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind.variable.shorthand)) value: (_) @from)
(object_pattern (shorthand_property_identifier_pattern) @bind.variable.shorthand)
(object_assignment_pattern left: (shorthand_property_identifier_pattern) @bind.variable.shorthand)
(pair_pattern value: (identifier) @bind.variable)
(pair_pattern value: (assignment_pattern left: (identifier) @bind.variable))
(array_pattern (identifier) @bind.variable)
(array_pattern (assignment_pattern left: (identifier) @bind.variable))
(rest_pattern (identifier) @bind.variable)
(for_in_statement kind: _ left: (identifier) @bind.variable)
(for_in_statement kind: _ left: (identifier) @bind.variable operator: "of" right: (_) @each)
; What a promise gives, and what a list hands to a callback.
(call_expression function: (member_expression object: (_) @value property: (property_identifier) @_then)
  arguments: (arguments . (arrow_function parameter: (identifier) @bind.parameter)) (#eq? @_then "then"))
(call_expression function: (member_expression object: (_) @each property: (property_identifier) @_every)
  arguments: (arguments . (arrow_function parameter: (identifier) @bind.parameter))
  (#any-of? @_every "forEach" "map" "filter" "find" "findIndex" "findLast" "some" "every" "flatMap"))

; Fields that methods make on the instance.
(assignment_expression left: (member_expression object: (this) property: [(property_identifier) (private_property_identifier)] @bind.field.own) right: (_) @value)

; Imports.
(import_statement (import_clause (named_imports (import_specifier name: (_) @name !alias))) source: (string (string_fragment) @source)) @import
(import_statement (import_clause (named_imports (import_specifier name: (_) @name alias: (_) @alias))) source: (string (string_fragment) @source)) @import
(import_statement (import_clause (identifier) @alias) source: (string (string_fragment) @source)) @import.default
(import_statement (import_clause (namespace_import (identifier) @alias)) source: (string (string_fragment) @source)) @import.module
(variable_declarator name: (identifier) @alias value: (call_expression function: (identifier) @_require
  arguments: (arguments (string (string_fragment) @source))) (#eq? @_require "require")) @import.module
(variable_declarator name: (identifier) @alias value: (await_expression (call_expression function: (import)
  arguments: (arguments (string (string_fragment) @source))))) @import.module
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name) value: (call_expression function: (identifier) @_require
  arguments: (arguments (string (string_fragment) @source))) (#eq? @_require "require")) @import.shorthand
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @alias)) value: (call_expression
  function: (identifier) @_require arguments: (arguments (string (string_fragment) @source))) (#eq? @_require "require")) @import
(variable_declarator name: (object_pattern (shorthand_property_identifier_pattern) @name) value: (await_expression (call_expression function: (import)
  arguments: (arguments (string (string_fragment) @source))))) @import.shorthand
(variable_declarator name: (object_pattern (pair_pattern key: (property_identifier) @name value: (identifier) @alias)) value: (await_expression
  (call_expression function: (import) arguments: (arguments (string (string_fragment) @source))))) @import

; Exports.
(export_statement (export_clause (export_specifier name: (_) @name !alias)) source: (string (string_fragment) @source)?) @export
(export_statement (export_clause (export_specifier name: (_) @name alias: (_) @alias)) source: (string (string_fragment) @source)?) @export
(export_statement "*" source: (string (string_fragment) @source)) @star
(export_statement (namespace_export (_) @alias) source: (string (string_fragment) @source)) @export.module
(export_statement "default" value: (identifier) @name) @export.default
(export_statement "default" value: (call_expression arguments: (arguments (identifier) @name))) @export.default
(export_statement "default" value: (call_expression arguments: (arguments (call_expression arguments: (arguments (identifier) @name))))) @export.default
(export_statement "default" declaration: (_ name: (_) @name)) @export.default
(assignment_expression left: (member_expression object: (identifier) @_exports property: (property_identifier) @alias) right: (identifier) @name
  (#eq? @_exports "exports")) @export
(assignment_expression left: (member_expression object: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  property: (property_identifier) @alias) right: (identifier) @name (#eq? @_module "module") (#eq? @_exports "exports")) @export
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object (shorthand_property_identifier) @name) (#eq? @_module "module") (#eq? @_exports "exports")) @export
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (object (pair key: (property_identifier) @alias value: (identifier) @name)) (#eq? @_module "module") (#eq? @_exports "exports")) @export
(assignment_expression left: (member_expression object: (identifier) @_module property: (property_identifier) @_exports)
  right: (identifier) @name (#eq? @_module "module") (#eq? @_exports "exports")) @export.whole

(ERROR) @error
