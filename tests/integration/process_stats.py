"""What /proc tells about a process and its threads."""

import os
from pathlib import Path

SCHED_OTHER, SCHED_BATCH, SCHED_IDLE = 0, 3, 5
TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")

# Positions in /proc/PID/stat counted from the field after the name, which is
# the state, field 3 of proc(5).
STATE, PARENT, USER_TIME, SYSTEM_TIME, NICE, POLICY = 0, 1, 11, 12, 16, 38


def _stat_fields(path):
    return Path(path).read_text().rpartition(")")[2].split()


def children(pid):
    """Child processes, zombies left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = _stat_fields(entry / "stat")
        except OSError:
            continue
        if int(fields[PARENT]) == pid and fields[STATE] != "Z":
            found.append(int(entry.name))
    return sorted(found)


def cpu_seconds(pid):
    fields = _stat_fields(f"/proc/{pid}/stat")
    ticks = int(fields[USER_TIME]) + int(fields[SYSTEM_TIME])
    return ticks / TICKS_PER_SECOND


def resident_bytes(pid):
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def open_descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def thread_priorities(pid):
    """{thread id: (nice, policy)} of every thread but the first."""
    result = {}
    for task in Path(f"/proc/{pid}/task").iterdir():
        if int(task.name) != pid:
            fields = _stat_fields(task / "stat")
            result[int(task.name)] = (int(fields[NICE]), int(fields[POLICY]))
    return result
