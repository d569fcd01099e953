"""A class becomes rows, files and records, whatever ends the run."""
