"""Checks: scripts and rules as data, the engine that explores with them, and the report a student reads."""
