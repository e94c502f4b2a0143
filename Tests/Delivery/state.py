"""What a client knows of its conversations: a state that was read once, and the log's entries applied to it since."""

from urllib.parse import quote

RANKS = {"sent": 0, "delivered": 1, "read": 2}
# Of a conversation, what everybody in it sees and no message says.
SHARED = ("id", "isGroup", "groupName", "groupPhotoURL", "createdBy", "createdAt")
PAGE = 100


class Fault(Exception):
    """What must never happen has happened."""


def expect(is_so, what):
    if not is_so:
        raise Fault(what)


class State:
    def __init__(self, user):
        self.user = user
        self.conversations = {}  # by id: what is shared, `members`, `read`, `notify`
        self.messages = {}  # by conversation, then by seq
        self.cursor = ""  # of the log

    # Reading it afresh

    @classmethod
    def read(cls, user, get):
        """The state as the server tells it now, page by page; `get` answers a path's JSON.

        The cursor is taken before anything is read, so that what happens meanwhile comes with the log.
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
            expect(not entry.get("isNew") or self.__is_next(entry), f"a message comes late: {entry}")
            self.__apply(entry)
        expect(isinstance(following, str) and following, f"the log is to be continued at {following!r}")
        self.cursor = following

    def __is_next(self, entry):
        """Of a new message: none that is known is newer, unless it is known itself."""
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
            raise Fault(f"an entry of kind {kind}")

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
                    # Read implies delivered; both are stamped in one commit.
                    message["deliveredAt"] = message.get("deliveredAt") or entry["at"]
                    if status == "read":
                        message["readAt"] = entry["at"]

    # What it says

    def unread(self, conversation):
        read = self.conversations[conversation]["read"]
        return sum(seq > read and message["senderId"] != self.user for seq, message in self.messages[conversation].items())

    def last_message(self, conversation):
        """Text, sender and seq of the newest message; empty for none."""
        known = self.messages[conversation]
        if not known:
            return ("", None)
        message = known[max(known)]
        return ("Message deleted" if message.get("deletedAt") else message["text"], message["senderId"])

    def compare(self, fresh):
        """Fails unless the other state says the same."""
        expect(self.conversations.keys() == fresh.conversations.keys(),
               f"conversations {sorted(self.conversations)} are {sorted(fresh.conversations)}")
        for conversation in self.conversations:
            # Where one begins to read is not in the log, only what it makes unread.
            told, there = ({**each.conversations[conversation], "read": each.unread(conversation)} for each in (self, fresh))
            expect(told == there, f"conversation {conversation}: the log says {told}, afresh it is {there}")
            ours, theirs = self.messages[conversation], fresh.messages[conversation]
            expect(ours.keys() == theirs.keys(), f"conversation {conversation}: messages {missing(ours, theirs)}")
            for seq, message in ours.items():
                expect(plain(message) == plain(theirs[seq]),
                       f"message {seq}: the log says {plain(message)}, afresh it is {plain(theirs[seq])}")


def plain(message):
    """A message without what is only there to be shown or grows old by itself, and with reactions in one order."""
    dropped = ("html", "cards", "reactions", "timeAgo")
    kept = {name: value for name, value in message.items() if name not in dropped and value is not None}
    if "replyTo" in kept:  # its words are those that the other message had then
        kept["replyTo"] = kept["replyTo"]["id"]
    kept["reactions"] = {each["emoji"]: sorted(each["userIds"]) for each in message.get("reactions") or []}
    return kept


def missing(ours, theirs):
    lost, extra = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
    return f"missing from the log {lost[:5]}, only from the log {extra[:5]}"


def items(get, path):
    """Every item of a list, over all its pages."""
    found, cursor = [], None
    while True:
        joint = "&" if "?" in path else "?"
        page = get(path + (f"{joint}cursor={quote(cursor)}" if cursor else ""))
        found += page["items"]
        cursor = page.get("next")
        if not cursor:
            return found


def history(get, conversation):
    """Every message of a conversation by seq, oldest first."""
    found, after = {}, 0
    while True:
        page = get(f"/api/v1/conversations/{conversation}/messages?after={after}&limit={PAGE}")["items"]
        if not page:
            return found
        for message in page:
            expect(message["seq"] > after, f"a page goes from {after} to {message['seq']}")
            after = message["seq"]
            found[after] = message
