"""Agreement of several people who labelled overlapping parts of the same data."""

from collections.abc import Hashable, Sequence
from typing import Literal

import numpy as np

from turnmark.errors import UsageError

Scale = Literal["nominal", "interval"]


def krippendorff_alpha(units: Sequence[Sequence[Hashable | None]], scale: Scale = "nominal") -> float | None:
    """Krippendorff's alpha: how far annotators agree beyond chance, whoever labelled what.

    Formula: alpha = 1 - D_o / D_e. With m values in a unit, each ordered pair of them counts 1 / (m - 1); D_o is
    the mean squared difference of all pairs within units, D_e that of all pairs of values whatever their unit. The
    difference is 0 or 1 for ``nominal`` and the distance of the numbers for ``interval``.

    `units` has one entry a labelled thing: the values given to it, None where an annotator gave none. Units with fewer
    than two values say nothing. Range: 1 is perfect agreement, 0 that of chance, below 0 worse. Empty case: None when
    no unit has two values, or all values are the same (there is nothing to disagree about).

    Errors: UsageError for values that are not numbers on the interval scale.

    Source: Krippendorff 2004, Content Analysis, chapter 11; Hayes & Krippendorff 2007.
    """
    kept = [[value for value in unit if value is not None] for unit in units]
    kept = [values for values in kept if len(values) > 1]
    names = sorted({value for values in kept for value in values}, key=lambda value: (str(type(value)), str(value)))
    if len(names) < 2:
        return None
    position = {name: index for index, name in enumerate(names)}
    pairs = np.zeros((len(names), len(names)))
    for values in kept:
        counts = np.bincount([position[value] for value in values], minlength=len(names)).astype(np.float64)
        pairs += (np.outer(counts, counts) - np.diag(counts)) / (len(values) - 1)
    margin = pairs.sum(axis=1)
    if scale == "nominal":
        apart = 1.0 - np.eye(len(names))
    else:
        try:
            numbers = np.array([float(name) for name in names])  # type: ignore[arg-type]
        except (TypeError, ValueError) as error:
            raise UsageError(f"values are {names!r}: the interval scale needs numbers") from error
        apart = (numbers[:, None] - numbers[None]) ** 2
    total = margin.sum()
    observed = float(np.sum(pairs * apart)) / total
    expected = float(margin @ apart @ margin - margin @ np.diag(apart)) / (total * (total - 1))
    return float(1.0 - observed / expected)
