; Scopes. A table that a name is given is a class: functions are put into it where it is made, or later, one by one.
(chunk) @scope.module
(function_definition) @scope.function
[(block) (for_statement)] @scope.block

; Functions. What is local is seen in its own file alone, from where it is made.
(function_declaration "local" name: (identifier) @bind.function.private)
(function_declaration name: (identifier) @bind.function parameters: (parameters) @head) @scope.function

(function_declaration name: [(dot_index_expression table: (identifier) field: (identifier) @bind.function)
  (method_index_expression table: (identifier) method: (identifier) @bind.function)] parameters: (parameters) @head) @scope.function
(function_declaration name: [(dot_index_expression table: (dot_index_expression) field: (identifier) @scopename)
  (method_index_expression table: (dot_index_expression) method: (identifier) @scopename)] parameters: (parameters) @head) @scope.function

; `function Cart.total()` adds to the table Cart. What gives `self`, or a table that has the class as its metatable, gives an instance.
(function_declaration name: [(dot_index_expression table: (identifier) @part) (method_index_expression table: (identifier) @part)]) @scope.class
(function_declaration name: [(dot_index_expression field: (identifier) @bind.function) (method_index_expression method: (identifier) @bind.function)]
  parameters: (parameters) @head body: (block (return_statement (expression_list . (identifier) @returns .))) (#eq? @returns "self")) @scope.function
(function_declaration name: [(dot_index_expression field: (identifier) @bind.function) (method_index_expression method: (identifier) @bind.function)]
  parameters: (parameters) @head body: (block (return_statement (expression_list . (function_call name: (identifier) @_set
  arguments: (arguments (_) . (identifier) @returns)) .))) (#eq? @_set "setmetatable")) @scope.function
(assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @part field: (identifier)))
  (expression_list . value: (_)) (#not-eq? @part "self")) @scope.class
(assignment_statement (variable_list . name: (dot_index_expression table: (identifier) field: (identifier) @bind.function))
  (expression_list . value: (function_definition) @inner))
(assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @_table field: (identifier) @bind.variable))
  (expression_list . value: (_) @value) (#not-eq? @_table "self"))
(assignment_statement (variable_list . name: (dot_index_expression table: (identifier) @_self field: (identifier) @bind.field.own))
  (expression_list . value: (_) @value) (#eq? @_self "self"))

; Tables that a name is given.
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind.variable.private) (expression_list . value: (table_constructor) @head @scope.class)))
(chunk (assignment_statement (variable_list . name: (identifier) @bind.variable) (expression_list . value: (table_constructor) @head @scope.class)))
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind.variable.private @scopename)
  (expression_list . value: (function_call name: (identifier) @_set arguments: (arguments . (table_constructor) @head
  . (table_constructor (field name: (identifier) @_index value: (_) @bases))) @scope.class))) (#eq? @_set "setmetatable") (#eq? @_index "__index"))
(chunk (return_statement (expression_list . (table_constructor) @scope.object .)))
(_ (assignment_statement (expression_list value: [(table_constructor (field name: (identifier) @bind.variable value: (_) @value))
  (function_call arguments: (arguments . (table_constructor (field name: (identifier) @bind.variable value: (_) @value))))])))
(_ [(assignment_statement (expression_list value: (table_constructor (field name: (identifier) @bind.function value: (function_definition) @inner))))
  (return_statement (expression_list . (table_constructor (field name: (identifier) @bind.function value: (function_definition) @inner)) .))])
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @bind.variable
  value: [(table_constructor) (string) (number) (true) (false) (nil) (function_call) (dot_index_expression) (binary_expression)] @value)) .)))

; Parameters and other locals, which are seen from the end of what declares them.
(parameters name: (identifier) @bind.parameter)
(for_generic_clause (variable_list name: (identifier) @bind.variable))
(for_numeric_clause name: (identifier) @bind.variable)
(variable_declaration (variable_list name: (identifier) @bind.variable.private)) @after
(variable_declaration (assignment_statement (variable_list name: (identifier) @bind.variable.private))) @after
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind.variable.private) (expression_list . value: (_) @value))) @after
(variable_declaration (assignment_statement (variable_list . (_) . name: (identifier) @bind.variable.private) (expression_list . (_) . value: (_) @value))) @after
(variable_declaration (assignment_statement (variable_list . name: (identifier) @bind.variable.private) (expression_list . value: (function_call
  name: (identifier) @_set arguments: (arguments (_) . (identifier) @type)))) @after (#eq? @_set "setmetatable"))
; A name that is set at the top of a file and is no local is seen everywhere.
(chunk (assignment_statement (variable_list name: (identifier) @bind.variable)))
(chunk (assignment_statement (variable_list . name: (identifier) @bind.variable) (expression_list . value: (_) @value)))

; Modules. A file is what it returns: a table that has a name, or one that is made on the spot.
(variable_declaration (assignment_statement (variable_list . name: (identifier) @alias) (expression_list . value: (function_call name: (identifier) @_require
  arguments: (arguments . (string content: (string_content) @source) .)))) @import.module (#eq? @_require "require"))
(variable_declaration (assignment_statement (variable_list . name: (identifier) @alias) (expression_list . value: (dot_index_expression
  table: (function_call name: (identifier) @_require arguments: (arguments . (string content: (string_content) @source) .))
  field: (identifier) @name))) @import (#eq? @_require "require"))
(chunk (return_statement (expression_list . (identifier) @name .)) @export.whole)
(chunk (return_statement (expression_list . (table_constructor (field name: (identifier) @alias value: (identifier) @name)) .)) @export)

(ERROR) @error
