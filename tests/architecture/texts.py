"""Words that no file may hold."""

import re

FORBIDDEN = [
    (re.compile(r"(?<![\w.])/(work|root|home)/\w"), "a path of one machine"),
    (re.compile(r"https?://(deb|registry|snapshot)\."), "a registry's host"),
    (re.compile(r"\b(TODO|FIXME|XXX)\b"), "an open end: file an issue"),
]

# This file names what it looks for.
EXCEPT = {"tests/architecture/texts.py"}


def text_faults(files):
    for path, text in files.items():
        if path in EXCEPT:
            continue
        for pattern, what in FORBIDDEN:
            for match in pattern.finditer(text):
                number = text.count("\n", 0, match.start()) + 1
                yield f"{path}:{number}: {what}"
