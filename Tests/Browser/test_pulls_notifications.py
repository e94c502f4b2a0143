"""Notifications for new requests: once, from one tab, and only if turned on and allowed by the browser."""

from urllib.parse import urlsplit

import pytest
from github import act, asked, pull
from playwright.sync_api import expect
from program import eventually
from visit import Visit

RECORDER = """(permission) => {
    globalThis.told = [];
    globalThis.tones = 0;
    globalThis.questions = 0;
    globalThis.Notification = class {
        static permission = permission;
        static requestPermission() {
            globalThis.questions += 1;
            if (this.permission === "default") this.permission = "granted";
            return Promise.resolve(this.permission);
        }
        constructor(title, options) { globalThis.told.push({ title, ...options }); }
        close() {}
    };
    const oscillator = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () {
        globalThis.tones += 1;
        return oscillator.call(this);
    };
}"""


def browser_with(visit, roost, permission, **more):
    """A browser whose notifications and tones are recorded."""
    opened = visit(roost, **more)
    opened.context.add_init_script(f"({RECORDER})({permission!r})")
    return opened


def told(page):
    return page.evaluate("() => told")


def wish(page, name):
    """Presses a button of the view's panel and returns it."""
    if page.locator("#view").get_attribute("open") is None:
        page.locator("#view summary").click()
    button = page.get_by_role("button", name=name, exact=True)
    button.click()
    return button


@pytest.fixture
def telling(inbox_of_ada):
    """The shared inbox; turns notifications off afterwards."""
    yield inbox_of_ada
    assert inbox_of_ada.ask("POST", "/pulls/choices", "notifies=false&sounds=false").status == 303


def test_one_tab_shows_one_notification_for_a_new_request(telling, simulator, visit):
    browser = browser_with(visit, telling, "default")
    page = browser.page("/pulls")
    button = wish(page, "Notify me")
    expect(button).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("() => questions") == 1
    wish(page, "Sound")
    eventually("the sample sound", lambda: page.evaluate("() => tones") == 2)
    other = browser.page("/pulls")
    expect(other.locator(".alerts")).to_have_attribute("data-notifies", "true")
    pages = [page, other]
    assert told(page) == told(other) == []  # existing requests are not new
    for title in ("Tell me of this", "And of this"):
        key, _ = asked(simulator, telling, title)
        for each in pages:
            expect(pull(each, key)).to_be_visible()
        news = eventually("the notification", lambda: [
            each for page in pages for each in told(page) if title in each["title"]])
        assert [(each["title"], each["tag"]) for each in news] == [(f"Your turn: {title}", key)]
        assert "review requested" in news[0]["body"]
    assert sum(each.evaluate("() => tones") for each in pages) == 2 + 2 * 2
    act(page, key, "Mute")
    page.get_by_role("button", name="Undo").first.click()
    expect(pull(page, key)).to_be_visible()
    expect(pull(other, key)).to_be_visible()
    page.get_by_role("searchbox").fill("And of this")
    eventually("the filter", lambda: page.locator("li.pull:visible").count() == 1)
    page.get_by_role("searchbox").fill("")
    eventually("all rows", lambda: page.locator("li.pull").count() > 20)
    assert sum(len(told(each)) for each in pages) == 2  # restored requests are not new either


def test_the_remaining_tab_shows_notifications_after_the_other_closes(telling, simulator, visit):
    assert telling.ask("POST", "/pulls/choices", "notifies=true").status == 303
    browser = browser_with(visit, telling, "granted")
    first, second = browser.page("/pulls"), browser.page("/pulls")
    expect(second.locator("li.pull").first).to_be_visible()
    first.close()
    for number in range(20):  # until the second tab has taken over
        key, _ = asked(simulator, telling, f"Still there? {number}")
        expect(pull(second, key)).to_be_visible()
        if key in (each["tag"] for each in told(second)):
            return
    raise AssertionError("no tab shows notifications")


def test_there_are_no_notifications_unless_turned_on(telling, simulator, visit):
    page = browser_with(visit, telling, "granted").page("/pulls")
    key, _ = asked(simulator, telling, "Said to nobody")
    expect(pull(page, key)).to_be_visible()
    assert told(page) == [] and page.evaluate("() => questions + tones") == 0


def test_a_blocked_permission_is_explained(telling, visit):
    page = browser_with(visit, telling, "denied").page("/pulls")
    button = wish(page, "Notify me")
    expect(page.locator("#notice")).to_contain_text("This browser blocks Roost’s notifications. See “View” for the reason.")
    expect(page.locator(".why-denied")).to_be_visible()
    expect(page.locator(".why-denied")).to_contain_text("Allow them in its settings")
    expect(page.locator(".why-insecure")).to_be_hidden()
    expect(button).to_have_attribute("aria-pressed", "false")


def test_a_page_without_https_says_why_notifications_are_unavailable(telling, browser):
    url = f"http://roost.local:{urlsplit(telling.url).port}"
    opened = Visit(browser, url, telling.owner.cookie)
    page = opened.page("/pulls")
    assert page.evaluate("() => isSecureContext") is False
    page.locator("#view summary").click()
    expect(page.locator(".why-insecure")).to_contain_text("Browsers show notifications only over HTTPS")
    expect(page.locator(".why-insecure")).to_be_visible()
    expect(page.locator(".why-denied")).to_be_hidden()
    expect(wish(page, "Notify me")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#notice")).to_contain_text("This browser blocks Roost’s notifications")
    opened.close()
