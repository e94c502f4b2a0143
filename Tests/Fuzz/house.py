"""The fuzzed Roost, its users, and what inputs know about it."""

import html
import re
import time
from dataclasses import dataclass, field
from urllib.parse import urlencode

from exchange import NOBODY, Guest
from program import Roost, Simulator
from seeds import PICTURES

NAME = "roost.example.org"
COINS = ["bitcoin", "ethereum", "solana", "dogecoin"]
SECURE = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.9", "Host": NAME}


@dataclass
class Person:
    """A user's browser; `headers` are those of a proxy, if there is one."""

    cookie: str = ""
    token: str = ""
    host: str = ""
    headers: tuple = ()
    # The token of owners' pages, which owners' actions require.
    owners_token: str = ""


@dataclass
class Known:
    """Sessions, tokens and ids, without which most inputs would be refused. They differ in each run; the inputs' structure
    does not."""

    host: str = ""
    owner: Person = None
    secure: Person = None
    member: Person = None
    visitor: Person = None
    victims: list = field(default_factory=list)
    readers: str = ""
    writers: str = ""
    codes: list = field(default_factory=list)
    resets: list = field(default_factory=list)
    wall: str = ""
    users: list = field(default_factory=list)
    avatar: str = ""


class House:
    """Ada is the owner, Grace a member; victims get the actions that end a session, a password or an account."""

    VICTIMS = 6

    def __init__(self, folder):
        self.simulator = Simulator("--step", 5).start()
        self.roost = Roost(
            self.simulator, folder / "data", "--public-url", f"https://{NAME}", "--trusted-proxy", "127.0.0.1",
            "--log-level", "error", interval=5)
        self.roost.start()

    def stop(self):
        status = self.roost.stop()
        self.simulator.stop()
        return status

    def furnish(self):
        """Signs everyone in, creates data for the inputs, and returns what they know."""
        roost = self.roost
        known = Known(host=roost.host)
        known.codes = [self.__invite() for _ in range(3)]
        for number in range(self.VICTIMS):
            self.__join(f"victim-{number}", known.codes[0])
            known.victims.append(self.__person(self.__sign_in(f"victim-{number}")))
        self.__join("grace", known.codes[0])
        members = re.findall(r'data-key="member-(\d+)".*?class="facts">(\S+)', roost.get("/members").text, re.DOTALL)
        known.users = [user for user, name in members if name.startswith("victim")]
        known.resets = [self.__reset(user) for user in known.users]
        known.member = self.__person(self.__sign_in("grace"))
        known.secure = self.__person(self.__sign_in(Roost.NAME, SECURE), SECURE)
        known.owner = self.__person(self.__sign_in(Roost.NAME))
        known.visitor = self.__visitor()
        known.writers, known.readers = (
            roost.command("token", "create", Roost.NAME, "--scope", scope).stdout.strip() for scope in ("write", "read"))
        known.wall = roost.display()
        for name in ("Hall", "Kitchen"):
            roost.display(name)
        known.avatar = self.__portrait(known.victims[0])
        roost.priced(*COINS)
        return known

    def __sign_in(self, name, headers=None):
        begun = self.roost.ask("POST", "/api/v1/sessions", {"username": name, "password": Roost.PASSWORD}, headers, guest=NOBODY)
        assert begun.status == 201, begun.text
        return Guest(begun.headers["Set-Cookie"].partition(";")[0], begun.json["token"])

    def __person(self, guest, headers=None):
        headers = dict(headers or {})
        members = self.roost.get("/members", headers=headers, guest=guest)
        host = headers.pop("Host", self.roost.host)
        owners_token = guest.on(members.text).headers["X-Roost-Token"] if members.status == 200 else ""
        return Person(guest.cookie, guest.headers["X-Roost-Token"], host, tuple(headers.items()), owners_token)

    def __visitor(self):
        page = self.roost.get("/login", guest=NOBODY)
        token = re.search(r'name="token" value="([^"]+)"', page.text)[1]
        return Person(page.headers["Set-Cookie"].partition(";")[0], html.unescape(token), self.roost.host)

    def __invite(self):
        made = self.roost.ask("POST", "/members/invitations", urlencode({"note": "Fuzz", "days": 30, "uses": 100}))
        return self.__link(made, "join")

    def __reset(self, user):
        return self.__link(self.roost.ask("POST", f"/members/{user}/reset", ""), "reset")

    def __link(self, made, kind):
        return re.search(rf"/{kind}/([0-9A-Z-]+)", self.roost.get(made.headers["Location"]).text)[1]

    def __join(self, name, code):
        made = self.roost.ask("POST", "/api/v1/users", {"username": name, "password": Roost.PASSWORD, "joinCode": code}, guest=NOBODY)
        assert made.status == 201, made.text

    def __portrait(self, person):
        guest = Guest(person.cookie, person.token)
        body = b'--b\r\nContent-Disposition: form-data; name="avatar"; filename="a"\r\n\r\n' + PICTURES[0] + b"\r\n--b--\r\n"
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        assert self.roost.ask("POST", "/settings/avatar", body, kind, guest=guest).status == 303
        return self.roost.get("/api/v1/me", guest=guest).json["avatarURL"]

    def answers(self):
        """Whether a user is still served in less than five seconds."""
        began = time.monotonic()
        alive = self.roost.process.poll() is None and self.roost.get("/healthz").status == 200
        return alive and self.roost.get("/login", guest=NOBODY).status == 200 and time.monotonic() - began < 5
