"""The first visitor, who has the code that Roost printed, becomes its owner."""

import re

from accounts import PASSWORD, fill, person, refused, send
from playwright.sync_api import expect
from program import NOBODY, eventually


def setup_line(roost):
    """The address that Roost prints while it has no owner."""
    return eventually("the line that says where to set it up", lambda: next(
        (found[0] for line in list(roost.lines) if (found := re.search(r"http://\S+/setup\?code=\S+", line))), None))


def test_the_printed_address_leads_to_the_home_page(make_roost, visit):
    roost = make_roost(settled=False)
    browser = visit(roost, NOBODY)
    page = browser.page(setup_line(roost))
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up Roost")
    expect(page.get_by_label("User name")).to_be_focused()
    expect(page.get_by_label("Code")).to_have_count(0)
    send(page, "Create the owner’s account", username="ada", displayName="Ada Lovelace", password=PASSWORD)
    expect(page).to_have_url(f"{roost.url}/")
    expect(person(page)).to_have_text(re.compile("Ada Lovelace"))
    page.goto("/members")
    expect(page.locator("li.display")).to_have_count(1)
    expect(page.locator("li.display")).to_contain_text("owner")


def test_the_printed_address_opens_once(make_roost, visit):
    roost = make_roost(settled=False)
    address = setup_line(roost)
    roost.settle()
    late = visit(roost, NOBODY).page(address)
    expect(late.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_until_then_every_door_leads_to_the_setup_and_asks_for_the_code(make_roost, visit):
    roost = make_roost(settled=False)
    browser = visit(roost, NOBODY)
    for path in ("/", "/login"):
        page = browser.page(path)
        expect(page).to_have_url(f"{roost.url}/setup")
        expect(page.get_by_label("Code", exact=True)).to_be_focused()


def test_a_wrong_code_is_refused_at_its_field_with_what_was_typed(make_roost, visit):
    roost = make_roost(settled=False)
    page = visit(roost, NOBODY).page("/setup")
    send(page, "Create the owner’s account",
         code="AAAA-BBBB-CCCC-DDDD", username="ada", displayName="Ada", email="ada@example.org", password=PASSWORD)
    refused(page, "code", "code")
    for name, text in {"username": "ada", "displayName": "Ada", "email": "ada@example.org", "password": ""}.items():
        expect(page.locator(f"#{name}")).to_have_value(text)


def test_the_code_may_be_typed_as_it_is_read_aloud(make_roost, visit):
    roost = make_roost(settled=False)
    page = visit(roost, NOBODY).page("/setup")
    fill(page, code=roost.setup_code.replace("-", " ").lower(), username="ada", password=PASSWORD)
    page.keyboard.press("Enter")
    expect(person(page)).to_contain_text("ada")


def test_the_sessions_cookie_is_hidden_from_scripts(make_roost, visit):
    roost = make_roost(settled=False)
    browser = visit(roost, NOBODY)
    page = browser.page(setup_line(roost))
    send(page, "Create the owner’s account", username="ada", password=PASSWORD)
    expect(person(page)).to_be_visible()
    assert page.evaluate("() => document.cookie") == ""
    cookies = {each["name"]: each for each in browser.context.cookies()}
    session = cookies["roost_session"]
    assert session["httpOnly"] and session["sameSite"] == "Lax" and session["path"] == "/", session
    assert all(each["httpOnly"] for each in cookies.values()), cookies
