"""Lists every reference to the symbols that the tasks of RefactorBench name, and holds that against what language servers say together.

RefactorBench is public and holds copies of the repositories that its tasks are about; none of it is kept here. --folder is a checkout of
it; symbols.txt says at which commit the symbols were read. What the servers said is kept in truth/. Exits with 1 when a reference is not
listed, or listed as excluded, with 3 when something needed is not there.
"""

import argparse
import ast
import re
import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from bench.accuracy.choose import Chosen, write_symbols
from bench.accuracy.codebases import CodeBase, prepare_environment, track
from bench.accuracy.score import ABSENT, Score, score
from bench.accuracy.servers import SERVERS
from bench.accuracy.table import as_text, differences_text
from bench.accuracy.truth import ask_servers, read_truth, write_truth
from bench.real.targets import Unfit

HERE = Path(__file__).parent
COMMIT = "2c936969"
WITNESSES = ("ty", "pyright", "pyrefly")


def main(argv: Sequence[str] | None = None) -> int:
    """0 when every reference is listed with a tier that is not excluded."""
    options = _parser().parse_args(argv)
    scores: list[tuple[CodeBase, Score]] = []
    try:
        for repository, names in read_names().items():
            if not options.only or repository in options.only:
                scores.append(measure(repository, names, options.folder, options.fresh))
    except (Unfit, FileNotFoundError) as error:
        print(f"bench/accuracy: {error}", file=sys.stderr)
        return 3
    print(as_text(scores))
    if options.differences:
        for base, held in scores:
            print(differences_text(base, held))
    tiers = Counter[str]()
    for _, held in scores:
        for row in held.rows.values():
            tiers += row.tiers + row.beside
    lost = tiers[ABSENT] + tiers["excluded"]
    print(f"{sum(tiers.values())} references: {', '.join(f'{count} {tier}' for tier, count in tiers.most_common())}")
    return 1 if lost else 0


def measure(repository: str, names: Sequence[tuple[str, str]], folder: Path, fresh: bool) -> tuple[CodeBase, Score]:
    """Copy one repository, ask or read the truth, and compare. Raises Unfit."""
    base = CodeBase(f"refactorbench-{repository}", "python", version=COMMIT)
    print(base.name, file=sys.stderr, flush=True)
    if not base.root.is_dir():
        base.home.mkdir(parents=True, exist_ok=True)
        shutil.copytree(folder / "repositories" / f"{repository}_refactor", base.root, symlinks=True)
        track(base.root)
    kept = HERE / "truth"
    if fresh or not (kept / f"{base.short}.json").exists():
        prepare_environment(base)
        # As if the project were installed for development: some keep their packages in a folder.
        packages = next((base.home / "venv").glob("lib/python*/site-packages"))
        (packages / "roots.pth").write_text("".join(f"{base.root / name}\n" for name in ("lib", "src") if (base.root / name).is_dir()))
        chosen = [found for path, name in names if (found := find(base.root, path, name)) is not None]
        write_symbols(base, chosen, HERE / "symbols")
        write_truth(base, ask_servers(base, chosen, [each for each in SERVERS if each.name in WITNESSES], fresh), kept)
    return base, score(base, read_truth(base, kept, HERE / "symbols"))


def read_names(path: Path = HERE / "symbols.txt") -> Mapping[str, list[tuple[str, str]]]:
    """File and dotted name of every symbol, by repository."""
    found: dict[str, list[tuple[str, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            repository, file, name = line.split()
            found.setdefault(repository, []).append((file, name))
    return found


def find(root: Path, path: str, name: str) -> Chosen | None:
    """Where a dotted name is defined first, None where it is not."""
    text = (root / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    for dotted, kind, node in _definitions(ast.parse(text), ""):
        if dotted == name:
            last = name.rpartition(".")[2]
            before = len(lines[node.lineno - 1].encode()[: node.col_offset].decode())
            word = re.compile(rf"\b{re.escape(last)}\b").search(lines[node.lineno - 1], before)
            return Chosen(kind, last, path, node.lineno, word.start() + 1) if word is not None else None
    return None


def _definitions(node: ast.Module | ast.ClassDef, prefix: str) -> Iterator[tuple[str, str, ast.stmt]]:
    """Dotted name, kind and statement of what a module and its classes define."""
    for each in node.body:
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield prefix + each.name, "method" if prefix else "function", each
        elif isinstance(each, ast.ClassDef):
            yield prefix + each.name, "class", each
            yield from _definitions(each, f"{prefix}{each.name}.")
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                if isinstance(target, ast.Name):
                    yield prefix + target.id, "variable", each


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bench.accuracy.refactorbench.run", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, metavar="DIR", help="a checkout of RefactorBench")
    parser.add_argument("--only", action="append", default=[], metavar="REPOSITORY", help="this one only; may be given again")
    parser.add_argument("--fresh", action="store_true", help="ask the language servers again")
    parser.add_argument("--differences", action="store_true", help="print every place where both sides disagree")
    return parser


if __name__ == "__main__":
    sys.exit(main())
