"""A page that was empty when it was opened is complete after the first row arrives, without a reload."""

from github import asked, connect, inbox
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, names, row
from visit import is_marked, mark


def test_an_inbox_opened_before_github_was_connected_gets_its_filter_and_view(calm_roost, visit):
    page = visit(calm_roost).page("/pulls")
    expect(page.get_by_role("link", name="Connect GitHub")).to_be_visible()
    expect(page.locator("#text")).to_be_hidden()
    expect(page.locator("#view")).to_be_hidden()
    mark(page)
    connect(calm_roost)
    expect(page.locator("li.pull").first).to_be_visible()
    expect(page.locator("#view > summary")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.type("nothing has such a title")
    expect(page.locator("li.pull:visible")).to_have_count(0)
    assert is_marked(page)


def test_an_empty_bookmarks_page_gets_its_filter_menu_and_keys_with_the_first_row(calm_roost, visit):
    name = names(calm_roost)[0]
    page = visit(calm_roost).page("/bookmarks")
    expect(page.get_by_role("link", name="Browse repositories")).to_be_visible()
    expect(page.locator("#text")).to_be_hidden()
    mark(page)
    bookmark(calm_roost, name)
    expect(row(page, name)).to_be_visible()
    expect(page.locator("#view > summary")).to_be_visible()
    page.keyboard.press("j")
    expect(row(page, name).locator("a.name")).to_be_focused()
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    assert is_marked(page)


def test_an_open_home_page_shows_the_tile_after_the_first_bookmark(calm_roost, visit):
    name = names(calm_roost)[0]
    page = visit(calm_roost).page("/")
    expect(page.get_by_role("region", name="Bookmarks that moved")).to_be_hidden()
    mark(page)
    bookmark(calm_roost, name)
    # A new bookmark has no changes: the tile is one line.
    expect(page.get_by_role("region", name="Bookmarks that moved").get_by_text("No changes")).to_be_visible()
    assert is_marked(page)


def test_every_tab_title_has_the_current_count_of_waiting_pull_requests(inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada).page("/settings")

    def counted():
        count = inbox(inbox_of_ada)["waiting"]
        return page.title() == f"({count}) Profile · Roost" and count

    before = eventually("the count in the title", counted)
    for number in range(3):  # more than the simulation removes in the meantime
        simulator.happen(request={"login": "ada", "title": f"One of three: {number}"})
    asked(simulator, inbox_of_ada, "Counted in every title")
    eventually("a higher count in the title", lambda: counted() > before)


def test_a_display_created_in_another_tab_appears_in_the_list(calm_roost, visit):
    page = visit(calm_roost).page("/displays")
    mark(page)
    assert calm_roost.ask("POST", "/displays", "name=Kitchen").status == 303
    expect(page.locator("li.display .name").last).to_have_text("Kitchen")
    assert is_marked(page)
