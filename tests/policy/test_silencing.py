"""Changes that make a finding or a test go quiet, in each language, beside changes that do not."""

from pathlib import Path

import pytest

from surefoot.policy.silencing import silenced

PY = "def test_a():\n    assert f(1) == 2\n\n\ndef f(x):\n    return x\n"
TS = 'test("a", () => {\n  expect(f(1)).toBe(2);\n});\n\nfunction f(x: number) {\n  return x;\n}\n'
GO = 'func TestA(t *testing.T) {\n\tif f(1) != 2 {\n\t\tt.Errorf("no")\n\t}\n}\n'
RS = "#[test]\nfn a() {\n    assert_eq!(f(1), 2);\n}\n"
JAVA = "@Test\nvoid a() {\n    assertEquals(2, f(1));\n}\n"

QUIET = {
    "type: ignore": (PY, PY.replace("return x", "return x  # type: ignore[return-value]"), "`type: ignore`"),
    "pyright": (PY, "# pyright: basic\n" + PY, "`type: ignore`"),
    "noqa": (PY, PY.replace("return x", "return x  # noqa: E501"), "`noqa`"),
    "ruff of a file": (PY, "# ruff: noqa\n" + PY, "`noqa`"),
    "pylint": (PY, PY.replace("return x", "return x  # pylint: disable=all"), "`noqa`"),
    "eslint": (TS, "/* eslint-disable */\n" + TS, "`eslint-disable`"),
    "biome": (TS, "// biome-ignore lint: no\n" + TS, "`eslint-disable`"),
    "ts-ignore": (TS, TS.replace("  return x", "  // @ts-ignore\n  return x"), "`@ts-ignore`"),
    "ts-expect-error": (TS, TS.replace("  return x", "  // @ts-expect-error\n  return x"), "`@ts-ignore`"),
    "as any": (TS, TS.replace("return x", "return x as any"), "`any`"),
    "allow": (RS, "#[allow(unused)]\n" + RS, "`#[allow]`"),
    "nolint": (GO, GO.replace("{\n\tif", "{ //nolint\n\tif", 1), "`nolint`"),
    "clang-tidy": ("int f();\n", "int f(); // NOLINT\n", "`nolint`"),
    "SuppressWarnings": (JAVA, '@SuppressWarnings("all")\n' + JAVA, "`@SuppressWarnings`"),
    "C#": ("int F();\n", "#pragma warning disable CS8600\nint F();\n", "`@SuppressWarnings`"),
    "rubocop": ("def f; end\n", "def f; end # rubocop:disable all\n", "`rubocop:disable`"),
    "phpstan": ("<?php f();\n", "<?php f(); // @phpstan-ignore-line\n", "`rubocop:disable`"),
    "pytest skip": (PY, "@pytest.mark.skip\n" + PY, "a skipped test"),
    "pytest skipif": (PY, "@pytest.mark.skipif(True, reason='later')\n" + PY, "a skipped test"),
    "noqa in capitals": (PY, PY.replace("return x", "return x  # NOQA"), "`noqa`"),
    "a rule of pyright": (PY, "# pyright: reportReturnType=false\n" + PY, "`type: ignore`"),
    "pytest xfail": (PY, "@pytest.mark.xfail\n" + PY, "a skipped test"),
    "unittest skip": (PY, "@unittest.skip('later')\n" + PY, "a skipped test"),
    "it.skip": (TS, TS.replace('test("a"', 'test.skip("a"'), "a skipped test"),
    "it.only": (TS, TS.replace('test("a"', 'test.only("a"'), "a skipped test"),
    "xit": (TS, TS + 'xit("b", () => {});\n', "a skipped test"),
    "t.Skip": (GO, GO.replace("{\n\tif", "{\n\tt.Skip()\n\tif", 1), "a skipped test"),
    "ignore in Rust": (RS, RS.replace("#[test]", "#[test]\n#[ignore]"), "a skipped test"),
    "Disabled": (JAVA, "@Disabled\n" + JAVA, "a skipped test"),
    "deleted test": (PY, PY.partition("\n\n\n")[2], "a test is deleted"),
    "deleted test in TypeScript": (TS, TS.partition("\n\n")[2], "a test is deleted"),
    "deleted test in Go": (GO, "", "a test is deleted"),
    "deleted assertion": (PY, PY.replace("    assert f(1) == 2", "    f(1)"), "an assertion of a test is taken away"),
    "deleted expectation": (TS, TS.replace("  expect(f(1)).toBe(2);", "  f(1);"), "an assertion of a test is taken away"),
    "bare except": (PY, PY.replace("    return x", "    try:\n        return x\n    except:\n        return 0"), "catch everything"),
    "except Exception": (
        PY,
        PY.replace("    return x", "    try:\n        return x\n    except Exception:\n        return 0"),
        "catch everything",
    ),
    "catch all": (TS, TS.replace("  return x;", "  try {\n    return x;\n  } catch {\n    return 0;\n  }"), "catch everything"),
    "catch Throwable": (JAVA, JAVA + "void g() { try { f(); } catch (Throwable t) { } }\n", "catch everything"),
}
FINE = {
    "a function": (PY, PY + "\n\ndef g(x):\n    return f(x)\n"),
    "another test": (PY, PY + "\n\ndef test_b():\n    assert f(2) == 4\n"),
    "a narrow handler": (PY, PY.replace("    return x", "    try:\n        return x\n    except ValueError:\n        return 0")),
    "a mark that was there": (PY + "z = 1  # noqa\n", "y = 2\n" + PY + "z = 1  # noqa\n"),
    "a mark that is taken away": (PY + "z = 1  # noqa\n", PY + "z = 1\n"),
    "an assertion that says more": (PY, PY.replace("assert f(1) == 2", "assert f(1) == 2, f(1)")),
    "an assertion in code that is no test": ("def f(x):\n    assert x\n    return x\n", "def f(x):\n    return x\n"),
    "a word that looks alike": (PY, PY.replace("return x", "return any(x)")),
    "a skipped item": (TS, TS.replace("return x", "return list.skip(1)")),
}


@pytest.mark.parametrize("name", QUIET)
def test_what_goes_quiet_is_told(name: str) -> None:
    before, after, told = QUIET[name]
    assert told in silenced({Path("a"): before}, {Path("a"): after})


@pytest.mark.parametrize("name", FINE)
def test_what_stays_loud_is_left_alone(name: str) -> None:
    before, after = FINE[name]
    assert silenced({Path("a"): before}, {Path("a"): after}) == ""


def test_code_that_moves_with_its_mark_is_not_blamed() -> None:
    marked = "z = f(1)  # type: ignore\n"
    before = {Path("a"): marked + PY, Path("b"): "y = 1\n"}
    after = {Path("a"): PY, Path("b"): "y = 1\n" + marked}
    assert silenced(before, after) == ""
