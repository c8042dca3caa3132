"""A LangChain runnable: a chain that gets the question and the history, and gives an answer with its documents.

pip install 'turnmark[langchain]'
turnmark replay DATASET --agent langchain:examples/agents/chain.py:CHAIN --agent-option input=question --out runs/chain
"""

from langchain_core.documents import Document
from langchain_core.runnables import RunnableLambda

DOCUMENTS = [
    Document(page_content="Bond prices fall when interest rates rise."),
    Document(page_content="An index fund holds many shares by rule."),
]


def retrieve(given):
    words = set(given["question"].lower().split())
    found = [document for document in DOCUMENTS if words & set(document.page_content.lower().split())]
    return {**given, "context": found}


def reply(given):
    facts = " ".join(document.page_content for document in given["context"]) or "I have no document on that."
    turns = len(given["chat_history"]) // 2
    return {**given, "answer": f"{facts} (after {turns} earlier turns; no return is guaranteed)"}


CHAIN = RunnableLambda(retrieve) | RunnableLambda(reply)
