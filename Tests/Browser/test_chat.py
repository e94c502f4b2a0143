"""Three people chat in three browsers, and each sees the others' changes without a reload."""

import re
import time

from chat import (
    AWAY, act, composer, has_status, look_away, look_back, meanwhile, message, open_chat, ready, row, texts, write)
from playwright.sync_api import expect
from program import eventually
from test_tabs import settles_at_one
from visit import idle, is_marked, mark

TYPED = """() => {
    const area = document.querySelector("#composer textarea");
    area.addEventListener("input", () => { globalThis.typedAt = Date.now(); }, { once: true, capture: true });
}"""
SEEN = """() => {
    const line = document.getElementById("typing");
    new MutationObserver((_, observer) => {
        if (!line.textContent.trim()) return;
        globalThis.seenAt = Date.now();
        observer.disconnect();
    }).observe(line, { childList: true, subtree: true, characterData: true });
}"""


def test_everyone_sees_all_messages_in_the_same_order(team, visit):
    chat = team.group("In order")
    pages = {who: open_chat(visit, team, who, chat) for who in ("ada", "grace", "alan")}
    for page in pages.values():
        mark(page)
    written = []
    for turn in range(3):
        for who, page in pages.items():
            written.append(f"{who} {turn}")
            write(page, written[-1])
            expect(message(page, written[-1])).to_be_visible()
            expect(composer(page)).to_have_value("")
            has_status(page, written[-1], re.compile("sent|delivered|read"))
    for who, page in pages.items():
        eventually(f"every message at {who}’s", lambda: texts(page) == written)  # noqa: B023
        assert is_marked(page)
    assert team.texts(chat) == written


def test_a_message_goes_from_sending_to_sent_delivered_and_read(team, visit):
    chat = team.pair()
    adas = open_chat(visit, team, "ada", chat)
    held = []
    adas.route("**/messages", lambda route: held.append(route))
    write(adas, "Is the tide table out?")
    status = message(adas, "Is the tide table out?").locator(".status")
    expect(status).to_have_text("Sending...")
    expect(status).to_have_class("status sending")
    meanwhile(adas, "the request", lambda: held)
    held.pop().continue_()
    adas.unroute("**/messages")
    expect(status).to_have_text("Sent")
    browser = visit(team.roost, team.guests["grace"])
    browser.context.add_init_script(AWAY)
    graces = ready(browser.page(f"/chat/{chat}"))
    expect(message(graces, "Is the tide table out?")).to_be_visible()
    expect(status).to_have_text("Delivered")
    assert team.unread("grace", chat) == 1
    look_back(graces)
    expect(status).to_have_text("Read")
    expect(status).to_have_class("status read")
    assert team.unread("grace", chat) == 0


def test_a_message_says_how_long_ago_it_was_sent(team, visit):
    chat = team.group("Ages")
    pages = [open_chat(visit, team, who, chat) for who in ("ada", "grace")]
    write(pages[0], "Low water")
    for page in pages:
        when = message(page, "Low water").locator(".when time")
        expect(when).to_have_attribute("title", re.compile(r"^(now|\d+ (second|minute)s? ago)$"))
        eventually("a growing age", lambda: when.get_attribute("title") != "now")  # noqa: B023


def test_a_message_of_invisible_characters_is_not_sent(team, visit):
    chat = team.group("Nothing")
    adas = open_chat(visit, team, "ada", chat)
    for text in ("\u200b", "\u2060\u00ad", "\u2800", " \u3164"):
        composer(adas).fill(text)
        composer(adas).press("Enter")
    write(adas, "High water")
    has_status(adas, "High water", re.compile("sent|delivered|read"))
    assert team.texts(chat) == ["High water"]


