"""The ``contextual`` detectors: what a careful reader would say, by rules over scope, quantities and paraphrase."""
