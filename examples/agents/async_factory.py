"""An async Python agent that shares one client between dialogues, as agents around a model usually do.

turnmark replay DATASET --agent examples/agents/async_factory.py:make --workers 16 --out runs/async
"""

import asyncio


class Client:
    """Stands for an async client with a pool of connections."""

    async def complete(self, text):
        await asyncio.sleep(0.001)
        return f"You wrote {len(text)} characters. Markets are uncertain and nothing is guaranteed."


CLIENT = Client()


class Agent:
    def __init__(self):
        self.history = []

    async def handle_turn(self, user_text):
        self.history.append(user_text)
        return await CLIENT.complete("\n".join(self.history))


async def make():
    return Agent()
