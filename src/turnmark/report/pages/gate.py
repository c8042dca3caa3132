"""What a gate found, for people (Markdown, as summaries of pull requests show it) and for CI servers (JUnit XML)."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from turnmark.report.pages.markdown import escaped, table
from turnmark.schemas.results.gate import GateOutcome, GateResult

OUTCOMES: dict[GateOutcome, tuple[str, str]] = {
    "pass": ("✅", "pass"),
    "fail": ("❌", "fail"),
    "not_enough_data": ("⚠️", "not enough data"),
}
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render_gate_markdown(result: GateResult) -> str:
    """A table with one line a rule, the outcome of the gate above it."""
    sign, name = OUTCOMES[result.outcome]
    against = f" against {escaped(result.baseline)}" if result.baseline else ""
    rows = [
        [
            f"{OUTCOMES[finding.outcome][0]} {OUTCOMES[finding.outcome][1]}",
            escaped(finding.rule),
            escaped(finding.reason),
        ]
        for finding in result.findings
    ]
    said = [line for text in result.unpaired_said() for line in (escaped(text), "")]
    lines = [f"## {sign} {escaped(result.run)}{against}: {name}", ""]
    return "\n".join([*lines, *table(("outcome", "rule", "why"), rows, numbers_from=3), "", *said])


def render_gate_junit(result: GateResult) -> bytes:
    """JUnit XML: a rule that fails is a failure, one without enough data is skipped with its reason."""
    counts = {outcome: sum(finding.outcome == outcome for finding in result.findings) for outcome in OUTCOMES}
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
