"""The home page: first steps for a new user, then tiles in columns that the user can arrange; and what changed today."""

import pytest
from chat import meanwhile
from github import connect
from looks import violations
from playwright.sync_api import expect
from program import eventually
from reading_sites import WALL, fetched, save
from repositories import bookmark, bookmarks, names
from visit import is_marked, mark

BOXES = """() => [...document.querySelectorAll(".tile")].filter((tile) => tile.checkVisibility()).map((tile) => {
    const { x, y, width, height } = tile.getBoundingClientRect();
    return { name: tile.getAttribute("aria-label"), x: Math.round(x), y: Math.round(y + scrollY), width, height };
})"""


def steps(page):
    return page.get_by_role("region", name="First steps")


def filled(roost):
    """Fills each tile except Chat, and waits for what Roost fetches: later it would move the tiles."""
    connect(roost)
    roost.priced("bitcoin", "solana", "ethereum", "monero", "cardano")
    fetched(roost, WALL, seconds=60)
    bookmark(roost, *names(roost, 5))
    eventually("every detail", lambda: all(item.get("repository", {}).get("detail") for item in bookmarks(roost)))
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
    expect(page.get_by_role("region", name="Next to read").get_by_role("listitem")).to_have_count(1)
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
    expect(page.get_by_role("region", name="Your turn").get_by_role("listitem")).to_have_count(5)
    # A wall-sized window shows everything larger.
    for width, height, count, gap in ((390, 844, 1, 20), (1280, 800, 2, 20), (1920, 1080, 3, 20), (3840, 2160, 4, 30)):
        page.set_viewport_size({"width": width, "height": height})
        boxes = page.evaluate(BOXES)
        assert [box["name"] for box in boxes] == [
            "Your turn", "Unread conversations", "Next to read", "Watchlist", "Bookmarks that moved",
            "Displays in trouble"], width
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
    assert max(box["x"] + box["width"] for box in boxes) > 3840 * .9, "tiles use too little of a wall-sized window"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_tile_without_rows_is_one_line(scheme, calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, color_scheme=scheme).page("/")
    expect(page.get_by_text("No conversations yet.")).to_be_visible()
    chat = next(box for box in page.evaluate(BOXES) if box["name"] == "Unread conversations")
    assert chat["height"] < 56, chat
    assert violations(page) == []


def order(page):
    return page.locator(".slot").evaluate_all("slots => slots.map((slot) => slot.dataset.tile)")


def saved(page):
    """The arrangement as Roost has it: keys in their order, and each tile."""
    items = page.request.get("/api/v1/home").json()["items"]
    return [item["key"] for item in items], {item["key"]: item for item in items}


def test_the_first_rows_are_above_the_fold(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, viewport={"width": 1280, "height": 800}).page("/")
    for name in ("Your turn", "Watchlist"):
        rows = page.get_by_role("region", name=name).get_by_role("listitem")
        expect(rows.first).to_be_visible()
        box = rows.first.bounding_box()
        assert box["y"] + box["height"] < 800, (name, box)


def test_the_keyboard_moves_resizes_and_hides_a_tile(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost).page("/")
    handle = page.get_by_role("button", name="Arrange Watchlist")
    rows = page.get_by_role("region", name="Watchlist").get_by_role("listitem")
    expect(rows).to_have_count(5)
    before = order(page)
    handle.focus()
    page.keyboard.press("ArrowUp")
    place = before.index("watchlist")
    moved = before[:place - 1] + ["watchlist", before[place - 1]] + before[place + 1:]
    assert order(page) == moved
    expect(handle).to_be_focused()
    page.keyboard.press("-")
    expect(rows).to_have_count(3)
    page.keyboard.press("Delete")
    expect(page.locator("#notice")).to_contain_text("“Watchlist” is hidden")
    page.reload()
    assert order(page) == [key for key in moved if key != "watchlist"]
    assert not saved(page)[1]["watchlist"]["shown"]


def test_tiles_hidden_one_right_after_the_other_all_stay_hidden(calm_roost, visit):
    """The first one's answer comes only after the second one was hidden."""
    filled(calm_roost)
    page = visit(calm_roost).page("/")
    held, let_through = [], []
    page.route("**/api/v1/home", lambda route: route.continue_() if let_through or route.request.method != "GET" else held.append(route))
    page.get_by_role("button", name="Arrange Watchlist").press("Delete")
    page.keyboard.press("Delete")
    kept = order(page)
    eventually("the question for the hidden tiles", lambda: page.wait_for_timeout(20) or held)
    let_through.append(True)
    for route in held:
        route.continue_()
    expect(page.locator("#notice")).to_contain_text("“Watchlist” is hidden")
    gone = {"watchlist", "bookmarks"}
    eventually("the hidden tiles", lambda: {key for key, tile in saved(page)[1].items() if not tile["shown"]} == gone)
    page.reload()
    assert order(page) == kept


