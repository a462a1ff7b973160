"""Whole folders of rule files: which of them Milepost takes, and why not the others (``python -m agent.corpus DIR``).

For people who bring rules that were written for another reasoner.
"""
