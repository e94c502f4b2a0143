"""The chat without JavaScript, by forms and links."""

import re

import pytest
from chat import has_status, message, open_chat, row
from playwright.sync_api import expect
from program import eventually


@pytest.fixture
def quiet(team, visit):
    return lambda who, path: visit(team.roost, team.guests[who], java_script_enabled=False).page(path)


def send(page, text):
    page.locator("#composer textarea").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def test_a_user_reads_writes_and_replies(team, visit, quiet):
    chat = team.group("Without scripts")
    adas = open_chat(visit, team, "ada", chat)
    team.say("ada", chat, "Can you read this?")
    page = quiet("grace", "/chat")
    expect(row(page, chat).locator(".unread")).to_be_visible()
    row(page, chat).click()
    expect(message(page, "Can you read this?")).to_be_in_viewport()
    eventually("it is read", lambda: team.unread("grace", chat) == 0)
    assert team.unread("alan", chat) == 1
    send(page, "Yes, as a page")
    expect(message(page, "Yes, as a page")).to_be_in_viewport()
    expect(message(page, "Yes, as a page").locator(".status")).to_have_text(re.compile("Sent|Delivered|Read"))
    expect(page.locator("#composer textarea")).to_have_value("")
    has_status(adas, "Can you read this?", "sent")  # Alan has not opened it
    expect(message(adas, "Yes, as a page")).to_be_visible()


def test_a_message_is_edited_deleted_and_gets_reactions_and_replies(team, quiet):
    chat = team.group("Acts without scripts")
    sent = team.say("grace", chat, "Befor")
    page = quiet("grace", f"/chat/{chat}")

    def chosen():
        page.locator(f"#m-{sent['seq']}").hover()
        page.locator(f"#m-{sent['seq']} .more").click()
        return page.locator("#actions")

    chosen().get_by_label("Edit").fill("Before")
    page.get_by_role("button", name="Save").click()
    expect(message(page, "Before").locator(".edited")).to_be_visible()
    chosen().get_by_role("button", name="👍").click()
    expect(message(page, "Before").locator(".reactions")).to_contain_text("👍")
    chosen().get_by_role("link", name="Reply").click()
    expect(page.locator("#replying")).to_contain_text("Before")
    send(page, "After")
    expect(message(page, "After").locator(".quote")).to_contain_text("Before")
    chosen().get_by_role("button", name="Delete").click()
    expect(page.locator("li.message.deleted")).to_have_count(1)
    assert team.texts(chat) == ["", "After"]
