"""The step and the loop: machine, driver, trace."""
