"""Clinical texts and records as typed readings: names, measurements, statements, procedures."""
