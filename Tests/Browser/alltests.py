"""Tests that only `Tests/run --all` runs, as in continuous integration."""

import os

import pytest

ALL = os.environ.get("ROOST_ALL_TESTS") == "1"
only_with_all = pytest.mark.skipif(not ALL, reason="only with Tests/run --all")
