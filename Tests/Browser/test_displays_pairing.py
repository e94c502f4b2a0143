"""Pairing: a screen shows a code, and someone enters it."""

import re

from playwright.sync_api import expect
from program import NOBODY
from visit import is_marked, mark

CODE = re.compile(r"^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$")


def screen(roost, visit, **options):
    """A wall's browser without a session; returns its page and the code it shows."""
    page = visit(roost, NOBODY, **options).page("/display")
    code = page.locator(".pair-code")
    expect(code).to_have_text(CODE)
    return page, code.text_content()


def pair(page, code, name="Kitchen"):
    page.get_by_label("Code").fill(code)
    page.get_by_label("Name for a new display").fill(name)
    page.get_by_role("button", name="Pair").click()


def test_a_screen_is_paired_within_a_second_of_entering_its_code(roost, visit):
    roost.priced("bitcoin")
    wall, code = screen(roost, visit)
    expect(wall.get_by_role("img", name="QR code of the link")).to_be_visible()
    page = visit(roost).page("/displays")
    polls = []
    wall.on("response", lambda response: polls.append(response.request) if "/display/paired" in response.url else None)
    with page.expect_request(lambda request: request.method == "POST") as sent:
        pair(page, code.lower())
    expect(wall.locator('.cell[data-key="bitcoin"]')).to_be_visible()

    def answered(request):
        return request.timing["startTime"] + request.timing["responseStart"]

    # Measured on the network: how long the pages take before and after it depends on the machine.
    assert answered(polls[-1]) - answered(sent.value) < 2_000, "one second, plus one for a busy machine"
    assert wall.url == f"{roost.url}/display"
    expect(page).to_have_url(re.compile(r"/displays/\d+"))
    expect(page.locator(".screen-status")).to_contain_text("showing now")
    # A reload needs no new code.
    wall.reload()
    expect(wall.locator('.cell[data-key="bitcoin"]')).to_be_visible()


def test_a_signed_out_screen_shows_a_new_code(calm_roost, visit):
    wall, code = screen(calm_roost, visit)
    page = visit(calm_roost).page("/displays")
    pair(page, code)
    expect(wall.locator("#screen")).to_be_visible()
    page.get_by_role("button", name="Sign out screens").click()
    expect(page.locator("#notice")).to_contain_text("All screens are signed out.")
    expect(wall.locator(".pair-code")).to_have_text(CODE)
    assert wall.locator(".pair-code").text_content() != code


def test_a_waiting_screen_keeps_its_code_through_a_restart(calm_roost, visit):
    wall, code = screen(calm_roost, visit)
    mark(wall)
    host = calm_roost.host
    calm_roost.kill()
    calm_roost.listen(host)
    calm_roost.start()
    assert is_marked(wall)
    pair(visit(calm_roost).page("/displays"), code)
    expect(wall.locator("#screen")).to_be_visible(timeout=30_000)


def test_the_widest_code_fits_every_screen(calm_roost, visit):
    wall, _ = screen(calm_roost, visit)
    wall.locator(".pair-code").evaluate("code => code.textContent = 'WWW-WWW'")
    for width, height in ((320, 568), (1080, 1920), (1920, 1080), (1024, 768), (3840, 2160)):
        wall.set_viewport_size({"width": width, "height": height})
        box = wall.locator(".pair-code").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width, (width, box)
        assert wall.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
