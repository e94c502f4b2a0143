"""The members' page keeps the owner's input while others join."""

from accounts import fill, invite, manage, member
from playwright.sync_api import expect
from program import NOBODY


def test_an_opened_menu_stays_open_and_focused_while_others_join(calm_roost, visit):
    calm_roost.add_user("grace")
    page = visit(calm_roost).page()
    opened = manage(page, "grace")
    opened.get_by_text("Remove …").click()
    button = opened.get_by_role("button", name="Remove grace for good")
    button.focus()
    calm_roost.add_user("alan")
    expect(member(page, "alan")).to_be_visible()
    expect(button).to_be_visible()
    expect(button).to_be_focused()


def test_typed_text_stays_while_others_join(calm_roost, visit):
    page = visit(calm_roost).page()
    address = invite(page)
    form = fill(page, note="For the party", uses="12")
    calm_roost.ask("POST", "/api/v1/users", {
        "username": "grace", "password": calm_roost.PASSWORD, "joinCode": address.rpartition("/")[2]}, guest=NOBODY)
    expect(page.locator(".entry")).to_contain_text("grace")
    expect(form.locator('[name="note"]')).to_have_value("For the party")
    expect(form.locator('[name="uses"]')).to_have_value("12")
    expect(page.get_by_role("textbox", name="Join link: The new neighbours")).to_be_visible()
