"""Pairing: a screen shows a code, somebody types it, and the screen is in."""

import re
import time

import pytest
from playwright.sync_api import expect
from program import NOBODY
from visit import is_marked, mark

CODE = re.compile(r"^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$")


def screen(roost, visit, **options):
    """A browser on a wall, which has no session; answers its page and the code that it shows."""
    page = visit(roost, NOBODY, **options).page("/display")
    code = page.locator(".pair-code")
    expect(code).to_have_text(CODE)
    return page, code.text_content()


def pair(page, code, name="Kitchen"):
    page.get_by_label("Code").fill(code)
    page.get_by_label("Its name, if it is new").fill(name)
    page.get_by_role("button", name="Pair").click()


def test_a_screen_is_in_within_a_second_of_its_code_being_typed(roost, visit):
    roost.priced("bitcoin")
    wall, code = screen(roost, visit)
    expect(wall.get_by_role("img", name="QR code of the link")).to_be_visible()
    page = visit(roost).page("/displays")
    pair(page, code.lower())
    typed = time.monotonic()
    expect(wall.locator('.cell[data-key="bitcoin"]')).to_be_visible()
    assert time.monotonic() - typed < 2, "a second, and what the browsers take on a busy machine"
    assert wall.url == f"{roost.url}/display"
    expect(page).to_have_url(re.compile(r"/displays/\d+"))
    expect(page.locator(".screen-status")).to_contain_text("showing now")
    # It needs no address and no code again.
    wall.reload()
    expect(wall.locator('.cell[data-key="bitcoin"]')).to_be_visible()


def test_a_phone_that_scans_the_code_finds_it_typed(calm_roost, visit):
    _, code = screen(calm_roost, visit)
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page(f"/displays?code={code.replace('-', '')}")
    expect(page.get_by_label("Code")).to_have_value(code.replace("-", ""))
    expect(page.get_by_label("Code")).to_be_focused()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_scripts_a_screen_is_paired_too(calm_roost, visit):
    wall, code = screen(calm_roost, visit, java_script_enabled=False)
    pair(visit(calm_roost, java_script_enabled=False).page("/displays"), code)
    expect(wall.locator("#screen")).to_be_visible()


def test_a_signed_out_screen_shows_a_new_code_by_itself(calm_roost, visit):
    wall, code = screen(calm_roost, visit)
    page = visit(calm_roost).page("/displays")
    pair(page, code)
    expect(wall.locator("#screen")).to_be_visible()
    page.get_by_role("button", name="Sign out screens").click()
    expect(page.locator("#notice")).to_contain_text("No screen shows this display any more.")
    expect(wall.locator(".pair-code")).to_have_text(CODE)
    assert wall.locator(".pair-code").text_content() != code


@pytest.mark.parametrize("scripts", [True, False])
def test_a_screen_is_paired_without_a_name(scripts, calm_roost, visit):
    calm_roost.display("Screen 1")
    _, code = screen(calm_roost, visit)
    page = visit(calm_roost, java_script_enabled=scripts).page("/displays")
    pair(page, code, "")
    expect(page.get_by_role("heading", level=1)).to_have_text("Screen 2")


def test_a_wrong_code_is_refused_beside_its_field(calm_roost, visit):
    page = visit(calm_roost).page("/displays")
    pair(page, "222-222")
    expect(page.locator("#pair-error")).to_contain_text("No screen shows this code.")
    expect(page.get_by_label("Code")).to_have_value("222-222")
    expect(page.get_by_label("Its name, if it is new")).to_have_value("Kitchen")


def test_a_screen_waits_through_a_restart_with_the_same_code(calm_roost, visit):
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
