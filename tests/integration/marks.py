"""Shorthands for marked parameters."""

import pytest


def planned(*values):
    """A row about what the module does not have yet: see --planned."""
    return pytest.param(*values, marks=pytest.mark.planned)
