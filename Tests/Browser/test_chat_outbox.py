"""Messages sent while the network or Roost is down: kept, resent under the same id, and never duplicated."""

import json
import re
import uuid

import pytest
from chat import composer, has_status, meanwhile, message, open_chat, ready, texts, write
from playwright.sync_api import expect
from program import eventually

POSTS = re.compile(r"/api/v1/conversations/[^/]+/messages$")
# A closing page resends waiting messages, and its timers may too, bypassing the test's routes. This prevents both.
QUIET_END = """() => {
    window.fetch = () => new Promise(() => {});
    addEventListener("pagehide", (event) => event.stopImmediatePropagation(), true);
}"""
ON_ITS_WAY = re.compile("sent|delivered|read")


def cut(page):
    """Blocks all messages; returns the ids of the attempted ones."""
    tried = []

    def refuse(route):
        tried.append(json.loads(route.request.post_data)["id"])
        route.abort()

    page.route(POSTS, refuse)
    return tried


def status(page, text):
    return message(page, text).locator(".status")


def outbox(page, team, who="ada"):
    return page.evaluate("""(prefix) => Object.keys(localStorage).filter((key) => key.startsWith(prefix))
        .map((key) => JSON.parse(localStorage.getItem(key))).sort((one, other) => one.order - other.order)""",
        f"chat-outbox-{team.ids[who]}-")


def test_a_send_that_is_cut_off_is_not_confirmed_and_is_retried(team, visit):
    chat = team.group("Cut")
    page = open_chat(visit, team, "ada", chat)
    tried = cut(page)
    write(page, "Through the storm")
    expect(status(page, "Through the storm")).to_have_text("Not confirmed")
    expect(status(page, "Through the storm")).to_have_class("status sending")
    assert team.texts(chat) == []
    meanwhile(page, "another try", lambda: len(tried) > 1)
    with page.expect_request(POSTS) as request:
        page.unroute(POSTS)
        has_status(page, "Through the storm", ON_ITS_WAY)
    assert {*tried, json.loads(request.value.post_data)["id"]} == {tried[0]}
    assert team.texts(chat) == ["Through the storm"]
    eventually("an empty outbox", lambda: outbox(page, team) == [])


def test_a_lost_response_creates_no_second_message(team, visit):
    chat = team.group("Lost answer")
    page = open_chat(visit, team, "ada", chat)

    def lose(route):
        route.fetch()
        route.abort()

    page.route(POSTS, lose, times=1)
    write(page, "Once only")
    has_status(page, "Once only", ON_ITS_WAY)
    write(page, "And the next")
    has_status(page, "And the next", ON_ITS_WAY)
    assert team.texts(chat) == ["Once only", "And the next"]
    assert texts(page) == ["Once only", "And the next"]


def test_an_offline_browser_sends_in_order_once_online(team, visit):
    chat = team.group("Offline")
    page = open_chat(visit, team, "ada", chat)
    page.context.set_offline(True)
    written = [f"Offline {number}" for number in range(3)]
    for text in written:
        write(page, text)
        has_status(page, text, "sending")
    expect(status(page, written[0])).to_have_text("Not confirmed")
    page.context.set_offline(False)
    for text in written:
        has_status(page, text, ON_ITS_WAY)
    assert team.texts(chat) == texts(page) == written


def test_messages_written_during_an_outage_are_sent_afterwards(team, visit):
    chat = team.group("Killed")
    page = open_chat(visit, team, "ada", chat)
    host = team.roost.host
    team.roost.kill()
    write(page, "Written to nobody")
    expect(status(page, "Written to nobody")).to_have_text("Not confirmed")
    team.roost.listen(host)
    team.roost.start()
    expect(message(page, "Written to nobody")).to_have_attribute("data-status", ON_ITS_WAY, timeout=60_000)
    assert team.texts(chat) == ["Written to nobody"]


