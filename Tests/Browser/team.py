"""Three people who chat. The benchmarks import this file without a browser."""

import uuid

API = "/api/v1/conversations"
NAMES = ["grace", "alan"]


class Team:
    """A Roost with Ada, Grace and Alan, who write over the API."""

    def __init__(self, roost, guests, ids):
        self.roost = roost
        self.guests = guests
        self.ids = ids

    @staticmethod
    def assemble(roost):
        guests = {"ada": roost.owner, **{name: roost.add_user(name) for name in NAMES}}
        return Team(roost, guests, {name: roost.get("/api/v1/me", guest=guest).json["userId"] for name, guest in guests.items()})

    def at(self, roost):
        """The same people in a Roost with a copy of their accounts."""
        return Team(roost, self.guests, self.ids)

    def ask(self, who, method, path, body=None):
        return self.roost.ask(method, API + path, body, guest=self.guests[who])

    def pair(self, who="ada", other="grace"):
        """The only conversation of these two people."""
        return self.__start(who, {"participants": [self.ids[other]]})

    def group(self, name, who="ada"):
        """A new group of all three, so that tests do not affect each other."""
        others = [number for each, number in self.ids.items() if each != who]
        return self.__start(who, {"participants": others, "groupName": name, "id": str(uuid.uuid4())})

    def __start(self, who, body):
        made = self.ask(who, "POST", "", body)
        assert made.status in (200, 201), made.text
        return made.json["id"]

    def say(self, who, chat, text, **more):
        """Sends a message; returns it as JSON."""
        sent = self.ask(who, "POST", f"/{chat}/messages", {"id": str(uuid.uuid4()), "text": text, **more})
        assert sent.status == 201, sent.text
        return sent.json

    def messages(self, chat, who="ada"):
        """All messages, oldest first."""
        return self.ask(who, "GET", f"/{chat}/messages?after=0&limit=200").json["items"]

    def texts(self, chat, who="ada"):
        return [message["text"] for message in self.messages(chat, who)]

    def unread(self, who, chat):
        """Roost's count of unread messages in a conversation."""
        return self.__count(who, self.ask(who, "GET", f"/{chat}").json)

    def total(self, who):
        return sum(self.__count(who, each) for each in self.ask(who, "GET", "").json["items"])

    def __count(self, who, conversation):
        return conversation.get("unreadCount", {}).get(self.ids[who], 0)
