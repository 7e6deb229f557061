"""The shadow, made in both ways: programs see the tree with what is laid over it, and the tree itself stays as it is."""

import asyncio
import os
import random
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from surefoot.checks.outcome import Ended
from surefoot.checks.shadow import Asked, Shadow, ShadowKind, open_shadow
from surefoot.checks.shadow_copy import CopyShadow
from surefoot.checks.shadow_overlay import OverlayShadow
from surefoot.core.errors import CheckerUnavailable
from tests.checks.support import all_end, state_of

TREE = {
    "shop.py": "def total():\n    return 1\n",
    "lib/cart.py": "SUM = 1\n",
    "tool.sh": "#!/bin/sh\necho ran\n",
    "node_modules/parcel/index.js": "exports.weigh = 1;\n",
    "packages/own/index.js": "exports.own = 1;\n",
}
KINDS = ("overlay", "copy")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "a project, with: odd \\ name"
    for name, text in TREE.items():
        (made / name).parent.mkdir(parents=True, exist_ok=True)
        (made / name).write_text(text)
    (made / "tool.sh").chmod(0o755)
    (made / "node_modules" / "own").symlink_to("../packages/own")
    return made


async def opened(kind: str, root: Path) -> Shadow:
    return await (OverlayShadow.open(root) if kind == "overlay" else CopyShadow.open(root, root.parent / "state", "asked for"))


@pytest.fixture(params=KINDS)
async def shadow(request: pytest.FixtureRequest, root: Path) -> AsyncIterator[Shadow]:
    made = await opened(request.param, root)
    yield made
    await made.close()


async def sh(shadow: Shadow, root: Path, script: str, *arguments: str, seconds: float = 20.0, most: int = 1_000_000) -> Ended:
    return await shadow.run(Asked("sh", ("sh", "-c", script, "sh", *arguments), dict(os.environ), root, seconds, most))


async def shown(shadow: Shadow, root: Path, script: str) -> str:
    ended = await sh(shadow, root, script)
    assert (ended.code, ended.stderr) == (0, b"")
    return ended.stdout.decode()


async def test_new_changed_and_deleted_files_are_seen_inside_and_nothing_outside(shadow: Shadow, root: Path) -> None:
    before = state_of(root)
    await shadow.lay({root / "shop.py": b"changed", root / "new" / "deep.py": b"new", root / "lib" / "cart.py": None})
    assert await shown(shadow, root, "cat shop.py; cat new/deep.py; ls lib; ./tool.sh; cat node_modules/parcel/index.js | head -c 7") == (
        "changednewran\nexports"
    )
    assert state_of(root) == before


async def test_a_renamed_file_is_in_its_new_place_only(shadow: Shadow, root: Path) -> None:
    await shadow.lay({root / "lib" / "cart.py": None, root / "lib" / "basket.py": b"SUM = 1\n"})
    assert await shown(shadow, root, "ls lib") == "basket.py\n"


async def test_what_was_laid_before_is_gone(shadow: Shadow, root: Path) -> None:
    await shadow.lay({root / "shop.py": b"first", root / "new.py": b"new", root / "lib" / "cart.py": None})
    await shadow.lay({root / "tool.sh": b"second"})
    assert await shown(shadow, root, "cat shop.py lib/cart.py tool.sh; ls") == (
        TREE["shop.py"] + TREE["lib/cart.py"] + "secondlib\nnode_modules\npackages\nshop.py\ntool.sh\n"
    )


async def test_programs_that_write_do_so_in_the_shadow(shadow: Shadow, root: Path) -> None:
    before = state_of(root)
    await shadow.lay({})
    await shown(
        shadow, root, "echo hit >> shop.py; rm lib/cart.py; mkdir made; echo 1 > made/x; chmod 600 tool.sh; echo 2 > packages/own/index.js"
    )
    assert state_of(root) == before
    await shadow.lay({})
    assert await shown(shadow, root, "cat shop.py lib/cart.py packages/own/index.js; ls; ./tool.sh") == (
        TREE["shop.py"] + TREE["lib/cart.py"] + TREE["packages/own/index.js"] + "lib\nnode_modules\npackages\nshop.py\ntool.sh\nran\n"
    )


