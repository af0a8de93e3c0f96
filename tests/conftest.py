"""Marks shared by all tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is slow, not wrong.
settings.register_profile("grognard", deadline=None)
settings.load_profile("grognard")
