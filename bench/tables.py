"""Tables of text."""

import statistics

median = statistics.median


def spread(values):
    return f"{_text(min(values))}..{_text(max(values))}"


def quartiles(values):
    first, _, third = statistics.quantiles(values, n=4, method="inclusive")
    return f"{_text(first)}..{_text(third)}"


def _text(value):
    if not isinstance(value, float):
        return str(value)
    for limit, digits in ((100, 0), (10, 1), (1, 2)):
        if abs(value) >= limit:
            return f"{value:.{digits}f}"
    return f"{value:.3f}"


class Table:
    """`columns` are separated by commas."""

    def __init__(self, title, columns):
        self._title = title
        self._rows = [columns.split(",")]

    def add(self, *values):
        self._rows.append([_text(value) for value in values])

    def show(self):
        widths = [max(map(len, column)) for column in zip(*self._rows)]
        print(f"\n{self._title}")
        for row in self._rows:
            cells = (cell.rjust(width) for cell, width in zip(row, widths))
            print("  ".join(cells))
        print(flush=True)
