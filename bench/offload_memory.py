"""Part d: what a worker holds at most."""

import machine
from load import checked_size, closed_loop, in_turns
from servers import Server
from tables import Table, median, spread

CONNECTIONS = 8
FILES = ["script-1m.js", "records-2m.json"]


def _measure(variant, level, name, files, options):
    """A new worker each time: the kernel keeps the peak."""
    with Server(options, variant, files) as server:
        idle = machine.peak_memory(server.worker)
        checked_size(server, level, name, files[name])
        target = f"/{level}/{name}"
        closed_loop(server, target, CONNECTIONS, options.seconds / 3)
        return {"idle": idle, "peak": machine.peak_memory(server.worker)}


def measure(variants, files, options):
    """[(level, file, {variant: [results of each round]})]."""
    results = []
    for level in options.memory_levels:
        for name in FILES:
            cell = {variant.name: [] for variant in variants}
            in_turns(
                variants,
                cell,
                options.rounds,
                lambda each: _measure(each, level, name, files, options),
            )
            results.append((level, name, cell))
    return results


def show(results, reference):
    table = Table(
        f"d. Worker memory at {CONNECTIONS} connections, MiB",
        "level,file,server,at start,peak,spread of peak,"
        f"ratio to {reference}",
    )
    for level, file, cell in results:
        theirs = [each["peak"] / 2**20 for each in cell.get(reference, [])]
        for name, rounds in cell.items():
            peaks = [each["peak"] / 2**20 for each in rounds]
            idle = median([each["idle"] for each in rounds]) / 2**20
            row = [level, file, name, idle, median(peaks), spread(peaks)]
            table.add(*row, median(peaks) / median(theirs) if theirs else "-")
    table.show()
