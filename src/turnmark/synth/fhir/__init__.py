"""FHIR bundles to clinical records to slots."""
