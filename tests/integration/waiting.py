"""Bounded waits."""

import time


def wait_until(condition, seconds=10, what="the condition"):
    """The first true value of condition(), or a failure at the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not hold within {seconds} s")
        time.sleep(0.02)
