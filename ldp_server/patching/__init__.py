"""Patches: from the text of a patch and the triples that are stored to the triples after it, or a refusal.

Nothing here opens a file or a connection or looks at a clock, but ``engine``, which keeps a process for the
updates that need all of SPARQL.
"""
