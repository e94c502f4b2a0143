"""A browser's visit to Roost, which records what Roost's pages must never do."""

import os
import struct
import zlib
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import expect

SCREENSHOTS = os.environ.get("ROOST_SCREENSHOTS")
WATCH = """
    document.addEventListener("securitypolicyviolation", (event) =>
        console.error("Content Security Policy: " + event.violatedDirective + " " + event.blockedURI));
"""
expect.set_options(timeout=25_000)
# Milliseconds for a page to notice a restarted Roost: the longer the restart takes, the longer it waits for its next try.
RECOVERY = 60_000


class Visit:
    """A new browser profile. `close()` fails if `offences` is not empty.

    `elsewhere` is another origin that the user may visit; Roost's pages may not send it requests.
    """

    def __init__(self, browser, url, cookie=None, **options):
        options.setdefault("viewport", {"width": 1280, "height": 800})
        self.origin = url
        self.elsewhere = options.pop("elsewhere", None)
        self.offences = []
        self.requests = []
        self.context = browser.new_context(base_url=url, **options)
        self.context.set_default_timeout(25_000)
        if cookie:
            name, _, value = cookie.partition("=")
            self.context.add_cookies([{
                "name": name, "value": value, "url": url, "httpOnly": True, "sameSite": "Lax",
                "secure": url.startswith("https:")}])
        if options.get("java_script_enabled", True):
            self.context.add_init_script(WATCH)
        self.context.on("page", self.__listen)
        self.context.on("request", self.__request)

    def __listen(self, page):
        page.on("pageerror", lambda error: self.offences.append(f"script error: {error}"))
        page.on("console", self.__console)
        # Printed when a test fails.
        page.on("requestfailed", lambda request: print(f"{request.url}: {request.failure}"))

    def __console(self, message):
        if "Content Security Policy" in message.text or "violates" in message.text:
            self.offences.append(message.text)

    def __request(self, request):
        self.requests.append(request.url)
        address = urlsplit(request.url)
        if address.scheme in ("data", "blob", "chrome-extension"):
            return
        origin = f"{address.scheme}://{address.netloc}"
        # A page of that origin may send it requests, for example for its icon.
        is_there = origin == self.elsewhere and (request.is_navigation_request() or request.frame.url.startswith(origin))
        if origin != self.origin and not is_there:
            self.offences.append(f"request to {request.url}")

    def page(self, path="/"):
        page = self.context.new_page()
        page.goto(path)
        return page

    def close(self):
        self.context.close()
        assert self.offences == [], self.offences


def freeze(context):
    """Lets no page of this browser hear of changes, which could move its rows at any time."""
    context.route("**/changes?*", lambda route: None)


def row(page, coin):
    return page.locator(f'tr.row[data-key="{coin}"]')


def order(page):
    return page.locator("tr.row").evaluate_all("rows => rows.map((row) => row.dataset.key)")


def price(page, coin):
    """The coin's price on the page with every digit."""
    return row(page, coin).locator("data.price").get_attribute("value")


def mark(page):
    """Marks the page; a reload removes the mark."""
    page.evaluate("() => { globalThis.roostTestMark = 1; }")


def is_marked(page):
    return page.evaluate("() => globalThis.roostTestMark === 1")


def stop_clock(page):
    """Stops the page's clock, so that its time limits do not depend on the machine's speed."""
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") / 1_000 + 1)


def idle(page):
    """Waits until the page is idle, for at most two seconds: on a busy machine it may never be."""
    page.evaluate("() => new Promise((done) => requestIdleCallback(done, { timeout: 2000 }))")


def overflow(page):
    """How many pixels the page is wider and higher than its window; 0 if it fits."""
    return page.evaluate("""() => {
        const root = document.documentElement;
        const beyond = [root.scrollWidth - root.clientWidth, root.scrollHeight - root.clientHeight];
        return beyond.map((pixels) => Math.max(0, pixels));
    }""")


def screenshot(page, name):
    """Saves a screenshot if a folder for them is configured."""
    if SCREENSHOTS:
        folder = Path(SCREENSHOTS)
        folder.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=folder / f"{name}.png")


def pixels(width, height):
    """A PNG of noise, which does not compress."""
    rows = b"".join(b"\0" + os.urandom(3 * width) for _ in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
