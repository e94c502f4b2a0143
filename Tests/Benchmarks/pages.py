"""The cost of each page: responses per second and CPU time per response, rendered for each request, plain and with gzip.

`run` prints the table. Browsers request gzip, so its columns show the cost in practice.
"""

import statistics
import time
import uuid
from urllib.parse import urlencode

from program import eventually
from reading_sites import WALL, fetched

CHAT = "/api/v1/conversations"
HOST = "http://letters.example.org"
GZIP = ("Accept-Encoding: gzip",)


def paragraphs(size):
    """An article's text as HTML of this size: paragraphs of 800 bytes, most with a link or a bold word."""
    words = "The harbour wall lets the sea in and keeps the waves out, as a gauge of the tide shows on each calm morning. "
    html, number = [], 0
    while sum(map(len, html)) < size:
        number += 1
        html.append(f"<p>{number}. {words * 3}<a href=\"{HOST}/notes/{number}\">A note</a> says <b>more</b>. {words * 3}</p>")
    return f"<html><head><title>{size} bytes</title></head><body><article>{''.join(html)}</article></body></html>"


def handed_over(roost, size):
    """Saves an article of this size as a bookmarklet does; returns its id when Roost has the text."""
    address = f"{HOST}/{size}"
    roost.ask("POST", "/reading/save", urlencode({"url": address, "html": paragraphs(size)}))

    def found():
        items = roost.get(f"/api/v1/articles?site={HOST.partition('//')[2]}").json["items"]
        return next((item["id"] for item in items if item["url"] == address and item["fetchState"] == "fetched"), None)

    return eventually(f"the text of {address}", found)


def large_pull(roost, simulator):
    """The page of a pull request with 200 files, one of them with 3,000 changed lines, and 400 comments."""
    key = simulator.happen(request={"login": "ada", "title": "Move the gauges"})["pull"]["key"]
    simulator.happen(push={"pull": key, "files": 197, "largeLines": 3_000})
    for number in range(200):
        told = {"pull": key, "text": f"Comment {number}: does the gauge still show the tide on a calm morning?"}
        simulator.happen(comment=told, thread=told)
    page = f"/pulls/{key.replace('#', '/')}"
    eventually("the pull request", lambda: "pull-timeline" in roost.get(page).text)
    return page


def furnish(roost, simulator, benchmarks, articles):
    """Creates content for every page; returns the pages. `articles` is the length of the reading list."""
    benchmarks.say("Furnishing a Roost")
    listed = {coin["id"] for coin in simulator.get("/api/v3/coins/list", headers={"User-Agent": "benchmarks"}).json}
    largest = simulator.get("/api/v3/coins/markets?vs_currency=usd&per_page=200",
                                  headers={"User-Agent": "benchmarks"}).json
    wall = int(fetched(roost, WALL)[0])
    assert roost.stop() == 0
    benchmarks.other("reading").fill(roost, wall, articles)
    roost.start()
    grace = benchmarks.other("chat").add_people(roost, 1)[0][0]
    roost.priced(*[coin["id"] for coin in largest if coin["id"] in listed][:100])
    ten = roost.ask("POST", "/api/v1/watchlists", {"name": "Ten"}).json["id"]
    for coin in benchmarks.COINS:
        assert roost.ask("POST", "/api/v1/watchlist", {"coinId": coin, "list": f"{ten}"}).status == 201
    eventually("the coin's chart", lambda: "data-chart" in roost.get("/coins/bitcoin").text)
    benchmarks.fill_inbox(roost)
    pull = large_pull(roost, simulator)
    roost.ask("POST", "/repositories/choices", "list=browse&group=language")
    eventually("every detail", lambda: roost.get("/repositories?since=0").text.count('class="stars"') == 100, 30)
    benchmarks.bookmarked(roost, 100)
    texts = [handed_over(roost, size) for size in (16_000, 168_000)]
    gist = roost.ask("POST", "/api/v1/gists", {"text": "The wall lets the sea in and keeps the waves out. " * 200})
    assert gist.status in (200, 201), gist.text
    talk = roost.ask("POST", CHAT, {"participants": [grace], "id": str(uuid.uuid4())}).json["id"]
    for number in range(50):
        sent = roost.ask("POST", f"{CHAT}/{talk}/messages", {"id": str(uuid.uuid4()), "text": f"*Number* {number} of fifty"})
        assert sent.status == 201, sent.text
        time.sleep(0.1)  # the limit for one user
    return [("Home", "/"), ("Watchlist of 10", f"/watchlist?list={ten}"), ("Watchlist of 100", "/watchlist"),
            ("A coin", "/coins/bitcoin"), (f"Inbox of {benchmarks.PULLS}", "/pulls"),
            ("Pull request, 400 comments", pull), ("Its first 100 of 200 files", f"{pull}/files"),
            ("A diff of 3,000 lines", f"{pull}/files/diff?path=data%2Ftides.csv"),
            ("Repositories, 100 grouped", "/repositories?since=0"), ("Bookmarks, 100", "/bookmarks"),
            (f"Reading list, 40 of {articles:,}", "/reading"), ("Article of 16 KB", f"/reading/{texts[0]}"),
            ("Article of 168 KB", f"/reading/{texts[1]}"), ("Gist", f"/gists/{gist.json['id']}"),
            ("Conversation of 50", f"/chat/{talk}"), ("Wall", roost.display())]


def cost(roost, benchmarks, path, seconds, headers):
    """Responses per second, and the server's CPU time per response in microseconds."""
    server = benchmarks.Process(roost.process.pid)
    before, began = server.seconds(), time.monotonic()
    joint = "&" if "?" in path else "?"
    a_second = benchmarks.rate(f"{roost.url}{path}{joint}render=anew", seconds, roost.owner, *headers,
                               connections=benchmarks.FEW)
    return a_second, 1e6 * (server.seconds() - before) / (a_second * (time.monotonic() - began))


def table(roosts, pages, benchmarks, rounds, seconds):
    """Measures each page of one program, or alternately of two with the same data, for a row of the table."""
    for index, (name, path) in enumerate(pages[0]):
        said = []
        for how, headers in (("plain", ()), ("gzip", GZIP)):
            turns = [[cost(roost, benchmarks, places[index][1], seconds, headers) for roost, places in zip(roosts, pages)]
                     for _ in range(rounds)]
            sides = [[statistics.median(each) for each in zip(*side)] for side in zip(*turns)]
            text = f"{how}: **{sides[0][1]:,.0f} µs**, {sides[0][0]:,.0f} answers/s"
            if len(sides) > 1:
                text += f"; the other {sides[1][1]:,.0f} µs, ratio **{sides[0][1] / sides[1][1]:.2f}**"
            said.append(text)
        size = len(roosts[0].get(path).body)
        yield f"{name} ({size:,} bytes), CPU made anew", " / ".join(said), "printed"
