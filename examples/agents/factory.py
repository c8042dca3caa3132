"""A Python agent: one object a dialogue, made by a function. It tells what it recalled and which tool it used.

turnmark replay DATASET --agent examples/agents/factory.py:make --out runs/factory
"""


class Bookkeeper:
    """Remembers every number that the user says, and answers with what it has noted."""

    def __init__(self, dialog_id, observer):
        self.dialog_id = dialog_id
        self.observer = observer
        self.notes = []

    def handle_turn(self, user_text):
        self.observer.recall_done(query=user_text, items=[{"content": note} for note in self.notes])
        numbers = [word for word in user_text.replace("%", " % ").split() if word.replace(".", "").isdigit()]
        if numbers:
            self.observer.tool_called(tool_name="note", args={"numbers": numbers})
            self.notes.append(user_text)
        noted = f"I have noted {len(self.notes)} statements with figures."
        return f"{noted} Returns are not guaranteed, and prices move; please check that this suits your own situation."


def make(dialog_id, observer):
    """One agent a dialogue; further arguments on offer: session_id, user_id, memory_dir, timeout_sec, seed."""
    return Bookkeeper(dialog_id, observer)
