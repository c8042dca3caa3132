"""A LangGraph agent: a graph with a tool and its own memory of the conversation (a checkpointer).

pip install 'turnmark[langchain]'
turnmark replay DATASET --agent langchain:examples/agents/graph.py:make --out runs/graph
"""

from typing import Annotated, TypedDict

from langchain_core.messages import AIMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages


class State(TypedDict):
    messages: Annotated[list, add_messages]


def think(state):
    """Stands for a model that decides to use a tool."""
    length = len(state["messages"][-1].content)
    call = {"name": "count", "args": {"characters": length}, "id": f"call-{len(state['messages'])}"}
    return {"messages": [AIMessage(content="", tool_calls=[call])]}


def count(state):
    call = state["messages"][-1].tool_calls[0]
    return {"messages": [ToolMessage(content=str(call["args"]["characters"]), tool_call_id=call["id"], name="count")]}


def answer(state):
    turns = sum(message.type == "human" for message in state["messages"])
    text = f"After {turns} turns: your message has {state['messages'][-1].content} characters. Nothing is guaranteed."
    usage = {"input_tokens": 10 * turns, "output_tokens": 8, "total_tokens": 10 * turns + 8}
    return {"messages": [AIMessage(content=text, usage_metadata=usage)]}


def make():
    """A graph of its own for every dialogue."""
    graph = StateGraph(State)
    graph.add_node("think", think)
    graph.add_node("count", count)
    graph.add_node("answer", answer)
    graph.add_edge(START, "think")
    graph.add_edge("think", "count")
    graph.add_edge("count", "answer")
    graph.add_edge("answer", END)
    return graph.compile(checkpointer=InMemorySaver())
