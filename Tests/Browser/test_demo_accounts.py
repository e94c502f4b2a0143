"""The demo shows the account pages without a sign-in."""

import pytest
from accounts import fill, person
from playwright.sync_api import expect
from program import NOBODY, Program
from visit import Visit


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


@pytest.fixture
def page(browser, demo):
    visit = Visit(browser, demo.url)
    yield visit.page()
    visit.close()


def test_every_page_opens_without_signing_in(demo, page):
    for path, heading in {"/settings": "Profile", "/settings/security": "Security", "/settings/tokens": "Tokens",
                          "/members": "Members", "/members/invitations": "Invitations", "/members/sessions": "Sessions",
                          "/members/log": "Log", "/settings/status": "Status", "/settings/webhooks": "Outgoing webhooks",
                          "/members/webhooks": "Webhook addresses"}.items():
        page.goto(path)
        expect(page.get_by_role("heading", level=1)).to_have_text(heading)
        expect(person(page)).to_contain_text("Ada Lovelace")


def test_the_profile_can_be_changed(page):
    page.goto("/settings")
    fill(page, displayName="Augusta Ada King").get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("Profile saved.")
    expect(person(page)).to_contain_text("Augusta Ada King")
    fill(page, displayName="Ada Lovelace").get_by_role("button", name="Save").click()
    expect(person(page)).to_contain_text("Ada Lovelace")


def test_no_one_can_sign_in_as_a_sample_user(demo):
    for name in ("ada", "grace", "alan"):
        begun = demo.ask("POST", "/api/v1/sessions", {"username": name, "password": ""}, guest=NOBODY)
        assert begun.status in (401, 422), begun.text
