"""A headless Chromium, and its DevTools protocol over a pair of pipes.

Pipes rather than a port: nothing else on the machine can reach the browser,
and no client library is needed.
"""

import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from waiting import wait_until

CALL_SECONDS = 60
STOP_SECONDS = 10

SWITCHES = [
    "--headless=new",
    # It loads this suite's pages only, and neither root nor most containers
    # can have the sandbox.
    "--no-sandbox",
    "--remote-debugging-pipe",
    "--ignore-certificate-errors",
    # Of what the machine has, only the processor and the loopback are used.
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-breakpad",
    "--no-proxy-server",
    "--no-first-run",
]

# Chromium reads commands from descriptor 3 and writes to descriptor 4.
EXEC = 'exec 3<&"$0" 4>&"$1"; shift; exec "$@"'


class Chromium:
    """Owns the process and its profile; for one thread."""

    def __init__(self, switches):
        program = shutil.which("chromium")
        if program is None:
            pytest.fail("chromium is not installed: run scripts/setup")
        self.events = []  # of all tabs, in the order of arrival
        self._last_id = 0
        self._answers = {}
        self._input = b""
        self._profile = Path(tempfile.mkdtemp(prefix="sidepress-chromium-"))
        self._start([program, *SWITCHES, *switches])

    def _start(self, command):
        read_command, self._commands = os.pipe()
        self._output, write_output = os.pipe()
        inherited = (read_command, write_output)
        with open(self._profile / "stderr.log", "wb") as log:
            # A session of its own, so that its process group can be ended.
            self._process = subprocess.Popen(
                ["bash", "-c", EXEC, *map(str, inherited), *command]
                + [f"--user-data-dir={self._profile}", "about:blank"],
                env={**os.environ, "HOME": str(self._profile)},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=inherited,
                start_new_session=True,
            )
        for descriptor in inherited:
            os.close(descriptor)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            # It may be gone before it has answered.
            self._send("Browser.close")
            wait_until(self._has_ended, STOP_SECONDS, "the end of chromium")
        finally:
            # Before the process is reaped its group cannot be another's.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait(STOP_SECONDS)
            os.close(self._commands)
            os.close(self._output)
            wait_until(self._profile_is_gone, what="removal of the profile")

    def _has_ended(self):
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, options)

    def _profile_is_gone(self):
        shutil.rmtree(self._profile, ignore_errors=True)
        return not self._profile.exists()

    def call(self, method, session=None, **parameters):
        """The result of one command; `session` is that of a tab."""
        number = self._send(method, session, parameters)
        answer = self.wait(
            lambda: self._answers.pop(number, None), CALL_SECONDS, method
        )
        assert "error" not in answer, f"{method}: {answer['error']}"
        return answer["result"]

    def _send(self, method, session=None, parameters=None):
        self._last_id += 1
        message = {"id": self._last_id, "method": method}
        message["params"] = parameters or {}
        if session is not None:
            message["sessionId"] = session
        os.write(self._commands, json.dumps(message).encode() + b"\0")
        return self._last_id

    def wait(self, condition, seconds, what):
        """The first true value of condition(), tried after each message."""
        deadline = time.monotonic() + seconds
        while not (value := condition()):
            left = max(0, deadline - time.monotonic())
            readable = select.select([self._output], [], [], left)[0]
            assert readable, f"{what}: not within {seconds} s\n{self._log()}"
            self._receive(what)
        return value

    def _receive(self, what):
        data = os.read(self._output, 1 << 20)
        assert data, f"{what}: chromium ended\n{self._log()}"
        *messages, self._input = (self._input + data).split(b"\0")
        for message in map(json.loads, messages):
            if "id" in message:
                self._answers[message["id"]] = message
            else:
                self.events.append(message)

    def _log(self):
        text = (self._profile / "stderr.log").read_text(errors="replace")
        return text[-3000:]
