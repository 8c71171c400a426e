"""What /proc tells: who uses the processors, and what a worker costs."""

import os
import resource
import sys
import time
from pathlib import Path

TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
SAMPLE_SECONDS = 0.3
QUIET_SHARE = 0.15
ATTEMPTS = 3

# Positions in /proc/PID/stat, counted from the field after the name.
PARENT, USER_TIME, SYSTEM_TIME = 1, 11, 12


def _stat_fields(path):
    return Path(path).read_text().rpartition(")")[2].split()


def _busy_ticks():
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]
    user, nice, system, _, _, irq, softirq, steal = map(int, fields[:8])
    return user + nice + system + irq + softirq + steal


def _busy_seconds():
    return _busy_ticks() / TICKS_PER_SECOND


def _own_seconds(worker):
    seconds = cpu_seconds(worker)
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        seconds += usage.ru_utime + usage.ru_stime
    return seconds


def wait_until_quiet(patience):
    """Waits for other work to leave the machine, for so many seconds."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        before = _busy_seconds()
        time.sleep(SAMPLE_SECONDS)
        if _busy_seconds() - before <= QUIET_SHARE * SAMPLE_SECONDS:
            return
    print("the machine is busy; measuring anyway", file=sys.stderr)


def measure_quietly(worker, patience, action):
    """What action() returns, a dict, from the quietest of a few attempts.

    Its "other_load" is the share of one processor that others used meanwhile.
    """
    best = None
    for _ in range(ATTEMPTS):
        wait_until_quiet(patience)
        start = time.monotonic()
        others = _busy_seconds() - _own_seconds(worker)
        result = action()
        others = _busy_seconds() - _own_seconds(worker) - others
        share = others / (time.monotonic() - start)
        result["other_load"] = max(0.0, share)
        if not best or result["other_load"] < best["other_load"]:
            best = result
        if best["other_load"] <= QUIET_SHARE:
            break
    return best


def children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    return [int(child) for child in path.read_text().split()]


def _thread_cpu_seconds(task):
    try:
        return int((task / "schedstat").read_text().split()[0]) / 1e9
    except OSError:
        fields = _stat_fields(task / "stat")
        ticks = int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])
        return ticks / TICKS_PER_SECOND


def cpu_seconds(pid):
    """User and system time of a process's living threads."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(_thread_cpu_seconds(task) for task in tasks)


def peak_memory(pid):
    """Most bytes that were resident at one time."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise LookupError("no VmHWM")


def description():
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return f"{os.cpu_count()} x {model}, Linux {os.uname().release}"
