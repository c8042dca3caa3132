"""What a user may say about a judge that is a model, and the judge that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from turnmark.errors import UsageError
from turnmark.judges.llm.judge import LlmJudge
from turnmark.llm.budget import Budget, Prices
from turnmark.llm.cache import AnswerCache
from turnmark.llm.client import ChatClient
from turnmark.llm.limits import Limiter
from turnmark.llm.openai import ChatSettings, OpenAIEndpoint
from turnmark.llm.retry import RetryPolicy


class JudgeConfig(ChatSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A YAML file for ``turnmark judge``: the endpoint's settings, and how it is called.

    ``repeat`` asks for verdicts that often and takes the majority. ``concurrency`` is how many calls run at once at
    most; 429 makes it fewer for a while. ``timeout`` are seconds for one attempt, ``tries`` attempts a call,
    ``first_wait`` seconds before the second. ``cache`` is a file for answers, so that nothing is paid for twice.
    ``prices`` are money per million tokens. ``max_tokens`` left out: four times what an answer is expected to take, and
    1024 for thoughts, so that a model that never ends is cut off. Where only what is undecided is asked, a request
    holds that of several cases, up to ``items_per_request`` verdicts and ``characters_per_request`` characters.
    """

    model: str = ""
    repeat: int = 1
    concurrency: int = 16
    requests_per_minute: float | None = None
    tokens_per_minute: float | None = None
    timeout: float = 120.0
    tries: int = 6
    first_wait: float = 0.5
    items_per_request: int = 40
    characters_per_request: int = 8000
    cache: str | None = None
    prices: Prices | None = None
    max_calls: int | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None


def judge_config(settings: Mapping[str, Any]) -> JudgeConfig:
    """The configuration with these fields. Raises: UsageError."""
    try:
        return msgspec.convert(dict(settings), JudgeConfig)
    except msgspec.ValidationError as error:
        message = f"judge: {error}; fields: {', '.join(JudgeConfig.__struct_fields__)}"
        raise UsageError(message) from error


def make_client(config: JudgeConfig, environment: Mapping[str, str] | None = None) -> ChatClient:
    """A client for an endpoint, with limits, budget and cache.

    Raises: UsageError for settings that cannot be; DataError when the cache file is none.
    """
    if not config.model.strip():
        message = "the judge has no model; name it by --model or in the configuration"
        raise UsageError(message)
    for name in ("repeat", "tries", "timeout", "items_per_request", "characters_per_request"):
        if not getattr(config, name) > 0:
            message = f"{name} is {getattr(config, name)!r}; expected a number above 0"
            raise UsageError(message)
    budget = Budget(
        max_calls=config.max_calls,
        max_tokens=config.max_tokens_total,
        max_cost=config.max_cost,
        prices=config.prices,
    )
    limiter = Limiter(
        concurrency=config.concurrency,
        requests_per_minute=config.requests_per_minute,
        tokens_per_minute=config.tokens_per_minute,
    )
    return ChatClient(
        OpenAIEndpoint(config, environment, limit_answers=True),
        limiter=limiter,
        retry=RetryPolicy(tries=config.tries, first_wait=config.first_wait, seed=config.seed or 0),
        budget=budget,
        cache=AnswerCache(Path(config.cache)) if config.cache is not None else None,
        timeout=config.timeout,
    )


def make_llm_judge(config: JudgeConfig, environment: Mapping[str, str] | None = None) -> LlmJudge:
    """The judge that a configuration describes. Raises: as `make_client`."""
    return LlmJudge(make_client(config, environment), repeat=config.repeat)
