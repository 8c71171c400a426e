"""Part b: CPU time of a response. Part c: size, and time of large ones."""

import machine
from load import checked_size, closed_loop
from tables import Table, median, quartiles, spread

FILES = ["answer-2k.json", "script-87k.js", "script-1m.js", "records-2m.json"]
LANE_FILES = ["script-1m.js", "records-2m.json", "records-5m.json"]
LANE_LEVELS = [4, 6, 9, 11]

# A sample is as many responses as take so long. The speed of a shared machine
# changes by the second: short samples in turns, many times over, let all
# servers see the same of it.
SAMPLE_SECONDS = 0.1
MOST_RESPONSES = 4000
WARM_UP_RESPONSES = 3
TURNS_PER_ROUND = 6


def _cpu_ms(server, target, count):
    before = machine.cpu_seconds(server.worker)
    result = closed_loop(server, target, count=count)
    spent = machine.cpu_seconds(server.worker) - before
    return 1000 * spent / result["count"]


def _count_for(server, target):
    """Responses of a sample, and whether one alone takes longer."""
    closed_loop(server, target, count=1)
    ms = closed_loop(server, target, count=WARM_UP_RESPONSES)["p50_ms"]
    count = int(1000 * SAMPLE_SECONDS / ms)
    return max(1, min(MOST_RESPONSES, count)), count < 1


def _measure_cell(servers, level, name, path, options):
    target = f"/{level}/{name}"
    cell = {}
    for server in servers:
        size = checked_size(server, level, name, path)
        cell[server.name] = {"size": size, "cpu_ms": []}
    count, slow = _count_for(servers[0], target)
    turns = options.rounds * (1 if slow else TURNS_PER_ROUND)
    for turn in range(turns):
        if turn % TURNS_PER_ROUND == 0:
            machine.wait_until_quiet(options.patience)
        # Back and forth, so that a drift favours no one.
        for server in servers if turn % 2 == 0 else reversed(servers):
            cell[server.name]["cpu_ms"].append(_cpu_ms(server, target, count))
    return cell


def measure_cpu(servers, files, levels, options):
    """[(level, file, {server: size and CPU times})]; google's first."""
    return [
        (level, name, _measure_cell(servers, level, name, files[name], options))
        for level in levels
        for name in FILES
    ]


def show_cpu(results):
    names = [name for name in results[0][2] if name != "google"]
    columns = "level,file,google"
    for name in names:
        columns += f",{name},ratio,quartiles"
    table = Table("b. CPU ms of a response, and its ratio to google's", columns)
    for level, file, cell in results:
        google = cell["google"]["cpu_ms"]
        row = [level, file, median(google)]
        for name in names:
            times = cell[name]["cpu_ms"]
            ratios = [mine / theirs for mine, theirs in zip(times, google)]
            row += [median(times), median(ratios), quartiles(ratios)]
        table.add(*row)
    table.show()


def measure_sizes(servers, files, levels):
    """[(level, file, {server: size})]."""
    return [
        (
            level,
            name,
            {
                server.name: {
                    "size": checked_size(server, level, name, files[name])
                }
                for server in servers
            },
        )
        for level in levels
        for name in FILES
    ]


def _percent(size, reference):
    return f"{100 * (size / reference - 1):+.3f} %"


def show_sizes(results):
    names = [name for name in results[0][2] if name != "google"]
    columns = "level,file,google" + "".join(f",{name},loss" for name in names)
    title = "c. Bytes of a response, and the loss against google's"
    table = Table(title, columns)
    sums = dict.fromkeys(["google", *names], 0)
    for level, file, cell in results:
        google = cell["google"]["size"]
        row = [level, file, google]
        for name in names:
            row += [cell[name]["size"], _percent(cell[name]["size"], google)]
        for name in sums:
            sums[name] += cell[name]["size"]
        table.add(*row)
    row = ["", "sum", sums["google"]]
    for name in names:
        row += [sums[name], _percent(sums[name], sums["google"])]
    table.add(*row)
    table.show()


def _measure_lanes(server, level, name):
    count = 1 if level == 11 else 5
    before = machine.cpu_seconds(server.worker)
    result = closed_loop(server, f"/{level}/{name}", count=count)
    spent = machine.cpu_seconds(server.worker) - before
    return {
        "size": result["bytes"] / result["count"],
        "first_byte_ms": result["first_byte_p50_ms"],
        "last_byte_ms": result["p50_ms"],
        "cpu_ms": 1000 * spent / result["count"],
    }


def measure_lanes(servers, files, options):
    """[(level, file, {server: [results of each round]})]; one lane first."""
    results = []
    for level in LANE_LEVELS[: -1 if options.quick else None]:
        for name in LANE_FILES:
            cell = {server.name: [] for server in servers}
            for server in servers:
                checked_size(server, level, name, files[name])
            for _ in range(options.rounds):
                for server in servers:
                    result = machine.measure_quietly(
                        server.worker,
                        options.patience,
                        lambda: _measure_lanes(server, level, name),
                    )
                    cell[server.name].append(result)
            results.append((level, name, cell))
    return results


def show_lanes(results):
    table = Table(
        "c. One large response on an idle server",
        "level,file,server,size,loss,first byte ms,last byte ms,"
        "spread of last byte,CPU ms",
    )
    for level, file, cell in results:
        reference = None
        for name, rounds in cell.items():
            size = median([each["size"] for each in rounds])
            reference = reference or size
            last = [each["last_byte_ms"] for each in rounds]
            row = [level, file, name, int(size), _percent(size, reference)]
            row += [median([each["first_byte_ms"] for each in rounds])]
            row += [median(last), spread(last)]
            row += [median([each["cpu_ms"] for each in rounds])]
            table.add(*row)
    table.show()
