"""Starts, watches and stops one real NGINX in a directory of its own."""

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import tempfile
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import nginx_config
import process_stats
from http_clients import fetch
from waiting import wait_until

START_ATTEMPTS = 10
START_SECONDS = 20
STOP_SECONDS = 30

# Below the range from which systems take the ports of outgoing connections.
PORT_RANGE = range(10000, 32000)

FORBIDDEN = re.compile(
    r"\[alert\]|\[crit\]|\[emerg\]|zero size buf|open socket left"
    r"|AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:"
    r"|exited with code [1-9]|exited on signal"
)


class StartFailure(Exception):
    pass


@dataclass
class Binary:
    """What the command line of the suite says about the program to test."""

    path: str = "nginx"
    modules: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)

    def run(self, *arguments):
        """Output and exit status of a short run, such as `nginx -t`."""
        done = subprocess.run(
            [self.path, *arguments],
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=60,
        )
        return done.returncode, done.stdout.decode(errors="replace")

    @cached_property
    def version(self):
        found = re.search(r"/(\d+)\.(\d+)\.(\d+)", self.run("-v")[1])
        return tuple(map(int, found.groups()))

    @cached_property
    def configure_arguments(self):
        return self.run("-V")[1].split()

    def has(self, option):
        return option in self.configure_arguments


def free_port():
    while True:
        port = random.SystemRandom().choice(PORT_RANGE)
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                continue


def new_prefix(files=None):
    """A directory that any user may read, with html/ and the files in it."""
    prefix = Path(tempfile.mkdtemp(prefix="sidepress-"))
    prefix.chmod(0o755)
    for name, content in (files or {}).items():
        path = prefix / "html" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (prefix / "html").mkdir(exist_ok=True)
    return prefix


def check_config(binary, **config):
    """(exit status, output) of `nginx -t`."""
    prefix = new_prefix()
    try:
        modules = config.pop("modules", binary.modules)
        text = nginx_config.render(
            binary.version, modules, (free_port(), free_port()), **config
        )
        (prefix / "nginx.conf").write_text(text)
        return binary.run(
            "-t", "-e", "error.log", "-p", f"{prefix}/", "-c", "nginx.conf"
        )
    finally:
        shutil.rmtree(prefix, ignore_errors=True)


class NginxServer:
    """`files` go below the document root; the rest is for nginx_config."""

    def __init__(self, binary, files=None, **config):
        self.binary = binary
        self.prefix = new_prefix(files)
        self.html = self.prefix / "html"
        self._config = config
        self._process = None
        for attempt in range(START_ATTEMPTS):
            try:
                self._start()
                return
            except StartFailure as failure:
                self.kill()
                if "Address already in use" not in str(failure):
                    self.remove()
                    raise
        raise StartFailure("found no free port")

    def _start(self):
        self.http1_port, self.http2_port = free_port(), free_port()
        text = nginx_config.render(
            self.binary.version,
            self.binary.modules,
            (self.http1_port, self.http2_port),
            **self._config,
        )
        (self.prefix / "nginx.conf").write_text(text)
        (self.prefix / "error.log").write_text("")
        with open(self.prefix / "stderr.log", "wb") as stderr:
            self._process = subprocess.Popen(
                [self.binary.path, "-e", "error.log"]
                + ["-p", f"{self.prefix}/", "-c", "nginx.conf"],
                env={**os.environ, **self.binary.environment},
                stdin=subprocess.DEVNULL,
                stdout=stderr,
                stderr=stderr,
            )
        wait_until(self._accepts, START_SECONDS, "start of nginx")
        wait_until(self.workers, START_SECONDS, "start of a worker")

    def _accepts(self):
        if self._process.poll() is not None:
            raise StartFailure(self.output())
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.http2_port)) == 0

    @property
    def master(self):
        return self._process.pid

    def workers(self):
        return process_stats.children(self.master)

    def worker(self):
        (pid,) = self.workers()
        return pid

    def fetch(self, path, protocol="http1", **options):
        return fetch(self, path, protocol, **options)

    def error_log(self):
        return (self.prefix / "error.log").read_text(errors="replace")

    def output(self):
        stderr = (self.prefix / "stderr.log").read_text(errors="replace")
        return self.error_log() + stderr

    def log_lines(self, name, count):
        """Lines of an access log, once there are that many."""
        path = self.prefix / name

        def lines():
            found = path.read_text().splitlines() if path.exists() else []
            return found if len(found) >= count else None

        return wait_until(lines, what=f"{count} lines in {name}")

    def reload(self):
        """Returns once the new workers are there."""
        before = self.workers()
        self.signal(signal.SIGHUP)
        wait_until(
            lambda: set(self.workers()) - set(before), what="the new worker"
        )

    def signal(self, number):
        self._process.send_signal(number)

    def wait(self, seconds=STOP_SECONDS):
        return self._process.wait(seconds)

    def stop(self):
        """Graceful quit, then everything that must hold at the end."""
        try:
            if self._process.poll() is None:
                self.signal(signal.SIGQUIT)
            status = self.wait()
            self.check_logs()
            assert status == 0, f"nginx exited with {status}\n{self.output()}"
        except subprocess.TimeoutExpired:
            raise AssertionError(
                f"no graceful quit within {STOP_SECONDS} s\n"
                + self.output()[-3000:]
            ) from None
        finally:
            self.kill()
            self.remove()

    def check_logs(self):
        bad = [
            line
            for line in self.output().splitlines()
            if FORBIDDEN.search(line)
        ]
        assert not bad, "forbidden lines in the log:\n" + "\n".join(bad[:20])

    def kill(self):
        """Ends what is left of the processes that this object started."""
        if self._process is None or self._process.poll() is not None:
            return
        workers = self.workers()
        for pid in [self.master, *workers]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._process.wait(10)

    def remove(self):
        shutil.rmtree(self.prefix, ignore_errors=True)
