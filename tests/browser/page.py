"""A page of five files that tells what became of each.

Every file is some tens of KB, and each check depends on all of it: a piece
that is lost, repeated or swapped shows.
"""

import json

import corpus
from corpus import KIB
from wasm_module import checksum, wasm_module

WORDS = corpus.text(40 * KIB, seed=3).decode()
RULES = 2000
NUMBERS = [byte * index for index, byte in enumerate(corpus.noise(10 * KIB))]
RECORDS = [
    json.loads(line)
    for line in corpus.json_records(40 * KIB).splitlines()[:-1]
]
WASM_DATA = corpus.text(60 * KIB, seed=5)

HTML = f"""<!doctype html>
<meta charset="utf-8">
<title>Sidepress</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="page.css">
<script src="page.js" defer></script>
<p id="words">{WORDS}</p>
<p id="last">The end.</p>
"""

CSS = "".join(
    f".rule{number} {{ margin: {number}px; }}\n" for number in range(RULES)
) + "#last { width: 321px; }\n"

# `outcome` is what the test asks for.
SCRIPT = f"""
const numbers = {json.dumps(NUMBERS)};

async function load() {{
  const last = getComputedStyle(document.getElementById("last"));
  const module = await WebAssembly.instantiateStreaming(fetch("page.wasm"));
  return {{
    words: document.getElementById("words").textContent,
    rules: document.styleSheets[0].cssRules.length,
    width: last.width,
    sum: numbers.reduce((sum, number) => (sum * 31 + number) % 1000003, 0),
    records: await (await fetch("page.json")).json(),
    wasm: module.instance.exports.checksum() >>> 0,
  }};
}}

async function sha256(path) {{
  const body = await (await fetch(path)).arrayBuffer();
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return Array.from(hash, byte => byte.toString(16).padStart(2, "0")).join("");
}}

const outcome = load();
"""


def sum_of_numbers():
    total = 0
    for number in NUMBERS:
        total = (total * 31 + number) % 1000003
    return total


FILES = {
    "page.html": HTML.encode(),
    "page.css": CSS.encode(),
    "page.js": SCRIPT.encode(),
    "page.json": json.dumps(RECORDS).encode(),
    "page.wasm": wasm_module(WASM_DATA),
}

OUTCOME = {
    "words": WORDS,
    "rules": RULES + 1,
    "width": "321px",
    "sum": sum_of_numbers(),
    "records": RECORDS,
    "wasm": checksum(WASM_DATA),
}
