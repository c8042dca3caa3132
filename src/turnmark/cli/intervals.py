"""The option that says how intervals are made."""

from __future__ import annotations

import click

from turnmark.schemas.results.summary import INTERVAL_METHODS

intervals_option = click.option(
    "--intervals", default=INTERVAL_METHODS[0], show_default=True, type=click.Choice(INTERVAL_METHODS),
    help="How intervals are made: percentiles of resampled dialogues, these corrected for bias and skew (bca), or by "
         "formula (analytic).",
)  # fmt: skip
