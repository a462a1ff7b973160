"""Benchmarks: our reasoner beside others on the same work, each measured from outside as a process of its own.

Nothing here is imported by what is measured, and nothing here imports it: see ADR 0116.
"""
