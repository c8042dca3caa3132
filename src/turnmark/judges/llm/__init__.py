"""The judge ``llm``: verdicts of a language model, asked for in one call for claims and one for everything else.

`judge` offers the judge; `claims` and `verdicts` make the two requests and read their answers, `items` asks until every
item has an answer or a reason, `rubric` grades by a user's own rubric. Prompts lie in ``judges/prompts``, one file a
judgement and language.
"""
