"""Part a: how long small requests take while large ones are compressed."""

import machine
from load import (
    Run,
    checked_size,
    closed_loop,
    first_able,
    in_turns,
    peer_may_fail,
)
from tables import Table, median, spread

SMALL_PATH = "/plain/answer-2k.json"
SMALL_RATE, SMALL_CONNECTIONS = 500, 32
LARGE_CONNECTIONS = 8
ALONE = "alone"


def _sustained_rate(server, target, seconds):
    """Responses per second that the module can deliver at most."""
    result = closed_loop(server, target, LARGE_CONNECTIONS, seconds)
    return result["per_second"]


def _measure(server, large, seconds):
    """Both generators at once, or the small one alone."""
    beside = None
    if large:
        target, rate = large
        beside = Run(
            server,
            target,
            rate,
            LARGE_CONNECTIONS,
            seconds,
            burst=LARGE_CONNECTIONS,
        )
    small = Run(
        server, SMALL_PATH, SMALL_RATE, SMALL_CONNECTIONS, seconds, header=""
    ).result()
    return {"small": small, "large": beside and beside.result()}


def _large_load(servers, cell, level, file, path, options):
    """What to send beside: half of what the first server delivers at most."""
    target = f"/{level}/{file}"
    for server in servers:
        with peer_may_fail(server, cell):
            checked_size(server, level, file, path)

    def half(server):
        machine.wait_until_quiet(options.patience)
        rate = _sustained_rate(server, target, options.seconds / 2) / 2
        print(f"{target}: {rate:.2f} a second, half of {server.name}'s most")
        return rate

    return target, first_able(servers, cell, half)


def _fill(cell, servers, large, options):
    seconds = options.seconds
    if large:
        # At least three bursts.
        seconds = max(seconds, 3 * LARGE_CONNECTIONS / large[1])

    def measure_one(server):
        return machine.measure_quietly(
            server.worker,
            options.patience,
            lambda: _measure(server, large, seconds),
        )

    in_turns(servers, cell, options.rounds, measure_one)


def measure(servers, files, options):
    """{load: {server: [results of each round]}}."""
    results = {ALONE: {server.name: [] for server in servers}}
    _fill(results[ALONE], servers, None, options)
    for level, file in options.beside.items():
        cell = {server.name: [] for server in servers}
        path = files[file]
        large = _large_load(servers, cell, level, file, path, options)
        _fill(cell, servers, large, options)
        results[f"{file} at {level}"] = cell
    return results


def _p99(rounds):
    return [each["small"]["p99_ms"] for each in rounds]


def _large(rounds, key):
    return median([each["large"][key] for each in rounds])


def show(results, reference):
    table = Table(
        "a. Small requests: ms from when they were due",
        "beside,server,p50,p99,spread of p99,max,p99 / alone,"
        f"{reference} p99 / p99,large p50,large p99,large left,"
        "send lag p99,other load",
    )
    for load, cell in results.items():
        theirs = cell.get(reference)
        for name, rounds in cell.items():
            p99 = median(_p99(rounds))
            small = [each["small"] for each in rounds]
            row = [load, name, median([each["p50_ms"] for each in small])]
            row += [p99, spread(_p99(rounds))]
            row += [max(each["max_ms"] for each in small)]
            row += [p99 / median(_p99(results[ALONE][name]))]
            row += [median(_p99(theirs)) / p99 if theirs else "-"]
            if load != ALONE:
                row += [_large(rounds, "p50_ms"), _large(rounds, "p99_ms")]
                row += [_large(rounds, "unfinished")]
            else:
                row += ["", "", ""]
            row += [median([each["send_lag_p99_ms"] for each in small])]
            row += [median([each["other_load"] for each in rounds])]
            table.add(*row)
    table.show()
