; Modules. Code of a module within the file does not see what stands around it.
(source_file) @scope.module
(mod_item name: (identifier) @bind.module body: (declaration_list) @head) @scope.namespace
(mod_item body: (_)) @outer
(mod_item "mod" @source name: (identifier) @source @alias !body) @import.module
(source_file (attribute_item (attribute (identifier) @_path value: (string_literal (string_content) @source))) .
  (mod_item "mod" @source name: (identifier) @source @alias !body) @import.module (#eq? @_path "path"))

; Functions and methods. Type parameters are seen in the rest of what they belong to.
(function_item name: (identifier) @bind.function parameters: (parameters) @head return_type: (_)? @returns) @scope.function
(function_signature_item name: (identifier) @bind.function parameters: (parameters) @head return_type: (_)? @returns) @scope.function
(closure_expression return_type: (_)? @returns) @scope.function
(macro_definition name: (identifier) @bind.function.macro)
[(function_item type_parameters: (_) @head) (function_signature_item type_parameters: (_) @head) (struct_item type_parameters: (_) @head)
  (enum_item type_parameters: (_) @head) (union_item type_parameters: (_) @head) (trait_item type_parameters: (_) @head)
  (impl_item type_parameters: (_) @head) (type_item type_parameters: (_) @head)] @scope.block
(type_parameter name: (type_identifier) @bind.type (trait_bounds)? @type)
(const_parameter name: (identifier) @bind.variable type: (_) @type)
(_ type_parameters: (_) @within (where_clause (where_predicate left: (type_identifier) @bind.type bounds: (_) @type
  (#match? @bind.type "^[A-Z][A-Z0-9]?$"))))
[(block) (match_arm) (if_expression) (while_expression) (for_expression)] @scope.block
(if_expression alternative: (_) @outer)

; Types.
(struct_item name: (type_identifier) @bind.class body: (_) @head) @scope.class
(struct_item name: (type_identifier) @bind.class !body ";" @head) @scope.class
(union_item name: (type_identifier) @bind.class body: (_) @head) @scope.class
(enum_item name: (type_identifier) @bind.class body: (_) @head) @scope.class
(enum_item name: (type_identifier) @type body: (enum_variant_list (enum_variant name: (identifier) @bind.variable !body)))
(enum_item name: (type_identifier) @type body: (enum_variant_list (enum_variant name: (identifier) @bind.variable
  body: (ordered_field_declaration_list))))
(enum_item name: (type_identifier) @bases body: (enum_variant_list (enum_variant name: (identifier) @bind.class
  body: (field_declaration_list) @head) @scope.class))
(trait_item name: (type_identifier) @bind.type !bounds body: (_) @head) @scope.class
(trait_item name: (type_identifier) @bind.type bounds: (_) @head) @scope.class
(trait_item bounds: (trait_bounds [(type_identifier) (scoped_type_identifier) (generic_type)] @base))
(field_declaration name: (field_identifier) @bind.variable type: (_) @type)
(type_item name: (type_identifier) @bind.type type: (_) @type)
(associated_type name: (type_identifier) @bind.type bounds: (_)? @type)

; What an implementation defines are members of its type; its trait is a base of them.
(impl_item trait: (_)? @bases body: (declaration_list) @head) @scope.class
(impl_item trait: (_)? @bases type: [(type_identifier) @part (generic_type type: (type_identifier) @part)
  (scoped_type_identifier name: (type_identifier) @part) (generic_type type: (scoped_type_identifier name: (type_identifier) @part))
  (reference_type type: (type_identifier) @part) (reference_type type: (generic_type type: (type_identifier) @part))
  (dynamic_type trait: (type_identifier) @part)] body: (declaration_list) @head) @scope.class

; Where an item may stand, a macro most often holds items as they are: modules, functions, and types, of which only the names are read.
(source_file (macro_invocation (token_tree "mod" @source . (identifier) @source @alias . ";")) @import.module)
(declaration_list (macro_invocation (token_tree "mod" @source . (identifier) @source @alias . ";")) @import.module)
(source_file (macro_invocation (token_tree "fn" . (identifier) @bind.function)))
(declaration_list (macro_invocation (token_tree "fn" . (identifier) @bind.function)))
(source_file (macro_invocation (token_tree ["struct" "enum" "union"] . (identifier) @bind.class
  . [(token_tree) "<" ";" "where"] @head @scope.class)))
(declaration_list (macro_invocation (token_tree ["struct" "enum" "union"] . (identifier) @bind.class
  . [(token_tree) "<" ";" "where"] @head @scope.class)))
(source_file (macro_invocation (token_tree "trait" . (identifier) @bind.type . [(token_tree) "<" ":" "where"] @head @scope.class)))
(declaration_list (macro_invocation (token_tree "trait" . (identifier) @bind.type . [(token_tree) "<" ":" "where"] @head @scope.class)))

; Constants, statics and variables. A pattern binds small letters only: `None` in a pattern is a constant.
(const_item name: (identifier) @bind.variable type: (_) @type)
(static_item name: (identifier) @bind.variable type: (_) @type)
(parameter pattern: (identifier) @bind.parameter type: (_) @type)
(parameter pattern: (mut_pattern (identifier) @bind.parameter) type: (_) @type)
(parameter pattern: (ref_pattern (identifier) @bind.parameter) type: (_) @type)
(closure_parameters (identifier) @bind.parameter)
(let_declaration pattern: (identifier) @bind.variable type: (_)? @type value: (_)? @value)
(let_declaration pattern: (mut_pattern (identifier) @bind.variable) type: (_)? @type value: (_)? @value)
(let_declaration pattern: (_) @pattern) @after
(let_condition pattern: (_) @pattern) @after
(for_expression pattern: (_) @pattern value: (_) @after)
(for_expression pattern: (identifier) @bind.variable value: (_) @each)
(match_pattern . (identifier) @bind.variable (#match? @bind.variable "^[a-z_]"))
([(tuple_pattern (identifier) @bind.variable) (slice_pattern (identifier) @bind.variable) (reference_pattern (identifier) @bind.variable)
  (ref_pattern (identifier) @bind.variable) (mut_pattern (identifier) @bind.variable) (captured_pattern . (identifier) @bind.variable)
  (or_pattern (identifier) @bind.variable) (let_condition pattern: (identifier) @bind.variable)
  (field_pattern pattern: (identifier) @bind.variable)] (#match? @bind.variable "^[a-z_]"))
(tuple_struct_pattern type: (_) (identifier) @bind.variable (#match? @bind.variable "^[a-z_]"))
(struct_pattern type: (_) @fromtype (field_pattern name: (shorthand_field_identifier) @bind.variable.shorthand))
(let_condition pattern: (tuple_struct_pattern type: (identifier) @_some . (identifier) @bind.variable .) value: (_) @each
  (#any-of? @_some "Some" "Ok") (#match? @bind.variable "^[a-z_]"))
(let_declaration pattern: (tuple_struct_pattern type: (identifier) @_some . (identifier) @bind.variable .) value: (_) @each
  (#any-of? @_some "Some" "Ok") (#match? @bind.variable "^[a-z_]"))
(match_expression value: (_) @each body: (match_block (match_arm pattern: (match_pattern
  (tuple_struct_pattern type: (identifier) @_some . (identifier) @bind.variable .))))
  (#any-of? @_some "Some" "Ok") (#match? @bind.variable "^[a-z_]"))

; Imports. Lists are nested: what stands around says how a path begins.
(use_declaration (visibility_modifier)) @passing
(use_declaration argument: (identifier) @name) @import
(use_declaration argument: (scoped_identifier path: (_) @source name: (identifier) @name)) @import
(use_list (identifier) @name) @import
(use_list (scoped_identifier path: (_) @source name: (identifier) @name)) @import
(scoped_use_list path: (_) @source list: (use_list (self))) @import.package
(use_as_clause path: (identifier) @name alias: (identifier) @alias) @import
(use_as_clause path: (scoped_identifier path: (_) @source name: (identifier) @name) alias: (identifier) @alias) @import
(use_as_clause path: (self) alias: (identifier) @alias) @import.module
(use_wildcard (_)? @source "*" @name) @import
(extern_crate_declaration name: (identifier) @name alias: (identifier)? @alias) @import

; What a macro is given is text to the grammar; what an attribute is given is mostly no name.
(token_tree [(identifier) (self) (crate) (super)] @unparsed)
(attribute) @parsed
(ERROR) @error
