; What C and C++ have in common. A scope of a function starts at its parameters, so that its own name lies outside of it.
(translation_unit) @scope.module
(function_definition type: (_) @returns declarator: [
  (function_declarator declarator: (identifier) @bind.function parameters: (_) @head)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function parameters: (_) @head))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function parameters: (_) @head)))
]) @scope.function
(declaration type: (_) @returns declarator: [
  (function_declarator declarator: (identifier) @bind.function parameters: (_) @head)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function parameters: (_) @head))
  (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function parameters: (_) @head)))
]) @scope.function
; What is static is seen in its own file alone.
(function_definition (storage_class_specifier) @_static type: (_) declarator: [
  (function_declarator declarator: (identifier) @bind.function.private)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function.private))
] (#eq? @_static "static"))
(declaration (storage_class_specifier) @_static type: (_) declarator: [
  (function_declarator declarator: (identifier) @bind.function.private)
  (pointer_declarator declarator: (function_declarator declarator: (identifier) @bind.function.private))
  (identifier) @bind.variable.private
  (init_declarator declarator: (identifier) @bind.variable.private)
  (init_declarator declarator: (array_declarator declarator: (identifier) @bind.variable.private))
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind.variable.private))
  (pointer_declarator declarator: (identifier) @bind.variable.private)
  (array_declarator declarator: (identifier) @bind.variable.private)
] (#eq? @_static "static"))
[(compound_statement) (for_statement)] @scope.block

; Macros are seen in all of the file, and their bodies are text to the grammar.
(preproc_function_def name: (identifier) @bind.function.hoist parameters: (preproc_params) @head) @scope.function
(preproc_params (identifier) @bind.parameter)
(preproc_def name: (identifier) @bind.variable.hoist)
(preproc_arg) @unparsed

; Types.
(type_definition type: [(struct_specifier !name body: (_) @scope.class) (union_specifier !name body: (_) @scope.class)]
  declarator: (type_identifier) @bind.class) @_whole
(type_definition type: [(struct_specifier !name body: (_) @inner) (union_specifier !name body: (_) @inner)]
  declarator: [(type_identifier) @bind.class (pointer_declarator declarator: (type_identifier) @bind.class)])
(type_definition type: [(struct_specifier name: (_) body: (_) @inner) (union_specifier name: (_) body: (_) @inner)]
  declarator: [(type_identifier) @bind.class (pointer_declarator declarator: (type_identifier) @bind.class)])
(type_definition type: [(struct_specifier !body) @type (union_specifier !body) @type (enum_specifier !body) @type (type_identifier) @type (primitive_type) @type (sized_type_specifier) @type]
  declarator: [(type_identifier) @bind.type (pointer_declarator declarator: (type_identifier) @bind.type)
    (array_declarator declarator: (type_identifier) @bind.type)])
(type_definition type: (enum_specifier body: (_)) declarator: (type_identifier) @bind.type)
(type_definition declarator: [
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @bind.type)))
  (function_declarator declarator: (type_identifier) @bind.type)
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @bind.type))))
])
(enumerator name: (identifier) @bind.variable)

; Fields. What stands in a struct without a name and without a field is a member of what is around it.
(field_declaration type: [(struct_specifier !name body: (_) @scope.class) (union_specifier !name body: (_) @scope.class)] declarator: (_)) @_field
(field_declaration type: [(struct_specifier !name body: (_) @inner) (union_specifier !name body: (_) @inner)]
  declarator: [(field_identifier) @bind.variable (pointer_declarator declarator: (field_identifier) @bind.variable)
    (array_declarator declarator: (field_identifier) @bind.variable)])
(field_declaration type: (_) @type declarator: [(field_identifier) @bind.variable
  (pointer_declarator declarator: (field_identifier) @bind.variable)
  (pointer_declarator declarator: (pointer_declarator declarator: (field_identifier) @bind.variable))
  (array_declarator declarator: (field_identifier) @bind.variable)
  (pointer_declarator declarator: (array_declarator declarator: (field_identifier) @bind.variable))])
(field_declaration declarator: [
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @bind.variable)))
  (pointer_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (field_identifier) @bind.variable))))
])

; Variables and parameters. A local variable is seen from the end of its name.
(declaration type: (_) @type declarator: [(identifier) @bind.variable @after
  (pointer_declarator declarator: (identifier) @bind.variable @after)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @bind.variable @after))
  (array_declarator declarator: (identifier) @bind.variable @after)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @bind.variable @after))
  (init_declarator declarator: (identifier) @bind.variable @after)
  (init_declarator declarator: (pointer_declarator declarator: (identifier) @bind.variable @after))
  (init_declarator declarator: (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @bind.variable @after)))
  (init_declarator declarator: (array_declarator declarator: (identifier) @bind.variable @after))
  (init_declarator declarator: (pointer_declarator declarator: (array_declarator declarator: (identifier) @bind.variable @after)))
] (#not-match? @type "^auto"))
(declaration declarator: [
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind.variable @after)))
  (init_declarator declarator: (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind.variable @after))))
  (init_declarator declarator: (array_declarator declarator: (array_declarator declarator: (identifier) @bind.variable @after)))
  (array_declarator declarator: (array_declarator declarator: (identifier) @bind.variable @after))
])
(parameter_declaration type: (_) @type declarator: [(identifier) @bind.parameter
  (pointer_declarator declarator: (identifier) @bind.parameter)
  (pointer_declarator declarator: (pointer_declarator declarator: (identifier) @bind.parameter))
  (array_declarator declarator: (identifier) @bind.parameter)
  (pointer_declarator declarator: (array_declarator declarator: (identifier) @bind.parameter))])
(parameter_declaration declarator: [
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (identifier) @bind.parameter)))
  (function_declarator declarator: (identifier) @bind.parameter)])

(preproc_include path: (string_literal (string_content) @source)) @star
(preproc_include path: (system_lib_string) @source) @star

(ERROR) @error
