import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption(
        "--build-dir",
        default=str(REPOSITORY / "build/release"),
        help="the release build whose module and archives are checked",
    )


@pytest.fixture(scope="session")
def build_dir(request):
    return Path(request.config.getoption("--build-dir"))


@pytest.fixture(scope="session")
def tree():
    """The text files of the repository, by their paths in it."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.splitlines()
    files = {}
    for path in listed:
        file = REPOSITORY / path
        if not file.is_file() or path.startswith("fuzz/corpus/"):
            continue
        try:
            files[path] = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
    assert files, "the tree is empty"
    return files
