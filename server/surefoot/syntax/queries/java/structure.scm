; Scopes. A class starts at its body, so that its name, type parameters and bases lie outside of it; a method at its parameters.
(program) @scope.module
(package_declaration [(scoped_identifier) (identifier)] @package)

(class_declaration name: (identifier) @bind.class superclass: (_)? @bases interfaces: (_)? @bases body: (class_body) @head) @scope.class
(interface_declaration name: (identifier) @bind.class (extends_interfaces)? @bases body: (interface_body) @head) @scope.class
(enum_declaration name: (identifier) @bind.class interfaces: (_)? @bases body: (enum_body) @head) @scope.class
(annotation_type_declaration name: (identifier) @bind.class body: (annotation_type_body) @head) @scope.class
; The components of a record are fields, and methods that give them.
(record_declaration name: (identifier) @bind.class parameters: (formal_parameters) @head interfaces: (_)? @bases) @scope.class
(record_declaration interfaces: (_) @outer)
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind.variable)))
(record_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind.function)))
; Classes without a name.
(object_creation_expression type: (_) @bases (class_body) @head) @scope.class
(enum_declaration name: (identifier) @bases body: (enum_body (enum_constant body: (class_body) @head) @scope.class))

; Type parameters are seen in the rest of what they belong to.
[(class_declaration type_parameters: (_) @head) (interface_declaration type_parameters: (_) @head) (record_declaration type_parameters: (_) @head)
  (method_declaration type_parameters: (_) @head) (constructor_declaration type_parameters: (_) @head)] @scope.block
(type_parameter (type_identifier) @bind.type (type_bound)? @type)

(method_declaration type: (_) @returns name: (identifier) @bind.function.own parameters: (formal_parameters) @head) @scope.function
(constructor_declaration name: (identifier) @bind.function.own parameters: (formal_parameters) @head) @scope.function
(compact_constructor_declaration name: (identifier) @bind.function.own body: (block) @head) @scope.function
(annotation_type_element_declaration type: (_) @type name: (identifier) @bind.function)
(lambda_expression) @scope.function
[(block) (static_initializer) (for_statement) (enhanced_for_statement) (try_with_resources_statement) (catch_clause) (switch_block)
  (switch_rule) (switch_block_statement_group)] @scope.block
; What a condition finds out is known after it where it is turned round: `if (!(o instanceof Cart c)) return;`.
([(if_statement condition: (_) @_asked) (while_statement condition: (_) @_asked)] @scope.block (#not-match? @_asked "^\\(\\s*!"))

; Fields, and the constants of an enum, which are instances of it.
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind.variable))
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind.variable))
(enum_declaration name: (identifier) @type body: (enum_body (enum_constant name: (identifier) @bind.variable)))

; Parameters.
(method_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind.parameter)))
(constructor_declaration parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind.parameter)))
(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @type name: (identifier) @bind.parameter))
  (#not-eq? @type "var"))
(lambda_expression parameters: (formal_parameters (formal_parameter type: (_) @_type name: (identifier) @bind.parameter))
  (#eq? @_type "var"))
(spread_parameter (variable_declarator name: (identifier) @bind.parameter))
(lambda_expression parameters: (identifier) @bind.parameter)
(inferred_parameters (identifier) @bind.parameter)
(catch_formal_parameter (catch_type) @type name: (identifier) @bind.parameter)

; Local variables are seen from the end of their name. `var` says nothing of a type.
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @bind.variable @after)
  (#not-eq? @type "var"))
(local_variable_declaration type: (_) @_type declarator: (variable_declarator name: (identifier) @bind.variable @after value: (_)? @value)
  (#eq? @_type "var"))
(enhanced_for_statement type: (_) @type name: (identifier) @bind.variable (#not-eq? @type "var"))
(enhanced_for_statement type: (_) @_type name: (identifier) @bind.variable value: (_) @each (#eq? @_type "var"))
(resource type: (_) @type name: (identifier) @bind.variable @after (#not-eq? @type "var"))
(resource type: (_) @_type name: (identifier) @bind.variable @after value: (_) @value (#eq? @_type "var"))

; Patterns.
(instanceof_expression right: (_) @type name: (identifier) @bind.variable @after)
(type_pattern (_) @type (identifier) @bind.variable @after)
(record_pattern_component (_) @type (identifier) @bind.variable @after (#not-eq? @type "var"))
(record_pattern_component (_) @_type (identifier) @bind.variable @after (#eq? @_type "var"))

; Imports: of a type, of a static member, of all of a package or of a class.
(import_declaration (scoped_identifier scope: (_) @source name: (identifier) @name) . ";") @import
(import_declaration [(scoped_identifier) (identifier)] @source (asterisk)) @star

(ERROR) @error
