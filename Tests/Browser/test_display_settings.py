"""A display's settings: the form, its preview, and the screen."""

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
    expect(page.locator("#preview-word")).to_contain_text("unsaved settings")
    assert len(coins(wall)) == 3


def test_invalid_settings_leave_the_preview_unchanged(settings):
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


@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_the_page_does_not_scroll_sideways_and_the_preview_keeps_its_shape(width, roost, visit):
    roost.display("Wall with a rather long name so that it has to wrap")
    page = visit(roost, viewport={"width": width, "height": 900}).page("/displays/1")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    frame = page.locator("#preview").bounding_box()
    assert abs(frame["width"] / frame["height"] - 16 / 9) < .05


def test_the_settings_are_short_and_save_stays_in_view(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana", "dogecoin")
    calm_roost.display("Wall")
    page = visit(calm_roost, viewport={"width": 1280, "height": 800}).page("/displays/1")
    assert page.evaluate("document.documentElement.scrollHeight") < 1480
    save = page.get_by_role("button", name="Save settings")
    for _ in range(2):
        box = save.bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= 800
        page.get_by_label("Sunday until").scroll_into_view_if_needed()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_hours_are_a_grid_of_the_week(width, calm_roost, visit):
    calm_roost.display("Wall")
    page = visit(calm_roost, viewport={"width": width, "height": 900}).page("/displays/1")
    monday, sunday, until = (page.get_by_label(name).bounding_box() for name in ("Monday from", "Sunday from", "Monday until"))
    # Days are columns where there is room, and rows on phones.
    assert (monday["y"] == sunday["y"]) == (width > 760) and (monday["y"] == until["y"]) == (width <= 760)
    page.get_by_label("Saturday from").fill("22:00")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_text("Enter both times for Saturday, or neither.")).to_be_visible()
    expect(page.get_by_label("Saturday from")).to_have_value("22:00")
    page.get_by_label("Saturday until").fill("08:00")
    page.get_by_role("button", name="Save settings").click()
    expect(page.locator("#notice")).to_contain_text("Settings saved.")
