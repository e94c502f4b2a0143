"""Every flow of accounts works with JavaScript switched off."""

import re

from accounts import PASSWORD, invite, manage, member, person, refused, send, sign_in
from playwright.sync_api import expect
from program import NOBODY
from visit import pixels


def quiet(visit, roost, guest=None):
    return visit(roost, guest, java_script_enabled=False)


def test_roost_is_set_up(make_roost, visit):
    roost = make_roost(settled=False)
    page = quiet(visit, roost, NOBODY).page(f"/setup?code={roost.setup_code}")
    send(page, "Create the owner’s account", username="ada", password="password1234")
    refused(page, "password", "")
    expect(page.locator("#username")).to_have_value("ada")
    send(page, "Create the owner’s account", password=PASSWORD)
    expect(person(page)).to_contain_text("ada")


def test_one_signs_out_and_in_again(calm_roost, visit):
    page = quiet(visit, calm_roost).page("/displays")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator(".intro")).to_have_text("You are signed out.")
    page.goto("/displays")
    sign_in(page, password="not the password at all")
    expect(page.locator(".form-error")).to_be_visible()
    sign_in(page)
    expect(page).to_have_url(f"{calm_roost.url}/displays")


def test_somebody_joins_by_a_link_that_is_shown_again_and_withdrawn(calm_roost, visit):
    owners = quiet(visit, calm_roost).page()
    address = invite(owners, uses="2")
    expect(owners.get_by_role("img", name="QR code of the link")).to_be_visible()
    expect(owners.get_by_role("button", name="Copy")).to_be_hidden()
    page = quiet(visit, calm_roost, NOBODY).page(address)
    send(page, "Join", username="grace", password="qwertyuiop")
    refused(page, "password", "")
    expect(page.locator("#username")).to_have_value("grace")
    send(page, "Join", password=PASSWORD)
    expect(person(page)).to_contain_text("grace")
    owners.reload()
    expect(owners.locator(".entry")).to_contain_text("1 of 2 left")
    owners.get_by_role("link", name="Show the link").click()
    owners.get_by_role("button", name="Withdraw").click()
    expect(owners.locator(".entry")).to_contain_text("withdrawn on")
    page.goto(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link is closed")


def test_a_forgotten_password_is_reset(calm_roost, visit):
    calm_roost.add_user("grace")
    owners = quiet(visit, calm_roost).page()
    manage(owners, "grace").get_by_role("button", name="Reset link").click()
    address = owners.get_by_role("textbox", name="Reset link for grace").input_value()
    page = quiet(visit, calm_roost, NOBODY).page(address)
    send(page, "Save the new password", password="grace-grace")
    refused(page, "password", "")
    send(page, "Save the new password", password=PASSWORD)
    expect(person(page)).to_contain_text("grace")


def test_the_profile_with_its_picture_is_changed(calm_roost, visit):
    page = quiet(visit, calm_roost).page("/settings")
    send(page, "Save", displayName="Ada Lovelace", email="ada@example.org")
    expect(page.locator("#notice")).to_contain_text("Your profile is saved.")
    expect(person(page)).to_contain_text("Ada Lovelace")
    page.get_by_label("Picture").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": pixels(64, 48)})
    page.get_by_role("button", name="Upload").click()
    picture = page.locator(".portrait img")
    expect(picture).to_have_attribute("src", re.compile("^/avatars/"))
    shown = page.context.request.get(picture.get_attribute("src"))
    assert shown.status == 200 and shown.headers["content-type"] == "image/png"
    page.get_by_role("button", name="Remove the picture").click()
    expect(picture).to_have_count(0)
    page.get_by_role("button", name="Sign out", exact=True).click()
    sign_in(page, "ada@example.org")
    expect(person(page)).to_contain_text("Ada Lovelace")


def test_the_password_is_changed_and_sessions_are_ended(calm_roost, visit):
    calm_roost.sign_in(), calm_roost.sign_in()
    page = quiet(visit, calm_roost).page("/settings/security")
    expect(page.locator(".entry")).to_have_count(3)
    page.get_by_role("button", name=re.compile("^Sign out Unknown device")).first.click()
    expect(page.locator("#notice")).to_contain_text("Signed out.")
    expect(page.locator(".entry")).to_have_count(2)
    page.get_by_role("button", name="Sign out all others").click()
    expect(page.locator(".entry")).to_have_count(1)
    send(page, "Change password", current=calm_roost.PASSWORD, password=PASSWORD)
    expect(page.locator("#notice")).to_contain_text("Your password is changed")
    page.get_by_role("button", name="Sign out everywhere").click()
    sign_in(page, password=PASSWORD)
    expect(person(page)).to_contain_text("ada")


def test_a_token_is_shown_once_works_and_is_revoked(calm_roost, visit):
    page = quiet(visit, calm_roost).page("/settings/tokens")
    page.get_by_label("read and write").check()
    send(page, "Create token", name="Backup")
    shown = page.get_by_role("textbox", name="Token “Backup”")
    token = {"Authorization": f"Bearer {shown.input_value()}"}
    assert calm_roost.ask("POST", "/api/v1/watchlist", {"coinId": "bitcoin"}, headers=token, guest=NOBODY).status == 201
    page.reload()
    expect(shown).to_have_count(0)
    assert token["Authorization"].split()[1] not in page.content()
    expect(page.locator(".entry")).to_contain_text("reads and writes")
    expect(page.locator(".entry")).to_contain_text("used ")
    page.get_by_role("button", name="Revoke “Backup”").click()
    expect(page.locator("main")).to_contain_text("No tokens yet.")
    assert calm_roost.get("/api/v1/watchlist", headers=token, guest=NOBODY).status == 401


def test_an_owner_looks_after_the_members(calm_roost, visit):
    calm_roost.add_user("grace")
    page = quiet(visit, calm_roost).page()
    manage(page, "grace").get_by_role("button", name="Make owner").click()
    expect(member(page, "grace").locator(".tag")).to_have_text("owner")
    manage(page, "grace").get_by_role("button", name="Make member").click()
    expect(member(page, "grace").locator(".tag")).to_have_count(0)
    manage(page, "grace").get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("They are signed out everywhere.")
    row = manage(page, "grace")
    row.get_by_text("Remove …").click()
    row.get_by_role("button", name="Remove grace for good").click()
    expect(member(page, "grace")).to_have_count(0)


def test_the_log_tells_what_has_happened_and_is_narrowed(calm_roost, visit):
    calm_roost.add_user("grace")
    calm_roost.ask("POST", "/api/v1/sessions", {"username": "grace", "password": "not it"}, guest=NOBODY)
    assert calm_roost.ask("POST", "/settings/tokens", "name=Backup&scope=write&days=30").status == 303
    page = quiet(visit, calm_roost).page("/members/log")
    for sentence in ("ada set Roost up and is its first owner.", "Somebody on the command line added grace as member.",
                     "Somebody tried to sign in as grace, with a wrong password.", "grace signed in.",
                     "ada made the token “Backup” to read and write."):
        expect(page.get_by_text(sentence).first).to_be_visible()
    page.get_by_role("navigation", name="Show").get_by_role("link", name="Changes").click()
    expect(page.get_by_text("grace signed in.")).to_have_count(0)
    expect(page.get_by_text("added grace")).to_be_visible()


def test_older_entries_of_the_log_are_a_link_away(calm_roost, visit):
    for number in range(60):
        assert calm_roost.ask("POST", "/members/invitations", f"note={number}&days=1&uses=1").status == 303
    page = quiet(visit, calm_roost).page("/members/log?kind=changes")
    expect(page.get_by_text("“59”")).to_be_visible()
    expect(page.get_by_text("“1”")).to_have_count(0)
    page.get_by_role("link", name="Older entries").click()
    expect(page.get_by_text("“1”")).to_be_visible()
    page.get_by_role("link", name="Newest").click()
    expect(page.get_by_text("“59”")).to_be_visible()


def test_one_deletes_ones_account_and_all_that_is_in_it(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    page = quiet(visit, calm_roost, grace).page("/displays")
    send(page, "Make a link", name="Kitchen")
    link = page.get_by_role("textbox", name="Secret link for Kitchen").input_value()
    page.goto("/settings/security")
    page.get_by_text("Delete my account …").click()
    page.locator("#delete-password").fill(calm_roost.PASSWORD)
    page.get_by_role("button", name="Delete my account for good").click()
    expect(page.locator(".intro")).to_have_text("Your account and everything in it was deleted.")
    assert calm_roost.get(link.removeprefix(calm_roost.url), guest=NOBODY).status == 404
    sign_in(page, "grace")
    expect(page.locator(".form-error")).to_have_text("The name or the password is wrong.")
