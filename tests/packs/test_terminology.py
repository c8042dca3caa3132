"""The clinical terminology: what it holds, how it is asked, and faults of its tables by file, line and column."""

import json
import re
import shutil
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from turnmark.language.text.fold import fold
from turnmark.packs.terminology import KINDS, build, terminology, unit_codes
from turnmark.packs.terminology_tables import TABLES, parse_conversion, read, read_shipped

TERMS = terminology()
ATC = re.compile(r"[A-V]\d\d[A-Z]{2}\d\d")


def named(name, *kinds):
    return [(entry.kind, entry.english) for entry in TERMS.by_name(fold(name).text) if not kinds or entry.kind in kinds]


def test_shipped_tables_have_no_fault():
    assert read_shipped()[1] == ()


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("medication", 450),
        ("medication_class", 80),
        ("condition", 270),
        ("lab", 60),
        ("vital", 15),
        ("procedure", 60),
        ("symptom", 50),
    ],
)
def test_size_of_each_table(kind, least):
    assert len(TERMS.of_kind(kind)) >= least


@pytest.mark.parametrize(
    ("name", "kind", "english"),
    [
        ("글루코파지", "medication", "metformin"),
        ("Tylenol", "medication", "acetaminophen"),
        ("普拿疼", "medication", "acetaminophen"),
        ("乙醯胺酚", "medication", "acetaminophen"),
        ("스타틴", "medication_class", "statin"),
        ("ACE 억제제", "medication_class", "ACE inhibitor"),
        ("β-blocker", "medication_class", "beta blocker"),
        ("제2형 당뇨", "condition", "type 2 diabetes mellitus"),
        ("T2DM", "condition", "type 2 diabetes mellitus"),
        ("第二型糖尿病", "condition", "type 2 diabetes mellitus"),
        ("HTN", "condition", "hypertension"),
        ("慢性腎臟病第四期", "condition", "chronic kidney disease stage 4"),
        ("당화혈색소", "lab", "hemoglobin A1c"),
        ("低密度脂蛋白", "lab", "LDL cholesterol"),
        ("심박수", "vital", "heart rate"),
        ("관상동맥 스텐트 삽입술", "procedure", "percutaneous coronary intervention"),
        ("두근거림", "symptom", "palpitations"),
    ],
)
def test_names_of_three_languages_lead_to_one_concept(name, kind, english):
    assert named(name) == [(kind, english)]


def test_every_name_leads_back_to_its_concept():
    for name, entry in TERMS.names():
        assert entry in TERMS.by_name(name.folded)
        assert name.folded == fold(name.text).text


def test_nearly_every_concept_has_a_canonical_name_in_three_languages_and_all_have_a_source():
    lacking = []
    for entry in TERMS.entries:
        languages = {name.language for name in entry.names if name.canonical}
        assert {"en", "ko"} <= languages
        assert entry.source
        assert entry.canonical("ko") != entry.english
        if "zh" not in languages:
            lacking.append(entry.english)
            assert entry.canonical("zh") == entry.english
    # sold in Korea only
    assert lacking == ["enavogliflozin", "pelubiprofen", "polmacoxib"]


def test_names_of_one_language():
    assert {name.language for name, _ in TERMS.names("ko")} == {"ko"}
    assert TERMS.by_name("no such name") == []
    assert TERMS.by_code("LOINC:0-0") == []
    assert TERMS.get("lab", "no such lab") is None


def test_short_and_ambiguous_names_are_marked():
    flags = {name.text: (name.short, name.ambiguous) for name, _ in TERMS.names()}
    assert flags["AF"][0]
    assert flags["천식"][0]
    assert not flags["심방세동"][0]
    assert flags["安定"] == (True, True)
    assert not flags["metformin"][1]


def test_brands_are_marked_and_never_canonical():
    losartan = TERMS.get("medication", "C09CA01")
    brands = {name.text for name in losartan.names if name.brand}
    assert {"Cozaar", "코자", "科素亚"} <= brands
    assert not any(name.canonical for name in losartan.names if name.brand)


def test_class_members_come_from_codes_and_ingredients():
    statins = {entry.english for entry in TERMS.members(TERMS.get("medication_class", "C10AA"))}
    assert {"simvastatin", "rosuvastatin", "ezetimibe/simvastatin", "amlodipine/atorvastatin"} <= statins
    assert "ezetimibe" not in statins
    assert TERMS.members(TERMS.get("medication", "C10AA01")) == []


def test_classes_of_a_combination_are_those_of_its_parts():
    classes = {entry.english for entry in TERMS.classes(TERMS.get("medication", "C09DB04"))}
    assert {"calcium channel blocker", "angiotensin receptor blocker"} <= classes
    assert TERMS.classes(TERMS.get("condition", "I10")) == []


