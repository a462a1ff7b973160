"""Settings of the whole suite: hypothesis runs are the same every time, and interrupts reach what tests start."""

import signal

from hypothesis import HealthCheck, Phase, settings

from tests.support.depth import DEEP

settings.register_profile(
    "milepost",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    database=None,
    # Making a failing example smaller may take five minutes: a quick run tells the first one it finds.
    phases=list(Phase) if DEEP else [Phase.explicit, Phase.generate],
)
settings.load_profile("milepost")

# A shell that starts the suite in the background has it ignore interrupts, and so would every process a test starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
