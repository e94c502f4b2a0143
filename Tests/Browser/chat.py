"""Three people who talk, and what a browser shows of it."""

import re
import uuid

from playwright.sync_api import expect
from program import eventually
from visit import pixels

API = "/api/v1/conversations"
NAMES = ["grace", "alan"]


class Team:
    """A Roost with Ada, Grace and Alan, and what they write over the API."""

    def __init__(self, roost, guests, ids):
        self.roost = roost
        self.guests = guests
        self.ids = ids

    @staticmethod
    def assemble(roost):
        guests = {"ada": roost.owner, **{name: roost.add_user(name) for name in NAMES}}
        return Team(roost, guests, {name: roost.get("/api/v1/me", guest=guest).json["userId"] for name, guest in guests.items()})

    def at(self, roost):
        """The same people in a Roost that has taken over their accounts."""
        return Team(roost, self.guests, self.ids)

    def ask(self, who, method, path, body=None):
        return self.roost.ask(method, API + path, body, guest=self.guests[who])

    def pair(self, who="ada", other="grace"):
        """The conversation of two people, which is always the same."""
        return self.__start(who, {"participants": [self.ids[other]]})

    def group(self, name, who="ada"):
        """A new group of all three; nobody else's tests are in it."""
        others = [number for each, number in self.ids.items() if each != who]
        return self.__start(who, {"participants": others, "groupName": name, "id": str(uuid.uuid4())})

    def __start(self, who, body):
        made = self.ask(who, "POST", "", body)
        assert made.status in (200, 201), made.text
        return made.json["id"]

    def say(self, who, chat, text, **more):
        """Sends a message; answers it as JSON."""
        sent = self.ask(who, "POST", f"/{chat}/messages", {"id": str(uuid.uuid4()), "text": text, **more})
        assert sent.status == 201, sent.text
        return sent.json

    def messages(self, chat, who="ada"):
        """All of them, the oldest first."""
        return self.ask(who, "GET", f"/{chat}/messages?after=0&limit=200").json["items"]

    def texts(self, chat, who="ada"):
        return [message["text"] for message in self.messages(chat, who)]

    def unread(self, who, chat):
        """Unread messages of a conversation, as Roost counts them."""
        return self.__count(who, self.ask(who, "GET", f"/{chat}").json)

    def total(self, who):
        """Unread messages of all conversations."""
        return sum(self.__count(who, each) for each in self.ask(who, "GET", "").json["items"])

    def __count(self, who, conversation):
        return conversation.get("unreadCount", {}).get(self.ids[who], 0)


def meanwhile(page, what, question):
    """`eventually` for what the page's own requests bring about: they are only heard of while the page is asked."""
    return eventually(what, lambda: (page.evaluate("0"), question())[1])


def open_chat(visit, team, who, chat, **options):
    """The conversation in a browser of this person's own, whose scripts run and which has the focus."""
    page = visit(team.roost, team.guests[who], **options).page(f"/chat/{chat}")
    return ready(page)


def ready(page):
    """The page once its scripts have begun: the emoji button is theirs."""
    expect(page.get_by_role("button", name="Emoji", exact=True)).to_be_visible()
    page.bring_to_front()
    return page


def composer(page):
    return page.locator("#composer textarea")


def write(page, text):
    """Types a text and sends it as people do."""
    composer(page).fill(text)
    composer(page).press("Enter")


def message(page, text):
    """The message with exactly this text."""
    exact = re.compile(f"^{re.escape(text)}$")
    return page.locator("li.message").filter(has=page.locator(".text").filter(has_text=exact))


def has_status(page, text, status):
    expect(message(page, text)).to_have_attribute("data-status", status)


def texts(page):
    """What stands on the page, from above."""
    return page.locator("#messages .text").all_inner_texts()


def row(page, chat):
    """A conversation in the list."""
    return page.locator(f'#conversations [data-conversation="{chat}"]')


def act(page, text, name):
    """Opens a message's menu by its button and does what it says there."""
    message(page, text).hover()
    message(page, text).locator(".more").click()
    page.locator("#message-menu").get_by_role("button", name=name, exact=True).click()


AWAY = "document.hasFocus = () => false"


def look_away(page):
    """The window loses the focus, as with another in front of it: a headless browser gives it to every page."""
    page.evaluate(f"() => {{ {AWAY}; }}")


def look_back(page):
    page.evaluate("""() => {
        delete document.hasFocus;
        dispatchEvent(new Event("focus"));
    }""")


def top_of(page, text):
    """How far a message stands below the upper edge of the history, in pixels."""
    return message(page, text).evaluate(
        "(one) => one.getBoundingClientRect().top - document.getElementById('history').getBoundingClientRect().top")


def scroll_to(page, top):
    """Scrolls the history, and waits until its script has noticed."""
    page.evaluate("""(top) => new Promise((resolve) => {
        const history = document.getElementById("history");
        history.scrollTop = top;
        requestAnimationFrame(() => requestAnimationFrame(resolve));
    })""", top)


def is_at_end(page):
    return page.evaluate("""() => {
        const { scrollHeight, scrollTop, clientHeight } = document.getElementById("history");
        return scrollHeight - scrollTop - clientHeight < 3;
    }""")


def picture(name="clock.png", width=900, height=600):
    """A picture, as a file that a person chooses."""
    return {"name": name, "mimeType": "image/png", "buffer": pixels(width, height)}


def hand_over(page, kind, selector, file):
    """Pastes or drops a file there, as the browser tells of it."""
    page.evaluate("""async ([kind, selector, name, type, bytes]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(bytes)], name, { type }));
        const options = { bubbles: true, cancelable: true };
        const event = kind === "paste"
            ? new ClipboardEvent("paste", { ...options, clipboardData: data })
            : new DragEvent(kind, { ...options, dataTransfer: data });
        document.querySelector(selector).dispatchEvent(event);
    }""", [kind, selector, file["name"], file["mimeType"], list(file["buffer"])])


def shown_picture(page):
    """The last picture, once it is loaded; answers its width in pixels of its own."""
    image = page.locator("#messages .picture img").last
    expect(image).to_be_visible()
    return eventually("the picture", lambda: image.evaluate("(one) => one.complete && one.naturalWidth"))


def hold(finger, target, menu):
    """A finger stays there until the menu is here."""
    box = target.bounding_box()
    finger.down(box["x"] + 10, box["y"] + box["height"] / 2)
    expect(menu).to_be_visible()
    finger.up()
