"""Run a command and measure it: ``python -I -S meter.py SECONDS OUT ERR COMMAND...`` prints the measurement as JSON.

A small process of its own starts the command, because the peak memory of a process counts from before it became the
program it is (getrusage): started by a big process, a small one would look big.
"""

import json
import os
import resource
import signal
import subprocess
import sys
from types import FrameType

PATIENCE = 5
"""How much longer than its processor time a command may take by the clock: other work has the machine too."""


def main(limit: str, out: str, err: str, *command: str) -> None:
    """Run ``command`` for at most ``limit`` seconds of processor time, its output and errors written to files."""
    seconds = int(limit)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    with open(out, "wb") as output, open(err, "wb") as errors:  # noqa: PTH123  pathlib would make this process bigger
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors)  # noqa: S603  it is what shall be measured
    late = []

    def give_up(_number: int, _frame: FrameType | None) -> None:
        late.append(process.pid)
        os.kill(process.pid, signal.SIGKILL)

    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds * PATIENCE)
    _, status, used = os.wait4(process.pid, 0)
    signal.alarm(0)
    code, cpu_s = os.waitstatus_to_exitcode(status), used.ru_utime + used.ru_stime
    # The limit counts in ticks, so the end that it makes may come a little early.
    killed = code == -signal.SIGXCPU or (code == -signal.SIGKILL and cpu_s > 0.9 * seconds)
    measured = {
        "code": code,
        "over_limit": bool(late) or killed,
        "cpu_s": cpu_s,
        "peak_bytes": used.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    sys.stdout.write(json.dumps(measured))


if __name__ == "__main__":
    main(*sys.argv[1:])
