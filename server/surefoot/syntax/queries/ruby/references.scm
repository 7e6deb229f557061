; A bare name with arguments can only be a method; one without may be a local variable.
(call !receiver method: (identifier) @call @function)
(call !receiver method: (constant) @call @function)
(call receiver: (_) method: [(identifier) (constant)] @call)
(call receiver: (_) @receiver method: [(identifier) (constant)] @member @function)
(scope_resolution scope: (_) @receiver name: (constant) @member)
(superclass [(constant) @type (scope_resolution name: (constant) @type)])
(exceptions [(constant) @type (scope_resolution name: (constant) @type)])

[(instance_variable) (class_variable)] @slot
(alias alias: (identifier) @slot @function)
(undef (identifier) @slot @function)

; Keys are no more than strings, but for those that name an argument.
(hash (pair key: (hash_key_symbol) @string))
(keyword_pattern key: (hash_key_symbol) @string)
(argument_list (pair key: (hash_key_symbol) @keyword))
(call arguments: (argument_list (pair key: (hash_key_symbol) @keyword))) @whole
(call receiver: [(constant) (scope_resolution)] @callee method: (identifier) @_new arguments: (argument_list (pair key: (hash_key_symbol) @keyword)) (#eq? @_new "new"))

; Symbols and strings that name a method.
(call receiver: (_) @receiver method: (identifier) @_send arguments: (argument_list . [(simple_symbol) @named @function (string (string_content) @named @function)])
  (#any-of? @_send "send" "public_send" "__send__" "method" "public_method" "respond_to?" "try" "try!" "instance_method" "method_defined?"
  "define_singleton_method" "remove_method" "undef_method" "allow" "receive" "stub" "stubs" "expects" "instance_variable_get"))
(call !receiver method: (identifier) @_send arguments: (argument_list . [(simple_symbol) @named @function (string (string_content) @named @function)])
  (#any-of? @_send "send" "public_send" "__send__" "method" "respond_to?" "respond_to_missing?" "instance_method" "remove_method" "undef_method"))
(call !receiver method: (identifier) @_alias arguments: (argument_list [(simple_symbol) @named @function (string (string_content) @named @function)])
  (#any-of? @_alias "alias_method" "alias_attribute"))
(call !receiver method: (identifier) @_names arguments: (argument_list (simple_symbol) @named @function)
  (#any-of? @_names "private" "public" "protected" "module_function" "private_class_method" "public_class_method" "helper_method" "memoize" "validate" "private_constant" "ruby2_keywords"
  "before_action" "after_action" "around_action" "skip_before_action" "prepend_before_action" "append_before_action" "before_filter" "after_filter"
  "before_save" "after_save" "before_create" "after_create" "before_update" "after_update" "before_destroy" "after_destroy" "before_validation"
  "after_validation" "after_commit" "after_initialize" "after_find" "rescue_from" "set_callback" "deprecate" "attr_internal"))
(call !receiver method: (identifier) @_hook arguments: (argument_list (pair key: (hash_key_symbol) @_if value: (simple_symbol) @named @function))
  (#any-of? @_if "if" "unless" "with"))
; What it is called on is not known: it stands for its receiver itself.
(block_argument (simple_symbol) @named @function @receiver)
(call !receiver method: (identifier) @_mock arguments: (argument_list . (simple_symbol) @named @function @receiver)
  (#any-of? @_mock "receive" "have_received" "receive_messages" "stub" "stubs" "expects" "delegate" "def_delegators" "def_delegator" "attribute" "serialize"))
(call !receiver method: (identifier) @_delegate arguments: (argument_list (simple_symbol) @named @function @receiver)
  (#any-of? @_delegate "delegate" "def_delegators" "def_delegator"))
