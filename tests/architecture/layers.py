"""Which directory may include which: section "Layers" of docs/architecture.md.

Each function takes the files of a tree and yields one message a fault.
"""

import re

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# Layer -> the layers that it may include, itself among them.
ALLOWED = {
    "engine": {"engine"},
    "http_policy": {"http_policy"},
    "codecs": {"codecs", "engine"},
    "nginx": {"nginx", "http_policy", "engine", "codecs"},
}

# First directory of an include path -> the layer that it belongs to.
OWNER = {
    "compression_engine": "engine",
    "http_policy": "http_policy",
    "brotli": "codecs",
    "zstd": "codecs",
    "nginx": "nginx",
    "tests": "tests",
    "model": "tests",
    "unit": "tests",
    "bench": "bench",
    "fuzz": "fuzz",
}

NGINX_HEADER = re.compile(r"^ngx_|^nginx\.h$")
NGINX_BOUNDARY = {"nginx/ngx.h", "nginx/module_exports.c"}

# Headers of the operating system, by the layer that may use them.
SYSTEM_HEADERS = {"nginx"}
SOURCE = (".h", ".cc", ".c")


def layer_of(path):
    return path.split("/", 1)[0]


def include_faults(files):
    for path, text in files.items():
        layer = layer_of(path)
        if layer not in ALLOWED or not path.endswith(SOURCE):
            continue
        for bracket, target in INCLUDE.findall(text):
            first = target.split("/", 1)[0]
            if NGINX_HEADER.match(target):
                if path not in NGINX_BOUNDARY:
                    yield f"{path}: only nginx/ngx.h includes {target}"
            elif bracket == '"':
                owner = OWNER.get(first)
                if owner not in ALLOWED[layer]:
                    yield f"{path}: {layer}/ must not include {target}"
            elif layer in ("engine", "http_policy") and (
                "/" in target or target.endswith(".h")
            ):
                yield f"{path}: only the C++ standard library, not {target}"


def base_name_faults(files):
    """Objects of one base name collide in NGINX's makefiles."""
    seen = {}
    for path in sorted(files):
        if layer_of(path) not in ALLOWED or not path.endswith((".cc", ".c")):
            continue
        name = path.rsplit("/", 1)[1].rsplit(".", 1)[0]
        if name in seen:
            yield f"{path}: the base name is also that of {seen[name]}"
        seen[name] = path


def length_faults(files, most_lines=500, most_columns=80):
    for path, text in files.items():
        if not path.endswith(SOURCE):
            continue
        lines = text.splitlines()
        if len(lines) > most_lines:
            yield f"{path}: {len(lines)} lines, more than {most_lines}"
        for number, line in enumerate(lines, 1):
            if len(line) > most_columns:
                yield f"{path}:{number}: more than {most_columns} columns"
