"""What a gate found, for people (Markdown, as summaries of pull requests show it) and for CI servers (JUnit XML)."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from turnmark.locale.texts import ENGLISH, Texts, filled, named
from turnmark.report.pages.markdown import escaped, table
from turnmark.schemas.results.comparison import Unpaired
from turnmark.schemas.results.gate import GateOutcome, GateResult

SIGNS: dict[GateOutcome, str] = {"pass": "✅", "fail": "❌", "not_enough_data": "⚠️"}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_gate_markdown(result: GateResult, texts: Texts = ENGLISH) -> str:
    """A table with one line a rule, the outcome of the gate above it; the reasons are worded already."""
    run = escaped(result.run)
    if result.baseline:
        run = filled(texts, "gate_against", run=run, baseline=escaped(result.baseline))
    rows = [
        [
            f"{SIGNS[finding.outcome]} {named(texts, 'gate', finding.outcome)}",
            escaped(finding.rule),
            escaped(finding.reason),
        ]
        for finding in result.findings
    ]
    heads = (texts["gate_outcome"], texts["gate_rule"], texts["gate_why"])
    said = [line for text in unpaired_lines(result, texts) for line in (escaped(text), "")]
    lines = [f"## {SIGNS[result.outcome]} {run}: {named(texts, 'gate', result.outcome)}", ""]
    return "\n".join([*lines, *table(heads, rows, numbers_from=3), "", *said])


def unpaired_lines(result: GateResult, texts: Texts = ENGLISH) -> list[str]:
    """The turns that only one of the runs has, in lines; none where there are none."""
    if not isinstance(result.unpaired, Unpaired):
        return []
    only, run = result.unpaired.only_first, result.unpaired.only_second
    return [filled(texts, "gate_unpaired", only=only, run=run, named="; ".join(result.unpaired.examples))]


def render_gate_junit(result: GateResult) -> bytes:
    """JUnit XML: a rule that fails is a failure, one without enough data is skipped with its reason."""
    counts = {outcome: sum(finding.outcome == outcome for finding in result.findings) for outcome in SIGNS}
    suite = ET.Element(
        "testsuite",
        name=_xml(f"turnmark gate: {result.run}"),
        tests=str(len(result.findings)),
        failures=str(counts["fail"]),
        skipped=str(counts["not_enough_data"]),
        errors="0",
    )
    for finding in result.findings:
        case = ET.SubElement(suite, "testcase", classname="turnmark.gate", name=_xml(finding.rule))
        if finding.outcome == "fail":
            ET.SubElement(case, "failure", message=_xml(finding.reason))
        elif finding.outcome == "not_enough_data":
            ET.SubElement(case, "skipped", message=_xml(f"not enough data: {finding.reason}"))
        else:
            ET.SubElement(case, "system-out").text = _xml(finding.reason)
    ET.indent(suite)
    written: bytes = ET.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _xml(text: str) -> str:
    """The text without characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)
