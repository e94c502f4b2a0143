"""A long conversation: where it opens, and scrolling back and forward without a jump."""

import re

import pytest
from chat import (
    AWAY, composer, is_at_end, look_back, message, open_chat, ready, scroll_to, texts, top_of)
from playwright.sync_api import expect
from program import eventually

LINES = [f"Line {number}" for number in range(1, 141)]
OLDER = re.compile(r"/chat/[^/]+\?before=")


@pytest.fixture(scope="module")
def long(team):
    """A conversation with 140 messages by Grace; returns its id and the messages as JSON."""
    chat = team.group("A long one")
    return chat, [team.say("grace", chat, line) for line in LINES]


def read_all(team, who, chat, lines):
    assert team.ask(who, "POST", f"/{chat}/receipts", {"readSeq": lines[-1]["seq"]}).status == 204


def test_it_opens_at_the_end_and_loads_older_messages_without_a_jump(team, long, visit):
    chat, lines = long
    read_all(team, "ada", chat, lines)
    page = open_chat(visit, team, "ada", chat)
    expect(message(page, "Line 140")).to_be_in_viewport()
    assert is_at_end(page)
    for _ in range(20):
        shown = texts(page)
        assert shown == LINES[-len(shown):], "a message is missing or shown twice"
        if len(shown) == len(LINES):
            break
        held = []
        page.route(OLDER, lambda route: held.append(route))  # noqa: B023
        # Messages requested earlier may still arrive.
        eventually("the request for older messages",
                   lambda: held or len(texts(page)) == len(LINES) or scroll_to(page, 0))  # noqa: B023
        if not held:
            continue
        shown = texts(page)
        before = top_of(page, shown[2])
        held.pop().continue_()
        page.unroute(OLDER)
        eventually("older messages", lambda: len(texts(page)) > len(shown))  # noqa: B023
        assert abs(top_of(page, shown[2]) - before) < 2
    assert texts(page) == LINES
    expect(page.locator("#older")).to_have_count(0)
    expect(page.locator(".beginning")).to_have_count(1)
    expect(page.locator("#messages .day")).to_have_count(1)


def test_content_that_grows_above_does_not_move_the_visible_messages(team, long, visit):
    chat, lines = long
    read_all(team, "ada", chat, lines)
    page = open_chat(visit, team, "ada", chat)
    middle = page.evaluate("() => document.getElementById('history').scrollHeight / 2")
    scroll_to(page, middle)
    shown = page.evaluate("""() => {
        const top = document.getElementById("history").getBoundingClientRect().top;
        return [...document.querySelectorAll(".message")].find((one) => one.getBoundingClientRect().top > top)
            .querySelector(".text").textContent;
    }""")
    before = top_of(page, shown)
    page.evaluate("""() => {
        const image = new Image(10, 300);
        image.style.display = "block";
        document.querySelector(".message .text").append(image);
    }""")
    eventually("an unchanged position", lambda: abs(top_of(page, shown) - before) < 2)
    assert page.evaluate("() => document.querySelector('.message .text img').height") == 300


def test_new_messages_keep_the_history_at_its_end_and_are_counted_when_scrolled_back(team, visit):
    chat = team.group("Counted below")
    for number in range(60):
        team.say("grace", chat, f"Old {number}")
    page = open_chat(visit, team, "ada", chat)
    composer(page).press("Escape")
    eventually("the end", lambda: is_at_end(page))
    expect(page.locator("#latest")).to_be_hidden()
    team.say("grace", chat, "Seen at once")
    expect(message(page, "Seen at once")).to_be_in_viewport()
    eventually("the end", lambda: is_at_end(page))
    eventually("it is read", lambda: team.unread("ada", chat) == 0)
    scroll_to(page, 200)
    expect(page.locator("#latest")).to_be_visible()
    shown = texts(page)[8]
    before = top_of(page, shown)
    for number in (1, 2):
        team.say("grace", chat, f"Below {number}")
        expect(page.locator("#latest .count")).to_have_text(str(number))
    assert abs(top_of(page, shown) - before) < 2
    assert team.unread("ada", chat) == 2
    page.locator("#latest").click()
    expect(message(page, "Below 2")).to_be_in_viewport()
    expect(page.locator("#latest")).to_be_hidden()
    eventually("it is read", lambda: team.unread("ada", chat) == 0)


