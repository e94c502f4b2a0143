"""The chat with the keyboard: writing, editing, menus, emoji and navigation."""

import re

from chat import act, composer, has_status, hold, is_at_end, message, open_chat, row, scroll_to, write
from finger import PHONE, Finger
from playwright.sync_api import expect
from program import eventually

ON_ITS_WAY = re.compile("sent|delivered|read")


def test_enter_sends_shift_enter_breaks_the_line_and_neither_ends_a_composition(team, visit):
    chat = team.group("Enter")
    page = open_chat(visit, team, "ada", chat)
    area = composer(page)
    area.press_sequentially("First line")
    area.press("Shift+Enter")
    area.press_sequentially("second line")
    area.evaluate("""(one) => one.dispatchEvent(new KeyboardEvent("keydown", {
        key: "Enter", isComposing: true, bubbles: true, cancelable: true }))""")
    expect(area).to_have_value("First line\nsecond line")
    area.press("Enter")
    expect(area).to_have_value("")
    expect(area).to_be_focused()
    eventually("the message", lambda: team.texts(chat) == ["First line\nsecond line"])
    area.press("Enter")
    area.fill("   ")
    area.press("Enter")
    write(page, "After nothing")
    eventually("no empty message", lambda: team.texts(chat) == ["First line\nsecond line", "After nothing"])


def test_arrow_up_edits_the_users_last_message(team, visit):
    chat = team.group("Arrow up")
    page = open_chat(visit, team, "ada", chat)
    for text in ("The first", "The secnd"):
        write(page, text)
        has_status(page, text, ON_ITS_WAY)
    team.say("grace", chat, "Somebody else’s")
    expect(message(page, "Somebody else’s")).to_be_visible()
    composer(page).press("ArrowUp")
    area = page.get_by_label("Edit the message")
    expect(area).to_be_focused()
    expect(area).to_have_value("The secnd")
    area.press("Escape")
    expect(area).to_have_count(0)
    expect(composer(page)).to_be_focused()
    composer(page).press("ArrowUp")
    area.fill("The second")
    area.press("Enter")
    expect(message(page, "The second").locator(".edited")).to_be_visible()
    expect(composer(page)).to_be_focused()
    composer(page).fill("typing")
    composer(page).press("ArrowUp")
    expect(area).to_have_count(0)


def test_a_refused_edit_says_why_and_keeps_its_text(team, visit):
    chat = team.group("Refused edit")
    page = open_chat(visit, team, "ada", chat)
    write(page, "Short")
    has_status(page, "Short", ON_ITS_WAY)
    composer(page).press("ArrowUp")
    area = page.get_by_label("Edit the message")
    area.fill("x" * 16_385)
    area.press("Enter")
    expect(page.locator(".edit-message .field-error")).not_to_be_empty()
    expect(area).to_have_value("x" * 16_385)
    assert team.texts(chat) == ["Short"]


def test_a_slash_in_the_composer_offers_the_commands(team, visit):
    chat = team.group("Commands")
    page = open_chat(visit, team, "ada", chat)
    area = composer(page)
    area.press_sequentially("/")
    choices = page.get_by_role("listbox", name="Commands")
    expect(choices.get_by_role("option")).to_have_count(2)
    area.press_sequentially("pri")
    expect(choices.get_by_role("option")).to_have_count(1)
    expect(choices.get_by_role("option")).to_contain_text("/price bitcoin")
    area.press("Enter")
    expect(area).to_have_value("/price ")
    expect(choices).to_be_hidden()
    area.fill("1/2 or /p")
    expect(choices).to_be_hidden()
    assert team.texts(chat) == []


def test_slash_opens_search_and_escape_returns_and_goes_to_the_latest(team, visit):
    chat = team.group("Slash")
    for number in range(60):
        team.say("grace", chat, f"Line {number}")
    page = open_chat(visit, team, "ada", chat)
    page.locator("#history").focus()
    page.keyboard.press("/")
    search = page.locator("#chat-search")
    expect(search).to_be_focused()
    expect(search).to_have_value("")
    search.press("Escape")
    expect(composer(page)).to_be_focused()
    scroll_to(page, 0)
    expect(page.locator("#latest")).to_be_visible()
    composer(page).press("/")
    expect(composer(page)).to_have_value("/")
    commands = page.get_by_role("listbox", name="Commands")
    expect(commands).to_be_visible()
    composer(page).press("Escape")
    expect(commands).to_be_hidden()
    composer(page).press("Escape")
    eventually("the end", lambda: is_at_end(page))
    page.locator("#history").focus()
    page.keyboard.press("/")
    search.fill("Line 5")
    search.press("Enter")
    expect(page).to_have_url(re.compile(r"/chat/search\?q=Line"))


def test_the_menu_opens_and_closes_with_the_keyboard(team, visit):
    chat = team.group("Menu keys")
    team.say("grace", chat, "Look at me")
    page = open_chat(visit, team, "ada", chat)
    more = message(page, "Look at me").locator(".more")
    more.focus()
    page.keyboard.press("Enter")
    menu = page.locator("#message-menu")
    expect(menu).to_be_visible()
    expect(menu.locator("button").first).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(menu.get_by_role("button", name="Copy link")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(more).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu.locator("button").first).to_be_focused()
    page.keyboard.press("Enter")  # the first emoji
    expect(message(page, "Look at me").locator(".reactions button")).to_have_attribute("aria-pressed", "true")


