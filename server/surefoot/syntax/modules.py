"""Which file a module name means, for Python and for ECMAScript, among the files of one root."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

from surefoot.core.text import Texts
from surefoot.syntax.languages import language_of
from surefoot.syntax.store.files import Files
from surefoot.syntax.tsconfig import Package, PathMap, packages, path_maps

_PYTHON = (".py", ".pyi")
_ECMA = (".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")
_WRITTEN_AS: Mapping[str, tuple[str, ...]] = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
_BUILT = re.compile(r"\.(?:d\.)?[cm]?[jt]sx?$")
NODE = frozenset(
    [
        "assert",
        "async_hooks",
        "buffer",
        "child_process",
        "cluster",
        "console",
        "crypto",
        "dns",
        "events",
        "fs",
        "http",
        "http2",
        "https",
        "module",
        "net",
        "os",
        "path",
        "perf_hooks",
        "process",
        "querystring",
        "readline",
        "stream",
        "string_decoder",
        "test",
        "timers",
        "tls",
        "tty",
        "url",
        "util",
        "v8",
        "vm",
        "worker_threads",
        "zlib",
    ]
)


class Modules:
    """Module names resolved against the files that are there, by the language of whoever imports."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts

    @cached_property
    def files(self) -> Files:
        files = self._texts.files()
        return files if isinstance(files, Files) else Files.of(self._texts.root, files)

    def find(self, importer: Path, source: str) -> Path | None:
        """The file that `source` means in `importer`, None where it is none of ours."""
        language = language_of(importer)
        if language is None or language.family == "python":
            return self._python.find(importer, source)
        return self._ecma.find(importer, source) if language.family == "ecmascript" else None

    def submodule(self, package: Path, name: str) -> Path | None:
        """The Python module `name` inside a package (its `__init__` file or its folder)."""
        return self._python.submodule(package, name)

    @cached_property
    def _python(self) -> "PythonModules":
        return PythonModules(self.files, self._texts.root)

    @cached_property
    def _ecma(self) -> "EcmaModules":
        return EcmaModules(self._texts, self.files)


class PythonModules:
    """Python's module names; a file or, for a package without `__init__`, its folder."""

    def __init__(self, files: Files, root: Path) -> None:
        self.files = files
        self._root = root
        self._resolved: dict[tuple[Path, str], Path | None] = {}

    def find(self, importer: Path, source: str) -> Path | None:
        """The file or folder that `source` means in `importer`."""
        key = (importer.parent, source)
        if key not in self._resolved:
            self._resolved[key] = self._find(importer, source)
        return self._resolved[key]

    def submodule(self, package: Path, name: str) -> Path | None:
        """The module `name` inside a package (its `__init__` file or its folder)."""
        if package.suffix in _PYTHON and package.stem != "__init__":
            return None
        folder = package.parent if package.suffix in _PYTHON else package
        return self._at(folder / name)

    def _find(self, importer: Path, source: str) -> Path | None:
        name = source.lstrip(".")
        parts = name.split(".") if name else []
        if dots := len(source) - len(name):
            folder = importer.parent
            for _ in range(dots - 1):
                folder = folder.parent
            return self._at(folder.joinpath(*parts))
        return next((found for base in self._bases(importer, parts[0]) if (found := self._at(base.joinpath(*parts)))), None)

    def _bases(self, importer: Path, top: str) -> Iterator[Path]:
        """Folders in which `top` may be a top-level module, the likeliest first."""
        yield self._root
        for folder in importer.parents:
            if folder == self._root or not folder.is_relative_to(self._root):
                break
            if not self._is_package(self.files.name(folder) or ""):
                yield folder
        near = importer.parts
        yield from sorted(self._tops.get(top, ()), key=lambda base: (-_shared(base.parts, near), len(base.parts), base))

    @cached_property
    def _own(self) -> Sequence[str]:
        """The names of the Python files."""
        return [name for name in self.files.names if name.endswith(_PYTHON)]

    @cached_property
    def _folders(self) -> frozenset[str]:
        """Folders that hold Python files, and those above them, by their names below the root."""
        found: set[str] = set()
        for name in self._own:
            folder = name
            for _ in range(name.count("/")):
                folder = folder.rpartition("/")[0]
                if folder in found:
                    break
                found.add(folder)
        return frozenset(found)

    @cached_property
    def _tops(self) -> dict[str, set[Path]]:
        """Names of top-level modules, each with the folders that hold it."""
        found: dict[str, set[str]] = {}
        for name in self._own:
            folder, _, last = name.rpartition("/")
            stem = last.rpartition(".")[0]
            if stem not in ("__init__", "") and not self._is_package(folder):
                found.setdefault(stem, set()).add(folder)
        for name in self._folders:
            folder, _, last = name.rpartition("/")
            if self._is_package(name) and not self._is_package(folder):
                found.setdefault(last, set()).add(folder)
        return {name: {self._root / folder for folder in folders} for name, folders in found.items()}

    def _is_package(self, folder: str) -> bool:
        """Whether a folder, by its name below the root, has an `__init__` file."""
        above = f"{folder}/" if folder else ""
        return f"{above}__init__.py" in self.files.names or f"{above}__init__.pyi" in self.files.names

    def _at(self, base: Path) -> Path | None:
        text = str(base)
        tries = [f"{text}{os.sep}__init__{s}" for s in _PYTHON] + ([text + s for s in _PYTHON] if base.name else [])
        found = next((path for each in tries if (path := self.files.at(each)) is not None), None)
        return found or (base if self.files.name(base) in self._folders else None)


