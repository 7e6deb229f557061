"""What the names of C#'s library tell the linker, as tables."""

from collections.abc import Mapping

from surefoot.syntax.linking.linker import names

PREDEFINED = names("bool byte sbyte char decimal double float int uint nint nuint long ulong short ushort object string void dynamic var")
OPEN = names("object dynamic var")
"""Those that say nothing of a value."""

OBJECT = names("Equals Finalize GetHashCode GetType MemberwiseClone ReferenceEquals ToString Dispose")
"""Members that every object has."""

SYSTEM = names(
    "Action Activator AggregateException AppContext AppDomain ArgumentException ArgumentNullException ArgumentOutOfRangeException Array"
    " ArraySegment Attribute AttributeUsage BigInteger BinaryReader BinaryWriter BitConverter Boolean Buffer Byte CallerMemberName"
    " CancellationToken CancellationTokenSource Char Comparer ConcurrentBag ConcurrentDictionary ConcurrentQueue Console Convert"
    " CultureInfo DateOnly DateTime DateTimeKind DateTimeOffset Decimal Delegate Dictionary Directory Double Encoding Enum Environment"
    " EqualityComparer EventArgs EventHandler Exception File FileInfo FileMode FileStream Flags FormatException Func GC Guid HashSet"
    " HttpClient IAsyncDisposable IAsyncEnumerable ICollection IComparable IComparer IDictionary IDisposable IEnumerable IEnumerator"
    " IEqualityComparer IEquatable IFormatProvider IFormattable IList IReadOnlyCollection IReadOnlyDictionary IReadOnlyList ISet Int16"
    " Int32 Int64 Interlocked InvalidCastException InvalidOperationException IOException KeyNotFoundException KeyValuePair Lazy LinkedList"
    " List Match Math MemberInfo Memory MemoryStream MethodInfo MidpointRounding Monitor NotImplementedException NotSupportedException"
    " NullReferenceException Nullable NumberStyles Object ObjectDisposedException Obsolete ObservableCollection Path Predicate"
    " PropertyInfo Queue Random ReadOnlyMemory ReadOnlySpan Regex SByte SemaphoreSlim Single SortedDictionary SortedList Span Stack"
    " Stopwatch Stream StreamReader StreamWriter String StringBuilder StringComparer StringComparison StringReader StringWriter Task"
    " TextReader TextWriter Thread ThreadStatic TimeOnly TimeSpan TimeZoneInfo Tuple Type TypeCode UInt16 UInt32 UInt64 Uri ValueTask"
    " ValueTuple Version Void WeakReference"
)
"""Types of the library that a using directive of it brings. What is not listed counts as unknown."""

LENT: Mapping[str, frozenset[str]] = {
    "Attribute": names("GetCustomAttribute GetCustomAttributes IsDefaultAttribute IsDefined Match TypeId"),
    "EventArgs": names("Empty"),
    "Exception": names("Data GetBaseException HelpLink HResult InnerException Message Source StackTrace TargetSite"),
    "IAsyncDisposable": names("DisposeAsync"),
    "ICloneable": names("Clone"),
    "IComparable": names("CompareTo"),
    "IComparer": names("Compare"),
    "IDisposable": names("Dispose"),
    "IEnumerable": names("GetEnumerator"),
    "IEnumerator": names("Current MoveNext Reset"),
    "IEqualityComparer": names("Equals GetHashCode"),
    "IEquatable": names("Equals"),
    "IFormattable": names("ToString"),
}
"""Members that the best known bases of the library have, beside those of every object."""

SEALED = PREDEFINED - OPEN | names(
    "Boolean Byte Char Console Convert DateOnly DateTime DateTimeOffset Decimal Directory Double Encoding Environment File Guid Int16 Int32"
    " Int64 Math Path SByte Single String StringBuilder TimeOnly TimeSpan Type UInt16 UInt32 UInt64 Regex Activator Interlocked Monitor"
    " Enum Array Span ReadOnlySpan Memory ReadOnlyMemory KeyValuePair CancellationToken BitConverter Buffer GC"
)
"""Types of the library that no class of ours extends or implements."""
