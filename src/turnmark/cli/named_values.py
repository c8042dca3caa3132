"""Options of the form ``NAME=VALUE``."""

from __future__ import annotations

from typing import Any

import click

from turnmark.packs import loading


def named_values(_context: click.Context, _parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    """``NAME=VALUE`` pairs; values are read as YAML."""
    options = {}
    for text in values:
        name, sign, value = text.partition("=")
        if not sign or not name.strip():
            message = f"expected NAME=VALUE, found {text!r}"
            raise click.BadParameter(message)
        import yaml  # noqa: PLC0415 - few commands are given any

        try:
            options[name.strip()] = loading.value_of(value)
        except (yaml.YAMLError, ValueError) as error:
            message = f"{name}: expected a YAML value, found {value!r} ({error})"
            raise click.BadParameter(message) from error
    return options