def test_aspirin_is_antiplatelet_and_painkiller_by_its_second_code():
    classes = {entry.english for entry in TERMS.classes(TERMS.get("medication", "B01AC06"))}
    assert {"antiplatelet", "painkiller"} <= classes


def test_no_class_has_the_id_of_a_medicine():
    """Both are compared by id: a class that is called like one of its members would make that member the class."""
    assert not [one.id for one in TERMS.of_kind("medication_class") if TERMS.get("medication", one.id)]


def test_every_class_has_members():
    for entry in TERMS.of_kind("medication_class"):
        assert TERMS.members(entry), entry.english


def test_wider_conditions_nearest_first():
    stage = TERMS.get("condition", "N18.3a")
    assert [entry.id for entry in TERMS.broader(stage)] == ["N18.3", "N18", "N28.9"]
    assert TERMS.broader(TERMS.get("condition", "I10")) == []


@pytest.mark.parametrize(
    ("kind", "entry_id", "unit", "value", "expected"),
    [
        ("lab", "hba1c", "mmol/mol", 55, 7.18),  # 55 * 0.09148 + 2.152, NGSP master equation
        ("lab", "glucose", "mmol/L", 8.5, 153.1),  # 8.5 * 18.016
        ("lab", "glucose", "毫摩尔/升", 8.5, 153.1),
        ("lab", "creatinine", "µmol/L", 106, 1.199),  # 106 / 88.42
        ("lab", "uric_acid", "μmol/L", 541, 9.094),
        ("lab", "ldl", "mmol/L", 3, 116.0),
        ("lab", "potassium", "mEq/L", 4.4, 4.4),
        ("lab", "hemoglobin", "g/L", 120, 12.0),
        ("lab", "tsh", "mU/L", 3.1, 3.1),
        ("vital", "weight", "lb", 179, 81.19),
        ("vital", "weight", "磅", 179, 81.19),
        ("vital", "weight", "斤", 120, 60.0),
        ("vital", "body_temperature", "°F", 98.6, 37.0),
        ("vital", "heart_rate", "회/분", 72, 72),
        ("vital", "heart_rate", "bpm", 72, 72),
        ("vital", "height", "m", 1.7, 170),
    ],
)
def test_values_convert_to_the_own_unit(kind, entry_id, unit, value, expected):
    assert TERMS.get(kind, entry_id).converts(unit)(value) == pytest.approx(expected, rel=1e-3)


def test_units_that_do_not_convert():
    assert TERMS.get("lab", "hba1c").converts("mg/dL") is None
    assert TERMS.get("lab", "hba1c").converts("furlong") is None
    assert TERMS.get("condition", "I10").converts("mg/dL") is None
    assert unit_codes("furlong") == ()
    assert "mg/dL" in unit_codes("MG / DL")


@given(st.floats(1, 1000), st.sampled_from([entry for entry in TERMS.entries if len(entry.conversions) > 1]))
def test_conversions_grow_with_the_value(value, entry):
    for convert in entry.conversions.values():
        assert convert(value + 1) > convert(value)


def test_medication_ids_are_atc_codes_or_say_that_there_is_none():
    for entry in TERMS.of_kind("medication"):
        assert ATC.match(entry.id) or entry.id.partition(":")[0] in ("INN", "CHP", "NMPA", "MFDS")


def test_codes_lead_to_concepts():
    assert [entry.id for entry in TERMS.by_code("SCT:44054006")] == ["E11"]
    assert [entry.id for entry in TERMS.by_code("LOINC:4548-4")] == ["hba1c"]
    assert [entry.english for entry in TERMS.by_code("SCT:73761001")] == ["colonoscopy"]


# ---- faults ----


@pytest.fixture
def tables(tmp_path):
    folder = tmp_path / "terminology"
    shutil.copytree(resources.files("turnmark.packs") / "clinical" / "terminology", folder)
    return folder


def changed(tables, file, line, old, new):
    path = tables / file
    lines = path.read_text("utf-8").split("\n")
    assert old in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new)
    path.write_text("\n".join(lines), "utf-8")
    return [str(problem) for problem in read(tables)[1]]


def line_with(tables, file, start):
    lines = (tables / file).read_text("utf-8").split("\n")
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(start))


