"""Joining by an owner's link."""

import re

from accounts import PASSWORD, fill, invite, member, person, refused, send
from playwright.sync_api import expect
from program import NOBODY
from scan import scan
from visit import is_marked, mark, overflow

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}


def test_a_phone_joins_by_the_qr_code_and_appears_on_the_owners_page(calm_roost, visit):
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
    person(phone).scroll_into_view_if_needed()
    expect(person(phone)).to_have_text(re.compile("Grace Hopper"))
    expect(member(owners, "Grace Hopper")).to_contain_text("grace · joined")
    expect(invitations.locator(".entry")).to_contain_text(re.compile("joined: .?Grace Hopper"))
    assert is_marked(owners)


def test_a_name_that_is_taken_is_refused_at_its_field(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page(invite(visit(calm_roost).page()))
    send(page, "Join", username="Ada", displayName="Another Ada", email="other@example.org", password=PASSWORD)
    refused(page, "username", "There is already a user named “Ada”.")
    for name, text in {"username": "Ada", "displayName": "Another Ada", "email": "other@example.org"}.items():
        expect(page.locator(f"#{name}")).to_have_value(text)
    expect(page.locator("#password")).to_have_value("")
