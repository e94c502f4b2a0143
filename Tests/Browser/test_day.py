"""A day with Roost, once with the keyboard alone and once without JavaScript: save and read an article, highlight a passage,
review and snooze pull requests, write in chat, add a coin and pair a wall."""

import re

import pytest
from chat import message, ready as ready_chat
from github import connect, keys, pull
from playwright.sync_api import expect
from program import eventually
from reading import highlights, listed, marked, ready, row as article_row
from reading_sites import FERRY, WALL, article
from test_displays_pairing import screen
from visit import row as coin_row


@pytest.fixture(scope="module")
def day(team):
    """The team's Roost with ada's GitHub account connected."""
    connect(team.roost)
    return team


def tab_to(page, selector):
    """Presses Tab until an element that matches has the focus."""
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
    raise AssertionError(f"no Tab leads to {selector}")


def go_out_of_the_field(page):
    """Letters in a field write; Tab leaves it."""
    for _ in range(10):
        if not page.evaluate("() => document.activeElement?.matches('input, textarea, select')"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not leave the fields")


def go(page, letter, path):
    page.keyboard.press("g")
    page.keyboard.press(letter)
    expect(page).to_have_url(re.compile(f"{path}([?#].*)?$"))
    expect(page.locator("html")).to_have_class(re.compile(r"(^| )js( |$)"))


def fetched_number(roost, url):
    """The id of the saved address, once Roost has its text."""
    number = eventually("the saved article", lambda: next((each["id"] for each in listed(roost) if each["url"] == url), None))
    eventually("its text", lambda: article(roost, number).get("fetchState") == "fetched")
    return number


def test_a_day_with_the_keyboard_alone(day, simulator, visit):
    roost = day.roost
    chat = day.group("A day by keys")
    page = visit(roost, elsewhere=simulator.github_url, service_workers="block").page("/")

    go(page, "a", "/reading")
    tab_to(page, "#save input[name=url]")
    page.keyboard.type(WALL)
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    number = fetched_number(roost, WALL)
    expect(article_row(page, number)).to_be_visible()
    ready(page)
    go_out_of_the_field(page)
    page.keyboard.press("j")
    expect(page.locator(f"#article-{number}:is(:focus, :focus-within)")).to_be_visible()
    page.keyboard.press("o")
    expect(page.locator(".reader .body")).to_be_visible()
    ready(page)
    page.keyboard.press("j")
    expect(page.locator(".body .here")).to_have_count(1)
    page.keyboard.press("j")
    page.keyboard.press("h")
    eventually("the highlight", lambda: marked(page) and highlights(roost, number))
    page.keyboard.press("a")
    eventually("the read article is archived", lambda: article(roost, number)["state"] == "archived")

    go(page, "p", "/pulls")
    reviewed, snoozed = keys(page)[:2]
    page.keyboard.press("j")
    expect(page.locator(f'.pull[data-key="{reviewed}"]:focus-within')).to_be_visible()
    with page.context.expect_page() as opened:
        page.keyboard.press("o")
    _, owner, name, pull_number = reviewed.split("/")
    expect(opened.value).to_have_url(f"{simulator.github_url}/{owner}/{name}/pull/{pull_number}")
    opened.value.close()
    page.keyboard.press("e")
    expect(pull(page, reviewed)).to_have_count(0)
    expect(page.locator(f'.pull[data-key="{snoozed}"]:focus-within')).to_be_visible()
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="until it changes")).to_be_focused()
    page.keyboard.press("Enter")
    expect(pull(page, snoozed)).to_have_count(0)

    go(page, "c", "/chat")
    tab_to(page, f'[data-conversation="{chat}"], [data-conversation="{chat}"] a')
    page.keyboard.press("Enter")
    ready_chat(page)
    if not page.locator("#composer textarea").evaluate("(field) => field === document.activeElement"):
        tab_to(page, "#composer textarea")
    page.keyboard.type("Good morning")
    page.keyboard.press("Enter")
    expect(message(page, "Good morning")).to_be_visible()
    eventually("the message", lambda: day.texts(chat, "grace") == ["Good morning"])

    # Letters next to an open conversation write, so a link of the frame leads on.
    tab_to(page, 'nav a[href="/watchlist"]')
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/watchlist"))
    ready(page)
    tab_to(page, "[role=combobox]")
    page.keyboard.type("solana")
    expect(page.locator("#coin-options [role=option]").first).to_contain_text("Solana")
    page.keyboard.press("Enter")
    expect(coin_row(page, "solana")).to_be_visible()

    wall, code = screen(roost, visit)
    page.bring_to_front()
    go_out_of_the_field(page)
    go(page, "d", "/displays")
    tab_to(page, "#pair-code")
    page.keyboard.type(code)
    tab_to(page, "#pair-name")
    page.keyboard.type("Hall")
    page.keyboard.press("Enter")
    expect(wall.locator("#screen")).to_be_visible()


