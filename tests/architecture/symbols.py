"""What the built module exports, needs and must not contain."""

import re
import subprocess

EXPORTED = {"ngx_modules", "ngx_module_names", "ngx_module_order"}

# The loader is there for thread-local variables.
NEEDED = re.compile(
    r"^(libbrotlienc\.so\.1|libc\.so\.6|libm\.so\.6|ld-linux-[\w-]+\.so\.\d)$"
)

# Allocation and growth that throw, and what throwing itself needs.
THROWING = re.compile(
    r"^(_Zn[wa][mj]$|_Zn[wa][mj]St11align_val_t$|_ZSt\d+__throw_|__cxa_throw$"
    r"|__cxa_allocate_exception$|__gxx_personality)"
)


def run(*command):
    return subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout


def export_faults(nm_lines):
    names = {line.split()[-1] for line in nm_lines if line.split()}
    for name in sorted(names - EXPORTED):
        yield f"exports {name}, which nothing may look up"
    for name in sorted(EXPORTED - names):
        yield f"does not export {name}, which NGINX looks up"


def needed_faults(readelf_text):
    for name in re.findall(r"\(NEEDED\).*\[(.+)\]", readelf_text):
        if not NEEDED.match(name):
            yield f"needs {name}, which may be missing on another machine"


def throwing_faults(nm_lines):
    for line in nm_lines:
        parts = line.split()
        if parts and THROWING.match(parts[-1]):
            yield f"refers to {parts[-1]}, which can throw"


def exported(module):
    return run("nm", "-D", "--defined-only", module).splitlines()


def needed(module):
    return run("readelf", "-d", module)


def undefined(archive):
    return run("nm", "-u", archive).splitlines()
