"""Programs that run another reasoner; each is started as a file, in the Python that has the reasoner, and imports nothing of ours.

They take files as arguments and write what was derived to the standard output, as N-Triples.
"""
