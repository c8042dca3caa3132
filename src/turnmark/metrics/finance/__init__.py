"""Finance metrics M1 to M5, one file a metric."""
