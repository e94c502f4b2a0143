"""Starts and stops the built program: Roost, its demo, and the simulated upstreams."""

import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading
import time
from pathlib import Path
from urllib.parse import quote, urlencode

from described import description
from exchange import NOBODY, Guest, exchange

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("ROOST_BINARY", str(ROOT / ".build" / "release" / "roost"))
START = 90  # seconds; a cold start on a busy machine
STOP = 30  # seconds; writes everything to the database
ANSWER = 60  # seconds; a password hashed by a debug build on a busy machine


def eventually(what, question, seconds=40, every=0.05):
    """Calls `question` until it returns something true, and returns that; fails with `what` after the deadline."""
    deadline = time.monotonic() + seconds
    while True:
        answer = question()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what}")
        time.sleep(every)


def free_port():
    """A port that is free on every address of this machine."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


class Program:
    """A command that prints on standard error when and where it is ready."""

    def __init__(self, *arguments, command=(BINARY,), environment=None):
        self.arguments = [*command, *map(str, arguments)]
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ROOST_")}
        self.environment.update(environment or {})
        self.folder = ROOT  # the working directory, with the files to serve
        self.lines = []
        self.process = self.reader = None
        self.scheme = self.host = None
        self.owner = NOBODY

    def start(self):
        self.lines = []
        self.process = subprocess.Popen(
            self.arguments, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        self.reader = threading.Thread(target=self.__read, args=(self.process,), daemon=True)
        self.reader.start()
        try:
            self.scheme, self.host = eventually("a line that says the program is ready", self.__ready, START)
        except AssertionError as error:
            self.kill()
            raise AssertionError(f"{error}\n" + "\n".join(self.lines)) from None
        return self

    def __read(self, process):
        for line in process.stderr:
            self.lines.append(line.rstrip())

    def __ready(self):
        if self.process.poll() is not None:
            self.reader.join(10)  # its last lines may not have been read yet
            raise AssertionError(f"ended with {self.process.returncode}")
        for line in list(self.lines):
            found = re.search(r"ready.* (https?)://([^/\s]+)/", line)
            if found:
                return found.groups()
        return None

    def stop(self):
        """Stops it with SIGTERM, as a supervisor does; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(STOP)
            except subprocess.TimeoutExpired:
                self.kill()
        return self.process.returncode

    def kill(self):
        self.process.kill()
        self.process.wait(10)

    @property
    def url(self):
        return f"{self.scheme}://{self.host}"

    def connect(self, host=None):
        """A new connection, over TLS if the program uses it."""
        if self.scheme == "http":
            return http.client.HTTPConnection(host or self.host, timeout=ANSWER)
        certificate = self.arguments[self.arguments.index("--tls-certificate") + 1]
        trusting = ssl.create_default_context(cafile=certificate)
        return http.client.HTTPSConnection(host or self.host, timeout=ANSWER, context=trusting)

    def ask(self, method, path, body=None, headers=None, host=None, guest=None):
        """`exchange` with this program as `guest`: by default the owner, or NOBODY before there is an owner.

        Owners' actions need the token of an owners' page, which no other page has.
        """
        guest = guest or self.owner
        if method == "POST" and path.startswith("/members") and guest.cookie:
            guest = guest.on(self.get("/members", guest=guest).text)
        return exchange(self.connect(host), method, path, body, headers, guest)

    def get(self, path, **more):
        return self.ask("GET", path, **more)


class Simulator(Program):
    """The simulated CoinGecko, GitHub and web sites, with faults; reading_sites.py names the sites' pages."""

    def __init__(self, *arguments):
        super().__init__("simulate", "--listen", "127.0.0.1:0", "--github-listen", "127.0.0.1:0", *arguments)

    @property
    def github_url(self):
        """The simulated GitHub's address, available when it is ready."""
        return next(found[1] for line in list(self.lines) if (found := re.search(r"GitHub at (http://[^/\s,]+)", line)))

    @property
    def article_hosts(self):
        """The simulated web sites and their addresses, as a value of the setting `article-hosts`."""
        return next((found[1] for line in list(self.lines) if (found := re.search(r"--article-hosts (\S+)", line))), None)

    def sites(self):
        """The web sites' names and articles: `hosts`, `pages` with `url`, `title`, `language`."""
        return self.get("/_simulator/sites").json

    def change_page(self, url, **change):
        """Sets the response of a web site's address: `text` and `title`, `html` and `type`, `redirect` (to any address),
        `status`, `slow` (seconds), or `fault` and `count`. No change restores it; an address ending in "/*" covers all
        addresses below it."""
        answer = self.ask("POST", "/_simulator/sites", {"site": {"url": url, **change}})
        assert answer.status == 200, answer.text

    def visits(self, url):
        """The number of requests for an address of the web sites."""
        return sum(each["path"] == url for each in self.requests())

    def happen(self, **order):
        """Makes something happen on GitHub; returns the simulator's response."""
        answer = self.ask("POST", "/_simulator/github", order)
        assert answer.status < 300, answer.text
        return answer.json

    def requests(self):
        """All requests to the upstreams: GraphQL requests with bodies, requests to web sites with whole addresses."""
        return self.get("/_simulator/requests").json["items"]

    def inject(self, fault, path="/coins/markets"):
        assert self.ask("POST", "/_simulator/faults", {"fault": fault, "path": path}).status == 201

    def spoil(self, fault, path=""):
        """Switches on a fault of GitHub for paths with this prefix."""
        order = {"fault": fault, "path": path, "upstream": "github"}
        assert self.ask("POST", "/_simulator/faults", order).status == 201

    def change(self, **coins):
        assert self.ask("POST", "/_simulator/coins", coins).status == 200

    def clear(self):
        assert self.ask("DELETE", "/_simulator/faults").status == 200
        assert self.ask("DELETE", "/_simulator/coins").status == 200
        assert self.ask("DELETE", "/_simulator/github").status == 200
        assert self.ask("DELETE", "/_simulator/sites").status == 200

    def answers(self):
        try:
            return self.get("/_simulator/faults").status == 200
        except OSError:
            return False


