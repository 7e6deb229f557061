"""Two texts have one shape exactly when a reader of the tree could not tell them apart."""

from pathlib import Path

import pytest

from surefoot.syntax.shapes import shape_of

# name, file, one text, another one of the same shape
EQUAL = [
    ("blanks", "a.py", "x = f(a,b)\n", "x  =  f( a, b )"),
    ("line breaks in brackets", "a.py", "x = f(a, b)\n", "x = f(\n    a,\n    b\n)\n"),
    ("a comma after the last argument", "a.py", "f(a, b)\n", "f(\n    a,\n    b,  # last\n)\n"),
    ("a comma after the last item of a list", "a.py", "x = [1, 2]\ny = {1: 2}\n", "x = [1, 2,]\ny = {1: 2,}\n"),
    ("a comma after the last parameter", "a.py", "def f(a, *, b): ...\n", "def f(\n    a, *, b,\n): ...\n"),
    ("a comma after a tuple of two", "a.py", "x = (1, 2)\n", "x = (1, 2,)\n"),
    ("a comma after the last imported name", "a.py", "from a import (b, c)\n", "from a import (\n    b,\n    c,\n)\n"),
    ("quotes", "a.py", "x = 'a b'\ny = rb'a'\n", 'x = "a b"\ny = rb"a"\n'),
    ("quotes of a formatted string", "a.py", "x = f'{a} b'\n", 'x = f"{a} b"\n'),
    ("comments", "a.py", "if x:  # why\n    # and how\n    y()\n", "if x:\n    y()\n"),
    ("a comment at the end of a block", "a.py", "if x:\n    y()\n    # more\nz()\n", "if x:\n    y()\nz()\n# more\n"),
    ("deeper indentation of one block", "a.py", "if x:\n  y()\n  z()\n", "if x:\n        y()\n        z()\n"),
    ("a body on the line of its head", "a.py", "if x: y()\n", "if x:\n    y()\n"),
    ("a continued line", "a.py", "x = a + \\\n    b\n", "x = a + b\n"),
    ("line ends", "a.py", "x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n"),
    ("a byte order mark", "a.py", "\ufeffx = 1\n", "x = 1\n"),
    ("empty lines", "a.pyi", "x: int\n\n\ny: int", "x: int\ny: int\n"),
    ("blanks of TypeScript", "a.ts", "const x:number=f<A>(a,b);\n", "const x: number = f< A >(\n  a,\n  b,\n);\n"),
    ("comments of TypeScript", "a.ts", "/** Doc. */\nexport class A { // b\n  x = 1; }\n", "export class A {\n  x = 1;\n}\n"),
    ("last commas of TypeScript", "a.ts", "import { a, b } from 'c'; enum E { A, B }", 'import { a, b, } from "c"; enum E { A, B, }'),
    ("last commas of its types", "a.mts", "type T = [A, B]; type U = G<A>;", "type T = [A, B,]; type U = G<A,>;"),
    ("a last comma in an array", "a.js", "x = [1, 2]; y = {a, b}; f(a)", "x = [1, 2,]; y = {a, b,}; f(a,)"),
    ("quotes of JavaScript", "a.js", "x = 'a';", 'x = "a";'),
    ("a template, untouched", "a.js", "x = `a ${ 'b' } // c`;", "x=`a ${ 'b' } // c` ;"),
    ("lines between tags", "a.tsx", "x = <a><b/>hi you</a>;", "x = <a>\n  <b />\n  hi you\n</a>;"),
    ("attributes", "a.jsx", "x = <a b='c' d={e}/>;", 'x = <a\n  b="c"\n  d={e}\n/>;'),
    ("a comment between tags", "a.tsx", "x = <T,>(y: T) => <a>{y /* z */}</a>;", "x = <T,>(y: T) => <a>{y}</a>;"),
    ("blanks of a text", "a.txt", "one  two\n\nthree", "one two three\n"),
    ("blanks of what does not parse", "a.py", "def (:\n  x", "def  (:\n x\n"),
]
DIFFERENT = [
    ("another name", "a.py", "x = a\n", "x = b\n"),
    ("another number", "a.py", "x = 1\n", "x = 10\n"),
    ("another operator", "a.py", "x = a + b\n", "x = a - b\n"),
    ("indentation", "a.py", "if x:\n    y()\nz()\n", "if x:\n    y()\n    z()\n"),
    ("depth of an else", "a.py", "if a:\n  if b: c()\n  else: d()\n", "if a:\n  if b: c()\nelse: d()\n"),
    ("a moved blank", "a.py", "ab\nc\n", "a\nbc\n"),
    ("blanks in a string", "a.py", "x = 'a b'\n", "x = 'a  b'\n"),
    ("a comment sign in a string", "a.py", "x = 'a # b'\n", "x = 'a # c'\n"),
    ("indentation in a long string", "a.py", 'x = """\na"""\n', 'x = """\n  a"""\n'),
    ("raw or not", "a.py", "x = r'a'\n", "x = 'a'\n"),
    ("quotes that are text", "a.py", "x = 'a\"b'\n", "x = 'ab'\n"),
    ("two strings swapped", "a.py", "f('a', 'b')\n", "f('b', 'a')\n"),
    ("a string split", "a.py", "x = 'a' 'b'\n", "x = 'a b'\n"),
    ("a tuple of one", "a.py", "x = (1,)\n", "x = (1)\n"),
    ("a tuple of one tuple", "a.py", "x = ((1, 2),)\n", "x = ((1, 2))\n"),
    ("a tuple as an index", "a.py", "x[1,]\n", "x[1]\n"),
    ("a tuple as a pattern", "a.py", "match x:\n  case (a,): y()\n", "match x:\n  case (a): y()\n"),
    ("brackets", "a.py", "x = (a + b) * c\n", "x = a + b * c\n"),
    ("order", "a.py", "a()\nb()\n", "b()\na()\n"),
    ("a keyword more", "a.py", "async def f(): ...\n", "def f(): ...\n"),
    ("is not", "a.py", "x = a is not b\n", "x = a is (not b)\n"),
    ("another type", "a.ts", "const x: A = y;", "const x: B = y;"),
    ("another modifier", "a.ts", "class A { private x = 1 }", "class A { public x = 1 }"),
    ("a moved blank between fields", "a.ts", "class A { ab\n c }", "class A { a\n bc }"),
    ("optional", "a.ts", "interface A { x?: B }", "interface A { x: B }"),
    ("a hole", "a.js", "x = [1,,]", "x = [1,]"),
    ("nothing but a hole", "a.js", "x = [,]", "x = []"),
    ("a line that ends a statement", "a.js", "function f() { return\na }", "function f() { return a }"),
    ("blanks in a template", "a.js", "x = `a b`", "x = `a  b`"),
    ("a regular expression", "a.js", "x = /a b/", "x = /a  b/"),
    ("signs", "a.js", "x = a - -b", "x = a - (--b)"),
    ("words between tags", "a.tsx", "x = <a>hi you</a>", "x = <a>hi  you</a>"),
    ("a blank at a tag", "a.tsx", "x = <a>hi <b/></a>", "x = <a>hi<b/></a>"),
    ("another tag", "a.jsx", "x = <a/>", "x = <b/>"),
    ("another word", "a.txt", "one two", "one too"),
    ("a word split", "a.txt", "onetwo", "one two"),
    ("parsed or not", "a.py", "def f(): ...\n", "def f( ...\n"),
]


@pytest.mark.parametrize(("file", "one", "other"), [row[1:] for row in EQUAL], ids=[row[0] for row in EQUAL])
def test_texts_of_one_shape(file: str, one: str, other: str) -> None:
    assert shape_of(Path(file), one.encode()) == shape_of(Path(file), other.encode())


@pytest.mark.parametrize(("file", "one", "other"), [row[1:] for row in DIFFERENT], ids=[row[0] for row in DIFFERENT])
def test_texts_of_two_shapes(file: str, one: str, other: str) -> None:
    assert shape_of(Path(file), one.encode()) != shape_of(Path(file), other.encode())


def test_bytes_that_are_no_text_have_a_shape() -> None:
    assert shape_of(Path("a.py"), b"x = \0 1") == shape_of(Path("a.py"), b"x  = \0 1")
    assert shape_of(Path("a.py"), b"x = '\xff'") != shape_of(Path("a.py"), b"x = '\xfe'")
