"""Messages to completions: one protocol, an HTTP client for it, and what keeps many calls cheap, polite and finite.

Each file does one thing: `protocol` (what is asked and answered), `openai` (an endpoint over `http`, whose streams
`sse` reads), `scripted` (an endpoint without a network), `client` (an endpoint with patience), which joins `cache`,
`budget`, `limits`, `breaker` and `retry`; `secrets` keeps keys out of everything that is printed.
"""
