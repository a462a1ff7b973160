"""``milepost`` in a process of its own, whose steps are taken again in the other mode: see ``tests.support.replays``."""

import os
import sys
from pathlib import Path

from agent.__main__ import main

FOLDER = "MILEPOST_TESTS_REPLAYS"
"""The variable of the environment that names the folder for what is noted."""

STEPPING = frozenset({"run", "demo", "experiment"})
"""The commands that keep a memory."""

if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in STEPPING:
        from tests.support.replays import look, note_in

        look(note_in(Path(os.environ[FOLDER])))
    main()
