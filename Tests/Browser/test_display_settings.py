"""A display's settings: a form, a preview beside it, and a screen that follows."""

import re

import pytest
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark


@pytest.fixture
def settings(roost, visit):
    roost.priced("bitcoin", "solana", "dogecoin")
    link = roost.display("Wall")
    return visit(roost).page("/displays/1"), visit(roost).page(link)


def coins(place):
    return place.locator(".cell").evaluate_all("cells => cells.map((cell) => cell.dataset.key)")


def test_the_preview_follows_the_form_before_it_is_saved(settings):
    page, wall = settings
    preview = page.frame_locator("#preview")
    expect(preview.locator(".cell")).to_have_count(3)
    page.get_by_label("Solana").check()
    expect(preview.locator(".cell")).to_have_count(1)
    expect(preview.locator('.cell[data-key="solana"]')).to_be_visible()
    expect(page.locator("#preview-word")).to_contain_text("once this is saved")
    assert len(coins(wall)) == 3


def test_what_does_not_fit_leaves_the_preview_as_it_is(settings):
    page, _ = settings
    preview = page.frame_locator("#preview")
    expect(preview.locator(".cell")).to_have_count(3)
    frame = page.frames[1]
    mark(frame)
    page.get_by_label("Seconds per page").fill("2")
    page.wait_for_timeout(600)
    assert is_marked(frame)


def test_a_change_reaches_the_screen_without_a_reload(settings):
    page, wall = settings
    mark(wall)
    page.get_by_label("Solana").check()
    page.get_by_role("button", name="Save").click()
    eventually("one coin", lambda: coins(wall) == ["solana"])
    assert is_marked(wall)
    expect(page.get_by_label("Solana")).to_be_checked()
    expect(page.get_by_label("Bitcoin")).not_to_be_checked()


def test_without_scripts_the_preview_shows_what_is_saved(roost, visit):
    roost.priced("bitcoin", "solana")
    roost.display("Wall")
    page = visit(roost, java_script_enabled=False).page("/displays/1")
    page.get_by_label("Solana").check()
    page.get_by_label("Headline").fill("Moving day")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("The settings were saved.")
    expect(page.get_by_label("Headline")).to_have_value("Moving day")
    expect(page.frame_locator("#preview").locator(".cell")).to_have_count(1)


def test_a_refused_setting_is_said_at_its_field(roost, visit):
    roost.display("Wall")
    page = visit(roost, java_script_enabled=False).page("/displays/1")
    page.get_by_label("Saturday from").fill("22:00")
    page.get_by_label("Seconds per page").fill("45")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#set-blackUntil5-error")).to_have_text("Give both times of Saturday, or neither.")
    expect(page.get_by_label("Saturday from")).to_have_value("22:00")
    expect(page.get_by_label("Seconds per page")).to_have_value("45")


def test_the_link_is_there_whenever_one_looks(roost, visit):
    link = roost.display("Wall")
    page = visit(roost).page("/displays")
    page.get_by_role("link", name="Wall: Settings").click()
    field = page.get_by_role("textbox", name="Secret link for Wall")
    expect(field).to_have_value(re.compile(re.escape(link) + "$"))
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
    page.get_by_role("button", name="New link").click()
    expect(field).not_to_have_value(re.compile(re.escape(link) + "$"))
    assert roost.get(link).status == 404


@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_the_page_scrolls_no_way_but_down(width, roost, visit):
    roost.display("Wall with a rather long name so that it has to wrap")
    page = visit(roost, viewport={"width": width, "height": 900}).page("/displays/1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = page.locator("#preview").bounding_box()
    assert abs(frame["width"] / frame["height"] - 16 / 9) < .05