def test_typing_anywhere_goes_to_the_composer(team, visit):
    page = open_chat(visit, team, "ada", team.group("Anywhere"))
    page.locator("#history").focus()
    page.keyboard.type("Hello")
    expect(composer(page)).to_be_focused()
    expect(composer(page)).to_have_value("Hello")


def test_text_shared_from_another_page_is_added_to_the_draft(team, visit):
    chat = team.group("Shared to")
    page = open_chat(visit, team, "ada", chat)
    page.route("**/draft", lambda route: route.abort())
    composer(page).fill("Look:")
    page.goto(f"/chat/{chat}?text=/coins/bitcoin")
    for _ in range(2):
        expect(composer(page)).to_have_value("Look:\n/coins/bitcoin")
        page.reload()


def test_escape_cancels_a_reply(team, visit):
    chat = team.group("No answer")
    team.say("grace", chat, "A question")
    page = open_chat(visit, team, "ada", chat)
    act(page, "A question", "Reply")
    expect(composer(page)).to_be_focused()
    composer(page).press("Escape")
    expect(page.locator("#replying")).to_be_hidden()
    write(page, "Said to nobody")
    has_status(page, "Said to nobody", ON_ITS_WAY)
    assert "replyTo" not in team.messages(chat)[-1]


def test_an_emoji_is_entered_by_name_or_from_the_picker(team, visit):
    chat = team.group("Emoji")
    page = open_chat(visit, team, "ada", chat)
    composer(page).press_sequentially("Done :tad")
    panel = page.get_by_role("listbox", name="Emoji")
    expect(panel.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    composer(page).press("Enter")
    expect(composer(page)).to_have_value("Done 🎉 ")
    expect(panel).to_be_hidden()
    page.get_by_role("button", name="Emoji", exact=True).click()
    panel.get_by_role("option", name="rocket").click()
    expect(composer(page)).to_have_value("Done 🎉 🚀 ")
    composer(page).press("Enter")
    eventually("the message", lambda: team.texts(chat) == ["Done 🎉 🚀"])
    composer(page).press_sequentially(":roc")
    expect(panel).to_be_visible()
    composer(page).press("Escape")
    expect(panel).to_be_hidden()
    composer(page).press("Enter")
    eventually("the message as typed", lambda: team.texts(chat)[-1] == ":roc")


def test_a_members_name_is_completed_after_an_at_sign(team, visit):
    chat = team.group("Named")
    page = open_chat(visit, team, "ada", chat)
    panel = page.get_by_role("listbox", name="Members")
    composer(page).press_sequentially("Look, @gr")
    expect(panel.get_by_role("option")).to_have_count(1)
    composer(page).press("Tab")
    expect(composer(page)).to_have_value("Look, @grace ")
    composer(page).press_sequentially("and @")
    expect(panel.get_by_role("option").first).to_have_attribute("aria-selected", "true")
    expect(panel).not_to_contain_text("@ada")
    composer(page).press("Escape")
    composer(page).press_sequentially(" ask ada@example.org")
    expect(panel).to_be_hidden()
    composer(page).press("Enter")
    eventually("the message", lambda: team.texts(chat) == ["Look, @grace and @ ask ada@example.org"])


def test_every_emoji_in_the_picker_has_the_same_name_on_the_server(team, visit):
    chat = team.group("All emoji")
    page = open_chat(visit, team, "ada", chat)
    page.get_by_role("button", name="Emoji", exact=True).click()
    options = page.get_by_role("listbox", name="Emoji").get_by_role("option")
    expect(options.first).to_be_focused()
    wanted = options.evaluate_all("(all) => all.map((one) => [one.title, one.dataset.text])")
    assert len(wanted) > 50
    team.say("grace", chat, " ".join(name for name, _ in wanted))
    expect(page.locator("#messages .text")).to_have_text(" ".join(emoji for _, emoji in wanted))


def test_a_long_press_on_a_message_opens_its_menu(team, visit):
    chat = team.group("Held")
    team.say("grace", chat, "Hold me")
    page = open_chat(visit, team, "ada", chat, **PHONE)
    finger = Finger(page)
    menu = page.locator("#message-menu")
    for _ in range(2):  # the first touch loads the script
        hold(finger, message(page, "Hold me").locator(".text"), menu)
        expect(menu).to_be_visible()  # also after the finger is lifted
        page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
    hold(finger, message(page, "Hold me").locator(".text"), menu)
    menu.get_by_role("button", name="Reply").tap()
    expect(page.locator("#replying")).to_contain_text("Hold me")


def test_a_short_touch_opens_no_menu(team, visit):
    chat = team.group("Touched")
    team.say("grace", chat, "Touch me")
    page = open_chat(visit, team, "ada", chat, **PHONE)
    for _ in range(2):
        message(page, "Touch me").locator(".text").tap()
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 700))")  # longer than a long press takes
    expect(page.locator("#message-menu")).to_be_hidden()


def test_a_conversation_is_started_with_the_keyboard(team, visit):
    page = visit(team.roost).page("/chat")
    page.get_by_role("link", name="New", exact=True).focus()
    page.keyboard.press("Enter")
    box = page.get_by_role("checkbox", name=re.compile("grace"))
    box.focus()
    page.keyboard.press("Space")
    page.get_by_role("button", name="Start").press("Enter")
    expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}"))
    expect(composer(page)).to_be_visible()
    expect(row(page, team.pair())).to_have_attribute("aria-current", "true")
