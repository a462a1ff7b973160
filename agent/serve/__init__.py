"""Milepost resources served over HTTP."""
