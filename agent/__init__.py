"""Milepost: a rule-driven agent runtime for read-write Linked Data."""

__version__ = "0.1.0"
