"""An agent in a process of its own: JSON lines in, JSON lines out. Any language will do; this one needs no library.

turnmark replay DATASET --agent "exec:python examples/agents/jsonl_process.py" --out runs/process
"""

import json
import sys


def say(record):
    print(json.dumps(record, ensure_ascii=False), flush=True)


def main():
    seen = []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            print(f"dialogue {message['dialog_id']} begins", file=sys.stderr)  # logs belong on standard error
            continue
        seen.append(message["user_text"])
        say(
            {"event": "recall_done", "payload": {"query": seen[-1], "items": [{"content": text} for text in seen[:-1]]}}
        )
        say({"reply": f"This is turn {len(seen)}. No return is guaranteed; please check what suits you.",
             "usage": {"input_tokens": sum(map(len, seen)), "output_tokens": 12}})  # fmt: skip


if __name__ == "__main__":
    main()
