"""Settings of the whole suite: hypothesis runs are the same every time."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "milepost", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)
settings.load_profile("milepost")
