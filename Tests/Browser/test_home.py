"""The home page: first steps for a new user, then tiles in columns, what waits first."""

import pytest
from github import connect
from looks import violations
from playwright.sync_api import expect
from reading_sites import WALL, save
from repositories import bookmark, names
from visit import is_marked, mark

BOXES = """() => [...document.querySelectorAll(".tile")].filter((tile) => tile.checkVisibility()).map((tile) => {
    const { x, y, width, height } = tile.getBoundingClientRect();
    return { name: tile.getAttribute("aria-label"), x: Math.round(x), y: Math.round(y + scrollY), width, height };
})"""
STEPS = ["Connect GitHub", "Add coins", "Save a page", "Invite someone"]


def steps(page):
    return page.get_by_role("region", name="First steps")


def filled(roost):
    """Content in each tile but Chat."""
    connect(roost)
    roost.priced("bitcoin", "solana", "ethereum", "monero", "cardano")
    save(roost, WALL)
    bookmark(roost, *names(roost, 5))
    for name in ("Kitchen", "Hall"):
        roost.display(name)


def test_a_new_owner_sees_first_steps_and_no_empty_tiles(calm_roost, visit):
    for scripts in (True, False):
        page = visit(calm_roost, java_script_enabled=scripts).page("/")
        assert steps(page).get_by_role("link").all_text_contents() == STEPS
        assert page.evaluate(BOXES) == [] if scripts else page.locator(".tile:visible").count() == 0
        expect(page.get_by_text("yet.").locator("visible=true")).to_have_count(0)
    steps(page).get_by_role("link", name="Invite someone").click()
    expect(page).to_have_url(f"{calm_roost.url}/members/invitations")


def test_a_step_is_ticked_and_its_tile_comes_without_a_reload(calm_roost, visit):
    page = visit(calm_roost).page("/")
    mark(page)
    expect(page.get_by_role("region", name="Watchlist")).to_be_hidden()
    calm_roost.watch("bitcoin")
    coins = steps(page).get_by_role("listitem").filter(has_text="Add coins")
    expect(coins).to_contain_text("Done")
    expect(page.get_by_role("region", name="Watchlist").get_by_role("link", name="Bitcoin")).to_be_visible()
    save(calm_roost, WALL)
    expect(page.get_by_role("region", name="Reading").get_by_role("listitem")).to_have_count(1)
    connect(calm_roost)
    expect(steps(page)).to_be_hidden()
    assert is_marked(page)
    page.reload()
    expect(steps(page)).to_have_count(0)
    # What was never used has a line then.
    expect(page.get_by_text("No bookmarks yet.")).to_be_visible()


def test_first_steps_can_be_hidden(calm_roost, visit):
    page = visit(calm_roost).page("/")
    steps(page).get_by_role("button", name="Hide").click()
    expect(steps(page)).to_have_count(0)
    expect(page.get_by_text("No coins yet.")).to_be_visible()
    page.reload()
    expect(steps(page)).to_have_count(0)


def test_tiles_fill_columns_without_gaps_in_the_order_of_the_page(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, reduced_motion="reduce").page("/")
    expect(page.get_by_role("region", name="Pull requests").get_by_role("listitem")).to_have_count(5)
    # A wall-sized window shows all larger.
    for width, height, count, gap in ((390, 844, 1, 20), (1280, 800, 2, 20), (1920, 1080, 3, 20), (3840, 2160, 3, 34)):
        page.set_viewport_size({"width": width, "height": height})
        boxes = page.evaluate(BOXES)
        assert [box["name"] for box in boxes] == [
            "Pull requests", "Chat", "Reading", "Watchlist", "Bookmarks", "Displays"], width
        # Down the first column, then down the next.
        assert boxes == sorted(boxes, key=lambda box: (box["x"], box["y"])), width
        columns = {}
        for box in boxes:
            columns.setdefault(box["x"], []).append(box)
        assert 1 < len(columns) <= count or len(columns) == count == 1, (width, boxes)
        for column in columns.values():
            assert column[0]["y"] == boxes[0]["y"], (width, boxes)
            for above, below in zip(column, column[1:]):
                assert abs(below["y"] - above["y"] - above["height"] - gap) <= 1, (width, boxes)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
    assert sum(box["width"] * box["height"] for box in boxes) > 3840 * 2160 * .3, "a wall-sized window is used"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tile_without_rows_is_one_line(scheme, calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, color_scheme=scheme).page("/")
    expect(page.get_by_text("No conversations yet.")).to_be_visible()
    chat = next(box for box in page.evaluate(BOXES) if box["name"] == "Chat")
    assert chat["height"] < 56, chat
    assert violations(page) == []
