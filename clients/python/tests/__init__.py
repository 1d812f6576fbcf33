"""Tests of the Python client: ``python3 -m tests`` in clients/python, against the jar of this build."""
