"""Loading that goes wrong in every way a process can; functions of a module, so that a process of its own finds them."""

import os
import time

from agent.corpus.verdict import Kind, Verdict


def hostile(path: str, name: str) -> Verdict:
    """Do to the process what ``path`` says: wait, eat, die; anything else is loaded at once."""
    if path == "wait":
        time.sleep(60)
    if path == "eat":
        try:
            bytearray(10**12)
        except MemoryError:
            return Verdict(Kind.MEMORY, name)
    if path == "die":
        os._exit(1)
    return Verdict(Kind.LOADED, name, message=str(os.getpid()))
