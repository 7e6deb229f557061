; Scopes. Nothing that stands around a method or a class is seen in it: what is found there is asked of the linker.
(program) @scope.module
[(method) (singleton_method) (class) (module)] @outer
(superclass) @outer

; A class, or a module, whose members may be added to in any file. Local variables of its body are seen in the body alone.
(class name: (constant) @bind.class.own superclass: (superclass (_) @bases) @head) @scope.class
(class name: (constant) @bind.class.own !superclass body: (_) @head) @scope.class
(class name: (constant) @bind.class.own !superclass !body "end" @head) @scope.class
(class name: (scope_resolution name: (constant) @bind.class.own) @scopename superclass: (superclass (_) @bases) @head) @scope.class
(class name: (scope_resolution name: (constant) @bind.class.own) @scopename !superclass body: (_) @head) @scope.class
(class name: (scope_resolution name: (constant) @bind.class.own) @scopename !superclass !body "end" @head) @scope.class
(module name: (constant) @bind.class.own body: (_) @head) @scope.class
(module name: (constant) @bind.class.own !body "end" @head) @scope.class
(module name: (scope_resolution name: (constant) @bind.class.own) @scopename body: (_) @head) @scope.class
(class body: (body_statement) @scope.function)
(module body: (body_statement) @scope.function)
(assignment left: (constant) @bind.class.own right: (call receiver: (constant) @_maker method: (identifier) @_new arguments: (argument_list) @head) @scope.class
  (#any-of? @_maker "Struct" "Class" "Module" "Data") (#any-of? @_new "new" "define"))
(assignment left: (constant) @bind.class.own right: (call receiver: (constant) @_maker method: (identifier) @_new !arguments block: (_) @head) @scope.class
  (#any-of? @_maker "Class" "Module") (#eq? @_new "new"))
(call receiver: (constant) @_maker method: (identifier) @_new arguments: (argument_list . (constant) @base) (#eq? @_maker "Class") (#eq? @_new "new"))

; What a class itself has, beside what its instances have.
(singleton_method object: (_) @part) @scope.class
(singleton_class value: (_) @part) @scope.class
(singleton_class body: (body_statement) @scope.function)
(call !receiver method: (identifier) @part block: (_) (#eq? @part "class_methods")) @scope.class

; Methods.
(method name: [(identifier) (constant)] @bind.function.own.called parameters: (_) @head) @scope.function
(method name: [(identifier) (constant)] @bind.function.own.called !parameters body: (_) @head) @scope.function
(method name: [(identifier) (constant)] @bind.function.own.called !parameters !body "end" @head) @scope.function
(method name: (setter name: (identifier) @bind.function.own.called) parameters: (_) @head) @scope.function
(method name: (operator) @scopename parameters: (_) @head) @scope.function
(singleton_method name: [(identifier) (constant)] @bind.function.own.called parameters: (_) @head) @scope.function
(singleton_method name: [(identifier) (constant)] @bind.function.own.called !parameters body: (_) @head) @scope.function
(singleton_method name: [(identifier) (constant)] @bind.function.own.called !parameters !body "end" @head) @scope.function
(singleton_method name: (setter name: (identifier) @bind.function.own.called) parameters: (_) @head) @scope.function
[(do_block) (block) (lambda)] @scope.block

; Methods that a call defines.
(call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @bind.function.own.called @bind.variable.own)
  (#any-of? @_attr "attr_accessor" "attr_reader" "attr_writer" "attr"))
(call !receiver method: (identifier) @_attr arguments: (argument_list (simple_symbol) @bind.function.own.called)
  (#any-of? @_attr "cattr_accessor" "mattr_accessor" "class_attribute" "delegate_missing_to" "thread_mattr_accessor"))
(call !receiver method: (identifier) @_define arguments: (argument_list . (simple_symbol) @bind.function.own.called)
  (#any-of? @_define "define_method" "alias_method" "scope" "has_many" "has_one" "belongs_to" "let" "let!" "subject"))
(alias name: (identifier) @bind.function.own.called)
(call receiver: (constant) @_maker method: (identifier) @_new arguments: (argument_list (simple_symbol) @bind.function.own.called)
  (#any-of? @_maker "Struct" "Data") (#any-of? @_new "new" "define"))

; Mixins.
(call !receiver method: (identifier) @_mixin arguments: (argument_list [(constant) (scope_resolution)] @base) (#any-of? @_mixin "include" "prepend" "extend"))
(call !receiver method: (identifier) @part (#eq? @part "extend")) @scope.class
(call !receiver method: (identifier) @part arguments: (argument_list (self) @returns) (#eq? @part "extend")) @scope.class
(body_statement (identifier) @part @scope.class (#eq? @part "module_function"))

; Constants and fields.
(assignment left: (constant) @bind.variable.own right: (_) @value)
(operator_assignment left: (constant) @bind.variable.own right: (_) @value)
(assignment left: [(instance_variable) (class_variable)] @bind.field.own right: (_) @value)
(operator_assignment left: [(instance_variable) (class_variable)] @bind.field.own right: (_) @value)
(left_assignment_list [(instance_variable) (class_variable)] @bind.field.own)

; Local variables live in the method, however deep the block is that sets them; parameters of a block live in it.
(assignment left: (identifier) @bind.variable.hoist @after right: (_) @value)
(operator_assignment left: (identifier) @bind.variable.hoist @after right: (_) @value)
(left_assignment_list (identifier) @bind.variable.hoist @after)
(destructured_left_assignment (identifier) @bind.variable.hoist @after)
(rest_assignment (identifier) @bind.variable.hoist @after)
(for pattern: (identifier) @bind.variable.hoist @after)
(rescue exceptions: (exceptions . (_) @value .) variable: (exception_variable (identifier) @bind.variable.hoist @after))
(exception_variable (identifier) @bind.variable.hoist @after)
(keyword_pattern value: (identifier) @bind.variable.hoist @after)
(keyword_pattern key: (hash_key_symbol) @bind.variable.hoist @after !value)
(as_pattern name: (identifier) @bind.variable.hoist @after)
(array_pattern (identifier) @bind.variable.hoist @after)
[(method_parameters (identifier) @bind.parameter) (block_parameters (identifier) @bind.parameter) (lambda_parameters (identifier) @bind.parameter)
  (optional_parameter name: (identifier) @bind.parameter) (keyword_parameter name: (identifier) @bind.parameter) (splat_parameter name: (identifier) @bind.parameter)
  (hash_splat_parameter name: (identifier) @bind.parameter) (block_parameter name: (identifier) @bind.parameter) (destructured_parameter (identifier) @bind.parameter)]

(ERROR) @error
