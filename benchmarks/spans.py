"""How fast files of spans are read, in MB of JSON a processor second, against decoding the same lines and nothing else.

python benchmarks/spans.py [--megabytes 40] [--repeat 3] [--only NAME] [--file PATH]

Every trace is a dialogue's turn of four spans (an agent, a search with passages, a tool call, a model call with its
history). Each file is read in a process of its own: the seconds are of the processor, from the open file to the last
line of trace v1, without the start; the peak is of the whole process. Every span and every turn must have been read.
``--file`` makes a file of that path and size instead, and reads it once.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

TEXT = "基金的管理费按日计提 The fee of the fund is accrued daily and paid in May. 수수료는 매년 지급됩니다. "
SIZES = {"short": 70, "long": 900}
TURNS = 6
"""Turns of one conversation; the history of a call is the turns before it."""
RUN = """
import json, resource, sys, time
import msgspec
from pathlib import Path
from turnmark.readers.spans import dialogs
from turnmark.schemas.problems import Problem
from turnmark.suites.traces import trace_lines

path = Path(sys.argv[1])
counted = [0]
spans = dialogs._Spans
class Counted(spans):
    def dialogs(self):
        counted[0] = self.count
        return super().dialogs()
dialogs._Spans = Counted
started = time.process_time()
turns = problems = 0
for line in trace_lines(path):
    if isinstance(line, Problem):
        problems += 1
    else:
        turns += line.raw.count(b'"turn_pair_id"')
read = time.process_time() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
decoder = msgspec.json.Decoder()
started = time.process_time()
if sys.argv[2] == "decode":
    with path.open("rb") as file:
        for line in file:
            decoder.decode(line)
