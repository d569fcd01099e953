"""A sample class of ten, from release to feedback, in a folder of its own: `python -m demo`."""
