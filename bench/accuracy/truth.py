"""What language servers say together about every chosen symbol, kept as data so that a comparison can be repeated without them.

A reference is held with the marks of those who report it: its letters stand for the servers that the file's head names. Answers are kept
in the user's cache as well, one file for each server, so that a stopped run goes on where it was.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.accuracy.choose import SYMBOLS, Chosen, read_symbols
from bench.accuracy.codebases import CodeBase, cache_folder, install
from bench.accuracy.javac import JAVAC, javac_references
from bench.accuracy.servers import SERVERS, Server, Spot, references, versions

TRUTH = Path(__file__).with_name("truth")


@dataclass(frozen=True, slots=True)
class Truth:
    """The references of every symbol, each with the marks of its witnesses; `witnesses` gives the name and version of a mark."""

    witnesses: Mapping[str, str]
    references: Mapping[Chosen, Mapping[Spot, str]]


def make_truth(base: CodeBase, fresh: bool = False) -> Truth:
    """Ask every server of the language, one after another. Raises Unfit when one cannot be run."""
    install(base)
    chosen = read_symbols(base)
    if base.language == "java":
        return Truth(dict(JAVAC), _united(chosen, javac_references(base, chosen)))
    return ask_servers(base, chosen, [server for server in SERVERS if server.language == base.language], fresh)


def ask_servers(base: CodeBase, chosen: Sequence[Chosen], servers: Sequence[Server], fresh: bool = False) -> Truth:
    """What these servers say, from the cache where they were asked before. Raises Unfit when one cannot be run."""
    answers = {server.mark: _answers(server, base, chosen, fresh) for server in servers}
    return Truth(versions(base, servers), _united(chosen, answers))


def write_truth(base: CodeBase, truth: Truth, folder: Path = TRUTH) -> None:
    """Keep it: one symbol a line, references by file as [line, column, marks]."""
    lines: list[str] = []
    for symbol, spots in truth.references.items():
        files: dict[str, list[tuple[int, int, str]]] = {}
        for (path, line, column), marks in sorted(spots.items()):
            files.setdefault(path, []).append((line, column, marks))
        lines.append(json.dumps([symbol.path, symbol.line, symbol.column, files], ensure_ascii=False, separators=(",", ":")))
    head = json.dumps({"codebase": base.name, "version": base.version, "witnesses": truth.witnesses}, ensure_ascii=False)[:-1]
    body = ",\n".join(lines)
    (folder / f"{base.short}.json").write_text(f'{head}, "references": [\n{body}\n]}}\n', encoding="utf-8")


def read_truth(base: CodeBase, folder: Path = TRUTH, drawn: Path = SYMBOLS) -> Truth:
    """What was kept. Raises FileNotFoundError before that."""
    held = json.loads((folder / f"{base.short}.json").read_text(encoding="utf-8"))
    symbols = {(each.path, each.line, each.column): each for each in read_symbols(base, drawn)}
    found: dict[Chosen, dict[Spot, str]] = {}
    for path, line, column, files in held["references"]:
        found[symbols[path, line, column]] = {(file, at, col): marks for file, spots in files.items() for at, col, marks in spots}
    return Truth(held["witnesses"], found)


def _united(chosen: Sequence[Chosen], answers: Mapping[str, Sequence[set[Spot]]]) -> dict[Chosen, dict[Spot, str]]:
    found: dict[Chosen, dict[Spot, str]] = {}
    for at, symbol in enumerate(chosen):
        spots: dict[Spot, str] = {(symbol.path, symbol.line, symbol.column): ""}
        for mark, said in answers.items():
            for spot in said[at]:
                spots[spot] = spots.get(spot, "") + mark
        found[symbol] = spots
    return found


def _answers(server: Server, base: CodeBase, chosen: Sequence[Chosen], fresh: bool) -> list[set[Spot]]:
    kept = cache_folder() / "answers" / f"{base.short}-{base.version}-{server.name}.json"
    if kept.exists() and not fresh:
        held = json.loads(kept.read_text())
        return [{(path, line, column) for path, line, column in spots} for spots in held]
    found = references(server, base, chosen)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps([sorted(spots) for spots in found]))
    return found
