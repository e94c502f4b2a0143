"""Connecting GitHub with a code (device flow), and each way it can end."""

import pytest
from accounts import send
from github import agrees, waiting
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark

CLIENT = ("--github-client-id", "roost-in-tests")


@pytest.fixture
def roost_with_app(make_roost, simulator):
    """A Roost with the device flow enabled; the simulated GitHub requests a poll each second."""
    simulator.happen(app={"clientID": CLIENT[1], "interval": 1})
    return make_roost(*CLIENT, interval=3600)


def device(page):
    return page.get_by_role("region", name="Sign in with a code")


def shown_code(page):
    """Requests a code and returns it."""
    device(page).get_by_role("button", name="code").click()
    box = device(page).locator(".address")
    expect(box).to_be_visible()
    return box.text_content()


def test_entering_the_code_on_github_fills_the_inbox(roost_with_app, simulator, visit):
    browser = visit(roost_with_app, elsewhere=simulator.github_url)
    inbox, page = browser.page("/pulls"), browser.page("/settings/github")
    expect(inbox.locator("main")).to_contain_text("Connect GitHub to see what waits for you")
    for each in (inbox, page):
        mark(each)
    code = shown_code(page)
    assert is_marked(page)
    expect(device(page)).to_contain_text("The code expires in")
    with browser.context.expect_page() as opened:
        device(page).get_by_role("link").click()
    there = opened.value
    assert there.url == f"{simulator.github_url}/login/device"
    send(there, "Authorize", user_code=code, login="ada")
    expect(there.locator("body")).to_contain_text("Your device is now connected")
    account = page.locator("li.account")
    expect(account).to_contain_text("Ada Lovelace connected")
    expect(account).to_contain_text("ada at github.com")
    expect(account).to_contain_text("scopes repo, read:org")
    expect(device(page).get_by_role("button", name="Get a code")).to_be_visible()
    expect(inbox.locator("#pulls-turn li.pull").first).to_be_visible()
    for each in (inbox, page):
        assert agrees(each, roost_with_app) > 20
    eventually("the count in the title", lambda: inbox.title().startswith(f"({waiting(inbox).text_content()}) Pull requests"))
    assert is_marked(page) and is_marked(inbox)


@pytest.mark.parametrize("decision, words", [
    ("deny", "You declined on GitHub. No account was connected."),
    ("expire", "The code has expired. Get a new one."),
])
def test_a_declined_or_expired_code_is_reported_and_can_be_replaced(decision, words, roost_with_app, simulator, visit):
    page = visit(roost_with_app).page("/settings/github")
    code = shown_code(page)
    simulator.happen(device={"decision": decision, "code": code})
    expect(device(page).get_by_role("alert")).to_have_text(words)
    expect(page.locator("li.account")).to_have_count(0)
    second = shown_code(page)
    assert second != code
    simulator.happen(device={"decision": "approve", "code": second, "login": "grace"})
    expect(page.locator("li.account")).to_contain_text("grace at github.com")


# The code is on one line, inside its box and the window.
WHOLE = """(box) => {
    const range = new Range();
    range.selectNodeContents(box);
    const [ink, frame] = [range.getBoundingClientRect(), box.getBoundingClientRect()];
    return range.getClientRects().length === 1 && ink.left >= frame.left && ink.right <= frame.right
        && frame.left >= 0 && frame.right <= innerWidth;
}"""


def test_the_whole_code_is_visible_at_every_width(roost_with_app, visit):
    page = visit(roost_with_app).page("/settings/github")
    code = shown_code(page)
    assert len(code) == 9
    for width in (320, 390, 1280, 1920):
        page.set_viewport_size({"width": width, "height": 800})
        expect(device(page).get_by_text(code, exact=True)).to_be_visible()
        assert device(page).locator(".address").evaluate(WHOLE), width


def test_a_cancelled_code_connects_no_account(roost_with_app, simulator, visit):
    pages = [visit(roost_with_app).page("/settings/github") for _ in range(2)]
    code = shown_code(pages[0])
    expect(device(pages[1]).locator(".address")).to_have_text(code)  # the same person, in another browser
    device(pages[1]).get_by_role("button", name="Cancel").click()
    for page in pages:
        expect(device(page).get_by_role("button", name="Get a code")).to_be_visible()
    simulator.happen(device={"decision": "approve", "code": code, "login": "ada"})
    second = shown_code(pages[0])
    simulator.happen(device={"decision": "approve", "code": second, "login": "grace"})
    for page in pages:
        expect(page.locator("li.account .title")).to_have_text("Grace Hopper connected")


def test_without_scripts_the_user_checks_again_for_the_connection(roost_with_app, simulator, visit):
    page = visit(roost_with_app, java_script_enabled=False).page("/settings/github")
    device(page).get_by_role("button", name="Get a code").click()
    box = device(page).locator(".address")

    def look_again():
        device(page).get_by_role("link", name="Check again").click()
        page.wait_for_load_state()
        return box.count() or page.locator("li.account").count()

    if not box.count():
        eventually("the code", look_again)
    simulator.happen(device={"decision": "approve", "code": box.text_content()})
    eventually("the account", lambda: look_again() and page.locator("li.account").count())
    expect(page.locator("li.account")).to_contain_text("connected")
