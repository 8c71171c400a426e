"""The site that the demo serves: the same bytes on every run."""

import itertools
import json
import random

KB = 1000
MB = 1000 * KB

# The request whose latency is measured. It is never compressed.
SMALL = "small.json"

COLORS = ["#1b1f24", "#f6f8fa", "#0969da", "#cf222e", "#1a7f37", "#8250df"]
PARTS = [
    "an", "be", "con", "de", "er", "fo", "gra", "in", "ka", "lo", "men", "no",
    "or", "pre", "ri", "sta", "ti", "un", "ver", "wa",
]  # fmt: skip


class Words:
    """Made-up words, some far more frequent than others."""

    def __init__(self, rng, count=3000):
        self._rng = rng
        self._words = [
            "".join(rng.choices(PARTS, k=rng.randint(1, 4)))
            for _ in range(count)
        ]
        self._weights = list(
            itertools.accumulate(1 / (rank + 3) for rank in range(count))
        )

    def some(self, count):
        return self._rng.choices(
            self._words, cum_weights=self._weights, k=count
        )

    def text(self, least, most):
        return " ".join(self.some(self._rng.randint(least, most)))

    def name(self):
        first, second = self.some(2)
        return first + second.capitalize()


def _join(size, head, items, tail, separator="\n"):
    """Items of an endless iterator, until they make up the size."""
    taken, length = [], len(head) + len(tail)
    while length < size:
        taken.append(next(items))
        length += len(taken[-1]) + len(separator)
    return (head + separator.join(taken) + tail).encode()


def html(size, rng, words):
    def sections():
        for number in itertools.count(1):
            yield (
                f'  <section class="entry" id="entry-{number}">\n'
                f"    <h2>{words.text(2, 6).capitalize()}</h2>\n"
                f"    <p>{words.text(30, 120).capitalize()}.</p>\n"
                f'    <a class="more" href="/{words.name()}">Read on</a>\n'
                "  </section>"
            )

    head = (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n'
        '  <meta charset="utf-8">\n  <title>Sidepress</title>\n'
        '  <link rel="stylesheet" href="style.css">\n</head>\n<body>\n'
    )
    return _join(size, head, sections(), "\n</body>\n</html>\n")


def css(size, rng, words):
    def rules():
        while True:
            selector = ", ".join(f".{word}" for word in words.some(2))
            yield (
                f"{selector} {{\n"
                f"  color: {rng.choice(COLORS)};\n"
                f"  margin: {rng.randrange(9)}px {rng.randrange(33)}px;\n"
                f"  font-size: {rng.randint(10, 24) / 16}rem;\n"
                f"  display: {rng.choice(['flex', 'grid', 'block'])};\n"
                "}"
            )

    return _join(size, "", rules(), "\n")


def javascript(size, rng, words):
    def functions():
        while True:
            name, value, other = words.name(), words.name(), words.name()
            most, field = rng.randrange(5000), words.name()
            yield (
                f"export function {name}({value}, options) {{\n"
                f"  if (!{value} || {value}.length > {most}) {{\n"
                f'    throw new Error("{words.text(3, 9)}");\n'
                "  }\n"
                f"  const {other} = {value}.map((item) => item.{field});\n"
                f'  return {other}.join("{words.some(1)[0]}");\n'
                "}\n"
            )

    return _join(size, '"use strict";\n', functions(), "")


def json_records(size, rng, words):
    def records():
        for number in itertools.count(1):
            record = {
                "id": number,
                "name": words.name(),
                "active": rng.random() < 0.7,
                "score": round(rng.gauss(50, 15), 2),
                "tags": words.some(3),
                "about": words.text(4, 20),
            }
            yield json.dumps(record)

    return _join(size, "[\n", records(), "\n]\n", ",\n")


def svg(size, rng, words):
    def paths():
        while True:
            x, y = rng.randrange(1000), rng.randrange(1000)
            steps = " ".join(
                f"l{rng.randint(-40, 40) / 4} {rng.randint(-40, 40) / 4}"
                for _ in range(rng.randint(4, 30))
            )
            yield f'  <path fill="{rng.choice(COLORS)}" d="M{x} {y} {steps}z"/>'

    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">\n'
    return _join(size, head, paths(), "\n</svg>\n")


FILES = {
    "page.html": (html, 2 * KB),
    "icon.svg": (svg, 4 * KB),
    "style.css": (css, 50 * KB),
    "script.js": (javascript, 90 * KB),
    "article.html": (html, 150 * KB),
    "map.svg": (svg, 500 * KB),
    "bundle.js": (javascript, 1 * MB),
    "records.json": (json_records, 5 * MB),
}


def _content(generate, size):
    rng = random.Random(size)
    return generate(size, rng, Words(rng))


def generate_small():
    return _content(json_records, 2 * KB)


def generate_files():
    """Name -> content."""
    return {name: _content(*how) for name, how in FILES.items()}
