([(struct_specifier name: (type_identifier) @tagged) (union_specifier name: (type_identifier) @tagged) (enum_specifier name: (type_identifier) @tagged)])
