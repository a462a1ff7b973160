"""Resources as pages for people with a browser."""