def test_a_new_message_does_not_undo_a_scroll_before_its_event(team, visit):
    chat = team.group("Scrolled at once")
    for number in range(60):
        team.say("grace", chat, f"Old {number}")
    browser = visit(team.roost, team.guests["ada"])
    browser.context.add_init_script("""addEventListener("roost:changed", ({ detail: { chat } }) => {
        const isIt = chat?.entries.some(({ message }) => message?.text === "Meanwhile");
        if (isIt) document.getElementById("history").scrollTop = 200;
    })""")
    page = ready(browser.page(f"/chat/{chat}"))
    eventually("the end", lambda: is_at_end(page))
    team.say("grace", chat, "Meanwhile")
    expect(page.locator("#latest .count")).to_have_text("1")
    assert top_of(page, "Old 0") < 0 and not is_at_end(page)


def test_it_opens_at_the_first_unread_message_and_marks_visible_ones_as_read(team, visit):
    chat = team.group("Unread")
    known = team.say("grace", chat, "Known")
    for number in range(45):
        team.say("grace", chat, f"Unread {number}")
    assert team.ask("alan", "POST", f"/{chat}/receipts", {"readSeq": known["seq"]}).status == 204
    browser = visit(team.roost, team.guests["alan"])
    browser.context.add_init_script(AWAY)
    page = ready(browser.page(f"/chat/{chat}"))
    expect(page.locator("#unread")).to_be_in_viewport()
    expect(message(page, "Unread 0")).to_be_in_viewport()
    expect(message(page, "Unread 44")).not_to_be_in_viewport()
    assert team.unread("alan", chat) == 45  # the window has no focus
    look_back(page)
    eventually("visible messages marked as read", lambda: team.unread("alan", chat) < 45)
    assert team.unread("alan", chat) > 0
    composer(page).press("Escape")
    expect(message(page, "Unread 44")).to_be_in_viewport()
    eventually("all messages marked as read", lambda: team.unread("alan", chat) == 0)


def test_a_link_leads_to_unread_messages_beyond_the_page(team, visit):
    chat = team.group("Very unread")
    for number in range(60):
        team.say("alan", chat, f"Unread {number}")
    page = open_chat(visit, team, "grace", chat)
    expect(message(page, "Unread 59")).to_be_in_viewport()
    page.get_by_role("link", name="60 new messages").click()
    expect(message(ready(page), "Unread 0")).to_be_in_viewport()
    expect(page.locator("#unread + li .text")).to_have_text("Unread 0")
    expect(message(page, "Unread 59")).not_to_be_in_viewport()


def test_a_permanent_link_opens_its_message_and_scrolls_to_the_end_without_a_gap(team, long, visit):
    chat, lines = long
    read_all(team, "ada", chat, lines)
    target = lines[19]
    page = visit(team.roost).page(f"/chat/{chat}?message={target['seq']}#m-{target['seq']}")
    expect(message(ready(page), "Line 20")).to_be_in_viewport()
    expect(page.locator("#newer")).to_have_count(1)
    news = team.say("grace", chat, "Said meanwhile")
    expect(page.locator("#latest .count")).to_have_text("1")
    assert "Said meanwhile" not in texts(page)
    eventually("the newest messages", lambda: scroll_to(page, 1_000_000) or not page.locator("#newer").count())
    scroll_to(page, 1_000_000)  # the last ones may have come after the last scroll
    shown = texts(page)
    expected = [*LINES, "Said meanwhile"]
    assert shown == expected[expected.index(shown[0]):]
    expect(message(page, "Said meanwhile")).to_be_in_viewport()
    assert team.ask("grace", "DELETE", f"/{chat}/messages/{news['seq']}").status < 300
    expect(page.locator("li.message.deleted")).to_have_count(1)


def test_escape_goes_to_the_latest_message_from_far_back(team, long, visit):
    chat, lines = long
    page = visit(team.roost).page(f"/chat/{chat}?message={lines[9]['seq']}#m-{lines[9]['seq']}")
    expect(message(ready(page), "Line 10")).to_be_in_viewport()
    composer(page).press("Escape")
    expect(message(page, "Line 140")).to_be_visible()
    expect(page.locator("#newer")).to_have_count(0)


def test_a_large_gap_after_an_outage_is_filled(team, visit):
    chat = team.group("A gap")
    page = open_chat(visit, team, "ada", chat)
    page.context.set_offline(True)
    sent = [team.say("alan", chat, f"Missed {number}")["text"] for number in range(230)]
    page.context.set_offline(False)
    eventually("every message, once", lambda: texts(page) == sent, 60)
