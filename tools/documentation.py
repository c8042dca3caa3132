"""Build the documentation site into build/site: docs/, the READMEs as its first pages, and the Python faces.

Pages are copied, since a README stands outside docs/ and links out of it; links to files that are no pages become their
names. MkDocs builds strictly: a link or an anchor that leads nowhere fails.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "build" / "site-source"
READMES = {"README.md": "index.md", "README.zh.md": "index.zh.md", "README.ko.md": "index.ko.md"}
FACES = ("evaluation", "engine", "rag", "clinical", "agents", "documents", "extension", "contract", "pytest_plugin")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s#]+)(?P<anchor>#[^)\s]*)?\)")


def page(text: str, home: Path) -> str:
    """A page with links that hold in the site; ``home`` is the folder that it stands in."""

    def link(found: re.Match[str]) -> str:
        target = found["target"]
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        file = (home / target).resolve()
        if file.name in READMES and file.parent in (ROOT, ROOT / "docs"):
            inside = READMES[file.name]
        elif file.is_file() and file.is_relative_to(ROOT / "docs"):
            inside = file.relative_to(ROOT / "docs").as_posix()
        else:
            return f"{found['text']} (`{file.relative_to(ROOT).as_posix()}`)"
        return f"{found['image']}[{found['text']}]({inside}{found['anchor'] or ''})"

    return _LINK.sub(link, text)


def main() -> int:
    """What MkDocs exits with."""
    shutil.rmtree(SOURCE, ignore_errors=True)
    # The list of pages in docs/ is what the navigation says.
    shutil.copytree(ROOT / "docs", SOURCE, ignore=shutil.ignore_patterns("README.md"))
    for path in SOURCE.glob("*.md"):
        path.write_text(page(path.read_text("utf-8"), ROOT / "docs"), "utf-8")
    for name, new in READMES.items():
        (SOURCE / new).write_text(page((ROOT / name).read_text("utf-8"), ROOT), "utf-8")
    (SOURCE / "reference").mkdir()
    for face in FACES:
        head = f"# turnmark.{face}\n\n::: turnmark.{face}\n"
        (SOURCE / "reference" / f"{face}.md").write_text(head, "utf-8")
    command = [
        sys.executable,
        "-m",
        "mkdocs",
        "build",
        "--strict",
        "--quiet",
        "--config-file",
        str(ROOT / "mkdocs.yml"),
    ]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # of the theme, about another product
    return subprocess.run(command, cwd=ROOT, env=quiet, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
