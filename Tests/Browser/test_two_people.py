"""Two people in two browsers at once: each has things of their own, and what one does holds for the other."""

import re

from accounts import fill, invite, manage, member, person, send, told_signed_out
from playwright.sync_api import expect
from program import NOBODY
from visit import is_marked, mark, row


def test_watchlists_are_apart_and_only_the_owners_pages_follow_a_change(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    calm_roost.watch("bitcoin")
    adas = visit(calm_roost).page("/watchlist")
    graces = visit(calm_roost, grace), visit(calm_roost, grace)
    graces = [each.page("/watchlist") for each in graces]
    for page in (adas, *graces):
        mark(page)
    for page in graces:
        expect(page.locator(".empty")).to_contain_text("Your watchlist is empty")
    calm_roost.ask("POST", "/api/v1/watchlist", {"coinId": "solana"}, guest=grace)
    for page in graces:
        expect(row(page, "solana")).to_be_visible()
    calm_roost.watch("ethereum")
    expect(row(adas, "ethereum")).to_be_visible()
    expect(row(adas, "solana")).to_have_count(0)
    for page in graces:
        expect(page.locator("tr.row")).to_have_count(1)
    assert all(is_marked(page) for page in (adas, *graces))


def test_displays_are_apart_and_show_their_own_persons_coins(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Ada’s wall")
    graces = visit(calm_roost, grace).page("/displays")
    expect(graces.locator("main")).not_to_contain_text("Ada’s wall")
    send(graces, "Make a link", name="Grace’s wall")
    own = graces.get_by_role("textbox", name="Secret link for Grace’s wall").input_value()
    expect(visit(calm_roost).page("/displays").locator("main")).not_to_contain_text("Grace’s wall")
    wall = visit(calm_roost, NOBODY).page(own)
    expect(wall.locator("#screen")).to_be_visible()
    expect(wall.locator("#screen")).not_to_contain_text("BTC")
    wall.goto(link)
    expect(wall.locator("#screen")).to_contain_text("BTC")


def test_a_new_role_holds_from_the_next_page_on(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    graces = visit(calm_roost, grace).page("/settings")
    expect(graces.get_by_role("link", name="Members")).to_have_count(0)
    adas = visit(calm_roost).page()
    manage(adas, "grace").get_by_role("button", name="Make owner").click()
    expect(adas.locator("#notice")).to_contain_text("The role is changed.")
    graces.reload()
    graces.get_by_role("link", name="Members").click()
    expect(member(graces, "ada")).to_be_visible()
    manage(adas, "grace").get_by_role("button", name="Make member").click()
    expect(adas.locator("#notice")).to_contain_text("The role is changed.")
    graces.reload()
    expect(graces.locator("main")).to_contain_text("Only an owner may do this.")
    expect(graces.get_by_role("link", name="Members")).to_have_count(0)


def test_who_is_removed_reads_it_on_the_open_page(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    calm_roost.ask("POST", "/api/v1/watchlist", {"coinId": "solana"}, guest=grace)
    graces = visit(calm_roost, grace).page("/watchlist")
    expect(row(graces, "solana")).to_be_visible()
    mark(graces)
    adas = visit(calm_roost).page()
    row_of_grace = manage(adas, "grace")
    row_of_grace.get_by_text("Remove …").click()
    row_of_grace.get_by_role("button", name="Remove grace for good").click()
    expect(adas.locator("#notice")).to_contain_text("The account is removed.")
    expect(adas.locator("li.display")).to_have_count(1)
    told_signed_out(graces)
    assert is_marked(graces)
    graces.get_by_role("link", name="Sign in").click()
    expect(graces).to_have_url(re.compile("/login"))
    send(graces, "Sign in", username="grace", password=calm_roost.PASSWORD)
    expect(graces.locator(".form-error")).to_have_text("The name or the password is wrong.")


def test_the_last_owner_can_neither_be_removed_nor_demoted(calm_roost, visit):
    calm_roost.add_user("grace")
    page = visit(calm_roost).page()
    own = manage(page, "ada")
    for name in ("Make member", "Remove"):
        expect(own.get_by_role("button", name=name, exact=True)).to_be_disabled()
    expect(own).to_contain_text("make somebody else an owner first")
    page.goto("/settings/security")
    expect(page.get_by_role("button", name="Delete my account")).to_be_disabled()
    manage(page, "grace").get_by_role("button", name="Make owner").click()
    expect(manage(page, "ada").get_by_role("button", name="Make member", exact=True)).to_be_enabled()


def test_a_reset_link_gives_a_new_password_once(calm_roost, visit):
    grace = calm_roost.add_user("grace")
    graces = visit(calm_roost, grace).page("/watchlist")
    adas = visit(calm_roost).page()
    manage(adas, "grace").get_by_role("button", name="Reset link").click()
    link = adas.get_by_role("textbox", name="Reset link for grace")
    address = link.input_value()
    adas.reload()
    expect(link).to_have_count(0)  # it was shown once
    other = visit(calm_roost, NOBODY).page(address)
    expect(other.locator(".intro")).to_contain_text("For grace")
    send(other, "Save the new password", password="four herons in a row")
    expect(person(other)).to_contain_text("grace")
    told_signed_out(graces)
    other.goto(address)
    expect(other.get_by_role("heading", level=1)).to_have_text("This link is closed")
    assert calm_roost.try_to_sign_in("grace") is None


def test_what_an_owner_has_opened_stays_open_and_focused_while_others_come(calm_roost, visit):
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


def test_what_an_owner_types_stays_while_others_come(calm_roost, visit):
    page = visit(calm_roost).page()
    address = invite(page)
    form = fill(page, note="For the party", uses="12")
    calm_roost.ask("POST", "/api/v1/users", {
        "username": "grace", "password": calm_roost.PASSWORD, "joinCode": address.rpartition("/")[2]}, guest=NOBODY)
    expect(page.locator(".entry")).to_contain_text("grace")
    expect(form.locator('[name="note"]')).to_have_value("For the party")
    expect(form.locator('[name="uses"]')).to_have_value("12")
    expect(page.get_by_role("textbox", name="Join link: The new neighbours")).to_be_visible()
