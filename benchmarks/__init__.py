"""Measurements side by side: each figure is printed beside its goal. `python -m benchmarks` runs them all."""
