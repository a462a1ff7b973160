"""The engine that keeps what it knows: rules compiled to Python, memory maintained from step to step."""