async def test_a_package_that_is_part_of_the_tree_is_the_one_of_the_shadow(shadow: Shadow, root: Path) -> None:
    await shadow.lay({root / "packages" / "own" / "index.js": b"candidate"})
    assert await shown(shadow, root, "cat node_modules/own/index.js") == "candidate"
    script = "console.log(require('fs').readFileSync(require.resolve('own'), 'utf8'))"
    ended = await shadow.run(Asked("node", ("node", "-e", script), dict(os.environ), root, 20.0))
    assert ended.stdout == b"candidate\n"


@pytest.mark.parametrize("kind", KINDS)
async def test_a_tree_that_moves_under_the_shadow_is_never_shown_as_it_was(kind: str, root: Path) -> None:
    """Saves by renaming, in place, and deletions, each followed by a look; a mount that stays shows old text for most of them."""
    shadow, chance = await opened(kind, root), random.Random(7)
    names = [f"f{number}.py" for number in range(8)]
    held = dict.fromkeys(names, "first")
    for name in names:
        (root / name).write_text("first")
    stale = 0
    for turn in range(40):
        name = chance.choice(names)
        match turn % 3:
            case 0:
                (root / "saved").write_text(f"turn {turn}")
                (root / "saved").replace(root / name)
                held[name] = f"turn {turn}"
            case 1:
                (root / name).write_text(f"turn {turn}")
                held[name] = f"turn {turn}"
            case _:
                (root / name).unlink(missing_ok=True)
                held.pop(name, None)
        await shadow.lay({root / "candidate.py": str(turn).encode()})
        want = "".join(held[each] for each in sorted(held)) + str(turn)
        stale += await shown(shadow, root, "cat f*.py candidate.py") != want
    await shadow.close()
    assert stale == 0


async def test_paths_are_translated_both_ways(shadow: Shadow, root: Path) -> None:
    await shadow.lay({})
    inside = await shown(shadow, root, "pwd")
    assert shadow.outside(Path(inside.rstrip("\n"))) == root
    assert (shadow.inside(root) == root) is (shadow.kind is ShadowKind.OVERLAY)
    assert shadow.outside(shadow.inside(root / "lib" / "cart.py")) == root / "lib" / "cart.py"


