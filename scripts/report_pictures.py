"""Makes the pictures of a report in docs/images again: `.venv/bin/python scripts/report_pictures.py [--keep FOLDER]`.

A real run on a copy of the example shop, with one more file in it whose use only a type checker can follow, so that the first attempt
fails and the second holds. Needs Chromium.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TASK = "rename Shelf.reserved to promised"
AUDIT = '''"""What is promised of tea, over all shelves."""

from shop.stock import Shelf

for shelf in [Shelf({"tea": 3}, {"tea": 1}), Shelf()]:
    print(shelf.reserved.get("tea", 0))
'''


def report_of(folder: Path) -> Path:
    """The page of one run on a copy of the shop."""
    shop = folder / "shop"
    shutil.copytree(ROOT / "examples" / "shop", shop, ignore=shutil.ignore_patterns("__pycache__"))
    (shop / "shop" / "audit.py").write_text(AUDIT, encoding="utf-8")
    command = [sys.executable, "-m", "surefoot", "run", TASK, "--apply", "--json", "--root", str(shop)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "XDG_STATE_HOME": str(folder / "state")})
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return Path(json.loads(done.stdout)["report"])


def picture(browser: str, page: Path, width: int, height: int, dark: bool, file: Path, profile: Path) -> None:
    """The top of a page as a person sees it in a window of this size."""
    scheme = f"--blink-settings=preferredColorScheme={0 if dark else 1}"
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=3000",
        f"--user-data-dir={profile}",
        scheme,
    ]
    command = [browser, *flags, f"--window-size={width},{height}", f"--screenshot={file}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def main() -> None:
    """Run, render, take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="an empty or new folder for the run, kept afterwards")
    keep = parser.parse_args().keep
    browser = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        raise SystemExit(f"needs one of {', '.join(BROWSERS)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or Path(temporary)
        page = report_of(folder)
        picture(browser, page, 1280, 2150, False, IMAGES / "report-wide.png", folder / "profile")
        picture(browser, page, 390, 2100, True, IMAGES / "report-narrow.png", folder / "profile")


if __name__ == "__main__":
    main()