def test_a_refused_message_says_why_and_can_be_edited(team, visit):
    chat = team.group("Refused")
    page = open_chat(visit, team, "ada", chat)
    text = "too long " * 2_000 + "end"
    write(page, text)
    failed = page.locator("li.message[data-status=failed]")
    expect(failed.locator(".status")).to_have_text("Failed")
    expect(failed.locator(".status")).to_have_class("status failed")
    expect(failed.locator(".why")).not_to_be_empty()
    write(page, "The next one goes")
    has_status(page, "The next one goes", ON_ITS_WAY)
    failed.get_by_role("button", name="Edit").click()
    expect(failed).to_have_count(0)
    expect(composer(page)).to_have_value(text)
    composer(page).press("Enter")
    failed.get_by_role("button", name="Discard").click()
    expect(failed).to_have_count(0)
    page.reload()
    ready(page)
    assert texts(page) == team.texts(chat) == ["The next one goes"]


def test_an_unsent_message_survives_a_reload(team, visit):
    chat = team.group("Reloaded")
    page = open_chat(visit, team, "ada", chat)
    tried = cut(page)
    write(page, "Still here")
    meanwhile(page, "a try", lambda: tried)
    page.evaluate(QUIET_END)
    page.reload()
    ready(page)
    has_status(page, "Still here", "sending")
    page.unroute(POSTS)
    has_status(page, "Still here", ON_ITS_WAY)
    assert team.texts(chat) == ["Still here"]
    assert len(set(tried)) == 1


def test_an_unsent_message_survives_its_tab(team, visit):
    chat = team.group("Closed tab")
    browser = visit(team.roost)
    page = ready(browser.page(f"/chat/{chat}"))
    tried = cut(page)
    write(page, "From a closed tab")
    meanwhile(page, "a try", lambda: tried)
    page.evaluate(QUIET_END)
    other = ready(browser.page(f"/chat/{chat}"))
    page.close()
    expect(message(other, "From a closed tab")).to_have_attribute("data-status", ON_ITS_WAY, timeout=60_000)
    assert team.texts(chat) == ["From a closed tab"]


def test_a_tab_never_writes_another_tabs_messages(team, visit):
    """Otherwise one of two tabs that write at the same time would lose its message."""
    chats = [team.group("Left tab"), team.group("Right tab")]
    browser = visit(team.roost)
    left, right = tabs = [ready(browser.page(f"/chat/{chat}")) for chat in chats]
    tried = [cut(tab) for tab in tabs]
    write(right, "From the right")
    meanwhile(right, "a try", lambda: tried[1])
    left.evaluate("""() => {
        window.written = [];
        for (const name of ["setItem", "removeItem"]) {
            const original = Storage.prototype[name];
            Storage.prototype[name] = function (key, ...values) {
                if (key.startsWith("chat-outbox")) window.written.push(key);
                return original.call(this, key, ...values);
            };
        }
    }""")
    write(left, "From the left")
    meanwhile(left, "a try", lambda: tried[0])
    meanwhile(left, "signs of life", lambda: len(left.evaluate("window.written")) > 4)
    left.unroute(POSTS)
    has_status(left, "From the left", ON_ITS_WAY)
    assert {*left.evaluate("window.written")} == {f"chat-outbox-{team.ids['ada']}-{tried[0][0]}"}
    assert [item["text"] for item in outbox(left, team)] == ["From the right"]


def test_messages_stored_by_an_earlier_version_are_sent(team, visit):
    chat = team.group("Earlier version")
    page = open_chat(visit, team, "ada", chat)
    stored = [{"id": str(uuid.uuid4()), "chat": chat, "tab": "closed", "at": "NOW", "beat": 0, "state": "waiting", "text": text}
              for text in ("First", "Second")]
    page.evaluate("""([key, items]) => localStorage.setItem(key, JSON.stringify(items).replaceAll('"NOW"', Date.now()))""",
                  [f"chat-outbox-{team.ids['ada']}", stored])
    page.reload()
    eventually("both messages", lambda: team.texts(chat) == ["First", "Second"], 60)
    eventually("an empty outbox", lambda: outbox(page, team) == [])


