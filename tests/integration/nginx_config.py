"""The configuration file that every test starts from."""

import grp
import os
import pwd

TEMP_PATHS = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")

TYPES = """
    types {
        text/html html;
        text/plain txt;
        text/css css;
        application/javascript js;
        application/json json;
        application/wasm wasm;
        image/svg+xml svg;
        image/png png;
        font/ttf ttf;
    }
    default_type application/octet-stream;
"""

TEMPLATE = """
{user}
daemon off;
master_process on;
worker_processes {workers};
pid nginx.pid;
error_log error.log info;
{modules}
{main}
events {{ worker_connections 2048; }}
http {{
    {temp_paths}
    {types}
    access_log access.log;
    keepalive_timeout 5s;
    {http}
    server {{
        {listen}
        server_name localhost;
        root html;
        {server}
    }}
}}
"""


def listen_lines(version, http1_port, http2_port, options=""):
    """`options` are further parameters of both, such as sndbuf=32k."""
    separate = version < (1, 25, 1)
    http2 = "http2" if separate else ""
    lines = [
        f"listen 127.0.0.1:{http1_port} {options};",
        f"listen 127.0.0.1:{http2_port} {http2} {options};",
    ]
    return " ".join(lines if separate else [*lines, "http2 on;"])


def user_line(user):
    """Only root may choose; the name of the group differs between systems."""
    if os.geteuid() != 0:
        return ""
    group = grp.getgrgid(pwd.getpwnam(user).pw_gid).gr_name
    return f"user {user} {group};"


def priority_line(main, http):
    """At low priority, threads wait for whatever else the machine runs, and
    times mean little. Tests of priorities say themselves what they want.
    """
    if "thread_pool" not in main or "compress_thread_priority" in http:
        return ""
    return "compress_thread_priority normal;"


def render(
    version,
    modules,
    ports,
    server="",
    http="",
    main="",
    user="root",
    workers=1,
    listen="",
):
    temp_paths = "\n    ".join(
        f"{name}_temp_path temp_{name};" for name in TEMP_PATHS
    )
    return TEMPLATE.format(
        user=user_line(user),
        workers=workers,
        modules="\n".join(f"load_module {path};" for path in modules),
        main=main,
        temp_paths=temp_paths,
        types=TYPES,
        http=priority_line(main, http) + http,
        listen=listen_lines(version, *ports, listen),
        server=server,
    )