def test_a_hiding_that_fails_puts_back_its_own_tile_only(calm_roost, visit):
    """Another tile is hidden while the first waits."""
    filled(calm_roost)
    page = visit(calm_roost).page("/")
    before = order(page)
    held = []
    page.route("**/api/v1/home", lambda route: held.append(route) if route.request.method == "GET" else route.continue_())
    page.get_by_role("button", name="Arrange Watchlist").press("Delete")
    page.keyboard.press("Delete")
    second, = {*before} - {*order(page), "watchlist"}
    meanwhile(page, "the first question for the hidden tiles", lambda: held)
    held[0].abort()
    meanwhile(page, "the second question", lambda: len(held) > 1)
    held[1].continue_()
    meanwhile(page, "the hidden tile", lambda: not saved(page)[1][second]["shown"])
    left = [key for key in before if key != second]
    assert order(page) == left
    assert [key for key, tile in saved(page)[1].items() if not tile["shown"]] == [second]
    page.reload()
    assert order(page) == left


def test_a_tile_is_dragged_to_another_place(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, viewport={"width": 1280, "height": 1400}).page("/")
    handle = page.get_by_role("button", name="Arrange Watchlist")
    handle.hover(force=True)
    page.mouse.down()
    first = page.locator(".slot").first.bounding_box()
    page.mouse.move(first["x"] + 80, first["y"] + 60, steps=4)
    page.mouse.move(first["x"] + 80, first["y"] + 20, steps=2)
    assert order(page)[0] == "watchlist"
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.mouse.up()
    assert saved(page)[0][0] == "watchlist"
    page.reload()
    assert order(page)[0] == "watchlist"


def test_a_tile_is_as_wide_as_two_columns_or_the_page_by_key_drag_and_form(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, viewport={"width": 1920, "height": 1400}).page("/")
    slot = page.locator("[data-tile=pulls]")
    widths = "() => [...document.querySelectorAll('[data-tile=pulls], .tiles')].map((each) => each.clientWidth)"
    tiles, column = page.evaluate(widths)
    assert column < tiles * .4
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.get_by_role("button", name="Arrange Your turn").press("w")
    two = page.evaluate(widths)[1]
    assert abs(two - 2 * column - 20) <= 2
    page.reload()
    assert page.evaluate(widths) == [tiles, two]
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.get_by_role("button", name="Arrange Your turn").press("w")
    assert page.evaluate(widths) == [tiles, tiles]
    page.reload()
    assert page.evaluate(widths) == [tiles, tiles]
    page.get_by_role("button", name="Resize Your turn").hover(force=True)
    box = slot.locator(".tile-size").bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] - 300, box["y"] + 2, steps=4)
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        page.mouse.up()
    assert page.evaluate(widths) == [tiles, column]
    assert not saved(page)[1]["pulls"]["wide"]
    page.goto(f"{calm_roost.url}/settings/home")
    page.get_by_label("Width of Your turn").select_option("Two columns")
    page.get_by_role("button", name="Save tiles", exact=True).last.click()
    expect(slot).to_be_visible()
    assert page.evaluate(widths) == [tiles, two]
    page.set_viewport_size({"width": 390, "height": 844})
    [narrow, slot_width] = page.evaluate(widths)
    assert slot_width == narrow
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_escape_ends_a_drag_without_a_change(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, viewport={"width": 1280, "height": 1400}).page("/")
    before = order(page)
    page.get_by_role("button", name="Arrange Watchlist").hover(force=True)
    page.mouse.down()
    first = page.locator(".slot").first.bounding_box()
    page.mouse.move(first["x"] + 80, first["y"] + 20, steps=4)
    assert order(page) != before
    page.keyboard.press("Escape")
    assert order(page) == before
    page.mouse.up()
    assert saved(page)[0][0] == before[0]


def test_without_scripts_a_form_arranges_the_tiles(calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, java_script_enabled=False).page("/")
    page.get_by_role("link", name="Arrange the tiles").click()
    page.get_by_label("Unread conversations", exact=True).uncheck()
    page.get_by_role("button", name="Up: Watchlist").click()
    # The other changes are kept.
    expect(page.get_by_label("Unread conversations", exact=True)).not_to_be_checked()
    page.get_by_label("Size of Your turn").select_option("short")
    page.get_by_role("button", name="Save tiles", exact=True).last.click()
    expect(page.get_by_role("region", name="Your turn").get_by_role("listitem")).to_have_count(3)
    expect(page.get_by_role("region", name="Unread conversations")).to_have_count(0)
    names = [tile.get_attribute("aria-label") for tile in page.locator(".tile").all()]
    assert names.index("Watchlist") < names.index("Next to read")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["/", "/settings/home", "/today"])
def test_the_pages_have_no_violations(path, scheme, calm_roost, visit):
    filled(calm_roost)
    page = visit(calm_roost, color_scheme=scheme).page(path)
    assert violations(page) == []


def test_today_lists_what_changed_and_has_a_feed(calm_roost, visit):
    save(calm_roost, WALL)
    page = visit(calm_roost).page("/today")
    expect(page.get_by_role("listitem").filter(has_text="is ready")).to_have_count(1)
    page.get_by_role("button", name="Create feed").click()
    address = page.get_by_label("Address of the feed").input_value()
    feed = page.request.get(address)
    assert feed.ok and "is ready" in feed.text()
    page.get_by_role("button", name="Delete the feed").click()
    expect(page.get_by_role("button", name="Create feed")).to_be_visible()
    assert page.request.get(address).status == 404
