"""What editors and tools leave behind: never copied, neither into a release nor from a submission."""

from __future__ import annotations

from fnmatch import fnmatch

IGNORED = [".*", "__pycache__", "*.pyc", "*~", "*.bak", "*.orig", "*.tmp", "*.log"]


def is_ignored(name: str) -> bool:
    """Whether a file or folder of this name is left behind."""
    return any(fnmatch(name, pattern) for pattern in IGNORED)
