"""Names of Ruby's own library: what certainly is not of any root, unless the root adds to it."""

from collections.abc import Mapping

from surefoot.syntax.linking.linker import names

CONSTANTS = names(
    "ARGF ARGV ArgumentError Array BasicObject Benchmark BigDecimal Binding CGI CSV Class ClosedQueueError Comparable Complex Data"
    " Date DateTime Dir ENV EOFError ERB Encoding EncodingError Enumerable Enumerator Errno Etc Exception FalseClass Fiber FiberError"
    " File FileTest FileUtils Find FloatDomainError Float Forwardable FrozenError GC Hash IO IOError IndexError Integer Interrupt JSON"
    " Kernel KeyError LoadError LocalJumpError Logger Marshal MatchData Math Method Module Monitor Mutex NameError Net NilClass"
    " NoMatchingPatternError NoMethodError NotImplementedError Numeric Object ObjectSpace OpenSSL OpenStruct OptionParser Pathname"
    " Proc Process Psych Queue RUBY_ENGINE RUBY_PLATFORM RUBY_VERSION Ractor Random Range RangeError Rational Regexp RegexpError"
    " RuntimeError SecureRandom SecurityError Set Shellwords Signal SignalException Singleton SizedQueue Socket StandardError"
    " StopIteration String StringIO StringScanner Struct Symbol SyntaxError SystemCallError SystemExit SystemStackError TCPServer"
    " TCPSocket Tempfile Thread ThreadError ThreadGroup Time Timeout TracePoint TrueClass TypeError URI UnboundMethod"
    " UncaughtThrowError WeakRef YAML ZeroDivisionError Zlib STDERR STDIN STDOUT"
)

METHODS = names(
    "abort at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller caller_locations catch"
    " define_method exit extend fail fork format gets include instance_variable_get instance_variable_set lambda load loop"
    " module_function p pp prepend print printf private private_class_method private_constant proc protected public putc puts raise"
    " rand readline readlines require require_relative sleep spawn sprintf srand syscall system throw trap using warn alias_method"
)
"""Functions that every object has, and what is said in the body of a class."""

THROWN = names("backtrace backtrace_locations cause detailed_message exception full_message initialize inspect message to_s")
OBJECT = names(
    "== === =~ class clone dup eql? equal? freeze hash initialize inspect instance_of? is_a? kind_of? method_missing methods nil?"
    " respond_to? respond_to_missing? send tap then to_s to_str to_a to_h to_ary to_hash to_proc <=> each coerce call"
)
"""Members that objects of the library have, or ask of others, under the same name."""

LITERALS: Mapping[str, str] = {'"': "String", "'": "String", "[": "Array", "{": "Hash", ":": "Symbol", "/": "Regexp", "%": "String"}
"""The class of a literal by its first character."""
