"""The chat with JavaScript switched off: forms and links do all of it."""

import re

import pytest
from chat import has_status, message, open_chat, picture, row
from playwright.sync_api import expect
from program import eventually


@pytest.fixture
def quiet(team, visit):
    """Opens a path as this person, without scripts."""
    return lambda who, path: visit(team.roost, team.guests[who], java_script_enabled=False).page(path)


def send(page, text):
    page.locator("#composer textarea").fill(text)
    page.get_by_role("button", name="Send", exact=True).click()


def test_one_reads_writes_and_answers(team, visit, quiet):
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
    has_status(adas, "Can you read this?", "sent")  # Alan has not been here
    expect(message(adas, "Yes, as a page")).to_be_visible()


def test_an_image_is_sent_and_seen(team, quiet):
    chat = team.group("Image without scripts")
    page = quiet("grace", f"/chat/{chat}")
    page.locator("#composer input[type=file]").set_input_files(picture("form.png", 400, 300))
    send(page, "By a form")
    expect(message(page, "By a form").locator(".picture img")).to_be_visible()
    other = quiet("alan", f"/chat/{chat}")
    image = message(other, "By a form").locator(".picture img")
    expect(image).to_be_visible()
    answer = team.roost.get(image.get_attribute("src"), guest=team.guests["alan"])
    assert answer.status == 200 and answer.headers["Content-Type"].startswith("image/")


def test_a_message_is_edited_reacted_to_answered_and_deleted(team, quiet):
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


def test_what_is_refused_keeps_its_text(team, quiet):
    page = quiet("grace", f"/chat/{team.group('Refused without scripts')}")
    text = "x" * 16_385
    send(page, text)
    expect(page.locator("#composer .field-error")).not_to_be_empty()
    expect(page.locator("#composer textarea")).to_have_value(text)


def test_older_messages_are_behind_a_link(team, quiet):
    chat = team.group("Older without scripts")
    for number in range(60):
        team.say("alan", chat, f"Line {number}")
    page = quiet("grace", f"/chat/{chat}")
    expect(message(page, "Line 59")).to_be_in_viewport()
    expect(message(page, "Line 0")).to_have_count(0)
    page.get_by_role("link", name="Older messages").click()
    expect(message(page, "Line 0")).to_have_count(1)
    page.get_by_role("link", name="Newer messages").click()
    expect(message(page, "Line 59")).to_have_count(1)
