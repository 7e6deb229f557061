"""Code that breaks the rules of loops, lifetimes and prompts, each piece one of them once; and code that looks like it and breaks none."""

from collections.abc import Sequence
from textwrap import indent

LOOPS: Sequence[str] = (
    "while True:\n    a = f(a)",
    "while f(a):\n    pass",
    "while not f(a):\n    a = f(a)",
    "while a or xs:\n    xs.pop()",
    # Steps that are none: not on every turn, backwards, of no size, by an unknown size, or towards something that goes away.
    "while a < 9:\n    if f(a):\n        a += 1",
    "while a < 9:\n    if f(a):\n        continue\n    a += 1",
    "while a < 9:\n    a -= 1",
    "while a > 0:\n    a += 1",
    "while a < 9:\n    a += 0",
    "while a < 9:\n    a += f(a)",
    "while a < 9:\n    a += 1\n    a = f(a)",
    "while a < len(xs):\n    a += 1\n    xs.append(a)",
    "while a < b:\n    a += 1\n    b = f(b)",
    # Worklists: not taken from on every turn, put back without being remembered, remembered but not asked, or lent to somebody.
    "while xs:\n    a = f(a)",
    "while xs:\n    if f(a):\n        xs.pop()",
    "while xs:\n    a = xs.pop() if f(a) else a",
    "while xs:\n    a = xs.pop()\n    xs.append(f(a))",
    "while xs:\n    a = xs.pop()\n    seen.add(a)\n    xs += f(a)",
    "while xs:\n    a = xs.pop()\n    if a in seen:\n        continue\n    xs += f(a)",
    "while xs:\n    a = xs.pop()\n    if a not in seen:\n        seen.add(a)\n    xs += f(a)",
    "while xs:\n    a = xs.pop()\n    if b in seen:\n        continue\n    seen.add(a)\n    xs += f(a)",
    "while xs:\n    a = xs.pop()\n    more(a, xs)",
    "while xs:\n    a = xs.pop()\n    xs += b.children",
    "while xs:\n    a = xs.pop()\n    if a.is_dir():\n        xs.append(a)",
    "while len(xs) < 9:\n    xs.pop()",
    # Climbs: no end in the test, not on every turn, sideways.
    "while a.is_relative_to(b):\n    a = a.parent",
    "while a is not None:\n    a = a.next",
    "while a is not None:\n    if f(a):\n        a = a.parent",
    "while a in seen:\n    a = a.parent",
    "while a >= 0:\n    a = f(a)",
    # Time that is none: without waiting, without a number, or around somebody else's loop.
    "async with asyncio.timeout(1):\n    while f(a):\n        pass",
    "async with asyncio.timeout(None):\n    while f(a):\n        await g()",
    "async with asyncio.timeout(1):\n    async def inner() -> None:\n        while f(a):\n            await g()",
    # Something endless.
    "for a in count():\n    f(a)",
    "for a in itertools.cycle(xs):\n    f(a)",
    "for a in itertools.repeat(b):\n    f(a)",
    "for a in iter(g, None):\n    f(a)",
    "b = [f(a) for a in count(1)]",
    "async for a in g():\n    f(a)",
    "b = [a async for a in g()]",
    "def inner() -> None:\n    while True:\n        pass",
)


def kept(made: str, put: str) -> str:
    """A class that makes a collection and puts something into it."""
    return f"class A:\n    def __init__(self, x):\n        self._x{made}\n\n    def f(self, k):\n        {put}\n"


