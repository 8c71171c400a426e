"""Real NGINX servers, each with one of the modules that are compared."""

import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import machine

START_SECONDS, STOP_SECONDS = 20, 30

TEMPLATE = """
{modules}
daemon off;
worker_processes 1;
pid nginx.pid;
error_log error.log notice;
{main}
events {{ worker_connections 1024; }}
http {{
    client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3;
    uwsgi_temp_path t4; scgi_temp_path t5;
    types {{ application/json json; application/javascript js; }}
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 600s;
    keepalive_requests 1000000000;
    {http}
    server {{
        listen 127.0.0.1:{port};
        {prefix}_types *;
        location /plain/ {{ alias files/; }}
        {locations}
    }}
}}
"""


@dataclass(frozen=True)
class Variant:
    """A module and how it is configured; the rest is the same for all."""

    name: str
    modules: tuple
    is_peer: bool = False
    main: str = ""
    http: str = ""


def peer(codec, modules):
    return Variant(codec.peer, tuple(modules), is_peer=True)


def on_loop(options):
    return Variant("loop", (options.module,))


def on_pool(options, name, threads, priority=None, tasks=None):
    prefix = options.codec.prefix
    http = f"{prefix}_thread_pool compress;"
    if priority:
        http += f" compress_thread_priority {priority};"
    if tasks:
        http += f" {prefix}_parallel_tasks {tasks};"
    return Variant(
        name,
        (options.module,),
        main=f"thread_pool compress threads={threads};",
        http=http,
    )


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Use it in a `with` statement."""

    def __init__(self, options, variant, files):
        self.name = variant.name
        self.is_peer = variant.is_peer
        self.codec = options.codec
        self.sizes = {}  # of the responses that were checked, by target
        self.port = _free_port()
        self._prefix = Path(tempfile.mkdtemp(prefix="sidepress-bench-"))
        self._prefix.chmod(0o755)
        (self._prefix / "files").mkdir()
        for name, path in files.items():
            shutil.copyfile(path, self._prefix / "files" / name)
        (self._prefix / "nginx.conf").write_text(self._configuration(variant))
        self._log = open(self._prefix / "stderr.log", "wb")
        self._process = subprocess.Popen(
            [options.nginx, "-e", "error.log"]
            + ["-p", f"{self._prefix}/", "-c", "nginx.conf"],
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
        )

    def _configuration(self, variant):
        prefix = self.codec.prefix
        locations = "\n        ".join(
            f"location /{level}/ {{ alias files/; {prefix} on; "
            f"{prefix}_comp_level {level}; }}"
            for level in self.codec.levels
        )
        modules = "\n".join(
            f"load_module {module.resolve()};" for module in variant.modules
        )
        return TEMPLATE.format(
            modules=modules,
            prefix=prefix,
            main=variant.main,
            http=variant.http,
            port=self.port,
            locations=locations,
        )

    def __enter__(self):
        deadline = time.monotonic() + START_SECONDS
        while not (self._accepts() and machine.children(self._process.pid)):
            ended = self._process.poll() is not None
            if ended or time.monotonic() > deadline:
                output = (self._prefix / "stderr.log").read_text()
                self.__exit__()
                raise RuntimeError(f"{self.name}: no start of NGINX\n{output}")
            time.sleep(0.05)
        return self

    def _accepts(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def worker(self):
        (pid,) = machine.children(self._process.pid)
        return pid

    def __exit__(self, *_):
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            # The worker of a peer may be deep in one response.
            for pid in machine.children(self._process.pid):
                subprocess.run(["kill", "-9", str(pid)], check=False)
            self._process.kill()
            self._process.wait()
        self._log.close()
        shutil.rmtree(self._prefix, ignore_errors=True)
