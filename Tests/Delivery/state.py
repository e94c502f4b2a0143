"""A client's state of its conversations: read once, and updated with the log's entries."""

from urllib.parse import quote

RANKS = {"sent": 0, "delivered": 1, "read": 2}
# Fields of a conversation that are the same for every member and not in its messages.
SHARED = ("id", "isGroup", "groupName", "groupPhotoURL", "createdBy", "createdAt")
PAGE = 100


class Fault(Exception):
    """A violated guarantee."""


def expect(is_so, what):
    if not is_so:
        raise Fault(what)


class State:
    def __init__(self, user):
        self.user = user
        self.conversations = {}  # by id: the shared fields, `members`, `read`, `notify`
        self.messages = {}  # by conversation, then by seq
        self.cursor = ""  # position in the log

    # Reading the state

    @classmethod
    def read(cls, user, get):
        """Reads the current state from the server page by page; `get` returns a path's JSON.

        Takes the cursor before reading anything, so that the log contains all changes since then.
        """
        state = cls(user)
        listed = items(get, "/api/v1/conversations")
        state.cursor = listed[0]["logCursor"] if listed else ""
        for each in listed:
            state.put_conversation(each)
            state.conversations[each["id"]]["read"] = each["readSeq"]
            state.conversations[each["id"]]["notify"] = each.get("notify")
            state.messages[each["id"]] = history(get, each["id"])
        return state

    # Following the log

    def apply(self, entries, following):
        """Applies entries that come after the cursor; `following` is the next cursor."""
        for entry in entries:
            expect(not entry.get("isNew") or self.__is_next(entry), f"a message arrived late: {entry}")
            self.__apply(entry)
        expect(isinstance(following, str) and following, f"the log's next cursor is {following!r}")
        self.cursor = following

    def __is_next(self, entry):
        """Whether a new message is the next one, or already known."""
        known, seq = self.messages.get(entry["conversationId"], {}), entry["message"]["seq"]
        return seq in known or seq == max(known, default=0) + 1

    def __apply(self, entry):
        kind, conversation = entry["kind"], entry["conversationId"]
        if kind == "conversation":
            self.put_conversation(entry["conversation"])
        elif kind == "message":
            self.__put_message(entry["message"])
        elif kind == "status":
            self.__put_status(conversation, entry)
        elif kind == "read":
            self.conversations[conversation]["read"] = entry["readSeq"]
        elif kind == "settings":
            self.conversations[conversation]["notify"] = entry["notify"]
        elif kind != "draft":
            raise Fault(f"unknown kind of entry: {kind}")

    def put_conversation(self, told):
        known = self.conversations.setdefault(told["id"], {"read": 0, "notify": "all"})
        known.update({name: told.get(name) for name in SHARED})
        known["members"] = sorted(told["participants"])
        known["admins"] = sorted(told.get("admins") or [])
        self.messages.setdefault(told["id"], {})

    def __put_message(self, message):
        self.messages.setdefault(message["conversationId"], {})[message["seq"]] = message

    def __put_status(self, conversation, entry):
        status, rank = entry["status"], RANKS[entry["status"]]
        for first, last in entry["ranges"]:
            for seq, message in self.messages.get(conversation, {}).items():
                if first <= seq <= last and RANKS[message["status"]] < rank:
                    message["status"] = status
                    # Read implies delivered; both get the time of the same commit.
                    message["deliveredAt"] = message.get("deliveredAt") or entry["at"]
                    if status == "read":
                        message["readAt"] = entry["at"]

    # Reading and comparing

    def unread(self, conversation):
        read = self.conversations[conversation]["read"]
        return sum(seq > read and message["senderId"] != self.user for seq, message in self.messages[conversation].items())

    def last_message(self, conversation):
        """Text, sender and seq of the newest message, or empty if there is none."""
        known = self.messages[conversation]
        if not known:
            return ("", None)
        message = known[max(known)]
        return ("Message deleted" if message.get("deletedAt") else message["text"], message["senderId"])

    def compare(self, fresh):
        """Fails unless the other state is equal."""
        expect(self.conversations.keys() == fresh.conversations.keys(),
               f"conversations {sorted(self.conversations)}, but {sorted(fresh.conversations)} when read again")
        for conversation in self.conversations:
            # The log does not contain the initial read position, only the unread count that follows from it.
            told, there = ({**each.conversations[conversation], "read": each.unread(conversation)} for each in (self, fresh))
            expect(told == there, f"conversation {conversation}: {told} by the log, {there} when read again")
            ours, theirs = self.messages[conversation], fresh.messages[conversation]
            expect(ours.keys() == theirs.keys(), f"conversation {conversation}: messages {missing(ours, theirs)}")
            for seq, message in ours.items():
                expect(plain(message) == plain(theirs[seq]),
                       f"message {seq}: {plain(message)} by the log, {plain(theirs[seq])} when read again")


def plain(message):
    """A message without display fields and relative times, and with sorted reactions."""
    dropped = ("html", "cards", "reactions", "timeAgo")
    kept = {name: value for name, value in message.items() if name not in dropped and value is not None}
    if "replyTo" in kept:  # its text is that of the other message at the time of the reply
        kept["replyTo"] = kept["replyTo"]["id"]
    kept["reactions"] = {each["emoji"]: sorted(each["userIds"]) for each in message.get("reactions") or []}
    return kept


def missing(ours, theirs):
    lost, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
    return f"missing from the log {lost[:5]}, only from the log {extra[:5]}"


def items(get, path):
    """The items of all pages of a list."""
    found, cursor = [], None
    while True:
        joint = "&" if "?" in path else "?"
        page = get(path + (f"{joint}cursor={quote(cursor)}" if cursor else ""))
        found += page["items"]
        cursor = page.get("next")
        if not cursor:
            return found


def history(get, conversation):
    """All messages of a conversation by seq, oldest first."""
    found, after = {}, 0
    while True:
        page = get(f"/api/v1/conversations/{conversation}/messages?after={after}&limit={PAGE}")["items"]
        if not page:
            return found
        for message in page:
            expect(message["seq"] > after, f"a page goes from {after} to {message['seq']}")
            after = message["seq"]
            found[after] = message
