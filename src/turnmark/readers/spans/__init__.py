"""Spans of instrumented applications (OpenTelemetry GenAI, OpenInference, OpenLLMetry) as dialogues."""
