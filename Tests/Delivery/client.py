"""One user's browser: acts at random, remembers what was acknowledged, and follows the log."""

import random
import time
import uuid
from collections import defaultdict
from urllib.parse import quote

from connection import Connection
from state import RANKS, Fault, State, expect

API = "/api/v1/conversations"
EMOJI = ["👍", "🎉", "👀"]
POLL = 0.1  # seconds until a client abandons a poll without news


class Doubtful:
    """The possible values of something: the last acknowledged one, and each sent one with an unknown outcome.

    A request whose response was lost may still be in progress when a later one is acknowledged.
    """

    def __init__(self, value):
        self.acknowledged = value
        self.others = []

    def holds(self, value):
        return value == self.acknowledged or value in self.others


class Client:
    def __init__(self, server, name, user, token, seed):
        self.server, self.name, self.user = server, name, user
        self.numbers = random.Random(f"{seed}/{name}")
        self.connection = Connection(server, token, self.numbers)
        self.state = State(user)
        self.conversations = []
        self.others = []  # conversations without this user
        self.cursor = None
        self.outbox = {}  # by id: path and body of each unacknowledged message
        self.sent = {}  # by id: path, body and seq of each acknowledged message
        self.texts = {}  # by conversation and seq: this client's messages
        self.deleted, self.perhaps_deleted = set(), set()
        self.reacted = defaultdict(lambda: Doubtful(False))  # by conversation, seq and emoji
        self.read = defaultdict(int)  # by conversation: the highest acknowledged seq
        self.late = []  # requests to repeat: step number, function
        self.statuses = {}  # by conversation and seq, at the last check
        self.steps = 0
        self.faults = []


    def run(self, until):
        """Runs steps until the time is over or something is wrong."""
        while time.monotonic() < until and not self.faults:
            self.attempt(self.step)

    def attempt(self, action):
        try:
            return action()
        except Exception as error:  # an error in the test itself must not count as a success
            kind = "" if isinstance(error, Fault) else f"{type(error).__name__} "
            self.faults.append(f"{self.name}, step {self.steps}: {kind}{error}")
            return None

    def step(self):
        self.steps += 1
        due = [late for late in self.late if late[0] <= self.steps]
        if due:
            self.late.remove(due[0])
            return due[0][1]()
        actions = {self.send: 30, self.resend: 8, self.edit: 9, self.delete: 3, self.react: 9, self.mark_read: 9,
                   self.follow: 14, self.poll: 12, self.reload: 1, self.pry: 2, self.type: 3}
        return self.numbers.choices(list(actions), actions.values())[0]()

    def later(self, action):
        """Repeats some requests much later."""
        if self.numbers.random() < 0.1:
            self.late.append((self.steps + self.numbers.randrange(5, 60), action))

    def ask(self, method, path, body=None, allowed=(200,)):
        """The reply, or None if the request was cut off, before or after the server processed it."""
        fate = self.numbers.random()
        if fate < 0.04:
            self.connection.cut_before(method, path, body)
            return None
        if fate < 0.10:
            self.connection.cut_after(method, path, body)
            return None
        return self.checked(self.connection.ask(method, path, body), method, path, allowed)

    def checked(self, reply, method, path, allowed):
        # A server that is stopping or starting answers 503.
        if reply is None or reply.status == 503:
            return None
        expect(reply.status in allowed, f"{method} {path}: {reply.status} {reply.body[:300]!r}")
        return reply

    def get(self, path):
        """A path's JSON; retries until there is a reply."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            reply = self.checked(self.connection.ask("GET", path), "GET", path, (200,))
            if reply:
                return reply.json
            time.sleep(0.02)
        raise Fault(f"GET {path} was not answered for a minute")

    # Actions

    def send(self):
        conversation = self.numbers.choice(self.conversations)
        known = self.state.messages.get(conversation)
        body = {"id": str(uuid.UUID(int=self.numbers.getrandbits(128), version=4)),
                "text": f"{self.name} {self.steps}{' … 😀 <b>' * self.numbers.randrange(3)}"}
        if known and self.numbers.random() < 0.15:
            body["replyTo"] = self.numbers.choice(list(known))
        self.outbox[body["id"]] = (f"{API}/{conversation}/messages", body)
        self.post(body["id"])

    def resend(self):
        """Sends an unacknowledged message again, or if there is none, an acknowledged one."""
        waiting = list(self.outbox) or list(self.sent)
        if waiting:
            self.post(self.numbers.choice(waiting))

    def post(self, message):
        path, body = self.outbox[message] if message in self.outbox else self.sent[message][:2]
        if self.numbers.random() < 0.1:
            # Either may have arrived first; the one that created it has 201.
            for reply in sorted(self.connection.ask_twice("POST", path, body), key=lambda each: -each.status):
                self.acknowledged(message, path, body, self.checked(reply, "POST", path, (200, 201)))
        else:
            self.acknowledged(message, path, body, self.ask("POST", path, body, (200, 201)))
        self.later(lambda: self.post(message))

    def acknowledged(self, message, path, body, reply):
        if not reply:
            return
        told = reply.json
        expect(told["id"] == message, f"the reply to {message} is for {told['id']}")
        expect(told["senderId"] == self.user, f"message {message} is from {told['senderId']}")
        if message in self.sent:
            expect(reply.status == 200, f"{message} was created twice")
            expect(told["seq"] == self.sent[message][2], f"{message} has seq {told['seq']}, had {self.sent[message][2]}")
        else:
            self.outbox.pop(message)
            self.sent[message] = (path, body, told["seq"])
            self.texts[told["conversationId"], told["seq"]] = Doubtful(body["text"])

    def edit(self):
        if self.texts:
            self.put_text(self.numbers.choice(list(self.texts)), f"{self.name} {self.steps}: edited")

    def put_text(self, message, text):
        gone = (403, 404, 409, 422) if message in self.deleted | self.perhaps_deleted else ()
        reply = self.ask("PATCH", self.path(message), {"text": text}, (200, *gone))
        if not reply:
            self.texts[message].others.append(text)
        elif reply.status == 200:
            self.texts[message].acknowledged = text
        self.later(lambda: self.put_text(message, text))

    def delete(self):
        if self.texts:
            self.remove(self.numbers.choice(list(self.texts)))

    def remove(self, message):
        gone = (404, 409) if message in self.deleted | self.perhaps_deleted else ()
        reply = self.ask("DELETE", self.path(message), None, (200, 204, *gone))
        (self.deleted if reply else self.perhaps_deleted).add(message)
        self.later(lambda: self.remove(message))

    def react(self):
        conversation = self.numbers.choice(self.conversations)
        if known := self.state.messages.get(conversation):
            message = (conversation, self.numbers.choice(list(known)))
            self.put_reaction(message, self.numbers.choice(EMOJI), self.numbers.random() < 0.7)

    def put_reaction(self, message, emoji, is_on):
        path = f"{self.path(message)}/reactions/{quote(emoji)}"
        # Someone else may have deleted the message.
        reply = self.ask("PUT" if is_on else "DELETE", path, None, (200, 201, 204, 404, 409, 422))
        if not reply:
            self.reacted[(*message, emoji)].others.append(is_on)
        elif reply.status < 300:
            self.reacted[(*message, emoji)].acknowledged = is_on
        self.later(lambda: self.put_reaction(message, emoji, is_on))

    def mark_read(self):
        conversation = self.numbers.choice(self.conversations)
        if known := self.state.messages.get(conversation):
            self.put_read(conversation, self.numbers.choice(sorted(known)[-12:]))

    def put_read(self, conversation, seq):
        reply = self.ask("POST", f"{API}/{conversation}/receipts", {"readSeq": seq}, (200, 204))
        if reply:
            self.read[conversation] = max(self.read[conversation], seq)
        self.later(lambda: self.put_read(conversation, seq))

    def type(self):
        conversation = self.numbers.choice(self.conversations)
        self.ask("POST", f"{API}/{conversation}/typing", {"isTyping": self.numbers.random() < 0.7}, (200, 204))

    def pry(self):
        """Checks that other people's conversations are not found."""
        conversation = self.numbers.choice(self.others)
        path = self.numbers.choice(["", "/messages", "/messages?after=0"])
        self.ask("GET", f"{API}/{conversation}{path}", None, (404,))

    def path(self, message):
        conversation, seq = message
        return f"{API}/{conversation}/messages/{seq}"

    # Following the log

    def follow(self):
        """Reads the log's next page; a lost reply is requested again, because the cursor does not move."""
        limit = self.numbers.choice([1, 3, 20, 200])
        reply = self.ask("GET", f"{API}/log?after={self.state.cursor}&limit={limit}")
        if not reply:
            return 0
        page = reply.json
        expect(len(page["entries"]) <= limit, f"{len(page['entries'])} entries are more than {limit}")
        self.state.apply(page["entries"], page["next"])
        return len(page["entries"])

    def poll(self):
        """Long-polls for new log entries, or for the notice that there are some."""
        path = f"/changes?topics=chat&after={self.state.cursor}&cursor={self.cursor or 'none'}"
        fate = self.numbers.random()
        if fate < 0.1:
            return self.connection.cut_after("GET", path)
        reply = self.checked(self.connection.ask("GET", path, timeout=POLL), "GET", path, (200,))
        if not reply:
            return None
        told = reply.json
        self.cursor = told["cursor"]
        if carried := told.get("chat"):
            self.state.apply(carried["entries"], carried["next"])
        elif "chat" in told["changed"]:
            self.follow()
        return None

    def reload(self):
        """Opens a new tab: reads the current state and follows the log from there."""
        self.state = State.read(self.user, self.get)

    # Settling

    def settle(self):
        """Sends waiting messages until all are acknowledged, and drops requests to repeat."""
        self.late = []
        while self.outbox:
            message = next(iter(self.outbox))
            path, body = self.outbox[message]
            reply = self.connection.ask("POST", path, body)
            self.acknowledged(message, path, body, self.checked(reply, "POST", path, (200, 201)))

    def drain(self):
        """Follows the log to its end; returns the number of new entries."""
        count = 0
        while True:
            page = self.get(f"{API}/log?after={self.state.cursor}&limit=200")
            self.state.apply(page["entries"], page["next"])
            count += len(page["entries"])
            if not page["entries"]:
                return count

    def judge(self, fresh):
        """Fails unless everything acknowledged exists once and was in the log."""
        self.state.compare(fresh)
        messages = {(conversation, seq): message for conversation, known in fresh.messages.items()
                    for seq, message in known.items()}
        for place, message in messages.items():
            before, now = self.statuses.get(place, "sent"), message["status"]
            expect(RANKS[now] >= RANKS[before], f"message {place} was {before} and is {now}")
            self.statuses[place] = now
        own = [message["id"] for message in messages.values() if message["senderId"] == self.user]
        expect(sorted(own) == sorted(self.sent), f"{self.name} sent {len(self.sent)} messages, but {len(own)} exist")
        for message, (path, _, seq) in self.sent.items():
            place = (path.split("/")[4], seq)
            expect(messages.get(place, {}).get("id") == message, f"message {message} is not at {place}")
        for place, text in self.texts.items():
            self.__judge_text(messages[place], place, text)
        for (*place, emoji), is_on in self.reacted.items():
            self.__judge_reaction(messages[tuple(place)], emoji, is_on)
        for conversation, seq in self.read.items():
            read = fresh.conversations[conversation]["read"]
            expect(read >= seq, f"{self.name} has read up to {seq}, the server says {read}")

    def __judge_text(self, message, place, text):
        is_deleted = bool(message.get("deletedAt"))
        expect(is_deleted or place not in self.deleted, f"message {place} was deleted but still exists")
        if is_deleted:
            expect(place in self.deleted | self.perhaps_deleted, f"message {place} is deleted although no one deleted it")
            expect(message["text"] == "", f"message {place} is deleted but has the text {message['text']!r}")
        else:
            expect(text.holds(message["text"]), f"message {place} has the text {message['text']!r}, not {text.acknowledged!r}")

    def __judge_reaction(self, message, emoji, is_on):
        if message.get("deletedAt"):
            return
        users = next((each["userIds"] for each in message.get("reactions") or [] if each["emoji"] == emoji), [])
        expect(users.count(self.user) <= 1, f"{self.name} reacted twice to {message['seq']}")
        expect(is_on.holds(self.user in users), f"{self.name}'s reaction {emoji} to {message['seq']} is {self.user in users}")
