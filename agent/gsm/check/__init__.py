"""Checking workflow models: texts in, findings out. Nothing here reads files or the Web."""
