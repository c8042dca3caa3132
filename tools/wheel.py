"""Build sdist and wheel into dist/, and fail when either lacks a file under src/ (packs, locale, examples, code)."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"


def lacking(wanted: set[str], built: Path) -> list[str]:
    """The files of ``wanted`` (``turnmark/…``) that a wheel or an sdist does not hold."""
    if built.suffix == ".whl":
        with zipfile.ZipFile(built) as archive:
            return sorted(wanted - set(archive.namelist()))
    with tarfile.open(built) as archive:
        held = {name.partition("/src/")[2] for name in archive.getnames()}
    return sorted(wanted - held)


def main() -> int:
    """0 when both hold every file that git tracks under src/, 1 with the names of those that are missing."""
    listed = subprocess.run(["git", "ls-files", "-z", "src"], cwd=ROOT, capture_output=True, text=True, check=True)
    wanted = {name.removeprefix("src/") for name in listed.stdout.split("\0") if name}
    for old in [*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")]:
        old.unlink()
    subprocess.run([sys.executable, "-m", "build", "--outdir", str(DIST), str(ROOT)], check=True)
    missing = 0
    for built in [*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")]:
        lost = lacking(wanted, built)
        missing += len(lost)
        print(f"{built.name}: {len(wanted) - len(lost)} of {len(wanted)} files", *lost, sep="\n  ")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
