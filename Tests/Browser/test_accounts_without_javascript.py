"""Accounts without JavaScript: the forms that need the most from a browser; RoostWebTests submit every form."""

import re

from accounts import person, send, sign_in
from playwright.sync_api import expect
from program import NOBODY
from visit import pixels


def quiet(visit, roost, guest=None):
    return visit(roost, guest, java_script_enabled=False)


def test_a_user_changes_name_and_picture(calm_roost, visit):
    page = quiet(visit, calm_roost).page("/settings")
    send(page, "Save profile", displayName="Ada Lovelace", email="ada@example.org")
    expect(page.locator("#notice")).to_contain_text("Profile saved.")
    expect(person(page)).to_contain_text("Ada Lovelace")
    page.get_by_label("Picture").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": pixels(64, 48)})
    page.get_by_role("button", name="Upload").click()
    picture = page.locator(".portrait img")
    expect(picture).to_have_attribute("src", re.compile("^/avatars/"))
    shown = page.context.request.get(picture.get_attribute("src"))
    assert shown.status == 200 and shown.headers["content-type"] == "image/webp"
    page.get_by_role("button", name="Remove picture").click()
    expect(picture).to_have_count(0)
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, "ada@example.org")
    expect(person(page)).to_contain_text("Ada Lovelace")


def test_a_user_deletes_their_account_and_its_data(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    page = quiet(visit, calm_roost, grace).page("/displays")
    send(page, "Add display", name="Kitchen")
    link = page.get_by_role("textbox", name="Secret link for Kitchen").input_value()
    page.goto("/settings/security")
    page.get_by_text("Delete my account …").click()
    page.locator("#delete-password").fill(calm_roost.PASSWORD)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.locator(".intro")).to_have_text("Your account and everything in it was deleted.")
    assert calm_roost.get(link.removeprefix(calm_roost.url), guest=NOBODY).status == 404
    sign_in(page, "grace")
    expect(page.locator(".form-error")).to_have_text("Wrong user name or password.")