def test_after_two_minutes_the_user_can_retry_or_discard(team, visit):
    chat = team.group("Asked")
    page = open_chat(visit, team, "ada", chat)
    tried = cut(page)
    write(page, "What of this?")
    write(page, "And of this?")
    meanwhile(page, "a try", lambda: tried)
    page.evaluate(QUIET_END)
    page.evaluate("""(prefix) => {
        for (const key of Object.keys(localStorage).filter((each) => each.startsWith(prefix))) {
            const item = JSON.parse(localStorage.getItem(key));
            localStorage.setItem(key, JSON.stringify({ ...item, at: item.at - 121_000 }));
        }
    }""", f"chat-outbox-{team.ids['ada']}-")
    page.reload()
    ready(page)
    for text in ("What of this?", "And of this?"):
        expect(status(page, text)).to_have_text("Not confirmed")
        expect(message(page, text).get_by_role("button", name="Retry")).to_be_visible()
    page.unroute(POSTS)
    message(page, "And of this?").get_by_role("button", name="Discard").click()
    expect(message(page, "And of this?")).to_have_count(0)
    message(page, "What of this?").get_by_role("button", name="Retry").click()
    has_status(page, "What of this?", ON_ITS_WAY)
    assert team.texts(chat) == ["What of this?"]


def test_the_next_user_of_the_browser_neither_sees_nor_sends_it(team, visit):
    chat = team.group("Shared browser")
    browser = visit(team.roost)
    page = ready(browser.page(f"/chat/{chat}"))
    cut(page)
    write(page, "Ada’s own words")
    expect(status(page, "Ada’s own words")).to_have_text("Not confirmed")
    page.goto("about:blank")
    name, _, value = team.guests["grace"].cookie.partition("=")
    cookies = browser.context.cookies()
    browser.context.clear_cookies()
    browser.context.add_cookies([{"name": name, "value": value, "url": team.roost.url, "httpOnly": True, "sameSite": "Lax"}])
    page.unroute(POSTS)
    page.goto(f"/chat/{chat}")
    ready(page)
    write(page, "Grace was here")
    has_status(page, "Grace was here", ON_ITS_WAY)
    # The first page may have resent Ada's waiting message when it closed.
    by = {each["text"]: each["senderId"] for each in team.messages(chat)}
    assert by.pop("Ada’s own words", team.ids["ada"]) == team.ids["ada"]
    assert by == {"Grace was here": team.ids["grace"]}
    expect(page.locator("li.message.mine .text")).to_have_text(["Grace was here"])
    browser.context.clear_cookies()
    browser.context.add_cookies(cookies)
    page.goto(f"/chat/{chat}")
    has_status(ready(page), "Ada’s own words", ON_ITS_WAY)
    assert sorted(team.texts(chat)) == ["Ada’s own words", "Grace was here"]
    by = {each["text"]: each["senderId"] for each in team.messages(chat)}
    assert by == {"Grace was here": team.ids["grace"], "Ada’s own words": team.ids["ada"]}


@pytest.mark.parametrize("is_other_tab", [False, True])
def test_a_draft_survives_a_reload(is_other_tab, team, visit):
    chat = team.group(f"Draft {is_other_tab}")
    browser = visit(team.roost)
    page = ready(browser.page(f"/chat/{chat}"))
    page.route("**/draft", lambda route: route.abort())
    composer(page).fill("Half a thou")
    if is_other_tab:
        page.close()
        page = browser.page(f"/chat/{chat}")
    else:
        page.reload()
    expect(composer(ready(page))).to_have_value("Half a thou")


def test_a_draft_appears_in_other_browsers_and_is_removed_when_sent(team, visit):
    chat = team.group("Drafts")
    desk, phone = (open_chat(visit, team, "ada", chat) for _ in range(2))
    composer(desk).press_sequentially("Begun at the desk")
    expect(composer(phone)).to_have_value("Begun at the desk")
    assert open_chat(visit, team, "grace", chat).locator("#composer textarea").input_value() == ""
    composer(phone).press("End")
    composer(phone).press_sequentially(", ended on the phone")
    expect(composer(desk)).to_have_value("Begun at the desk, ended on the phone")
    composer(phone).press("Enter")
    expect(composer(desk)).to_have_value("")
    assert team.texts(chat) == ["Begun at the desk, ended on the phone"]
    desk.reload()
    expect(composer(ready(desk))).to_have_value("")
