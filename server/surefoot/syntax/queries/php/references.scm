(function_call_expression function: [(name) @call @function (qualified_name (name) @call @function) (relative_name (name) @call @function)])
(object_creation_expression [(name) @call (qualified_name (name) @call)])
[(member_call_expression name: (name) @call) (nullsafe_member_call_expression name: (name) @call) (scoped_call_expression name: (name) @call)]
(member_call_expression object: (_) @receiver name: (name) @member @function)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @member @function)
(scoped_call_expression scope: (_) @receiver name: (name) @member @function)
(member_access_expression object: (_) @receiver name: (name) @member)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @member)
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @member))
(class_constant_access_expression . (_) @receiver . (name) @member .)
(qualified_name (namespace_name) @receiver (name) @member)
(use_instead_of_clause (class_constant_access_expression . (_) @receiver . (name) @member @function .))
(use_as_clause (class_constant_access_expression . (_) @receiver . (name) @member @function .))

[(named_type [(name) @type (qualified_name (name) @type)]) (base_clause [(name) @type (qualified_name (name) @type)])
  (class_interface_clause [(name) @type (qualified_name (name) @type)]) (use_declaration [(name) @type (qualified_name (name) @type)])]
(binary_expression operator: "instanceof" right: [(name) @type (qualified_name (name) @type)])
(attribute [(name) @decorator (qualified_name (name) @decorator)])

(variable_name (name) @variable)
(argument name: (name) @keyword)
[(function_call_expression arguments: (arguments (argument name: (name) @keyword)))
  (member_call_expression arguments: (arguments (argument name: (name) @keyword)))
  (nullsafe_member_call_expression arguments: (arguments (argument name: (name) @keyword)))
  (scoped_call_expression arguments: (arguments (argument name: (name) @keyword)))] @whole
(object_creation_expression [(name) (qualified_name)] @callee (arguments (argument name: (name) @keyword)))
(attribute [(name) (qualified_name)] @callee parameters: (arguments (argument name: (name) @keyword)))

(namespace_definition name: (namespace_name (name) @dotted) @path)
(namespace_use_clause (qualified_name (namespace_name (name) @dotted) @path))
(namespace_use_declaration (namespace_name (name) @dotted) @path)

; What is called by its name: `[$cart, 'total']`, `array_map('total', $carts)`.
(array_creation_expression . (array_element_initializer . (_) @receiver .) . (array_element_initializer [(string (string_content) @named @function) (encapsed_string (string_content) @named @function)]) .)
(function_call_expression function: (name) @_method arguments: (arguments . (argument (_) @receiver) . (argument (string (string_content) @named @function)))
  (#any-of? @_method "method_exists"))
(function_call_expression function: (name) @_property arguments: (arguments . (argument (_) @receiver) . (argument (string (string_content) @named)))
  (#any-of? @_property "property_exists"))
(function_call_expression function: (name) @_function arguments: (arguments (argument (string (string_content) @spelled @function)))
  (#any-of? @_function "array_filter" "array_map" "array_reduce" "array_walk" "call_user_func" "call_user_func_array" "function_exists" "is_callable"
  "preg_replace_callback" "register_shutdown_function" "spl_autoload_register" "uasort" "uksort" "usort"))
(function_call_expression function: (name) @_constant arguments: (arguments . (argument (string (string_content) @spelled)))
  (#any-of? @_constant "constant" "defined" "class_exists" "interface_exists"))
