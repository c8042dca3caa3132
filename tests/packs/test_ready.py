"""The packs kept as JSON: the same values as the YAML, and the YAML where there are none."""

from importlib import resources

import msgspec
import pytest
import yaml

from turnmark.packs import ready, terminology, terminology_tables
from turnmark.packs.loading import digest, mapping_of, parse, shipped
from turnmark.packs.rules import RulePack

RISK = "finance/risk.zh.yaml"


@pytest.fixture(autouse=True)
def _read_anew():
    ready.ready_packs.cache_clear()
    yield
    ready.ready_packs.cache_clear()


def _names(value):
    """A value with the names of its mappings as JSON has them."""
    if isinstance(value, dict):
        return {str(name): _names(inner) for name, inner in value.items()}
    return [_names(inner) for inner in value] if isinstance(value, list) else value


def test_every_pack_is_kept_and_says_what_its_yaml_says():
    folder = resources.files("turnmark.packs")
    files = list(ready._packs(folder))
    kept = ready.ready_packs()
    assert len(files) > 50
    assert set(kept) == {digest(file.read_bytes()) for file in files}
    for file in files:
        raw = file.read_bytes()
        written = yaml.load(raw, Loader=ready.fast_loader())  # noqa: S506 - a safe loader
        assert msgspec.json.decode(kept[digest(raw)]) == _names(written), file.name


def test_every_pack_reads_the_same_where_the_library_has_no_c_loader():
    for file in ready._packs(resources.files("turnmark.packs")):
        raw = file.read_bytes()
        assert yaml.safe_load(raw) == yaml.load(raw, Loader=ready.fast_loader()), file.name  # noqa: S506 - a safe loader


def test_the_file_is_what_the_tool_would_write():
    assert resources.files("turnmark.packs").joinpath(ready.FILE).read_bytes() == ready.made(digest)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"a": }', b"\xff\xfe", b'{"a"'], ids=repr)
def test_a_file_that_is_missing_or_damaged_keeps_nothing(content, monkeypatch, tmp_path):
    if content is not None:
        (tmp_path / ready.FILE).write_bytes(content)
    monkeypatch.setattr(ready.resources, "files", lambda _: tmp_path)
    assert ready.ready_packs() == {}


def test_packs_that_are_not_kept_are_read_from_their_yaml(monkeypatch):
    slots = shipped("clinical/slots.yaml")
    kept = parse(shipped(RISK), RISK, RulePack), mapping_of(slots, "slots.yaml")
    monkeypatch.setattr("turnmark.packs.loading.ready_packs", dict)
    assert (parse(shipped(RISK), RISK, RulePack), mapping_of(slots, "slots.yaml")) == kept


def test_a_changed_pack_is_read_as_it_is():
    version = parse(shipped(RISK), RISK, RulePack).version
    changed = shipped(RISK).replace(version.encode(), b"99.0.0", 1)
    assert parse(changed, RISK, RulePack).version == "99.0.0"


def test_the_terminology_made_ready_is_what_its_tables_say(monkeypatch):
    def everything(known):
        return [msgspec.to_builtins(entry) for entry in known.entries]

    kept = terminology.terminology.__wrapped__()
    assert terminology_tables.folder().joinpath(terminology.READY).read_bytes() == terminology.made()
    monkeypatch.setattr(terminology, "tables_digest", lambda: "changed")
    assert everything(kept) == everything(terminology.terminology.__wrapped__())


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b'{"made_of":"x","entries":[{}]}', b"\xff"], ids=repr)
def test_a_terminology_that_is_missing_or_damaged_is_read_from_its_tables(content, monkeypatch, tmp_path):
    expected = len(terminology.terminology().entries)
    if content is not None:
        (tmp_path / terminology.READY).write_bytes(content)
    monkeypatch.setattr(terminology, "folder", lambda: tmp_path)
    assert len(terminology.terminology.__wrapped__().entries) == expected > 1000
