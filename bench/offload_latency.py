"""Part a: how long small requests take while large ones are compressed."""

import machine
from load import Run, checked_size, closed_loop
from tables import Table, median, spread

SMALL_PATH = "/plain/answer-2k.json"
SMALL_RATE, SMALL_CONNECTIONS = 500, 32
LARGE_CONNECTIONS = 8
LARGE = {
    "script-1m.js at 6": (6, "script-1m.js"),
    "script-87k.js at 11": (11, "script-87k.js"),
}
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


def _loads(servers, files, options):
    google = servers[0]
    yield ALONE, None, options.seconds
    for name, (level, file) in LARGE.items():
        for server in servers:
            checked_size(server, level, file, files[file])
        target = f"/{level}/{file}"
        machine.wait_until_quiet(options.patience)
        rate = _sustained_rate(google, target, options.seconds / 2) / 2
        print(f"{name}: {rate:.2f} a second, half of google's most")
        # At least three bursts.
        seconds = max(options.seconds, 3 * LARGE_CONNECTIONS / rate)
        yield name, (target, rate), seconds


def measure(servers, files, options):
    """{load: {server: [results of each round]}}; google's server first."""
    results = {}
    for load, large, seconds in _loads(servers, files, options):
        cell = results[load] = {server.name: [] for server in servers}
        for _ in range(options.rounds):
            for server in servers:
                result = machine.measure_quietly(
                    server.worker,
                    options.patience,
                    lambda: _measure(server, large, seconds),
                )
                cell[server.name].append(result)
    return results


def _p99(rounds):
    return [each["small"]["p99_ms"] for each in rounds]


def _large(rounds, key):
    return median([each["large"][key] for each in rounds])


def show(results):
    table = Table(
        "a. Small requests: ms from when they were due",
        "beside,server,p50,p99,spread of p99,max,p99 / alone,"
        "google p99 / p99,large p50,large p99,large left,"
        "send lag p99,other load",
    )
    for load, cell in results.items():
        google = median(_p99(cell["google"]))
        for name, rounds in cell.items():
            p99 = median(_p99(rounds))
            small = [each["small"] for each in rounds]
            row = [load, name, median([each["p50_ms"] for each in small])]
            row += [p99, spread(_p99(rounds))]
            row += [max(each["max_ms"] for each in small)]
            row += [p99 / median(_p99(results[ALONE][name])), google / p99]
            if load != ALONE:
                row += [_large(rounds, "p50_ms"), _large(rounds, "p99_ms")]
                row += [_large(rounds, "unfinished")]
            else:
                row += ["", "", ""]
            row += [median([each["send_lag_p99_ms"] for each in small])]
            row += [median([each["other_load"] for each in rounds])]
            table.add(*row)
    table.show()