decode = time.process_time() - started
print(json.dumps([counted[0], turns, problems, read, decode, peak]))
"""


def text(number, length):
    """A text of about some characters that no other one is like."""
    return f"{number}: " + (TEXT * (length // len(TEXT) + 1))[:length]


def genai(number, history, length):
    """The spans of a turn by the conventions of OpenTelemetry: a name and attributes each."""

    def message(role, said):
        return {"role": role, "parts": [{"type": "text", "content": said}]}

    question, answer = f"Q{text(number, length)}?", f"A{text(number, length)}."
    sent = [message("system", "Be brief."), *(message(role, said) for pair in history for role, said in
            zip(("user", "assistant"), pair, strict=True)), message("user", question)]  # fmt: skip
    found = [{"id": f"d{place}", "score": 0.5, "content": f"D{place} {text(number, length)}"} for place in range(3)]
    model = {"gen_ai.request.model": "m", "gen_ai.provider.name": "p", "gen_ai.usage.input_tokens": 812,
             "gen_ai.usage.output_tokens": 97, "gen_ai.response.finish_reasons": ["stop"]}  # fmt: skip
    spans = [
        ("invoke_agent", {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "adviser"}),
        ("retrieval", {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.query.text": question,
                       "gen_ai.retrieval.documents": json.dumps(found, ensure_ascii=False)}),
        ("execute_tool", {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "fees",
                          "gen_ai.tool.call.arguments": '{"fund": "A"}', "gen_ai.tool.call.result": answer}),
        ("chat", {"gen_ai.operation.name": "chat", **model,
                  "gen_ai.input.messages": json.dumps(sent, ensure_ascii=False),
                  "gen_ai.output.messages": json.dumps([message("assistant", answer)], ensure_ascii=False)}),
    ]  # fmt: skip
    return (question, answer), "gen_ai.conversation.id", spans


def openinference(number, history, length):
    """The same by OpenInference."""
    question, answer = f"Q{text(number, length)}?", f"A{text(number, length)}."
    spoken = [("system", "Be brief."), *(one for pair in history for one in zip(("user", "assistant"), pair,
              strict=True)), ("user", question)]  # fmt: skip
    model = {"llm.model_name": "m", "llm.token_count.prompt": 812, "llm.token_count.completion": 97,
             "llm.invocation_parameters": '{"temperature": 0.1}', "input.mime_type": "application/json",
             "input.value": json.dumps({"messages": spoken[-1:]}, ensure_ascii=False)}  # fmt: skip
    for place, (role, said) in enumerate(spoken):
        model |= {f"llm.input_messages.{place}.message.role": role, f"llm.input_messages.{place}.message.content": said}
    found = {}
    for place in range(3):
        start = f"retrieval.documents.{place}.document"
        found |= {f"{start}.id": f"d{place}", f"{start}.score": 0.5,
                  f"{start}.content": f"D{place} {text(number, length)}"}  # fmt: skip
    spans = [
        ("chain", {"openinference.span.kind": "CHAIN", "input.value": question, "output.value": answer}),
        ("retriever", {"openinference.span.kind": "RETRIEVER", "input.value": question, **found}),
        ("tool", {"openinference.span.kind": "TOOL", "tool.name": "fees", "tool.parameters": '{"fund": "A"}',
                  "output.value": answer}),
        ("llm", {"openinference.span.kind": "LLM", **model, "llm.output_messages.0.message.role": "assistant",
                 "llm.output_messages.0.message.content": answer}),
    ]  # fmt: skip
    return (question, answer), "session.id", spans


def value(given):
    """A value of OTLP JSON."""
    if isinstance(given, list):
        return {"arrayValue": {"values": [value(each) for each in given]}}
    kind = {str: "stringValue", float: "doubleValue", int: "intValue"}[type(given)]
    return {kind: str(given) if kind == "intValue" else given}


def traces(convention, length):
    """Traces without end, each the spans of a turn as OTLP JSON has them."""
    number, history = 0, []
    while True:
        history = history if number % TURNS else []
        pair, session, spans = convention(number, history, length)
        history.append(pair)
        made = []
        for place, (name, attributes) in enumerate(spans):
            start = (1_760_000_000_000 + number * 1000 + place) * 10**6
            if not place:
                attributes[session] = f"c{number // TURNS}"
            made.append({
                "traceId": f"{number + 1:032x}", "spanId": f"{number * 4 + place + 1:016x}", "name": name, "kind": 1,
                "parentSpanId": f"{number * 4 + 1:016x}" if place else "", "flags": 256,
                "startTimeUnixNano": str(start), "endTimeUnixNano": str(start + 5 * 10**5), "status": {},
                "attributes": [{"key": key, "value": value(each)} for key, each in attributes.items()],
            })  # fmt: skip
        yield made
        number += 1


BEGIN, END = json.dumps(
    {"resourceSpans": [{
        "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "adviser"}}]},
        "scopeSpans": [{"scope": {"name": "s"}, "spans": ["SPANS"]}],
    }]}, separators=(",", ":"),
).split('"SPANS"')  # fmt: skip
FORMS = {"lines": "{end}\n{begin}", "one object": ","}
"""What stands between messages of four traces: each is a line of its own, or all are one JSON object."""
CONVENTIONS = {"GenAI": genai, "OpenInference": openinference}


def written(path, convention, length, form, size):
    """Write a file of some bytes; how many traces it holds."""
    made, count = traces(CONVENTIONS[convention], length), 0
    between = FORMS[form].format(begin=BEGIN, end=END)
    with path.open("w", encoding="utf-8") as file:
        file.write(BEGIN)
        while file.tell() < size:
            spans = [span for _ in range(4) for span in next(made)]
            file.write((between if count else "") + json.dumps(spans, ensure_ascii=False, separators=(",", ":"))[1:-1])
            count += 4
        file.write(END + "\n")
    return count


def measured(path, count, *, decode=True):
    """One reading in a process of its own: its seconds, those of decoding alone, the peak in MB."""
    command = [sys.executable, "-c", RUN, str(path), "decode" if decode else ""]
    found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if found[:3] != [4 * count, count, 0]:
        message = f"{path}: expected {4 * count} spans, {count} turns, no problem; found {found[:3]}"
        raise SystemExit(message)
    return found[3:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--megabytes", type=int, default=40, help="of JSON a file")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="", help="files whose name holds this")
    parser.add_argument("--file", type=Path, help="one file of many megabytes, which is not decoded beside")
    given = parser.parse_args()
    size = given.megabytes * 10**6
    if given.file:
        count = written(given.file, "GenAI", SIZES["long"], "lines", size)
        read, _, peak = measured(given.file, count, decode=False)
        megabytes = given.file.stat().st_size / 1e6
        print(f"{megabytes:.0f} MB: {megabytes / read:.1f} MB/s, peak {peak:.0f} MB")
        return
    names = [(convention, texts, form) for convention in CONVENTIONS for texts in SIZES for form in FORMS]
    with tempfile.TemporaryDirectory() as folder:
        for convention, texts, form in names:
            name = f"{convention}, {texts} texts, {form}"
            if given.only not in name:
                continue
            path = Path(folder) / "spans.jsonl"
            count = written(path, convention, SIZES[texts], form, size)
            megabytes = path.stat().st_size / 1e6
            runs = [measured(path, count) for _ in range(given.repeat)]
            read, decode, peak = (statistics.median(each) for each in zip(*runs, strict=True))
            print(
                f"{name} ({megabytes * 250 / count:.1f} kB a span): {megabytes / read:.1f} MB/s, "
                f"decode only {megabytes / decode:.1f}, peak {peak:.0f} MB",
                flush=True,
            )


if __name__ == "__main__":
    main()
