; Structs, unions and enums of C have names of their own, apart from those of types and variables.
(struct_specifier name: (type_identifier) @bind.class.tag body: (_) @head) @scope.class
(union_specifier name: (type_identifier) @bind.class.tag body: (_) @head) @scope.class
(translation_unit [(struct_specifier name: (type_identifier) @bind.class.tag !body) (union_specifier name: (type_identifier) @bind.class.tag !body)])
(enum_specifier name: (type_identifier) @bind.class.tag body: (_))
