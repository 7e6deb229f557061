"""javac as a witness: a small program compiles the sources and prints where each chosen method is referred to."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.accuracy.choose import Chosen
from bench.accuracy.codebases import CodeBase
from bench.accuracy.servers import Spot
from bench.real.fetch import run

PROGRAM = Path(__file__).with_name("java") / "References.java"
JAVAC: Mapping[str, str] = {
    "j": "javac Trees API, the method itself",
    "o": "javac Trees API, another method of its family",
}


def javac_references(base: CodeBase, chosen: Sequence[Chosen]) -> dict[str, list[set[Spot]]]:
    """For each mark, the references of every symbol. Raises Unfit when the program fails."""
    asked = base.home / "asked.txt"
    asked.write_text("".join(f"{each.path}\t{each.line}\t{each.column}\n" for each in chosen))
    jars = ":".join(str(jar) for jar in sorted((base.home / "jars").glob("*.jar")))
    said = run(["java", str(PROGRAM), str(base.root), jars, str(asked)], base.home, "javac", 900)
    found: dict[str, list[set[Spot]]] = {mark: [set() for _ in chosen] for mark in JAVAC}
    for line in said.splitlines():
        number, mark, path, row, column = line.split("\t")
        found[mark][int(number)].add((path, int(row), int(column)))
    return found
