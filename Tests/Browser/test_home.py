"""The home page: first steps for a new user, then tiles in columns."""

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


def steps(page):
    return page.get_by_role("region", name="First steps")


def filled(roost):
    """Fills each tile except Chat."""
    connect(roost)
    roost.priced("bitcoin", "solana", "ethereum", "monero", "cardano")
    save(roost, WALL)
    bookmark(roost, *names(roost, 5))
    for name in ("Kitchen", "Hall"):
        roost.display(name)


def test_a_completed_step_is_ticked_and_its_tile_appears_without_a_reload(calm_roost, visit):
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
    # A tile that was never used then has one line.
    expect(page.get_by_text("No bookmarks yet.")).to_be_visible()


def test_tiles_fill_the_columns_in_order_without_gaps(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, reduced_motion="reduce").page("/")
    expect(page.get_by_role("region", name="Pull requests").get_by_role("listitem")).to_have_count(5)
    # A wall-sized window shows everything larger.
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
    assert sum(box["width"] * box["height"] for box in boxes) > 3840 * 2160 * .3, "tiles use too little of a wall-sized window"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tile_without_rows_is_one_line(scheme, calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, color_scheme=scheme).page("/")
    expect(page.get_by_text("No conversations yet.")).to_be_visible()
    chat = next(box for box in page.evaluate(BOXES) if box["name"] == "Chat")
    assert chat["height"] < 56, chat
    assert violations(page) == []