COLLECTIONS: Sequence[str] = (
    kept(" = {}", "self._x[k] = 1"),
    kept(": dict[str, int] = {}", "self._x[k] += 1"),
    kept(" = dict[str, int]()", "return self._x.setdefault(k, 1)"),
    kept(": OrderedDict[str, int] = OrderedDict()", "a, self._x[k] = k"),
    kept(" = []", "self._x.append(k)"),
    kept(" = []", "self._x += k"),
    kept(" = set()", "self._x |= k"),
    kept(" = []", "self._x = [*self._x, k]"),
    kept(" = {}", "self._x = {**self._x, k: 1}"),
    kept(": Mapping[str, int] = {}", "self._x = {**self._x, k: 1}"),
    kept(" = set()", "self._x = self._x | {k} if k else self._x"),
    kept(" = []", "heapq.heappush(self._x, k)"),
    kept(" = []", "k.add_done_callback(self._x.append)"),
    kept(" = x or {}", "self._x[k] = 1"),
    # What a constructor takes out was never kept; a bound of None is none; to read is not to take.
    kept(" = [x]; self._x.pop()", "self._x.append(k)"),
    kept(" = deque(maxlen=None)", "self._x.append(k)"),
    kept(" = {}", "self._x[k] = self._x.get(k)"),
    # Taking from a queue does not keep those who put into it from being faster.
    kept(" = asyncio.Queue()", "self._x.put_nowait(k); self._x.get()"),
    # Somebody else's collection is emptied.
    kept(" = []", "self._x.append(k)") + "\n\nclass B:\n    def f(self):\n        self._x.clear()\n",
    # What is public may be put into from everywhere; a default of a field is a collection, too.
    "class A:\n    def __init__(self):\n        self.x = {}\n\n\ndef f(a, k):\n    a.x[k] = 1\n",
    "@dataclass\nclass A:\n    x: list[int] = field(default_factory=list)\n\n\ndef f(a, k):\n    a.x.append(k)\n",
    "@dataclass\nclass A:\n    x: set[int] = field(default_factory=lambda: set[int]())\n\n    def f(self, k):\n        self.x.add(k)\n",
    # What is short-lived is kept; what is asked is never forgotten.
    "class A:\n    def __init__(self, texts):\n        self._x = Snapshot(texts)\n",
    "class A:\n    @cached_property\n    def x(self):\n        return Resolver(self.texts)\n",
    "@cache\ndef f(k):\n    return k\n",
    "@lru_cache(maxsize=None)\ndef f(k):\n    return k\n",
    "class A:\n    @functools.cache\n    def f(self):\n        return 1\n",
)
PROMPTS: Sequence[str] = (
    "def f(text):\n    ask(system=text)\n",
    "def f(text):\n    ask(system=f'Be kind to {text}')\n",
    "def f(text):\n    ask(system='Be kind to ' + text)\n",
    "def f(text):\n    ask(system='Be kind to %s' % text)\n",
    "def f(text):\n    ask(system='Be kind to {}'.format(text))\n",
    "def f(text):\n    ask(system=[{'type': 'text', 'text': text}])\n",
    "def f(view):\n    ask(system=view.system)\n",
    "def f(view):\n    return {'system': view.text}\n",
    "def f(view):\n    return {'role': 'system', 'content': view.text}\n",
    "def f(request, text):\n    request['system'] = text\n",
    "def f(request, text):\n    request.system = text\n",
    "def f(text):\n    system = text\n    ask(system)\n",
    "def f(request, text):\n    request.system += text\n",
    "def f():\n    ask(system=Path('CLAUDE.md').read_text())\n",
    "from surefoot.prompts import edit\n\n\ndef f(text):\n    ask(system=edit(text))\n",
    "from surefoot.prompts import edit\n\n\ndef f(text):\n    ask(system=edit(rules=text))\n",
    "from surefoot import prompts\n\n\ndef f(text):\n    ask(system=prompts.EDIT + text)\n",
    "from surefoot import prompts\n\n\ndef f(text):\n    ask(system=prompts.EDIT.replace('x', text))\n",
    "from surefoot import prompts\n\n\ndef f(kind):\n    ask(system=prompts.ALL[kind])\n",
    "from surefoot.run import prompts\n\n\ndef f():\n    ask(system=prompts.EDIT)\n",
)
TEMPLATES: Sequence[tuple[str, str]] = (
    ("edit_system.md", "Be kind to {{ name }}.\n"),
    ("edit_system.md", "Be kind.\n{% if x %}\n"),
    ("system.txt", "Be kind to {name}.\n"),
    ("system.txt", "Be kind to {view.text!r}.\n"),
    ("system.txt", "Be kind to $name.\n"),
    ("plan.system.txt", "Be kind to ${name}.\n"),
    ("system.txt", "Be kind to %(name)s.\n"),
    ("system.py", "def edit(name):\n    return f'Be kind to {name}'\n"),
    ("system.py", "EDIT = 'Be kind to {name}'\n"),
)


