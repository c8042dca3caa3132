"""Values of a text: numbers, quantities, dates, times, codes, opposites, polarity, and how two of them compare."""

from turnmark.language.values.binding import compare_texts, read_passage
from turnmark.language.values.comparison import compare_values
from turnmark.language.values.opposition.polarity import Polarity, read_polarity
from turnmark.language.values.reader import read_values
from turnmark.language.values.value import Comparison, Value, ValueFinding

__all__ = [
    "Comparison",
    "Polarity",
    "Value",
    "ValueFinding",
    "compare_texts",
    "compare_values",
    "read_passage",
    "read_polarity",
    "read_values",
]
