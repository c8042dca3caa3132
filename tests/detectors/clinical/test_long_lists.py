"""Answers that name thousands of things are read in steps that grow with their length, not with its square."""

import subprocess
import sys

# Lines of the reader that are run for answers of two lengths: a count of work, whatever the machine.
COUNT = """
import sys
from turnmark.clinical import compute_advanced_metrics
from turnmark.detectors.clinical.read import reading

count = 0

def within(frame, event, argument):
    global count
    count += event == "line"
    return within

def trace(frame, event, argument):
    return within if frame.f_code.co_filename == reading.__file__ else None

for times in (100, 400):
    count = 0
    sys.settrace(trace)
    compute_advanced_metrics("asthma and gout or " * times, "", {"conditions": ["hypertension"]}, 1)
    sys.settrace(None)
    print(count)
"""


def test_names_that_nothing_is_said_of_take_steps_in_proportion():
    """Looking at every pair of names takes sixteen times as many steps for four times the names."""
    done = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    short, long = map(int, done.stdout.split())
    assert 0 < long < 6 * short
