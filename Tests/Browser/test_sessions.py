"""Signing in and out in several tabs and browsers."""

import re

from accounts import person, send, told_signed_out
from playwright.sync_api import expect
from program import NOBODY
from visit import is_marked, mark


def test_signing_out_in_one_tab_is_reported_in_the_other(calm_roost, visit):
    calm_roost.watch("bitcoin")
    browser = visit(calm_roost)
    one, *others = [browser.page(path) for path in ("/settings", "/watchlist", "/settings/tokens", "/displays")]
    for other in others:
        expect(person(other)).to_be_visible()
        mark(other)
    one.get_by_role("button", name="Sign out", exact=True).click()
    expect(one).to_have_url(re.compile(r"/login\?out=1"))
    expect(one.locator(".intro")).to_have_text("You are signed out.")
    for other in others:
        told_signed_out(other)
        assert is_marked(other)
    one.go_back()
    expect(one).to_have_url(re.compile(r"/login"))
    assert "Bitcoin" not in one.content()


def test_a_form_sent_after_signing_out_is_refused_with_a_reason(calm_roost, visit):
    browser = visit(calm_roost, java_script_enabled=False)
    one, other = browser.page("/settings"), browser.page("/settings")
    one.get_by_role("button", name="Sign out", exact=True).click()
    send(other, "Save profile", displayName="Ada Lovelace")
    expect(other.get_by_role("heading", level=1)).to_have_text("You are signed out")
    expect(other.locator("main")).to_contain_text("Nothing was changed.")
    other.get_by_role("link", name="Go to the home page").click()
    expect(other.get_by_role("heading", level=1)).to_have_text("Sign in")


def test_a_session_is_ended_from_the_list_without_leaving_the_page(calm_roost, visit):
    here = visit(calm_roost, calm_roost.sign_in()).page("/settings/security")
    other = visit(calm_roost).page("/watchlist")
    expect(here.locator(".entry")).to_have_count(2)
    expect(here.locator(".entry").first).to_contain_text("this device")
    mark(here)
    here.locator(".entry").nth(1).get_by_role("button", name=re.compile("Sign out")).click()
    expect(here.locator(".entry")).to_have_count(1)
    told_signed_out(other)
    assert is_marked(here)


def test_a_new_session_appears_in_the_open_list(calm_roost, visit):
    page = visit(calm_roost).page("/settings/security")
    expect(page.locator(".entry")).to_have_count(1)
    calm_roost.sign_in()
    expect(page.locator(".entry")).to_have_count(2)


def test_the_password_can_be_shown_while_typing_and_is_hidden_when_sent(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page("/login")
    field = page.locator("#password")
    expect(field).to_have_attribute("type", "password")
    page.get_by_role("button", name="Show Password").click()
    expect(field).to_have_attribute("type", "text")
    expect(field).to_be_focused()
    page.keyboard.type("not it, I fear")
    page.locator("#username").fill("ada")
    page.get_by_role("button", name="Sign in", exact=True).click()
    expect(page.locator(".form-error")).to_be_visible()
    expect(field).to_have_attribute("type", "password")
    expect(field).to_have_value("")
    expect(page.locator("#username")).to_have_value("ada")
