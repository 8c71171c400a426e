"""Part b: CPU time of a response. Part c: size, and time of large ones."""

import subprocess

import machine
from load import (
    checked_size,
    closed_loop,
    first_able,
    in_turns,
    peer_may_fail,
)
from tables import Table, median, quartiles, spread

FILES = ["answer-2k.json", "script-87k.js", "script-1m.js", "records-2m.json"]
LANE_FILES = ["script-1m.js", "records-2m.json", "records-5m.json"]
ONE_PIECE = "one piece"

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


def _checked(servers, level, name, path):
    """{server: its size}, without a peer that does not hold."""
    cell = {}
    for server in servers:
        with peer_may_fail(server, cell):
            size = checked_size(server, level, name, path)
            cell[server.name] = {"size": size}
    return cell


def _measure_cell(servers, level, name, path, options):
    target = f"/{level}/{name}"
    cell = _checked(servers, level, name, path)
    for result in cell.values():
        result["cpu_ms"] = []
    count, slow = first_able(
        servers, cell, lambda server: _count_for(server, target)
    )
    turns = options.rounds * (1 if slow else TURNS_PER_ROUND)
    for turn in range(turns):
        if turn % TURNS_PER_ROUND == 0:
            machine.wait_until_quiet(options.patience)
        # Back and forth, so that a drift favours no one.
        for server in servers if turn % 2 == 0 else reversed(servers):
            if server.name not in cell:
                continue
            with peer_may_fail(server, cell):
                ms = _cpu_ms(server, target, count)
                cell[server.name]["cpu_ms"].append(ms)
    return cell


def measure_cpu(servers, files, options):
    """[(level, file, {server: size and CPU times})]."""
    return [
        (level, name, _measure_cell(servers, level, name, files[name], options))
        for level in options.cpu_levels
        for name in FILES
    ]


def show_cpu(results, servers):
    """The others are compared with the first one."""
    reference, *names = [server.name for server in servers]
    columns = f"level,file,{reference}"
    for name in names:
        columns += f",{name},ratio,quartiles"
    title = f"b. CPU ms of a response, and the ratio to {reference}"
    table = Table(title, columns)
    for level, file, cell in results:
        theirs = cell[reference]["cpu_ms"] if reference in cell else None
        row = [level, file, median(theirs) if theirs else "-"]
        for name in names:
            times = cell[name]["cpu_ms"]
            row.append(median(times))
            if theirs:
                ratios = [mine / other for mine, other in zip(times, theirs)]
                row += [median(ratios), quartiles(ratios)]
            else:
                row += ["-", "-"]
        table.add(*row)
    table.show()


def _one_piece(codec, level, path):
    command = [*codec.encode(level), path]
    return len(subprocess.run(command, capture_output=True, check=True).stdout)


def measure_sizes(servers, files, options):
    """[(level, file, {server: size})], and what the library alone makes."""
    results = []
    for level in options.size_levels:
        for name in FILES:
            path = files[name]
            size = _one_piece(options.codec, level, path)
            cell = {ONE_PIECE: {"size": size}}
            cell |= _checked(servers, level, name, path)
            results.append((level, name, cell))
    return results


def _percent(size, reference):
    return f"{100 * (size / reference - 1):+.3f} %"


def _size_row(sizes, references, names):
    row = [sizes[ONE_PIECE]]
    for name in names:
        row.append(sizes.get(name, "-"))
        for each in references:
            if each != name:
                both = each in sizes and name in sizes
                row += [_percent(sizes[name], sizes[each]) if both else "-"]
    return row


def show_sizes(results, servers):
    """Compared with one piece, and with the peer; the sum is of whole rows."""
    references = [ONE_PIECE, *(each.name for each in servers if each.is_peer)]
    names = [server.name for server in servers]
    columns = ["level", "file", ONE_PIECE]
    for name in names:
        others = [each for each in references if each != name]
        columns += [name, *(f"to {each}" for each in others)]
    table = Table("c. Bytes of a response, and the loss", ",".join(columns))
    whole = []
    for level, file, cell in results:
        sizes = {name: result["size"] for name, result in cell.items()}
        table.add(level, file, *_size_row(sizes, references, names))
        if len(sizes) == len(names) + 1:
            whole.append(sizes)
    if whole:
        sums = {name: sum(each[name] for each in whole) for name in whole[0]}
        table.add("", "sum", *_size_row(sums, references, names))
    table.show()


def _measure_lanes(server, level, name):
    count = 1 if level >= server.codec.slow_level else 5
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
    for level in options.lane_levels:
        for name in LANE_FILES:
            checked = _checked(servers, level, name, files[name])
            cell = {server: [] for server in checked}

            def measure_one(server):
                return machine.measure_quietly(
                    server.worker,
                    options.patience,
                    lambda: _measure_lanes(server, level, name),
                )

            in_turns(servers, cell, options.rounds, measure_one)
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