@pytest.mark.parametrize(
    ("file", "row", "old", "new", "field", "expected"),
    [
        ("conditions.tsv", "E10\t", "E10\t", "E11\t", "$.id", "an id that is not in line"),
        ("conditions.tsv", "E11\t", "\tE14\t", "\tE999\t", "$.broader", "an id of conditions.tsv"),
        ("conditions.tsv", "E14\t", "SCT:73211009", "SCT73211009", "$.codes", "SYSTEM:code"),
        ("conditions.tsv", "E14\t", "糖尿病|糖尿", "diabetes", "$.chinese", "a name in Chinese script"),
        ("conditions.tsv", "E14\t", "당뇨병|당뇨", "당뇨병| 당뇨", "$.korean", "no spaces around values"),
        ("conditions.tsv", "E14\t", "diabetes|DM", "diabetes|diabetes", "$.english", "every name once in a row"),
        ("labs.tsv", "hba1c", "mmol/mol=0.09148", "mmol/mol=about 0.1", "$.conversions", "UCUM=factor"),
        ("labs.tsv", "hba1c", "mmol/mol=", "furlong=", "$.conversions", "a unit of units.tsv"),
        ("labs.tsv", "hba1c", "\t%\t", "\tfurlong\t", "$.unit", "a unit of units.tsv"),
        ("medications.tsv", "C09DB04\t", "C08CA01|", "C08CA99|", "$.ingredients", "an id of medications.tsv"),
        ("medications.tsv", "C09DB04\t", "\tATC", "\tRUMOUR", "$.source", "an id of sources.tsv"),
        ("medication_classes.tsv", "C10AA\t", "\tC10AA\t", "\tZ99\t", "$.members", "the beginning of an id"),
        ("sources.tsv", "ATC\t", "https://atcddd.fhi.no/atc_ddd_index/", "", "$.where", "a value"),
    ],
)
def test_a_fault_names_file_line_and_column(tables, file, row, old, new, field, expected):
    line = line_with(tables, file, row)
    problems = changed(tables, file, line, old, new)
    assert any(f"{file}:{line}: {field}: expected {expected}" in problem for problem in problems), problems


def test_a_row_with_a_cell_too_few_is_named_and_the_rest_is_read(tables):
    path = tables / "symptoms.tsv"
    path.write_text(path.read_text("utf-8") + "itch\titch\n", "utf-8")
    rows, problems = read(tables)
    assert [problem.expected for problem in problems] == ["6 cells"]
    assert len(rows["symptom"]) == len(read_shipped()[0]["symptom"])


def test_wrong_columns_and_missing_files(tables):
    (tables / "vitals.tsv").write_text("id\tname\n", "utf-8")
    (tables / "procedures.tsv").unlink()
    problems = {problem.file: problem.expected for problem in read(tables)[1]}
    assert problems["vitals.tsv"].startswith("columns id, english")
    assert problems["procedures.tsv"] == "a table in UTF-8"


def test_conditions_in_a_circle_are_found(tables):
    line = line_with(tables, "conditions.tsv", "N28.9\t")
    problems = changed(tables, "conditions.tsv", line, "\t\tSCT:90708001", "\tN18\tSCT:90708001")
    assert any("$.broader: expected a condition that is not a kind of this one" in problem for problem in problems)


def test_a_changed_table_is_what_is_built(tables):
    line = line_with(tables, "symptoms.tsv", "headache\t")
    assert changed(tables, "symptoms.tsv", line, "두통|", "두통|골치아픔|") == []
    assert [entry.id for entry in build(read(tables)[0]).by_name("골치아픔")] == ["headache"]


def test_every_kind_has_its_table():
    assert set(KINDS) | {"source", "unit"} == set(TABLES)
    assert parse_conversion("mmol/L=18.016") == ("mmol/L", 18.016, 0.0)
    assert parse_conversion("[degF]=0.5-17.5") == ("[degF]", 0.5, -17.5)
    assert parse_conversion("nonsense") is None


# ---- records and labels at hand ----


def test_every_name_in_the_labelled_answers_is_known(shared):
    path = shared / "gold" / "clinical" / "challenge.jsonl"
    if not path.is_file():
        pytest.skip("../shared/gold/clinical/challenge.jsonl is missing")
    names = {name.folded: entry.kind for name, entry in TERMS.names()}
    for line in path.read_text("utf-8").splitlines():
        slots = json.loads(line)["slots_truth"]
        for text in [slots["primary_condition"], *slots["comorbidities"], *slots["key_meds"]]:
            folded = fold(text).text
            assert any(name in folded for name in names), text


def test_every_code_of_the_recorded_bundles_is_known(shared):
    folder = shared / "data" / "fhir"
    if not folder.is_dir():
        pytest.skip("../shared/data/fhir is missing")
    unknown = set()
    for path in sorted(folder.glob("*.json")):
        for entry in json.loads(path.read_text("utf-8"))["entry"]:
            resource = entry["resource"]
            for part in [resource, *resource.get("component", [])]:
                coding = part.get("code", {}).get("coding", [{}])[0] if resource["resourceType"] != "Claim" else {}
                system = {"Condition": "SCT", "Procedure": "SCT", "AllergyIntolerance": "SCT", "Observation": "LOINC"}
                prefix = system.get(resource["resourceType"])
                if prefix and not TERMS.by_code(f"{prefix}:{coding['code']}"):
                    unknown.add(coding["display"])
    assert unknown == {"Tobacco smoking status NHIS"}  # no number: a survey answer
