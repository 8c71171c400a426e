"""The demo, once the module is built. See scripts/demo."""

import argparse
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import website
from fetching import CODINGS, FAILURES, FETCHERS, Client, Load, WrongBytes, check
from server import HOST, Server, ServerFailure
from small_requests import REQUESTS_PER_SECOND

MODES = {"loop": "in the event loop", "pool": "on the thread pool"}

SINGLE_FETCHES = 5

# Rounds in turns, and the median of them: other work on the machine then
# spoils one round, not a figure.
ROUNDS = 3
ROUND_SECONDS = 0.5
# Until all fetchers are at work.
RAMP_SECONDS = 0.1

# p99 of the small request that a machine without other work stays below.
QUIET_SECONDS = 0.001

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

HEADINGS = ["sent", "ratio", "ms", "p99"]
WIDTHS = [7, 6, 7, 7]
GROUP_WIDTH = sum(WIDTHS)


def small_p99(server):
    sender = Path(__file__).with_name("small_requests.py")
    command = [sys.executable, sender, str(server.port), f"/{website.SMALL}"]
    command += [server.path(website.SMALL), str(ROUND_SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise WrongBytes(done.stderr.strip())
    return float(done.stdout)


class Trial:
    """One file with one coding in one mode. Times in seconds."""

    def __init__(self, server, coding, target, original):
        self._server = server
        self._coding = coding
        self._target = target
        self._original = original
        self._p99s = []
        self.compressed = 0
        self.time = 0
        self.fault = None

    @property
    def ratio(self):
        return len(self._original) / self.compressed

    @property
    def p99(self):
        return statistics.median(self._p99s)

    def attempt(self, step):
        """Takes a step, unless one has failed."""
        if self.fault is None:
            try:
                step(self)
            except WrongBytes as wrong:
                self.fault = str(wrong)

    def fetch_alone(self):
        client = Client(self._server.port, self._coding)
        times = []
        try:
            for _ in range(SINGLE_FETCHES):
                start = time.monotonic()
                body = client.fetch(self._target)
                times.append(time.monotonic() - start)
                check(self._target, self._coding, body, self._original)
        except FAILURES as failure:
            raise WrongBytes(f"{self._target}: {failure!r}") from None
        finally:
            client.close()
        self.compressed, self.time = len(body), statistics.median(times)

    def fetch_and_disturb(self):
        load = Load(
            self._server.port, self._coding, self._target, self._original
        )
        with load:
            time.sleep(RAMP_SECONDS)
            self._p99s.append(small_p99(self._server))
        load.check()


def human(size):
    for unit in ("B", "kB", "MB"):
        if size < 1000 or unit == "MB":
            break
        size /= 1000
    digits = 0 if unit == "B" or size >= 100 else 1
    return f"{size:.{digits}f} {unit}"


def cells(trial):
    if trial.fault is not None:
        return "WRONG".rjust(GROUP_WIDTH)
    texts = [
        human(trial.compressed),
        f"{trial.ratio:.2f}",
        f"{trial.time * 1e3:.1f}",
        f"{trial.p99 * 1e3:.1f}",
    ]
    return "".join(text.rjust(width) for text, width in zip(texts, WIDTHS))


def line(name, original, groups):
    return f"{name:<13}{original:>7}" + "".join(f" |{text}" for text in groups)


def print_head(coding):
    titles = [f"{title:^{GROUP_WIDTH}}".rstrip() for title in MODES.values()]
    titles[0] = titles[0].ljust(GROUP_WIDTH)
    print(line(coding, "", titles))
    heading = "".join(
        text.rjust(width) for text, width in zip(HEADINGS, WIDTHS)
    )
    print(line("file", "size", [heading] * len(MODES)))
    print("-" * len(line("", "", [heading] * len(MODES))))


def print_table(server, coding, files):
    """Returns the faults that were found."""
    faults = []
    steps = [Trial.fetch_alone] + [Trial.fetch_and_disturb] * ROUNDS
    print_head(coding)
    for name, original in files.items():
        trials = [
            Trial(server, coding, f"/{mode}/{name}", original)
            for mode in MODES
        ]
        for step in steps:
            for trial in trials:
                trial.attempt(step)
        faults += [trial.fault for trial in trials if trial.fault is not None]
        groups = [cells(trial) for trial in trials]
        print(line(name, human(len(original)), groups), flush=True)
    print()
    return faults


def print_notes(undisturbed):
    rate, fetchers = REQUESTS_PER_SECOND, FETCHERS
    alone = f"{undisturbed * 1e3:.1f} ms"
    print(
        f"""\
ms   time of one response while nothing else is asked for
p99  99th percentile, in ms, of a 2 kB request that is not compressed,
     {rate} a second while {fetchers} connections fetch the file over and over
     (median of {ROUNDS} rounds); {alone} while they do not"""
    )
    if undisturbed > QUIET_SECONDS:
        print("Other work keeps this machine busy: the times are coarse.")
    print()


def print_addresses(port):
    base = f"http://{HOST}:{port}"
    print("Serving until Ctrl-C, compressed in the event loop and on the pool:")
    for name in website.FILES:
        print(f"  {base}/loop/{name:<14}{base}/pool/{name}")
    print(
        "\nTry:\n"
        f"  curl -sD- -o /dev/null -H 'Accept-Encoding: br'"
        f" {base}/pool/records.json\n"
        f"  curl -s -H 'Accept-Encoding: zstd' {base}/pool/page.html | zstd -d",
        flush=True,
    )


def serve(server):
    print_addresses(server.port)
    try:
        server.wait()
    except KeyboardInterrupt:
        print()
        return
    raise ServerFailure("nginx has ended")


def demonstrate(options):
    """Returns the exit status."""
    files = website.generate_files()
    site = {**files, website.SMALL: website.generate_small()}
    with Server(options.port, options.module, site) as server:
        undisturbed = statistics.median(
            small_p99(server) for _ in range(ROUNDS)
        )
        faults = []
        for coding in CODINGS:
            faults += print_table(server, coding, files)
        print_notes(undisturbed)
        faults += [f"nginx: {text}" for text in server.complaints()]
        for fault in faults:
            print(f"scripts/demo: {fault}", file=sys.stderr)
        if not faults:
            print("Every byte was right.")
        if not options.once:
            print()
            serve(server)
    return 1 if faults else 0


def _end(number, frame):
    # Nothing interrupts the clean-up.
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--module", required=True)
    parser.add_argument("--once", action="store_true")
    for number in SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, _end)
    try:
        return demonstrate(parser.parse_args())
    except (ServerFailure, WrongBytes) as failure:
        print(f"scripts/demo: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print()
        return 130


if __name__ == "__main__":
    sys.exit(main())
