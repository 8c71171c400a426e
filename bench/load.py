"""Requests: single ones that are checked, and runs of the generator."""

import http.client
import json
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
# A response that takes longer counts as one that never ends.
STALL_SECONDS = 120


class Incomplete(Exception):
    """A response that did not come whole, or does not decode to the file."""


@contextmanager
def peer_may_fail(server, cell):
    """Leaves a peer out of a cell when one of its responses is incomplete."""
    try:
        yield
    except Incomplete as fault:
        if not server.is_peer:
            raise
        print(f"left out: {fault}", flush=True)
        cell.pop(server.name, None)


def first_able(servers, cell, action):
    """What action(server) returns for the first server that holds."""
    for server in servers:
        if server.name in cell:
            with peer_may_fail(server, cell):
                return action(server)
    raise Incomplete("no server holds")


def in_turns(servers, cell, rounds, action):
    """Fills a cell, {server: [what action(server) returns in each round]}."""
    for _ in range(rounds):
        for server in servers:
            if server.name in cell:
                with peer_may_fail(server, cell):
                    cell[server.name].append(action(server))


def build_generator():
    configure = ["cmake", "-S", ROOT, "-B", BUILD]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DSIDEPRESS_NGINX=OFF"]
    configure += ["-DSIDEPRESS_TESTS=OFF", "-DSIDEPRESS_BENCH=ON"]
    build = ["cmake", "--build", BUILD, "--target", "open_loop"]
    for command in (configure, build):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def checked_size(server, level, name, path):
    """Bytes of the compressed response, after its content was compared."""
    token, target = server.codec.token, f"/{level}/{name}"
    where = f"{server.name}: {target}"
    connection = http.client.HTTPConnection(
        "127.0.0.1", server.port, STALL_SECONDS
    )
    try:
        connection.request("GET", target, headers={"Accept-Encoding": token})
        response = connection.getresponse()
        body = response.read()
    except (OSError, http.client.HTTPException) as failure:
        raise Incomplete(f"{where}: {failure!r}") from None
    finally:
        connection.close()
    if response.getheader("Content-Encoding") != token:
        raise Incomplete(f"{where} was not compressed")
    decoded = subprocess.run(
        server.codec.decode, input=body, capture_output=True, check=False
    )
    if decoded.returncode != 0 or decoded.stdout != path.read_bytes():
        raise Incomplete(f"{where} does not decode to the file")
    server.sizes[target] = len(body)
    return len(body)


class Run:
    """A generator at work. Closed loop when `rate` is 0."""

    def __init__(
        self,
        server,
        target,
        rate,
        connections,
        seconds,
        header=None,
        burst=1,
        count=None,
    ):
        if header is None:
            header = f"Accept-Encoding: {server.codec.token}"
        command = [BUILD / "bench" / "open_loop", "127.0.0.1"]
        command += [server.port, target, rate, connections, seconds, header]
        command += ["--burst", burst]
        if count:
            command += ["--count", count]
        self._target = f"{server.name}: {target}"
        self._process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.PIPE
        )

    def result(self):
        output, _ = self._process.communicate()
        if self._process.returncode != 0:
            raise RuntimeError(f"{self._target}: the generator failed")
        result = json.loads(output)
        if result["errors"]:
            raise Incomplete(f"{self._target}: {result['errors']} errors")
        return result


def closed_loop(
    server, target, connections=1, seconds=STALL_SECONDS, count=None
):
    run = Run(server, target, 0, connections, seconds, count=count)
    result = run.result()
    if count and result["count"] != count:
        raise Incomplete(f"{server.name}: {target} stalled")
    # Ours may cut its runs elsewhere each time; what a peer cuts is lost.
    expected = server.sizes[target] * result["count"]
    if server.is_peer and result["bytes"] != expected:
        raise Incomplete(f"{server.name}: {target} came truncated")
    return result
