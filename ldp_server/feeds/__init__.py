"""Watching many resources: what changed since a number, members inlined, and a stream of events."""
