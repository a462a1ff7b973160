"""Settings of the whole suite: hypothesis runs are the same every time."""

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
