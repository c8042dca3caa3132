"""A RAG agent without a model: it searches documents for the words of the question and says the closest sentence.

turnmark replay CASES --agent examples/agents/document_search.py:make --agent-option docs=FOLDER --out runs/search
"""

import math
from collections import Counter
from functools import cache
from pathlib import Path

from turnmark.agents import Reply
from turnmark.documents import Problem, passages, read_documents

CONTEXTS = 3
CLOSE_ENOUGH = 0.2
DECLINES = (("가", "힣", "문서에서 답을 찾을 수 없습니다."), ("一", "鿿", "文档中没有这个问题的答案。"))


def grams(text):
    """Runs of two characters (Chinese, Korean) or four (English), which need no dictionary."""
    plain = "".join(character.lower() if character.isalnum() else " " for character in text)
    return {
        word[at : at + size]
        for word in plain.split()
        for size in (4 if word.isascii() else 2,)
        for at in range(max(1, len(word) - size + 1))
    }


def declined(question):
    """What is said where the documents hold no answer, in the language of the question."""
    for first, last, words in DECLINES:
        if any(first <= character <= last for character in question):
            return words
    return "I don't know."


class Library:
    """The passages of a folder with their sentences; rare runs weigh more."""

    def __init__(self, docs):
        self.passages = []
        for document in read_documents(Path(docs)):
            if not isinstance(document, Problem):
                for passage in passages(document):
                    words = grams(" ".join((*passage.unit.headings, passage.unit.text)))
                    self.passages.append((passage.unit.text, words, [line.text for line in passage.lines]))
        self.counts = Counter(gram for _, words, _ in self.passages for gram in words)

    def share(self, question, words):
        """The weight of the question's runs that are found, from 0 to 1."""
        weights = {gram: math.log(1 + len(self.passages) / (1 + self.counts[gram])) for gram in sorted(question)}
        return sum(weight for gram, weight in weights.items() if gram in words) / (sum(weights.values()) or 1)


@cache
def library(docs):
    """The library of a folder, read once for all dialogues."""
    return Library(docs)


class Searcher:
    """Looks up every question anew: it has no memory."""

    def __init__(self, docs):
        self.library = library(str(docs))

    def handle_turn(self, user_text):
        question = grams(user_text)
        found = sorted(self.library.passages, key=lambda passage: -self.library.share(question, passage[1]))[:CONTEXTS]
        sentences = [(self.library.share(question, grams(line)), line) for _, _, lines in found for line in lines]
        score, sentence = max(sentences, default=(0, ""))
        text = sentence if score >= CLOSE_ENOUGH else declined(user_text)
        return Reply(text=text, retrieved_contexts=[passage[0] for passage in found])


def make(dialog_id, docs):
    """One agent a dialogue; ``docs`` is the folder of documents."""
    return Searcher(docs)