def test_a_group_message_has_its_slowest_members_status_and_a_list_of_receipts(team, visit):
    chat = team.group("Who has it")
    adas = open_chat(visit, team, "ada", chat)
    write(adas, "Who has read this?")
    open_chat(visit, team, "grace", chat)
    eventually("Grace has read it", lambda: team.unread("grace", chat) == 0)
    has_status(adas, "Who has read this?", "sent")
    act(adas, "Who has read this?", "Who has read it")
    people = adas.locator("#message-menu .receipts li")
    expect(people.filter(has_text="grace")).to_contain_text("Read")
    expect(people.filter(has_text="alan")).to_contain_text("Sent")
    adas.keyboard.press("Escape")
    browser = visit(team.roost, team.guests["alan"])
    browser.context.add_init_script(AWAY)
    alans = ready(browser.page(f"/chat/{chat}"))
    has_status(adas, "Who has read this?", "delivered")
    look_back(alans)
    has_status(adas, "Who has read this?", "read")


def test_typing_shows_within_half_a_second_and_until_it_stops(team, visit):
    chat = team.group("Typing")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    line = graces.locator("#typing")
    delays = []
    for _ in range(3):  # a busy machine may be slow once
        expect(line).to_be_empty()
        adas.evaluate(TYPED)
        graces.evaluate(SEEN)
        composer(adas).press_sequentially("So")
        expect(line).to_contain_text("ada is typing")
        delays.append(graces.evaluate("() => seenAt") - adas.evaluate("() => typedAt"))
        composer(adas).fill("")
        if delays[-1] <= 500:
            break
    assert min(delays) <= 500, delays
    composer(adas).press_sequentially("longer", delay=900)  # milliseconds between the keys
    expect(line).to_contain_text("ada is typing")
    stopped = time.monotonic()
    expect(line).to_be_empty()
    assert time.monotonic() - stopped < 5
    expect(adas.locator("#typing")).to_be_empty()


def test_edits_reactions_replies_and_deletions_reach_everyone(team, visit):
    chat = team.group("Changes")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    write(adas, "High water at nien")
    expect(message(graces, "High water at nien")).to_be_visible()
    has_status(adas, "High water at nien", re.compile("sent|delivered|read"))
    act(adas, "High water at nien", "Edit")
    area = adas.get_by_label("Edit the message")
    expect(area).to_have_value("High water at nien")
    area.fill("High water at nine")
    area.press("Enter")
    for page in (adas, graces):
        expect(message(page, "High water at nine").locator(".edited")).to_be_visible()
    act(graces, "High water at nine", "👍")
    for page, is_own in ((adas, "false"), (graces, "true")):
        reaction = message(page, "High water at nine").locator('.reactions [data-emoji="👍"]')
        expect(reaction).to_have_attribute("aria-pressed", is_own)
        expect(reaction).to_contain_text("1")
    message(graces, "High water at nine").locator(".reactions button").click()
    for page in (adas, graces):
        expect(message(page, "High water at nine").locator(".reactions")).to_have_count(0)
    act(graces, "High water at nine", "Reply")
    expect(graces.locator("#replying")).to_contain_text("High water at nine")
    write(graces, "Thanks")
    expect(graces.locator("#replying")).to_be_hidden()
    expect(message(adas, "Thanks").locator(".quote")).to_contain_text("High water at nine")
    act(adas, "High water at nine", "Delete")
    adas.get_by_role("button", name="Delete for everyone?").click()
    for page in (adas, graces):
        expect(page.locator("li.message.deleted .text")).to_have_text("Message deleted")
        expect(message(page, "High water at nine")).to_have_count(0)
    assert team.texts(chat) == ["", "Thanks"]


def test_an_edit_stays_when_an_older_version_of_the_message_arrives_late(team, visit):
    """Messages with a link to a page of Roost are fetched with its card."""
    chat = team.group("Late version")
    page = open_chat(visit, team, "ada", chat)
    held = []
    page.route(re.compile(rf"/chat/{chat}/messages/"), lambda route: held.append((route, route.fetch())))
    link = f"{team.roost.url}/coins/bitcoin"
    sent = team.say("grace", chat, f"Befor {link}")
    meanwhile(page, "the first version", lambda: held)
    edited = team.ask("grace", "PATCH", f"/{chat}/messages/{sent['seq']}", {"text": f"After {link}"})
    assert edited.status == 200, edited.text
    text = page.locator("#messages .text")
    expect(text).to_contain_text("After")
    route, answer = held[0]
    with page.expect_event("requestfinished", lambda request: request == route.request):
        route.fulfill(response=answer)
    idle(page)
    expect(text).to_contain_text("After")
    meanwhile(page, "the second version", lambda: len(held) > 1)
    page.unroute_all(behavior="ignoreErrors")


