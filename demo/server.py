"""One NGINX in a directory of its own, as a child of the demo."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import website

HOST = "127.0.0.1"
START_SECONDS = 10
STOP_SECONDS = 10

# The account that Debian's NGINX serves with; only root may choose it.
USER = "www-data"

# One worker: all connections share one event loop.
CONFIG = """
{user}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log error;
load_module {module};

thread_pool compress threads=2;

events {{ worker_connections 512; }}

http {{
    client_body_temp_path temp_body;
    proxy_temp_path temp_proxy;
    fastcgi_temp_path temp_fastcgi;
    uwsgi_temp_path temp_uwsgi;
    scgi_temp_path temp_scgi;
    access_log off;
    keepalive_requests 1000000;

    types {{
        text/html html;
        text/css css;
        application/javascript js;
        application/json json;
        image/svg+xml svg;
    }}

    gzip_vary on;
    brotli_types *;
    brotli_comp_level 6;
    zstd_types *;
    zstd_comp_level 6;

    server {{
        listen {host}:{port};

        location = /{small} {{ root site; }}
        location = / {{ return 302 /pool/page.html; }}

        location /loop/ {{
            alias site/;
            brotli on;
            zstd on;
        }}
        location /pool/ {{
            alias site/;
            brotli on;
            zstd on;
            brotli_thread_pool compress;
            zstd_thread_pool compress;
        }}
    }}
}}
"""


class ServerFailure(Exception):
    pass


def _program():
    path = os.environ.get("PATH", os.defpath) + ":/usr/sbin"
    found = shutil.which("nginx", path=path)
    if found is None:
        raise ServerFailure("no nginx on the path; scripts/setup installs it")
    return found


class Server:
    """Context: from the start to the end of the process."""

    def __init__(self, port, module, files):
        self.port = port
        self._module = Path(module).resolve()
        self._files = files
        self._process = None

    def __enter__(self):
        self._directory = Path(tempfile.mkdtemp(prefix="sidepress-demo-"))
        try:
            self._write()
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exception):
        try:
            self._stop()
        finally:
            shutil.rmtree(self._directory, ignore_errors=True)

    def _write(self):
        # The worker runs as another user when root starts the demo.
        self._directory.chmod(0o755)
        site = self._directory / "site"
        site.mkdir()
        for name, content in self._files.items():
            (site / name).write_bytes(content)
        config = CONFIG.format(
            user=f"user {USER};" if os.geteuid() == 0 else "",
            module=self._module,
            host=HOST,
            port=self.port,
            small=website.SMALL,
        )
        (self._directory / "nginx.conf").write_text(config)

    def _start(self):
        command = [_program(), "-e", "error.log", "-c", "nginx.conf"]
        command += ["-p", f"{self._directory}/"]
        with open(self._directory / "output", "wb") as output:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._accepts():
            if time.monotonic() > deadline:
                raise ServerFailure(
                    f"nginx does not answer after {START_SECONDS} s"
                )
            time.sleep(0.02)

    def _accepts(self):
        # Whoever answers on the port may be another program.
        if self._process.poll() is not None:
            raise ServerFailure(self._start_failure())
        if not (self._directory / "nginx.pid").exists():
            return False
        with socket.socket() as probe:
            return probe.connect_ex((HOST, self.port)) == 0

    def _start_failure(self):
        output = (self._directory / "output").read_text(errors="replace")
        if "Address already in use" in output:
            return (
                f"port {self.port} of {HOST} is in use;"
                " choose another: scripts/demo --port PORT"
            )
        return f"nginx does not start:\n{output.strip()}"

    def path(self, name):
        """Of a file of the site."""
        return self._directory / "site" / name

    def complaints(self):
        """What NGINX wrote into its error log."""
        log = self._directory / "error.log"
        return log.read_text(errors="replace").splitlines()

    def wait(self):
        """Returns when NGINX has ended."""
        self._process.wait()

    def _workers(self):
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children")
        try:
            return [int(child) for child in children.read_text().split()]
        except OSError:
            return []

    def _stop(self):
        if self._process is None or self._process.poll() is not None:
            return
        workers = self._workers()
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            # Without its master a worker would serve on.
            self._process.kill()
            self._process.wait()
            for worker in workers:
                try:
                    os.kill(worker, signal.SIGKILL)
                except ProcessLookupError:
                    pass
