"""Accounts with the keyboard alone."""

import re

from playwright.sync_api import expect
from program import NOBODY

NAME = """() => {
    const element = document.activeElement;
    const said = (element.labels?.[0] ?? element).cloneNode(true);
    for (const silent of said.querySelectorAll("[aria-hidden=true]")) silent.remove();
    return element.getAttribute("aria-label") || said.textContent.trim();
}"""


def tab_to(page, name, limit=60):
    page.wait_for_load_state()  # before it is parsed, a page has no active element
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate(NAME) == name:
            return
    raise AssertionError(f"no Tab leads to {name}")


def test_a_user_signs_in_creates_a_token_and_revokes_it(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page("/")
    expect(page.get_by_label("User name or e-mail")).to_be_focused()
    page.keyboard.type("ada")
    page.keyboard.press("Tab")
    page.keyboard.type(calm_roost.PASSWORD)
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{calm_roost.url}/")
    tab_to(page, "ada")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{calm_roost.url}/settings")
    tab_to(page, "Tokens")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{calm_roost.url}/settings/tokens")
    tab_to(page, "Name")
    page.keyboard.type("Backup")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="read and write")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Token “Backup”")).to_be_visible()
    tab_to(page, "Token “Backup”")
    selected = page.evaluate("() => document.activeElement.selectionEnd - document.activeElement.selectionStart")
    assert selected > 30  # all of it is selected, ready to copy
    tab_to(page, "Revoke “Backup”")
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("No tokens yet.")


def test_a_user_limits_a_token_to_an_area(calm_roost, visit):
    page = visit(calm_roost).page("/settings/tokens")
    areas = page.get_by_role("group", name="Areas")
    expect(areas).to_be_hidden()
    tab_to(page, "Name")
    page.keyboard.type("Bot")
    page.keyboard.press("Tab")
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="chosen areas only")).to_be_checked()
    expect(areas).to_be_visible()
    tab_to(page, "Chat: read")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Token “Bot”")).to_be_visible()
    expect(page.locator("main")).to_contain_text("chat:read · created")


def test_an_owner_changes_a_role_and_removes_a_member(calm_roost, visit):
    calm_roost.add_user("grace")
    page = visit(calm_roost).page("/members")
    tab_to(page, "grace: Manage")
    page.keyboard.press("Enter")
    tab_to(page, "Make owner")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Role changed.")
    tab_to(page, "grace: Manage")
    page.keyboard.press("Enter")
    tab_to(page, "Remove …")
    page.keyboard.press("Enter")
    tab_to(page, "Remove grace for good")
    page.keyboard.press("Enter")
    expect(page.locator("li.display")).to_have_count(1)


def test_a_user_signs_out(calm_roost, visit):
    page = visit(calm_roost).page("/settings/security")
    tab_to(page, "Sign out")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/login\?out=1"))