def looped(body: str) -> str:
    """A function whose body is one of LOOPS."""
    return f"async def f(a, b, xs, seen, g):\n{indent(body, '    ')}\n"


FINE_LOOPS = "\n\n".join(
    looped(body)
    for body in (
        "for _ in range(9):\n    f(a)",
        "for a in repeat(b, 3):\n    f(a)",
        "for a in zip(count(), xs):\n    f(a)",
        "for a in iter(xs):\n    f(a)",
        "while a < len(xs) and xs[a] == b:\n    a += 1",
        "while a > b - 9:\n    a -= 1",
        "while xs:\n    a = xs.pop()\n    f(a)",
        "while xs and f(a):\n    xs.popleft()",
        "while len(xs) > 9:\n    del xs[0]",
        "while b.xs:\n    a = b.xs.pop()\n    await a()",
        "while xs:\n    a = xs.pop()\n    if a in seen:\n        continue\n    seen.add(a)\n    xs += f(a)",
        "while xs:\n    a = xs.pop()\n    if a not in seen and f(a):\n        seen[a] = None\n        xs += f(a)",
        "while xs:\n    a = xs.pop()\n    xs += reversed(a.children)",
        "while xs:\n    b = xs.pop()\n    f(b)\n    if f(a):\n        continue\n    a = b",
        "while xs:\n    b = xs.pop()\n    for a in g(b):\n        if a.is_dir(follow_symlinks=False):\n            xs.append(a)",
        "while a is not None and f(a):\n    a = a.parent",
        "while a.parent is not None:\n    a = a.parent",
        "while a is not None:\n    b = a.parent\n    if f(b):\n        return\n    a = b",
        "while a >= 0:\n    b = xs[a]\n    f(b)\n    a = b.parent",
        "async with asyncio.timeout(1):\n    while f(a):\n        await g()",
    )
)
FINE_COLLECTIONS = """
class A:
    def __init__(self, given):
        self._given = given
        self._table = {1: 2}
        self._seen: Mapping[str, int] = {}
        self._last = deque(maxlen=9)
        self._queue = asyncio.Queue(maxsize=9)
        self._held = {}
        self._tasks = set()
        self._words = bytearray()
        self._waiting = {}
        self._some = []
        self.open = {}

    def put(self, k, task):
        self._given.append(self._table[1])
        self._seen = {k: 1}
        self._last.append(k)
        self._queue.put_nowait(k)
        self._held[k] = 1
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._words += k
        del self._words[:-9]
        self._waiting[k] = 1
        self._some.append(k)
        self._some = [each for each in self._some if each != k]
        self.open[k] = 1

    def forget(self, k):
        del self._held[k]
        told, self._waiting = self._waiting, {}
        return told


def close(a, k):
    a.open.pop(k)


def local(xs):
    found = []
    found.append(Snapshot(xs))
    return found


@cache
def once():
    return 1


@lru_cache
def few(k):
    return k
"""
FINE_PROMPTS = """
import surefoot.prompts
import surefoot.prompts.judge as j
from surefoot import prompts
from surefoot.prompts import edit, EDIT as E


def f(text):
    ask(system="Be kind.", user=text)
    ask(system=prompts.EDIT)
    ask(system=prompts.edit())
    ask(system=edit())
    ask(system=E)
    ask(system=j.JUDGE)
    ask(system=surefoot.prompts.judge.JUDGE)
    return {"system": prompts.EDIT, "role": "user", "content": text}
"""
FINE_TEMPLATES = (("user.md", "Look at {{ text }} and {text}.\n"), ("system.md", "Be kind: 5 % of {} costs $3, and {1, 2} is a set.\n"))
