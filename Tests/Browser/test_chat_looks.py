"""The chat's pages at every width in light and dark mode, and the weight of a conversation."""

import re
import uuid
from urllib.parse import quote

import pytest
from chat import composer, has_status, message, open_chat, ready, write
from looks import looks_right
from playwright.sync_api import expect
from program import eventually
from test_budget import costs_little, heard
from visit import overflow

POSTS = re.compile("/messages$")
LONG = "a-name-that-goes-on-and-on-without-any-blank/" * 5
# A conversation needs the outbox, the log and the receipts at once; the other scripts load when they are used.
BUDGETS = {".js": 22_000, ".css": 12_000}
EVERYTHING = {".js": 31_000, ".css": 12_000}


@pytest.fixture(scope="module")
def full(team):
    """A conversation with every kind of content, and a long name."""
    chat = team.group("A group with a name that is rather long, for the plan of the harbour and its tides")
    first = team.say("grace", chat, f"Look at {LONG} **and** `code` and https://example.org/{LONG}")
    team.say("alan", chat, "```\nlet tides = ports.map { $0.highWater(on: .today, in: .current, rounded: true, and: so, on: true) }\n```")
    team.say("ada", chat, "I see. " * 60, replyTo=first["seq"])
    assert team.ask("ada", "PUT", f"/{chat}/messages/{first['seq']}/reactions/{quote('👍')}").status < 300
    team.say("ada", chat, "@grace يمكنك قراءته؟ 你看到了吗？ 🎉")
    deleted = team.say("grace", chat, "Not for you")
    assert team.ask("grace", "DELETE", f"/{chat}/messages/{deleted['seq']}").status < 300
    return chat


def a_list(page, chat):
    page.goto("/chat")
    expect(page.locator("#conversations [data-conversation]").first).to_be_attached()


def a_conversation(page, chat):
    page.goto(f"/chat/{chat}")
    ready(page)
    page.route(POSTS, lambda route: route.abort())
    text = f"Not confirmed, for now: {uuid.uuid4()}"  # an earlier test's page may have sent its own message when it closed
    write(page, text)
    has_status(page, text, "sending")


def a_refused_one(page, chat):
    page.unroute(POSTS)
    write(page, "x " * 9_000)
    expect(page.locator("li.message[data-status=failed]")).to_be_visible()


def a_menu(page, chat):
    page.goto(f"/chat/{chat}")
    ready(page)
    page.locator("li.message.mine .more").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#message-menu")).to_be_visible()


def emoji(page, chat):
    page.goto(f"/chat/{chat}")
    ready(page).get_by_role("button", name="Emoji", exact=True).click()
    expect(page.get_by_role("listbox", name="Emoji")).to_be_visible()


def details(page, chat):
    page.goto(f"/chat/{chat}/details")


def new(page, chat):
    page.goto("/chat/new")


def search(page, chat):
    page.goto("/chat/search?q=look")


PAGES = [a_list, a_conversation, a_refused_one, a_menu, emoji, details, new, search]


def test_the_chat_fits_and_axe_finds_nothing_wrong(team, full, visit):
    page = visit(team.roost, reduced_motion="reduce").page("about:blank")
    for prepare in PAGES:
        page.set_viewport_size({"width": 1280, "height": 800})
        prepare(page, full)
        looks_right(page, f"chat-{prepare.__name__}")


@pytest.mark.parametrize("height", [844, 400], ids=["whole", "keyboard"])
@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_one_pane_with_the_composer_in_it(width, height, team, full, visit):
    page = visit(team.roost, viewport={"width": width, "height": height}, has_touch=True, is_mobile=True).page("/chat")
    expect(page.locator("#conversations")).to_be_visible()
    expect(page.locator("#composer")).to_have_count(0)
    page.locator(f'[data-conversation="{full}"]').click()
    ready(page)
    expect(page.locator("#conversations")).to_be_hidden()
    expect(composer(page)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Send", exact=True)).to_be_in_viewport(ratio=1)
    assert overflow(page) == [0, 0]
    if height > 420:
        page.get_by_role("link", name="All conversations").click()
        expect(page.locator("#conversations")).to_be_visible()


def test_on_a_phone_enter_breaks_the_line_and_the_button_sends(team, visit):
    chat = team.group("Phone")
    page = open_chat(visit, team, "ada", chat, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    composer(page).press_sequentially("Two")
    composer(page).press("Enter")
    composer(page).press_sequentially("lines")
    page.get_by_role("button", name="Send", exact=True).tap()
    eventually("the message", lambda: team.texts(chat) == ["Two\nlines"])


def test_no_line_is_longer_than_ninety_characters(team, full, visit):
    page = open_chat(visit, team, "ada", full, viewport={"width": 1920, "height": 1080})
    wide = page.evaluate("""() => {
        const ruler = document.createElement("span");
        document.querySelector(".message .text").append(ruler);
        ruler.textContent = "0".repeat(90);
        ruler.style.cssText = "position: absolute; white-space: pre";
        const most = ruler.getBoundingClientRect().width;
        ruler.remove();
        return [...document.querySelectorAll(".message .text")].filter((text) => text.clientWidth > most).length;
    }""")
    assert wide == 0


def test_consecutive_messages_of_one_person_share_one_name(team, visit):
    chat = team.group("Grouped")
    for who, text in [("grace", "One"), ("grace", "Two"), ("alan", "Three")]:
        team.say(who, chat, text)
    page = open_chat(visit, team, "ada", chat)
    team.say("alan", chat, "Four")
    for text, is_following in {"One": False, "Two": True, "Three": False, "Four": True}.items():
        expect(message(page, text).locator(".from .name")).to_be_visible(visible=not is_following)
    expect(page.locator("#messages .day")).to_have_count(1)


def test_a_conversation_stays_within_its_budget(team, full, visit):
    page = visit(team.roost).page("about:blank")
    bodies = heard(page)
    page.goto(f"{team.roost.url}/chat/{full}")
    ready(page)
    costs_little(bodies, BUDGETS)
    page.get_by_role("button", name="Emoji", exact=True).click()
    expect(page.get_by_role("listbox", name="Emoji")).to_be_visible()
    page.locator("li.message.mine .more").last.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#message-menu")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("#composer input[type=file]").set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"})
    expect(page.locator(".attachments li")).to_have_count(1)
    page.get_by_role("button", name="Notifications", exact=True).click()
    expect(page.locator(".chat-alerts")).to_be_visible()
    costs_little(bodies, EVERYTHING)
