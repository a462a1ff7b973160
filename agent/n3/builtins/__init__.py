"""Builtins: predicates computed by code, one function each."""
