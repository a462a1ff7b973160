"""Simulated devices and worlds, served as real HTTP resources."""
