"""A memory library with the calls of mem0 (search, add), and a function that answers from what was found.

turnmark replay DATASET --agent memory:examples/agents/memory_library.py:Memory \
    --agent-option answer=examples/agents/memory_library.py:answer --out runs/memory
"""


class Memory:
    """Finds earlier messages that share words with the question; `mem0.Memory.from_config(…)` would stand here."""

    def __init__(self):
        self.entries = []

    def search(self, query, *, user_id=None, limit=5):
        words = set(query.lower().split())
        scored = [
            {"id": f"{user_id}-{place}", "memory": text, "score": len(words & set(text.lower().split())) / len(words)}
            for place, text in enumerate(self.entries)
        ]
        found = sorted((entry for entry in scored if entry["score"] > 0), key=lambda entry: -entry["score"])
        return {"results": found[:limit]}

    def add(self, messages, *, user_id=None):
        self.entries += [message["content"] for message in messages if message["role"] == "user"]


def answer(user_text, memories, history):
    known = f"I remember {len(memories)} related things you said." if memories else "That is new to me."
    return f"{known} This is exchange {len(history) // 2 + 1} in view. Please bear in mind that prices can fall."