async def test_a_root_behind_a_link(tmp_path: Path, root: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    for kind in KINDS:
        shadow = await opened(kind, tmp_path / "link")
        await shadow.lay({tmp_path / "link" / "shop.py": b"candidate"})
        assert await shown(shadow, tmp_path / "link", "cat shop.py") == "candidate", kind
        await shadow.close()


async def test_nothing_of_a_program_is_left_whatever_its_end(root: Path) -> None:
    """A daemon that left its group, a program that ignores signals, one that kills itself: in namespaces none of them outlives the look."""
    shadow = await opened("overlay", root)
    await shadow.lay({})
    daemon = "setsid sh -c 'trap \"\" TERM INT HUP; echo here; sleep 1000' & wait"
    late = await sh(shadow, root, daemon, seconds=0.5)
    assert (late.timed_out, late.stdout) == (True, b"here\n")
    done = await sh(shadow, root, "setsid sleep 1001 & exit 7")
    assert (done.code, done.timed_out) == (7, False)
    assert (await sh(shadow, root, "setsid sleep 1002 & kill -9 $$")).code == -9
    assert sleepers() == []
    running = asyncio.create_task(sh(shadow, root, "setsid sleep 1003 & sleep 1004"))
    await asyncio.sleep(0.3)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert sleepers() == []
    await shadow.close()


def sleepers() -> list[bytes]:
    """Programs of these tests that still run."""
    out: list[bytes] = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = place.read_bytes()
        except OSError:
            continue
        if line.startswith(b"sleep\x00100"):
            out.append(line)
    return out


async def test_a_copy_ends_the_group_of_a_program(root: Path) -> None:
    shadow = await opened("copy", root)
    late = await sh(shadow, root, "sleep 1005 & echo $! $$; wait", seconds=0.5)
    assert late.timed_out
    await all_end(map(int, late.stdout.split()))
    await shadow.close()


async def test_floods_are_cut_off(shadow: Shadow, root: Path) -> None:
    await shadow.lay({})
    flood = await sh(shadow, root, "yes", most=500_000)
    assert flood.flooded
    assert len(flood.stdout) < 1_000_000
    loud = await sh(shadow, root, "yes | head -c 5000000 >&2; echo fine")
    assert (loud.code, loud.stdout) == (0, b"fine\n")
    assert len(loud.stderr) <= 64 * 1024


async def test_a_program_that_cannot_start_says_why(shadow: Shadow, root: Path) -> None:
    await shadow.lay({})
    with pytest.raises(FileNotFoundError):
        await shadow.run(Asked("none", (str(root / "none"),), {}, root, 5.0))
    with pytest.raises(PermissionError):
        await shadow.run(Asked("no program", (str(root / "shop.py"),), {}, root, 5.0))


async def test_the_disk_of_an_overlay_has_a_bound(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("surefoot.checks.shadow_overlay.SHADOW_BYTES", 4 * 2**20)
    shadow = await opened("overlay", root)
    await shadow.lay({})
    before = state_of(root)
    full = await sh(shadow, root, "head -c 100000000 /dev/zero > filled")
    assert full.code != 0
    assert b"No space left on device" in full.stderr
    with pytest.raises(CheckerUnavailable, match="No space left on device"):
        await shadow.lay({root / "large.py": b"x" * 8 * 2**20})
    with pytest.raises(OSError, match="there is no shadow to run in"):
        await sh(shadow, root, "rm -rf lib; echo 1 > shop.py")
    assert state_of(root) == before
    await shadow.lay({root / "small.py": b"x"})
    assert await shown(shadow, root, "cat small.py; ls filled 2>&1 | grep -c 'No such'") == "x1\n"
    await shadow.close()


async def test_programs_have_a_place_for_what_is_temporary(shadow: Shadow, root: Path) -> None:
    await shadow.lay({})
    place = Path((await shown(shadow, root, "mktemp")).strip())
    assert not place.is_relative_to(root)
    await shadow.close()
    assert not place.exists()


async def test_nothing_is_left_of_a_shadow(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("surefoot.checks.shadow_copy._MEMORY", tmp_path / "none")
    for kind in KINDS:
        shadow = await opened(kind, root)
        await shadow.lay({root / "shop.py": b"x"})
        await shadow.close()
    assert list(tmp_path.glob("surefoot-*")) == list((tmp_path / "state").iterdir()) == []


async def test_where_there_are_no_namespaces_there_is_a_copy_and_the_reason(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shadow = await open_shadow(root, root.parent / "state")
    assert (shadow.kind, shadow.reason) == (ShadowKind.OVERLAY, "")
    await shadow.close()
    monkeypatch.setattr("surefoot.checks.shadow_helper.NEW_USERS", 1)
    helper = root.parent / "helper.py"
    text = Path(sys.modules["surefoot.checks.shadow_helper"].__file__ or "").read_text()
    helper.write_text(text.replace("NEW_USERS, NEW_PIDS = 0x00020000, 0x10000000", "NEW_USERS, NEW_PIDS = 0x00020000, 0x00000001"))
    monkeypatch.setattr("surefoot.checks.shadow_helper.__file__", str(helper))
    shadow = await open_shadow(root, root.parent / "state")
    assert (shadow.kind, shadow.reason) == (ShadowKind.COPY, "no shadow could be made: unshare: Invalid argument")
    await shadow.close()


async def test_an_overlay_whose_helper_was_killed_says_so(root: Path) -> None:
    shadow = await opened("overlay", root)
    assert isinstance(shadow, OverlayShadow)
    os.kill(shadow.pid, 9)
    with pytest.raises(CheckerUnavailable, match="no shadow could be made: "):
        await shadow.lay({})
    with pytest.raises(CheckerUnavailable, match="has ended"):
        await shown(shadow, root, "true")
    await shadow.close()
