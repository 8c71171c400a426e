"""Requests: single ones that are checked, and runs of the generator."""

import http.client
import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "bench"
ACCEPT_BROTLI = "Accept-Encoding: br"

try:
    from brotli import decompress
except ImportError:

    def decompress(data):
        command = ["brotli", "--decompress", "--stdout"]
        return subprocess.run(
            command, input=data, capture_output=True, check=True
        ).stdout


class WrongBytes(Exception):
    pass


def build_generator():
    configure = ["cmake", "-S", ROOT, "-B", BUILD]
    configure += ["-DCMAKE_BUILD_TYPE=Release", "-DSIDEPRESS_NGINX=OFF"]
    configure += ["-DSIDEPRESS_TESTS=OFF", "-DSIDEPRESS_BENCH=ON"]
    build = ["cmake", "--build", BUILD, "--target", "open_loop"]
    for command in (configure, build):
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def checked_size(server, level, name, path):
    """Bytes of the compressed response, after its content was compared."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, 120)
    target = f"/{level}/{name}"
    connection.request("GET", target, headers={"Accept-Encoding": "br"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    where = f"{server.name}: {target}"
    if response.getheader("Content-Encoding") != "br":
        raise WrongBytes(f"{where} was not compressed")
    if decompress(body) != path.read_bytes():
        raise WrongBytes(f"{where} does not decode to the file")
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
        header=ACCEPT_BROTLI,
        burst=1,
        count=None,
    ):
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
            raise RuntimeError(f"{self._target}: {result['errors']} errors")
        return result


def closed_loop(server, target, connections=1, seconds=600, count=None):
    run = Run(server, target, 0, connections, seconds, count=count)
    return run.result()
