"""Sounds and notifications for messages while the user looks elsewhere, if turned on in this browser."""

from urllib.parse import urlsplit

from chat import AWAY, look_back, message, ready
from playwright.sync_api import expect
from program import eventually
from test_pulls_notifications import browser_with, told
from visit import Visit


def away(visit, team, permission, who="alan"):
    """A browser out of focus whose notifications and tones are recorded."""
    browser = browser_with(visit, team.roost, permission, guest=team.guests[who])
    browser.context.add_init_script(AWAY)
    return browser


def toggle(page, name):
    if not page.locator(".chat-alerts").is_visible():
        page.get_by_role("button", name="Notifications", exact=True).click()
    button = page.locator(".chat-alerts").get_by_role("button", name=name)
    button.click()
    return button


def test_a_user_who_turned_notifications_on_gets_one_per_message(team, visit):
    chat = team.group("Told")
    browser = away(visit, team, "default")
    pages = [ready(browser.page(f"/chat/{chat}")) for _ in range(2)]
    expect(toggle(pages[0], "Notifications")).to_have_attribute("aria-pressed", "true")
    expect(toggle(pages[0], "Sound")).to_have_attribute("aria-pressed", "true")
    assert pages[0].evaluate("() => tones") == 1  # the sample sound when it is turned on
    pages[1].reload()
    ready(pages[1]).wait_for_function(
        "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/chat-alerts.js'))")
    team.say("grace", chat, "Come and look")
    news = eventually("the notification", lambda: [each for page in pages for each in told(page)])
    assert [(each["title"], each["body"], each["tag"]) for each in news] == [("grace in Told", "Come and look", chat)]
    eventually("the sound", lambda: sum(page.evaluate("() => tones") for page in pages) == 2)


def test_no_notification_if_off_muted_or_the_chat_is_on_screen(team, visit):
    chat, muted, mentions = team.group("Silent"), team.group("Muted"), team.group("Mentions")
    for each, notify in ((muted, "none"), (mentions, "mentions")):
        assert team.ask("alan", "PATCH", f"/{each}", {"notify": notify}).status == 200
    page = ready(away(visit, team, "granted").page(f"/chat/{chat}"))
    team.say("grace", chat, "Not asked for")
    expect(message(page, "Not asked for")).to_be_visible()
    toggle(page, "Notifications")
    look_back(page)
    team.say("grace", chat, "Seen")
    expect(message(page, "Seen")).to_be_visible()
    team.say("grace", muted, "Muted")
    team.say("grace", mentions, "For nobody")
    team.say("grace", mentions, "For @alan")
    news = eventually("the notification", lambda: told(page))
    assert [each["body"] for each in news] == ["For @alan"]


def test_a_blocked_permission_is_explained(team, visit):
    page = ready(away(visit, team, "denied").page(f"/chat/{team.group('Denied')}"))
    expect(toggle(page, "Notifications")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".why-denied")).to_be_visible()
    expect(page.locator(".why-insecure")).to_be_hidden()


def test_a_page_without_https_says_why_notifications_are_unavailable(team, browser):
    opened = Visit(browser, f"http://roost.local:{urlsplit(team.roost.url).port}", team.roost.owner.cookie)
    page = opened.page("/chat")
    assert page.evaluate("() => isSecureContext") is False
    expect(toggle(page, "Notifications")).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".why-insecure")).to_be_visible()
    expect(page.locator(".why-denied")).to_be_hidden()
    opened.close()


def test_a_conversation_works_without_a_secure_context(team, browser):
    """Over plain HTTP, browsers have neither crypto.randomUUID nor a clipboard for pages."""
    opened = Visit(browser, f"http://roost.local:{urlsplit(team.roost.url).port}", team.roost.owner.cookie)
    chat = team.group("Insecure")
    page = ready(opened.page(f"/chat/{chat}"))
    page.locator("#composer textarea").fill("From the LAN")
    page.locator("#composer textarea").press("Enter")
    eventually("the message", lambda: team.texts(chat) == ["From the LAN"])
    message(page, "From the LAN").hover()
    message(page, "From the LAN").locator(".more").click()
    page.get_by_role("button", name="Copy link").click()
    expect(page.locator("#notice")).to_contain_text("The link is now in the address bar.")
    assert "#m-" in page.url
    opened.close()
