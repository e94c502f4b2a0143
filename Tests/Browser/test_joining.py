"""Others join by a link that an owner has made, from whatever device."""

import re

from accounts import PASSWORD, fill, invite, member, person, refused, send
from playwright.sync_api import expect
from program import NOBODY
from scan import scan
from visit import is_marked, mark, overflow

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}


def test_a_phone_scans_the_code_and_joins_while_the_owner_looks_on(calm_roost, visit):
    desk = visit(calm_roost)
    owners = desk.page("/members")
    expect(owners.locator("li.display")).to_have_count(1)
    mark(owners)
    invitations = desk.page("/members/invitations")
    typed = invite(invitations)
    address = scan(invitations)
    assert address == typed
    phone = visit(calm_roost, NOBODY, **PHONE).page(address)
    expect(phone.locator(".intro")).to_contain_text("ada invites you.")
    assert overflow(phone)[0] == 0
    form = fill(phone, username="grace", displayName="Grace Hopper", password=PASSWORD)
    button = form.get_by_role("button", name="Join", exact=True)
    assert button.bounding_box()["height"] >= 42
    button.tap()
    expect(phone).to_have_url(f"{calm_roost.url}/")
    phone.locator(".place-more button").tap()
    expect(phone.get_by_role("link", name="You, Grace Hopper")).to_be_in_viewport()
    expect(member(owners, "Grace Hopper")).to_contain_text("grace · joined")
    expect(invitations.locator(".entry")).to_contain_text(re.compile("joined: .?Grace Hopper"))
    assert is_marked(owners)


def test_the_large_page_of_a_link_can_be_scanned_by_night_too(calm_roost, visit):
    for scheme in ("light", "dark"):
        page = visit(calm_roost, color_scheme=scheme).page("/members/invitations")
        address = invite(page)
        page.get_by_role("link", name="Show the link “The new neighbours”").first.click()
        expect(page.get_by_role("heading", name="Scan to join")).to_be_visible()
        assert scan(page) == address


def test_a_code_that_was_told_is_typed_in(calm_roost, visit):
    code = invite(visit(calm_roost).page()).rpartition("/")[2]
    page = visit(calm_roost, NOBODY).page("/login")
    page.get_by_role("link", name="I have a join code").click()
    send(page, "Go on", code="no code")
    refused(page, "code", "sixteen letters and figures")
    expect(page.locator("#code")).to_have_value("no code")
    send(page, "Go on", code=code.replace("-", "").lower())
    expect(page.locator(".intro")).to_contain_text("ada invites you.")


def test_a_used_link_says_so_in_words(calm_roost, visit):
    address = invite(visit(calm_roost).page())
    page = visit(calm_roost, NOBODY).page(address)
    late = visit(calm_roost, NOBODY).page(address)
    send(page, "Join", username="grace", password=PASSWORD)
    expect(person(page)).to_be_visible()
    send(late, "Join", username="alan", password=PASSWORD)
    expect(late.get_by_role("heading", level=1)).to_have_text("This link is closed")
    expect(late.locator(".sheet")).to_contain_text("Ask whoever sent it for a new one.")


def test_a_withdrawn_link_lets_nobody_in(calm_roost, visit):
    owners = visit(calm_roost).page()
    address = invite(owners)
    owners.get_by_role("button", name="Withdraw “The new neighbours”").click()
    expect(owners.locator("#notice")).to_contain_text("The link lets nobody in any more.")
    expect(owners.locator(".entry")).to_contain_text("withdrawn on")
    page = visit(calm_roost, NOBODY).page(address)
    expect(page.get_by_role("heading", level=1)).to_have_text("This link is closed")


def test_a_name_that_is_taken_is_refused_at_its_field(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page(invite(visit(calm_roost).page()))
    send(page, "Join", username="Ada", displayName="Another Ada", email="other@example.org", password=PASSWORD)
    refused(page, "username", "There already is a user named “Ada”.")
    for name, text in {"username": "Ada", "displayName": "Another Ada", "email": "other@example.org"}.items():
        expect(page.locator(f"#{name}")).to_have_value(text)
    expect(page.locator("#password")).to_have_value("")
