"""Java: a package is what its files' package clauses say, wherever they are; a class sees what it inherits as bare names."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from surefoot.core.sites import SymbolKind
from surefoot.core.text import TextFile
from surefoot.syntax.expressions import alternatives
from surefoot.syntax.linking.linker import Linker, names
from surefoot.syntax.outline import CALLED, Outline, word
from surefoot.syntax.refs import Elsewhere, Key, Klass, Module, Ref, Refs, Unknown, certain, unknown

_PREDEFINED = names("boolean byte char short int long float double void")
_FINAL = _PREDEFINED | names(
    "String Boolean Byte Character Short Integer Long Float Double Void Class Math StringBuilder StringBuffer System Optional UUID"
    " LocalDate LocalTime LocalDateTime Instant Duration Period ZonedDateTime OffsetDateTime Pattern Matcher Objects Arrays Collections"
)
"""Classes of the library that nobody can extend."""

_OBJECT = names("clone equals finalize getClass hashCode notify notifyAll toString wait")
_LANG = names(
    "Appendable AutoCloseable CharSequence Cloneable Comparable Iterable Readable Runnable ProcessHandle Boolean Byte Character Class"
    " ClassLoader ClassValue Double Enum Float InheritableThreadLocal Integer Long Math Module ModuleLayer Number Object Package Process"
    " ProcessBuilder Record Runtime RuntimePermission SecurityManager Short StackTraceElement StackWalker StrictMath String StringBuffer"
    " StringBuilder System Thread ThreadGroup ThreadLocal Throwable Void ArithmeticException ArrayIndexOutOfBoundsException"
    " ArrayStoreException ClassCastException ClassNotFoundException CloneNotSupportedException Exception IllegalAccessException"
    " IllegalArgumentException IllegalCallerException IllegalMonitorStateException IllegalStateException IllegalThreadStateException"
    " IndexOutOfBoundsException InstantiationException InterruptedException NegativeArraySizeException NoSuchFieldException"
    " NoSuchMethodException NullPointerException NumberFormatException ReflectiveOperationException RuntimeException SecurityException"
    " StringIndexOutOfBoundsException TypeNotPresentException UnsupportedOperationException AbstractMethodError AssertionError"
    " BootstrapMethodError ClassFormatError Error ExceptionInInitializerError IncompatibleClassChangeError InternalError LinkageError"
    " NoClassDefFoundError OutOfMemoryError StackOverflowError ThreadDeath UnknownError UnsatisfiedLinkError VerifyError"
    " VirtualMachineError Deprecated FunctionalInterface Override SafeVarargs SuppressWarnings"
)
"""What java.lang holds, which every file sees."""

_LENT: Mapping[str, frozenset[str]] = {
    "AutoCloseable": names("close"),
    "BiConsumer": names("accept andThen"),
    "BiFunction": names("apply andThen"),
    "Callable": names("call"),
    "CharSequence": names("charAt chars codePoints isEmpty length subSequence"),
    "Cloneable": names(""),
    "Closeable": names("close"),
    "Comparable": names("compareTo"),
    "Comparator": names("compare comparing reversed thenComparing"),
    "Consumer": names("accept andThen"),
    "Enum": names("compareTo describeConstable getDeclaringClass name ordinal valueOf"),
    "Externalizable": names("readExternal writeExternal"),
    "Function": names("andThen apply compose identity"),
    "Iterable": names("forEach iterator spliterator"),
    "Iterator": names("forEachRemaining hasNext next remove"),
    "Number": names("byteValue doubleValue floatValue intValue longValue shortValue"),
    "Object": names(""),
    "Predicate": names("and negate or test"),
    "Runnable": names("run"),
    "Serializable": names("readObject readObjectNoData readResolve serialVersionUID writeObject writeReplace"),
    "Supplier": names("get"),
}
"""Members that the best known bases of the library have, beside those of every object."""

_EXCEPTIONS = names(
    "addSuppressed fillInStackTrace getCause getLocalizedMessage getMessage getStackTrace getSuppressed initCause printStackTrace"
    " setStackTrace"
)

_STARRED: Mapping[str, frozenset[str]] = {
    "java.util": names(
        "AbstractCollection AbstractList AbstractMap AbstractQueue AbstractSet ArrayDeque ArrayList Arrays Base64 BitSet Calendar"
        " Collection Collections Comparator Date Deque Dictionary EnumMap EnumSet Enumeration Formatter GregorianCalendar HashMap HashSet"
        " Hashtable IdentityHashMap Iterator LinkedHashMap LinkedHashSet LinkedList List ListIterator Locale Map NavigableMap NavigableSet"
        " NoSuchElementException Objects Optional PriorityQueue Properties Queue Random ResourceBundle Scanner ServiceLoader Set SortedMap"
        " SortedSet Spliterator Stack StringJoiner StringTokenizer Timer TimerTask TreeMap TreeSet UUID Vector WeakHashMap"
    ),
    "java.io": names(
        "BufferedInputStream BufferedOutputStream BufferedReader BufferedWriter ByteArrayInputStream ByteArrayOutputStream Closeable"
        " DataInputStream DataOutputStream EOFException File FileInputStream FileNotFoundException FileOutputStream FileReader FileWriter"
        " Flushable IOException InputStream InputStreamReader ObjectInputStream ObjectOutputStream OutputStream OutputStreamWriter"
        " PrintStream PrintWriter Reader Serializable StringReader StringWriter UncheckedIOException Writer"
    ),
}
"""What a star import of the library is most often made for. What is not listed counts as unknown."""

_LIBRARY = re.compile(r"(?:java|javax|jdk|sun|com\.sun)(?:\.|$)")
_ALONE = re.compile(rb"\b(?:static|private)\b")
_MODIFIERS = re.compile(r"@[\w.]+(?:\([^()]*\))?\s*|\b(?:final|extends|super)\b")
_DOTTED = re.compile(r"[^\W\d][\w$]*(?:\s*\.\s*[^\W\d][\w$]*)*")
_GENERIC = re.compile(r"[\w$.\s]+<(?P<given>.*)>", re.DOTALL)
_DEFINES = r"(?:class|interface|enum|record)\s+{}\b"


class JavaLinker(Linker):
    """Java's packages and classes."""

    overloads = True

    # Packages

    @cached_property
    def _stems(self) -> Mapping[str, tuple[Path, ...]]:
        """Files by the name of the class that they should hold."""
        return self.resolver.texts.kept("java stems", lambda _, files: _grouped(files, lambda path: path.stem))

    @cached_property
    def _folders(self) -> Mapping[str, tuple[Path, ...]]:
        """Files by their folder, as `/src/main/java/shop/`."""
        root = self.resolver.root
        return self.resolver.texts.kept(
            "java folders", lambda _, files: _grouped(files, lambda path: f"/{path.parent.relative_to(root).as_posix()}/")
        )

    @cached_property
    def _known(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _types(self) -> dict[tuple[str, str], Refs]:
        return {}

    def _is_package(self, package: str) -> bool:
        """Whether folders say that there is such a package, or one below it."""
        if package not in self._known:
            ending = f"/{package.replace('.', '/')}/"
            self._known[package] = any(ending in folder for folder in self._folders)
        return self._known[package]

    def _type(self, package: str, name: str, near: Path | None = None) -> Refs:
        """The classes of this name at the top of a package, empty where there is none. `near` is a file of the package."""
        key = (package, name)
        if key not in self._types:
            own = self._bound(self._stems.get(name, ()), package, name)
            self._types[key] = own or self._bound(self._beside(package, name, near), package, name)
        return self._types[key]

    def _bound(self, files: Iterable[Path], package: str, name: str) -> Refs:
        found: set[Ref] = set()
        for path, outline in self.holding(files, name):
            if outline.package == package and any(b.source is None for b in outline.bindings.get((0, name), ())):
                found.add(Key(path, 0, name))
        return frozenset(found)

    def _beside(self, package: str, name: str, near: Path | None) -> Iterator[Path]:
        """Files of a package that define a class which bears another name than they do."""
        ending = f"/{package.replace('.', '/')}/"
        own = f"/{near.parent.relative_to(self.resolver.root).as_posix()}/" if near is not None else ""
        defines = re.compile(_DEFINES.format(re.escape(name)).encode())
        for folder, files in self._folders.items():
            if folder.endswith(ending) or folder == own:
                yield from (path for path in files if self._says(path, defines))

    def _says(self, path: Path, wanted: re.Pattern[bytes]) -> bool:
        held = self.resolver.texts.read(path)
        return isinstance(held, TextFile) and wanted.search(held.data) is not None

    # Imports

    def imported(self, path: Path, source: str, name: str, depth: int) -> Refs:
        if found := self._type(source, name):
            return found
        holders = self._named(source, depth)
        if not holders:
            return self.not_found(path, f"{source}.{name}")
        both = self.resolver.members(holders, word(name), depth + 1) | self.resolver.members(holders, word(name) + CALLED, depth + 1)
        return frozenset(ref for ref in both if isinstance(ref, Key)) or both

    def _named(self, dotted: str, depth: int) -> Refs:
        """The classes that a qualified name means, empty where no package and class of ours bear it."""
        parts = dotted.split(".")
        for count in range(len(parts) - 1, -1, -1):
            package = ".".join(parts[:count])
            if count and not self._is_package(package) and parts[count] not in self._stems:
                continue
            refs = self._type(package, parts[count])
            for part in parts[count + 1 :]:
                refs = certain(self.resolver.members(refs, part, depth + 1))
            if refs:
                return refs
        return frozenset()

    def outside(self, importer: Path, source: str) -> bool:
        return _LIBRARY.match(source) is not None

    def exported(self, module: Module, name: str, depth: int) -> Refs:
        if found := self._type(module.name, name):
            return found
        inside = f"{module.name}.{name}"
        if self._is_package(inside):
            return frozenset({Module(module.path, "java", inside)})
        return unknown(f"the package {module.name} does not define {word(name)}")

    # Names

    def unbound(self, path: Path, outline: Outline, name: str, at: int, depth: int) -> Refs:
        if name.endswith(CALLED):
            return self._function(path, outline, name, depth)
        if found := self._type(outline.package, name, path):
            return found
        taken: set[Ref] = set()
        vague = False
        for source in outline.stars:
            refs, doubt = self._starred(path, source, name, depth)
            taken |= refs
            vague |= doubt
        if taken:
            return frozenset(taken)
        if name in _LANG:
            return frozenset({Elsewhere(f"{name} of java.lang")})
        if self._is_package(name):
            return frozenset({Module(path, "java", name)})
        if name in ("java", "javax"):
            return frozenset({Elsewhere("Java's own library")})
        return unknown("it may come from a package that is not found" if vague else "nothing in this package binds the name")

    def _starred(self, path: Path, source: str, name: str, depth: int) -> tuple[Refs, bool]:
        """What `import source.*` gives under a name, and whether it might give it without our knowing."""
        if name in _STARRED.get(source, ()):
            return frozenset({Elsewhere(f"{name} of {source}")}), False
        if not name.endswith(CALLED) and (found := self._type(source, name)):
            return found, False
        if holders := self._named(source, depth):
            refs = self.resolver.members(holders, name, depth + 1)
            keys = frozenset(ref for ref in refs if isinstance(ref, Key))
            return keys, not keys and not all(isinstance(base, Klass) for base in self._bases(holders, depth))
        return frozenset(), not self._is_package(source) and not self.outside(path, source)

    def _bases(self, holders: Refs, depth: int) -> Iterator[Ref]:
        for held in self.resolver.classes(holders, depth + 1):
            if isinstance(held, Klass):
                yield from self.resolver.bases(held, depth + 1)

    def _function(self, path: Path, outline: Outline, name: str, depth: int) -> Refs:
        """A method that no class around defines: only static imports can bring it."""
        found: set[Ref] = set()
        for binding in outline.bindings.get((0, word(name)), ()):
            if binding.source is not None:
                found |= self.imported(path, binding.source, binding.imported, depth)
        if found:
            return frozenset(ref for ref in found if not isinstance(ref, Key) or ref.name == name) or frozenset(found)
        vague = outside = False
        for source in outline.stars:
            if not source.rpartition(".")[2][:1].isupper():
                continue  # a package, which has no functions
            refs, doubt = self._starred(path, source, name, depth)
            found |= refs
            vague |= doubt
            outside |= self.outside(path, source)
        if found:
            return frozenset(found)
        if word(name) in _OBJECT:
            return frozenset({Unknown(f"{word(name)} of every object", outside=True)})
        if outside and not vague:
            return frozenset({Elsewhere("a static import of Java's own library")})
        return unknown("it may come from a class that is not found" if vague else "nothing around it defines the method")

    def spelled(self, path: Path, parts: Sequence[str]) -> Refs:
        for count in range(len(parts) - 1, 0, -1):
            if found := self._type(".".join(parts[:count]), parts[count]):
                for part in parts[count + 1 :]:
                    both = self.resolver.members(found, part) | self.resolver.members(found, part + CALLED)
                    found = frozenset(ref for ref in both if isinstance(ref, Key))
                return found
        package = ".".join(parts)
        return frozenset({Module(path, "java", package)}) if self._is_package(package) else frozenset()

    # Classes

    def twins(self, key: Key) -> Iterable[Key]:
        """A class and its constructors are one symbol."""
        outline = self.resolver.outline(key.path)
        if outline is None:
            return
        if not key.name.endswith(CALLED):
            for binding in outline.bindings.get((key.scope, key.name), ()):
                if binding.kind is SymbolKind.CLASS and (binding.inner, key.name + CALLED) in outline.bindings:
                    yield Key(key.path, binding.inner, key.name + CALLED)
        elif outline.scopes[key.scope].name == word(key.name):
            for scope, bindings in outline.named(word(key.name)):
                yield from (Key(key.path, scope, b.name) for b in bindings if b.inner == key.scope)

    def alone(self, key: Key) -> bool:
        if self.resolver.kind(key) is SymbolKind.METHOD:
            return all(_ALONE.search(text) for text in self.declared(key))
        # A field hides that of a base.
        return True

    def beyond(self, key: Key) -> bool:
        if word(key.name) in _OBJECT:
            return True
        return self.resolver.is_member(key) and not self.alone(key) and self.opens(Klass(key.path, key.scope), key.name, set())

    def may_declare(self, source: str, base: str, member: str) -> bool:
        if base in _LANG and base.endswith(("Exception", "Error", "Throwable")):
            return member in _OBJECT or member in _EXCEPTIONS
        return member in _OBJECT or member in _LENT.get(base, (member,))

    def library(self, source: str) -> str:
        return source

    # Types

    def constructors(self, name: str) -> tuple[str, ...]:
        return (name + CALLED,)

    def predefined(self, name: str) -> bool:
        return name in _PREDEFINED

    def type_names(self, annotation: str) -> tuple[str, ...]:
        text = annotation.strip()
        if text.startswith('"'):
            return ("String",)
        if text.endswith(".class"):
            return ("Class",)
        found: list[str] = []
        for part in re.split(r"[|&]", _MODIFIERS.sub(" ", text)):
            head = _DOTTED.match(part.strip())
            if head is not None and not part.rstrip().endswith(("]", "...")):
                found.append(re.sub(r"\s", "", head[0]))
        return tuple(dict.fromkeys(found))

    def may_be_ours(self, annotation: str) -> bool:
        return not all(name.rpartition(".")[2] in _FINAL for name in self.type_names(annotation))

    def makes(self, name: str) -> bool:
        # A method of the library may give anything, `list.get(0)`; only `new` gives what it says.
        return not name.endswith(CALLED)

    def item(self, annotation: str) -> str:
        text = _MODIFIERS.sub(" ", annotation).strip()
        if text.endswith("]"):
            return text[: text.rindex("[")].strip()
        found = _GENERIC.fullmatch(text)
        given = alternatives(found["given"], ",") if found is not None else []
        return given[0].strip(" ?") if len(given) == 1 else ""


def _grouped(files: Iterable[Path], key: Callable[[Path], str]) -> Mapping[str, tuple[Path, ...]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(files):
        if path.suffix == ".java":
            found.setdefault(key(path), []).append(path)
    return {name: tuple(held) for name, held in found.items()}
