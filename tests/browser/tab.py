"""One tab of the browser, and what its network panel would show."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOAD_SECONDS = 60


@dataclass
class Response:
    """By the browser's account."""

    status: int = 0
    protocol: str = ""
    headers: dict = field(default_factory=dict)  # names in lower case
    wire_bytes: int = None  # with headers and framing; None: not yet complete
    failure: str = None

    @property
    def ended(self):
        return self.wire_bytes is not None or self.failure is not None


class Tab:
    def __init__(self, browser):
        self._browser = browser
        self._context = browser.call("Target.createBrowserContext")[
            "browserContextId"
        ]
        target = browser.call(
            "Target.createTarget",
            url="about:blank",
            browserContextId=self._context,
        )["targetId"]
        self._session = browser.call(
            "Target.attachToTarget", targetId=target, flatten=True
        )["sessionId"]
        for domain in ("Network", "Page", "Runtime"):
            self._call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._browser.call(
            "Target.disposeBrowserContext", browserContextId=self._context
        )
        self._browser.events.clear()

    def _call(self, method, **parameters):
        return self._browser.call(method, self._session, **parameters)

    def _events(self, method):
        for event in self._browser.events:
            if (
                event.get("sessionId") == self._session
                and event["method"] == method
            ):
                yield event["params"]

    def load(self, url):
        """Returns after the load event."""
        error = self._call("Page.navigate", url=url).get("errorText")
        assert error is None, f"{url}: {error}"
        self._browser.wait(
            lambda: any(self._events("Page.loadEventFired")),
            LOAD_SECONDS,
            f"load event of {url}",
        )

    def evaluate(self, expression):
        """The value of an expression, or what its promise resolves to."""
        answer = self._call(
            "Runtime.evaluate",
            expression=expression,
            awaitPromise=True,
            returnByValue=True,
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"]["value"]

    def responses(self, names):
        """{path without the first slash: Response}, once those have ended."""

        def ended():
            found = self._responses()
            return all(name in found and found[name].ended for name in names)

        self._browser.wait(ended, LOAD_SECONDS, f"end of {sorted(names)}")
        return self._responses()

    def _responses(self):
        found = {}
        for event in self._events("Network.requestWillBeSent"):
            url = urlsplit(event["request"]["url"])
            if url.scheme == "https":  # and not data:
                found[event["requestId"]] = url.path[1:], Response()

        def each(method):
            for event in self._events(method):
                if event["requestId"] in found:
                    yield found[event["requestId"]][1], event

        for response, event in each("Network.responseReceived"):
            received = event["response"]
            response.status = received["status"]
            response.protocol = received["protocol"]
            for name, value in received["headers"].items():
                response.headers[name.lower()] = value
        for response, event in each("Network.loadingFinished"):
            response.wire_bytes = event["encodedDataLength"]
        for response, event in each("Network.loadingFailed"):
            response.failure = event["errorText"]
        return dict(found.values())