class Roost(Program):
    """A Roost with its own data folder and Ada as owner, which can reach the simulator's web sites."""

    NAME = "ada"
    PASSWORD = "a lantern over water"

    def __init__(self, simulator, data, *arguments, interval=2, listen="127.0.0.1:0", settled=True, template=None):
        self.data = Path(data)
        self.settled = settled
        self.template = template
        super().__init__(
            "--listen", listen, "--data", data, "--coingecko-api-url", f"{simulator.url}/api/v3",
            "--price-interval", interval, "--github-api-url", f"{simulator.github_url}/api/v3",
            "--github-url", simulator.github_url, *arguments)
        # A variable and not a flag: benchmarks compare with programs from before the reading list, which lack the flag.
        if hosts := getattr(simulator, "article_hosts", None):
            self.environment["ROOST_ARTICLE_HOSTS"] = hosts

    def ask(self, method, path, *arguments, **options):
        """As for any program; an answer of the API must be as the API's description says."""
        answer = super().ask(method, path, *arguments, **options)
        problem = description.problem(method, path, answer)
        assert problem is None, f"{method} {path} answered {answer.status}: {problem}: {answer.body[:400]}"
        return answer

    def start(self):
        """Starts it. The first start creates Ada as owner, unless `settled` is false.

        With a template it copies that one's data and session, which is faster because no password is hashed.
        """
        is_new = self.settled and not (self.data / "roost.sqlite").exists()
        if is_new and self.template:
            shutil.copytree(self.template.data, self.data, dirs_exist_ok=True)
            self.owner = self.template.owner
        super().start()
        if is_new and not self.template:
            self.settle()
        return self

    @property
    def setup_code(self):
        return eventually("the setup code", lambda: next(
            (found[1] for line in list(self.lines) if (found := re.search(r"/setup\?code=(\S+)", line))), None))

    def settle(self):
        made = self.ask("POST", "/api/v1/users", {
            "username": self.NAME, "password": self.PASSWORD, "joinCode": self.setup_code}, guest=NOBODY)
        assert made.status == 201, made.text
        self.owner = self.sign_in()

    def sign_in(self, name=NAME, password=PASSWORD, through=None):
        """Signs in directly or through a proxy; returns the guest."""
        begun = (through or self).ask("POST", "/api/v1/sessions", {"username": name, "password": password}, guest=NOBODY)
        assert begun.status == 201, begun.text
        return Guest(begun.headers["Set-Cookie"].partition(";")[0], begun.json["token"])

    def add_user(self, name, *options):
        """Adds a user on the command line and signs in as them."""
        added = self.command("user", "add", name, "--password-stdin", *options, stdin=f"{self.PASSWORD}\n")
        assert added.returncode == 0, added.stderr
        return eventually("the new user", lambda: self.try_to_sign_in(name))

    def try_to_sign_in(self, name):
        """Signs in; returns None while the server does not know the new user yet."""
        begun = self.ask("POST", "/api/v1/sessions", {"username": name, "password": self.PASSWORD}, guest=NOBODY)
        return Guest(begun.headers["Set-Cookie"].partition(";")[0], begun.json["token"]) if begun.status == 201 else None

    def listen(self, address):
        """Sets the address for the next start."""
        self.arguments[self.arguments.index("--listen") + 1] = address

    def watch(self, *coins):
        for coin in coins:
            answer = self.ask("POST", "/api/v1/watchlist", {"coinId": coin})
            assert answer.status == 201, (coin, answer.text)

    def items(self):
        return self.get("/api/v1/watchlist").json["items"]

    def priced(self, *coins):
        """Watches the coins and waits for their prices, trying again as a user would."""
        self.watch(*coins)

        def are_here():
            self.ask("POST", "/watchlist/refresh", "")
            return all(item["fetchedAt"] for item in self.items() if item["coinId"] in coins)

        eventually("every price", are_here)

    def sort(self, order):
        assert self.ask("POST", "/watchlist/sort", f"sort={order}").status == 303

    def display(self, name="Office wall"):
        """Creates a display; returns the path of its link."""
        made = self.ask("POST", "/displays", urlencode({"name": name}))
        assert made.status == 303, made.text
        return self.link(made.headers["Location"])

    def link(self, page):
        """The path of the link on a display's page."""
        return re.search(r'value="https?://[^/"]+(/display/[^"]+)"', self.get(page).text)[1]

    def command(self, *arguments, stdin=""):
        """Runs a command of the program on the same data."""
        return subprocess.run(
            [BINARY, *arguments, "--data", self.data], cwd=ROOT, env=self.environment, input=stdin, text=True,
            capture_output=True, timeout=60, check=False)

    @staticmethod
    def coin_path(coin):
        return f"/api/v1/watchlist/{quote(coin, safe='')}"