def test_another_users_message_cannot_be_edited_or_deleted(team, visit):
    chat = team.group("Not mine")
    team.say("ada", chat, "Ada’s own")
    graces = open_chat(visit, team, "grace", chat)
    message(graces, "Ada’s own").hover()
    message(graces, "Ada’s own").locator(".more").click()
    menu = graces.locator("#message-menu")
    for name, is_there in {"Reply": True, "Mark unread": True, "Edit": False, "Delete": False}.items():
        expect(menu.get_by_role("button", name=name, exact=True)).to_be_visible(visible=is_there)


def test_markup_in_a_message_stays_text(team, visit):
    chat = team.group("Markup")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    text = "<script>document.title = 'bad'</script><img src=x onerror=\"document.title = 'bad'\"><b>bold</b>"
    held = []
    adas.route("**/messages", lambda route: held.append(route))
    write(adas, text)
    expect(message(adas, text)).to_be_visible()  # as shown before Roost has it
    meanwhile(adas, "the request", lambda: held)
    held.pop().continue_()
    for page in (adas, graces):
        expect(message(page, text)).to_be_visible()
        has_status(page, text, re.compile("sent|delivered|read"))
        assert page.locator("#messages :is(script, img[onerror], .text b)").count() == 0
        assert "bad" not in page.title()


def test_unread_counts_in_the_list_and_the_title_update(team, visit):
    chat, other = team.group("Counted"), team.group("Elsewhere")
    team.say("ada", other, "Before")
    page = visit(team.roost, team.guests["alan"]).page("/chat")
    mark(page)
    for number in (1, 2):
        team.say("grace", chat, f"News {number}")
        expect(row(page, chat).locator(".unread")).to_have_text(re.compile(f"^{number}"))
    assert row(page, chat).evaluate("(one) => one.parentElement.firstElementChild === one"), "the newest conversation is not first"
    expect(row(page, chat).locator(".facts")).to_contain_text("News 2")
    total = team.total("alan")
    expect(page).to_have_title(re.compile(rf"^\({total}\) "))
    assert is_marked(page)
    open_chat(visit, team, "alan", chat)  # in another browser
    expect(row(page, chat).locator(".unread")).to_be_hidden()
    expect(page).to_have_title(re.compile(rf"^\({total - 2}\) " if total > 2 else r"^[^(]"))


def test_the_icon_of_every_page_shows_unread_messages(team, visit):
    hedy = team.roost.add_user("hedy")
    chat = team.roost.ask("POST", "/api/v1/conversations", {"participants": [team.roost.get("/api/v1/me", guest=hedy).json["userId"]]},
                          guest=team.guests["grace"]).json["id"]
    page = visit(team.roost, hedy).page("/watchlist")
    icon = page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("/favicon.svg$"))
    team.say("grace", chat, "Are you there?")
    expect(icon).to_have_attribute("href", re.compile("/favicon-unread.svg$"))
    expect(visit(team.roost, hedy).page("/settings").locator("link[rel=icon]")).to_have_attribute("href", re.compile("/favicon-unread.svg$"))
    expect(message(visit(team.roost, hedy).page(f"/chat/{chat}"), "Are you there?")).to_be_visible()
    expect(icon).to_have_attribute("href", re.compile("/favicon.svg$"))


def test_two_tabs_share_one_poll_and_both_get_every_message(team, visit):
    chat = team.group("Two tabs")
    browser = visit(team.roost)
    pages = [ready(browser.page(f"/chat/{chat}")) for _ in range(2)]
    settles_at_one(team.roost)
    write(pages[0], "From the first tab")
    team.say("grace", chat, "From elsewhere")
    for page in pages:
        expect(message(page, "From elsewhere")).to_be_visible()
        # Either message may come first.
        eventually("both messages", lambda: sorted(texts(page)) == ["From elsewhere", "From the first tab"])  # noqa: B023
        expect(message(page, "From the first tab")).to_have_class(re.compile(r"\bmine\b"))
    eventually("the same order", lambda: texts(pages[0]) == texts(pages[1]))
    settles_at_one(team.roost)


