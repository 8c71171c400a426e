"""Part d: what a worker holds at most."""

import machine
from load import checked_size, closed_loop
from servers import Server
from tables import Table, median, spread

LEVEL, CONNECTIONS = 6, 8
FILES = ["script-1m.js", "records-2m.json"]


def _measure(nginx, variant, name, files, options):
    """A new worker each time: the kernel keeps the peak."""
    with Server(nginx, variant, files) as server:
        idle = machine.peak_memory(server.worker)
        checked_size(server, LEVEL, name, files[name])
        target = f"/{LEVEL}/{name}"
        closed_loop(server, target, CONNECTIONS, options.seconds / 3)
        return {"idle": idle, "peak": machine.peak_memory(server.worker)}


def measure(nginx, variants, files, options):
    """[(file, {variant: [results of each round]})]; google's first."""
    results = []
    for name in FILES:
        cell = {variant.name: [] for variant in variants}
        for _ in range(options.rounds):
            for variant in variants:
                cell[variant.name].append(
                    _measure(nginx, variant, name, files, options)
                )
        results.append((name, cell))
    return results


def show(results):
    table = Table(
        f"d. Worker memory at {CONNECTIONS} connections, level {LEVEL}, MiB",
        "file,server,at start,peak,spread of peak,ratio to google",
    )
    for file, cell in results:
        google = median([each["peak"] for each in cell["google"]])
        for name, rounds in cell.items():
            peaks = [each["peak"] / 2**20 for each in rounds]
            idle = median([each["idle"] for each in rounds]) / 2**20
            row = [file, name, idle, median(peaks), spread(peaks)]
            table.add(*row, median(peaks) * 2**20 / google)
    table.show()
