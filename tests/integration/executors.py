"""The two places where compression runs, and how a test asks for them."""

import pytest

EXECUTORS = (
    pytest.param("pool", marks=pytest.mark.needs("threads")),
    pytest.param("loop", marks=pytest.mark.loop),
)

POOL_MAIN = "thread_pool compressors threads=2;"


def main_for(executor):
    return POOL_MAIN if executor == "pool" else ""


def location_for(executor, codec):
    if executor == "pool":
        return f"{codec.prefix}_thread_pool compressors;"
    return ""


def enable(codec, level=None, executor="loop", types="*"):
    """The directives that compress everything in one location."""
    level = codec.fast_level if level is None else level
    return f"""
        {codec.prefix} on;
        {codec.prefix}_comp_level {level};
        {codec.prefix}_types {types};
        {codec.prefix}_min_length 1;
        {location_for(executor, codec)}
    """
