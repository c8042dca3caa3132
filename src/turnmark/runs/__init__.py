"""The run folder: what lies where, and how it is written so that a killed run leaves nothing half written."""