def test_a_day_without_javascript(day, simulator, visit):
    roost = day.roost
    chat = day.group("A day by forms")
    page = visit(roost, elsewhere=simulator.github_url, java_script_enabled=False).page("/")
    places = page.get_by_role("navigation").first

    places.get_by_role("link", name="Reading").click()
    page.locator("#save input[name=url]").fill(FERRY)
    page.locator("#save").get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    number = fetched_number(roost, FERRY)
    places.get_by_role("link", name="Reading").click()
    article_row(page, number).locator("a.name").click()
    words = " ".join(page.locator(".reader .body p").first.inner_text().split()[:6])
    # Without a script no selection can be sent, so the words are typed.
    page.locator(".add-highlight summary").click()
    page.locator("#quote").fill(words)
    page.locator(".add-highlight").get_by_role("button", name="Highlight").click()
    expect(page.locator(".body mark.highlight").first).to_be_visible()
    page.locator("#reader-tools").get_by_role("button", name="Archive", exact=True).click()
    eventually("the read article is archived", lambda: article(roost, number)["state"] == "archived")

    places.get_by_role("link", name="Pull requests").click()
    expect(page.locator("li.pull").nth(1)).to_be_visible()
    reviewed, snoozed = re.findall(r'<li class="pull" data-key="([^"]+)"', page.content())[:2]
    pull(page, reviewed).locator("a.name").click()
    _, owner, name, pull_number = reviewed.split("/")
    expect(page).to_have_url(re.compile(f"/pulls/{owner}/{name}/{pull_number}$"))
    expect(page.locator(".pull-title")).to_be_visible()
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open on GitHub").first.click()
    expect(opened.value).to_have_url(f"{simulator.github_url}/{owner}/{name}/pull/{pull_number}")
    opened.value.close()
    places.get_by_role("link", name="Pull requests").click()
    pull(page, reviewed).hover()
    pull(page, reviewed).get_by_role("button", name="Done").click()
    expect(pull(page, reviewed)).to_have_count(0)
    pull(page, snoozed).hover()
    pull(page, snoozed).get_by_role("link", name="Snooze").click()
    page.get_by_role("button", name="until tomorrow").click()
    expect(page).to_have_url(re.compile("/pulls([?#].*)?$"))
    expect(pull(page, snoozed)).to_have_count(0)

    places.get_by_role("link", name="Chat").click()
    page.locator(f'#conversations [data-conversation="{chat}"]').click()
    page.locator("#composer textarea").fill("Good evening")
    page.get_by_role("button", name="Send", exact=True).click()
    expect(message(page, "Good evening")).to_be_visible()
    eventually("the message", lambda: day.texts(chat, "grace") == ["Good evening"])

    # A page without scripts does not update when the coin list arrives.
    eventually("the coin list", lambda: "Bitcoin Cash" in roost.get("/watchlist?q=bitcoin").text)
    places.get_by_role("link", name="Watchlist").click()
    page.get_by_label("Add a coin: name, symbol or id").fill("cardano")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("button", name="Add Cardano, cardano", exact=True).click()
    expect(coin_row(page, "cardano")).to_be_visible()

    wall, code = screen(roost, visit, java_script_enabled=False)
    places.get_by_role("link", name="Displays").click()
    page.get_by_label("Code").fill(code)
    page.get_by_label("Name for a new display").fill("Landing")
    page.get_by_role("button", name="Pair screen").click()
    expect(page).to_have_url(re.compile(r"/displays/\d+"))
    expect(wall.locator("#screen")).to_be_visible()