class EcmaModules:
    """Module names of ECMAScript: relative ones, those that a tsconfig maps, and packages of the workspace."""

    def __init__(self, texts: Texts, files: Files) -> None:
        self.files = files
        self._texts = texts
        self._resolved: dict[tuple[Path, str], Path | None] = {}

    def find(self, importer: Path, source: str) -> Path | None:
        """The file that `source` means in `importer`."""
        key = (importer.parent, source)
        if key not in self._resolved:
            self._resolved[key] = self._find(importer, source)
        return self._resolved[key]

    def _find(self, importer: Path, source: str) -> Path | None:
        if source.startswith("."):
            base = _join(importer.parent, source)
            return self._index(base) if source.endswith(("/", ".")) else self._at(base)
        for paths in self._maps:
            if importer.is_relative_to(paths.folder):
                for base in _mapped(paths, source):
                    if (found := self._at(base)) is not None:
                        return found
                break
        return self._packaged(importer, source)

    @cached_property
    def _maps(self) -> tuple[PathMap, ...]:
        return path_maps(self._texts)

    def _packaged(self, importer: Path, source: str) -> Path | None:
        if source.startswith("#"):
            near = [package for package in self._packages.values() if package.imports and importer.is_relative_to(package.folder)]
            owner = max(near, key=lambda package: len(package.folder.parts), default=None)
            return self._offered(owner.folder, owner.imports, source) if owner is not None else None
        parts = source.split("/")
        count = 2 if source.startswith("@") else 1
        package = self._packages.get("/".join(parts[:count]))
        if package is None:
            return None
        rest = "/".join(parts[count:])
        if (found := self._offered(package.folder, package.exports, f"./{rest}" if rest else ".")) is not None:
            return found
        entries = [rest, f"src/{rest}"] if rest else [*package.entries, "src/index", "index", "src/main", "lib/index"]
        tries = [form for entry in entries for form in _as_source(entry)]
        return next((found for entry in tries if (found := self._at(_join(package.folder, entry)))), None)

    def _offered(self, folder: Path, patterns: Sequence[tuple[str, tuple[str, ...]]], name: str) -> Path | None:
        """The file that the longest fitting pattern of a package.json leads to."""
        for target in _targets(patterns, name):
            for form in _as_source(target):
                if (found := self._at(_join(folder, form))) is not None:
                    return found
        return None

    @cached_property
    def _packages(self) -> Mapping[str, Package]:
        return packages(self._texts)

    def _at(self, base: Path) -> Path | None:
        text = str(base)
        before, suffix = os.path.splitext(text)
        tries = [before + other for other in _WRITTEN_AS.get(suffix, ())]
        if base.name:
            tries += [text, *(text + suffix for suffix in _ECMA)]
        found = next((path for each in tries if each.endswith(_ECMA) and (path := self.files.at(each)) is not None), None)
        return found or self._index(base)

    def _index(self, folder: Path) -> Path | None:
        return next((path for suffix in _ECMA if (path := self.files.at(f"{folder}{os.sep}index{suffix}")) is not None), None)


def _mapped(paths: PathMap, source: str) -> Iterator[Path]:
    patterns = [(pattern, tuple(str(target) for target in targets)) for pattern, targets in paths.patterns]
    yield from (Path(os.path.normpath(target)) for target in _targets(patterns, source))
    if paths.base is not None:
        yield _join(paths.base, source)


def _targets(patterns: Sequence[tuple[str, tuple[str, ...]]], name: str) -> Iterator[str]:
    """What patterns with at most one `*` make of a name, the longest fitting pattern first."""
    for pattern, targets in sorted(patterns, key=lambda p: len(p[0].partition("*")[0]), reverse=True):
        before, star, after = pattern.partition("*")
        if star and name.startswith(before) and name.endswith(after) and len(name) >= len(before) + len(after):
            part = name[len(before) : len(name) - len(after)]
            yield from (target.replace("*", part) for target in targets)
        elif name == pattern:
            yield from targets


def _as_source(entry: str) -> Sequence[str]:
    """A built file as it is named in package.json, and where its source would be."""
    folder, slash, rest = entry.removeprefix("./").partition("/")
    if not slash or folder not in ("dist", "lib", "build", "out"):
        return (entry,)
    bare = _BUILT.sub("", rest)
    flat = bare.partition("/")[2] if bare.partition("/")[0] in ("esm", "cjs", "es", "types") else bare
    return (*(f"src/{name}" for name in dict.fromkeys((bare, flat))), entry)


def _shared(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _join(folder: Path, part: str) -> Path:
    return Path(os.path.normpath(folder / part))