def test_a_tab_without_a_chat_polls_for_a_tab_with_one(team, visit):
    chat = team.group("Followed")
    browser = visit(team.roost)
    browser.page("/displays")
    page = ready(browser.page(f"/chat/{chat}"))
    settles_at_one(team.roost)
    team.say("grace", chat, "The first wakes the tab")
    expect(message(page, "The first wakes the tab")).to_be_visible()
    for number in range(10):  # until the polling tab knows the other tab's cursor
        begin = len(browser.requests)
        text = team.say("grace", chat, f"And number {number}")["text"]
        expect(message(page, text)).to_be_visible()
        if not any("/log?" in url for url in browser.requests[begin:]):
            return
    raise AssertionError("no poll carries a message")


def test_no_message_is_missed_during_a_restart(team, visit):
    chat = team.group("Restarted")
    page = open_chat(visit, team, "ada", chat)
    mark(page)
    team.say("grace", chat, "Before it")
    expect(message(page, "Before it")).to_be_visible()
    host = team.roost.host
    team.roost.kill()
    expect(page.locator("#banner")).to_contain_text("Roost hasn’t responded since")
    team.roost.listen(host)
    team.roost.start()
    sent = [team.say("grace", chat, f"After it {number}")["text"] for number in range(3)]
    eventually("every message", lambda: texts(page) == ["Before it", *sent], 60)
    expect(page.locator("#banner")).to_be_empty(timeout=60_000)
    assert is_marked(page)


def test_a_line_marks_the_first_new_message_after_an_absence(team, visit):
    chat = team.group("Away")
    team.say("grace", chat, "Known")
    page = open_chat(visit, team, "ada", chat)
    eventually("it is read", lambda: team.unread("ada", chat) == 0)
    look_away(page)
    team.say("grace", chat, "New 1")
    team.say("alan", chat, "New 2")
    expect(message(page, "New 2")).to_be_visible()
    expect(page.locator("#unread + li .text")).to_have_text("New 1")
    assert team.unread("ada", chat) == 2
    look_back(page)
    eventually("it is read", lambda: team.unread("ada", chat) == 0)
    expect(page.locator("#unread")).to_be_visible()
    write(page, "Answered")
    expect(page.locator("#unread")).to_have_count(0)


def test_a_message_marked_unread_stays_unread_until_the_user_goes_to_the_latest(team, visit):
    chat = team.group("Marked")
    for number in range(3):
        team.say("grace", chat, f"Line {number}")
    page = open_chat(visit, team, "ada", chat)
    eventually("it is read", lambda: team.unread("ada", chat) == 0)
    act(page, "Line 1", "Mark unread")
    expect(page.locator("#unread + li .text")).to_have_text("Line 1")
    eventually("two are unread", lambda: team.unread("ada", chat) == 2)
    expect(row(page, chat).locator(".unread")).to_have_text(re.compile("^2"))
    look_away(page)
    look_back(page)
    assert team.unread("ada", chat) == 2
    composer(page).press("Escape")
    eventually("it is read", lambda: team.unread("ada", chat) == 0)


def test_a_removed_member_is_sent_back_to_the_list(team, visit):
    chat = team.group("Closed to Alan")
    page = open_chat(visit, team, "alan", chat)
    assert team.ask("ada", "DELETE", f"/{chat}/members/{team.ids['alan']}").status == 204
    expect(page).to_have_url(re.compile("/chat$"))
    expect(row(page, chat)).to_have_count(0)


def test_screen_readers_announce_messages_from_others(team, visit):
    chat = team.group("Heard")
    page = open_chat(visit, team, "ada", chat)
    team.say("grace", chat, "Hello there")
    expect(page.locator("body > [role=log]")).to_contain_text("grace: Hello there")
    write(page, "My own")
    has_status(page, "My own", re.compile("sent|delivered|read"))
    expect(page.locator("body > [role=log]")).not_to_contain_text("My own")
