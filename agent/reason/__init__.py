"""The reasoner: memory, joins, fixpoint, and the slow oracle."""
