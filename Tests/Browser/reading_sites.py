"""The simulated web sites to save articles from: their addresses, and browser access.

Every Roost that `program.Roost` starts can reach them. `Simulator.sites()` lists all articles, `Simulator.change_page()`
changes one, `Simulator.visits()` counts requests, `Simulator.clear()` restores all. `open_sites()` lets a test's browser visit
them.
"""

import csv
import http.client
import io
from urllib.parse import urlsplit

from program import eventually

GAZETTE = "http://www.harbour-gazette.example"
BLOG = "http://blog.tidewright.example"
DOCUMENTATION = "http://docs.tidewright.example"
FORUM = "http://forum.keelhouse.example"
KURIER = "http://www.alpenkurier.example"
RIVE_SUD = "http://www.rivesud.example"

# Articles. WALL has headings, a list, a quotation, figures and comments; FERRY a table; QUEUE code and a table.
WALL = f"{GAZETTE}/2026/10/the-wall-that-lets-the-sea-in"
WALL_TITLE = "The harbour wall that lets the sea in"
WALL_SENTENCE = "The two cancel each other out, as two voices do that sing the same note half a beat apart."
FERRY = f"{GAZETTE}/2026/11/the-night-ferry-is-back"
QUEUE = f"{BLOG}/posts/a-queue-that-survives-the-plug"
TIDE_TABLES = f"{BLOG}/posts/tide-tables-in-forty-lines"
MEASURE = f"{BLOG}/posts/measure-twice-mend-once"
GUIDE = f"{DOCUMENTATION}/guide/calibrating-a-gauge"
THREAD = f"{FORUM}/threads/4127-mooring-lines-that-wear-through"
GERMAN = f"{KURIER}/wissen/2026/11/die-frau-die-den-gletscher-misst"
FRENCH = f"{RIVE_SUD}/quartiers/2026/10/le-marche-qui-remonte-le-fleuve"
WINDOWS_BYTES = f"{RIVE_SUD}/sciences/2026/09/le-cadran-qui-dit-l-heure-des-marees"  # only the page declares its charset
WRONG_CHARSET = f"{RIVE_SUD}/archives/2004/les-cabanes-de-la-pointe"  # the header wrongly says UTF-8

# Only a browser sees their text; a bookmarklet can send it.
FOR_MEMBERS = f"{GAZETTE}/members/2026/the-keepers-ledger"
FOR_MEMBERS_LOGIN = f"{GAZETTE}/login?next=/members/2026/the-keepers-ledger"  # a visit signs the browser in
FOR_MEMBERS_SENTENCE = "He wrote the history of the harbour from the other side: the side of those who wait."
BUILT_BY_SCRIPT = f"{GAZETTE}/interactive/2026/where-the-tide-reaches"

# Files that are not pages, and misbehaving addresses.
PDF = f"{DOCUMENTATION}/files/tide-tables.pdf"
IMAGE = f"{GAZETTE}/pictures/chart-tides.png"
REDIRECTS = f"{GAZETTE}/r/1"  # to WALL via three other addresses
ENDLESS_REDIRECT = f"{GAZETTE}/r/around"
UNAVAILABLE = f"{GAZETTE}/live/harbour-camera"  # 503
MISSING = f"{GAZETTE}/2019/removed"  # 404
SILENT = f"{GAZETTE}/live/tide-gauge"  # never answers
DRIPPING = f"{GAZETTE}/live/ferry-radio"  # five bytes a second
SLOW = f"{DOCUMENTATION}/slow"  # three seconds
HUGE = f"{DOCUMENTATION}/single-page"  # 6 MB
BOMB = f"{DOCUMENTATION}/export/all.html"  # unpacks to 64 MB


def open_sites(context, simulator):
    """
    Lets the pages of a Playwright context, and the windows they open, visit the simulator's sites. Answers a redirect with a
    page that names its target: the browser would follow a real one to a host that does not exist.
    """
    def answer(route):
        address = urlsplit(route.request.url)
        connection = http.client.HTTPConnection(simulator.host, timeout=30)
        try:
            target = address.path + (f"?{address.query}" if address.query else "")
            cookies = route.request.all_headers().get("cookie")
            connection.request("GET", target, headers={
                "Host": address.netloc, "User-Agent": "Browser", **({"Cookie": cookies} if cookies else {})})
            reply = connection.getresponse()
            status, headers = reply.status, dict(reply.getheaders())
            target = headers.pop("Location", None)
            route.fulfill(status=200 if target else status, headers=headers, body=target or reply.read())
        finally:
            connection.close()

    context.route(lambda url: (urlsplit(url).hostname or "").endswith(".example"), answer)


def save(roost, url, guest=None, **more):
    """Saves an address through the API; returns the article's id."""
    saved = roost.ask("POST", "/api/v1/articles", {"url": url, **more}, guest=guest)
    assert saved.status in (200, 201), saved.text
    return saved.json["linkId"]


def article(roost, number, guest=None):
    """The article from the API."""
    return roost.get(f"/api/v1/articles/{number}", guest=guest).json


def fetched(roost, *urls, guest=None, seconds=60):
    """Saves the addresses and waits for their texts; returns the ids."""
    numbers = [save(roost, url, guest) for url in urls]
    for number in numbers:
        eventually(f"the text of article {number}",
                   lambda number=number: article(roost, number, guest).get("fetchState") == "fetched", seconds)
    return numbers


def pocket(rows):
    """A file in Pocket's export format; each row has address, title, time and tags."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["title", "url", "time_added", "tags", "status"])
    writer.writerows([title, url, int(at), "|".join(tags), "unread"] for url, title, at, tags in rows)
    return file.getvalue()


def import_articles(roost, text, name="part_000000.csv", fetch=False, headers=None, guest=None):
    """Uploads a file of articles through the API; the import continues afterwards (see `import_state`)."""
    line = "a-file-of-articles"
    body = (f'--{line}\r\nContent-Disposition: form-data; name="fetch"\r\n\r\n{"yes" if fetch else "no"}\r\n'
            f'--{line}\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\nContent-Type: text/csv\r\n\r\n'
            f"{text}\r\n--{line}--\r\n").encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={line}", **(headers or {})}
    return roost.ask("POST", "/api/v1/articles/import", body, headers, guest=guest)


def import_state(roost, number, headers=None, guest=None):
    """The progress of an import: `state`, `total`, `added`, `known`, `failed`."""
    return roost.get(f"/api/v1/articles/imports/{number}", headers=headers, guest=guest).json
