; What C++ has beside C. Names of a namespace are found by its name, wherever it is opened.
(namespace_definition name: (_) @scopename body: (_) @head) @scope.namespace
(union_specifier name: (type_identifier) @bind.class body: (_) @head) @scope.class
(translation_unit (struct_specifier name: (type_identifier) @bind.class !body))
(class_specifier name: (type_identifier) @bind.class (base_class_clause)? @bases body: (_) @head) @scope.class
(struct_specifier name: (type_identifier) @bind.class (base_class_clause)? @bases body: (_) @head) @scope.class
(class_specifier name: (template_type name: (type_identifier) @scopename) (base_class_clause)? @bases body: (_) @head) @scope.class
(translation_unit (class_specifier name: (type_identifier) @bind.class !body))
(namespace_definition body: (declaration_list [(class_specifier name: (type_identifier) @bind.class !body) (struct_specifier name: (type_identifier) @bind.class !body)]))
; The constants of an enum without `class` are seen around it as well.
(enum_specifier name: (type_identifier) @bind.class body: (_) @head) @scope.class
(enum_specifier name: (type_identifier) @type body: (enumerator_list (enumerator name: (identifier) @bind.variable)))
((enum_specifier name: (_) body: (enumerator_list (enumerator name: (identifier) @bind.variable.hoist))) @_enum
  (#not-match? @_enum "^enum\\s+(class|struct)\\b"))

; Functions, in their class and out of it. What stands out of it is a part of the class.
(function_definition type: (_) @returns declarator: (reference_declarator (function_declarator declarator: (identifier) @bind.function parameters: (_) @head))) @scope.function
(declaration type: (_) @returns declarator: (reference_declarator (function_declarator declarator: (identifier) @bind.function parameters: (_) @head))) @scope.function
([(function_definition type: (_) @returns declarator: [
    (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head))
    (reference_declarator (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head))])
  (field_declaration type: (_) @returns declarator: [
    (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head)
    (pointer_declarator declarator: (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head))
    (reference_declarator (function_declarator declarator: (field_identifier) @bind.function.own parameters: (_) @head))])]) @scope.function
(function_definition declarator: [
  (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @part (template_type name: (type_identifier) @part)]
    name: [(identifier) (destructor_name) (operator_name)]))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @part (template_type name: (type_identifier) @part)] name: (identifier))))
  (reference_declarator (function_declarator declarator: (qualified_identifier scope: [(namespace_identifier) @part (template_type name: (type_identifier) @part)] name: [(identifier) (operator_name)])))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: [(namespace_identifier) @part (template_type name: (type_identifier) @part)]
    name: [(identifier) (destructor_name) (operator_name)])))
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (namespace_identifier) @part name: (identifier)))))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier scope: (namespace_identifier) @part name: (identifier)))))
]) @scope.class
(function_definition type: (_) @returns declarator: [
  (function_declarator declarator: (qualified_identifier name: (identifier) @bind.function) parameters: (_) @head)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (identifier) @bind.function) parameters: (_) @head))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (identifier) @bind.function) parameters: (_) @head))
  (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @bind.function)) parameters: (_) @head)
  (pointer_declarator declarator: (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @bind.function)) parameters: (_) @head))
  (reference_declarator (function_declarator declarator: (qualified_identifier name: (qualified_identifier name: (identifier) @bind.function)) parameters: (_) @head))
]) @scope.function
(declaration type: (_) @type declarator: (init_declarator declarator: (qualified_identifier scope: (namespace_identifier) @part name: (identifier) @bind.variable))) @scope.class
(function_definition !type declarator: (function_declarator parameters: (_) @head)) @scope.function
(declaration !type declarator: (function_declarator parameters: (_) @head)) @scope.function
(lambda_expression) @scope.function
[(for_range_loop) (catch_clause) (if_statement) (while_statement) (switch_statement)] @scope.block

; Type parameters are seen in what they belong to.
(template_declaration parameters: (template_parameter_list [(type_parameter_declaration (type_identifier) @bind.type)
  (optional_type_parameter_declaration name: (type_identifier) @bind.type) (variadic_type_parameter_declaration (type_identifier) @bind.type)])
  [(class_specifier body: (_) @within) (struct_specifier body: (_) @within)
   (function_definition declarator: (function_declarator parameters: (_) @within))
   (declaration declarator: (function_declarator parameters: (_) @within))])

; Variables.
(declaration type: (placeholder_type_specifier) declarator: (init_declarator declarator: [(identifier) @bind.variable @after
  (pointer_declarator declarator: (identifier) @bind.variable @after) (reference_declarator (identifier) @bind.variable @after)] value: (_) @value))
(declaration type: (_) @type declarator: (init_declarator declarator: (reference_declarator (identifier) @bind.variable @after)) (#not-match? @type "^auto"))
(declaration type: (_) @type declarator: (reference_declarator (identifier) @bind.variable @after) (#not-match? @type "^auto"))
(condition_clause value: (declaration type: (_) @type declarator: [(identifier) @bind.variable @after
  (pointer_declarator declarator: (identifier) @bind.variable @after)] (#not-match? @type "^auto")))
(condition_clause value: (declaration type: (placeholder_type_specifier) declarator: [(identifier) @bind.variable @after
  (pointer_declarator declarator: (identifier) @bind.variable @after)] value: (_) @value))
(structured_binding_declarator (identifier) @bind.variable)
(for_range_loop type: (placeholder_type_specifier) declarator: [(identifier) @bind.variable (reference_declarator (identifier) @bind.variable)
  (pointer_declarator declarator: (identifier) @bind.variable)] right: (_) @each)
(for_range_loop type: (_) @type declarator: [(identifier) @bind.variable (reference_declarator (identifier) @bind.variable)
  (pointer_declarator declarator: (identifier) @bind.variable)] (#not-match? @type "^auto"))
(parameter_declaration type: (_) @type declarator: (reference_declarator (identifier) @bind.parameter) (#not-match? @type "^auto"))
(optional_parameter_declaration type: (_) @type declarator: [(identifier) @bind.parameter (pointer_declarator declarator: (identifier) @bind.parameter)
  (reference_declarator (identifier) @bind.parameter)])
(field_declaration type: (_) @type declarator: (reference_declarator (field_identifier) @bind.variable))
(lambda_capture_initializer left: (identifier) @bind.variable)

; Names of other namespaces, and of types under other names. `namespace` stands for all of one.
(using_declaration "namespace" @name [(identifier) (qualified_identifier)] @source) @import
(using_declaration "using" . (qualified_identifier scope: (_) @source name: (identifier) @name)) @import
(using_declaration "using" . (qualified_identifier scope: (_) @source name: (qualified_identifier scope: (_) @source name: (identifier) @name))) @import
(namespace_alias_definition name: (namespace_identifier) @alias [(namespace_identifier) (nested_namespace_specifier)] @source .) @import.module
(alias_declaration name: (type_identifier) @bind.type type: (_) @type)
