"""`tools/wheel.py` notices a file that a built package lacks."""

import importlib.util
import io
import tarfile
import zipfile
from pathlib import Path

_SPEC = importlib.util.spec_from_file_location("wheel", Path(__file__).parents[2] / "tools" / "wheel.py")
wheel = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(wheel)

WANTED = {"turnmark/a.py", "turnmark/packs/b.yaml"}


def test_a_file_that_is_not_in_the_wheel_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as archive:
        archive.writestr("turnmark/a.py", "")
    assert wheel.lacking(WANTED, tmp_path / "x.whl") == ["turnmark/packs/b.yaml"]


def test_a_file_that_is_not_in_the_sdist_is_named(tmp_path):
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz") as archive:
        archive.addfile(tarfile.TarInfo("turnmark-1/src/turnmark/packs/b.yaml"), io.BytesIO())
    assert wheel.lacking(WANTED, tmp_path / "x.tar.gz") == ["turnmark/a.py"]
