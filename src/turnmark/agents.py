"""What an assistant that is played to (``turnmark replay``) hands back, and what it is handed.

>>> from turnmark.agents import Reply
>>> Reply(text="Bond prices fall when rates rise.", model="house-1").text
'Bond prices fall when rates rise.'
"""

from __future__ import annotations

from turnmark.replay.protocol import Agent, AgentFailure, AgentSource, Observer, Reply, Usage

__all__ = ["Agent", "AgentFailure", "AgentSource", "Observer", "Reply", "Usage"]
