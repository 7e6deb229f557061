"""The linkers: which strategy answers for which family of languages."""

from collections.abc import Mapping
from types import MappingProxyType

from surefoot.syntax.linking.c import CLinker
from surefoot.syntax.linking.csharp import CSharpLinker
from surefoot.syntax.linking.ecmascript import EcmaLinker
from surefoot.syntax.linking.go import GoLinker
from surefoot.syntax.linking.java import JavaLinker
from surefoot.syntax.linking.linker import Linker
from surefoot.syntax.linking.lua import LuaLinker
from surefoot.syntax.linking.php import PhpLinker
from surefoot.syntax.linking.python import PythonLinker
from surefoot.syntax.linking.ruby import RubyLinker
from surefoot.syntax.linking.rust import RustLinker

LINKERS: Mapping[str, type[Linker]] = MappingProxyType(
    {
        "python": PythonLinker,
        "ecmascript": EcmaLinker,
        "go": GoLinker,
        "java": JavaLinker,
        "rust": RustLinker,
        "c": CLinker,
        "csharp": CSharpLinker,
        "ruby": RubyLinker,
        "php": PhpLinker,
        "lua": LuaLinker,
    }
)
"""By `Language.family`."""
