"""Many clients at once."""

from concurrent.futures import ThreadPoolExecutor


def run_concurrently(function, items, clients):
    """Results in the order of the items; the first failure is raised."""
    with ThreadPoolExecutor(clients) as pool:
        return list(pool.map(function, items))


def start_concurrently(function, items):
    """Futures, one thread each."""
    items = list(items)
    pool = ThreadPoolExecutor(max(1, len(items)))
    futures = [pool.submit(function, item) for item in items]
    pool.shutdown(wait=False)
    return futures
