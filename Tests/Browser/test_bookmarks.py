"""Bookmarks in a browser."""

from chat import meanwhile
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, bookmarks, keep, names, row, rows
from visit import is_marked, mark


def known(roost, name):
    """Waits until the bookmark has all its details."""
    def detail():
        item = next(item for item in bookmarks(roost) if item["fullName"] == name)
        return item.get("repository", {}).get("detail")
    return eventually(f"the detail of {name}", detail)


def test_edited_tags_and_notes_appear_in_every_tab(calm_roost, visit):
    first, second = names(calm_roost, 2)
    bookmark(calm_roost, first, second)
    page, other = visit(calm_roost).page("/bookmarks"), visit(calm_roost).page("/bookmarks")
    mark(other)
    row(page, first).hover()
    row(page, first).get_by_role("link", name="Tags and note").click()
    editor = page.locator("form.editor")
    editor.locator("input[name=tags]").fill("swift, to read")
    editor.locator("textarea").fill("The <b>server</b> part")
    editor.get_by_role("button", name="Save").click()
    for each in (page, other):
        expect(row(each, first)).to_contain_text("to read")
        expect(row(each, first)).to_contain_text("The <b>server</b> part")
    assert is_marked(other)
    page.get_by_role("link", name="to read").first.click()
    expect(rows(page)).to_have_count(1)


def test_the_editor_stays_open_until_its_own_text_is_saved(calm_roost, visit):
    first, second = names(calm_roost, 2)
    bookmark(calm_roost, first, second)
    page = visit(calm_roost).page("/bookmarks")
    editor = page.locator("form.editor")
    held, is_open = [], []
    page.route("**/edit", lambda route: route.continue_() if is_open else held.append(route))

    def save(tags):
        editor.locator("input[name=tags]").fill(tags)
        editor.get_by_role("button", name="Save").click()
        meanwhile(page, "the request", lambda: held)

    def let_through():
        is_open.append(True)
        held.pop().continue_()

    row(page, first).hover()
    row(page, first).get_by_role("link", name="Tags and note").click()
    save("swift")
    keep(page, second).click()
    expect(rows(page)).to_have_count(1)
    expect(editor).to_be_visible()
    editor.locator("textarea").fill("typed while it was saved")
    let_through()
    expect(row(page, first).get_by_role("link", name="swift", exact=True)).to_be_visible()
    expect(editor.locator("textarea")).to_have_value("typed while it was saved")

    is_open.clear()
    save("swift, to read")
    let_through()
    expect(editor).to_be_hidden()
    expect(row(page, first).locator(".name")).to_be_focused()
    expect(row(page, first)).to_contain_text("typed while it was saved")
    expect(row(page, first)).to_contain_text("to read")


def test_the_editor_of_another_bookmark_stays_open_when_the_first_is_saved(calm_roost, visit):
    first, second = names(calm_roost, 2)
    bookmark(calm_roost, first, second)
    page = visit(calm_roost).page("/bookmarks")
    editor = page.locator("form.editor")
    held = []
    page.route("**/edit", lambda route: held.append(route))
    row(page, first).hover()
    row(page, first).get_by_role("link", name="Tags and note").click()
    editor.locator("textarea").fill("about the first")
    editor.get_by_role("button", name="Save").click()
    meanwhile(page, "the request", lambda: held)
    page.keyboard.press("Escape")
    row(page, second).hover()
    row(page, second).get_by_role("link", name="Tags and note").click()
    expect(editor.locator("textarea")).to_have_value("")
    held.pop().continue_()
    expect(row(page, first)).to_contain_text("about the first")
    # The button is free again once the answer has been handled.
    expect(editor.locator("[data-busy]")).to_have_count(0)
    expect(editor).to_be_visible()


def test_on_a_phone_a_name_has_the_full_row_width_with_and_without_checkboxes(calm_roost, visit):
    name = names(calm_roost)[0]
    bookmark(calm_roost, name)
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/bookmarks")
    line = row(page, name).locator(".main > p").first
    assert line.bounding_box()["width"] > 220
    assert keep(page, name).bounding_box()["x"] > 300
    page.locator(".list-side > .edit").click()
    expect(row(page, name).get_by_role("checkbox")).to_be_visible()
    assert line.bounding_box()["width"] > 180
    assert keep(page, name).bounding_box()["x"] > 300


def test_an_import_says_which_rows_failed_and_why(calm_roost, visit):
    page = visit(calm_roost).page("/bookmarks/import")
    lines = "full_name,tags\napple/swift,lang\nnot a name,x\n,\nhttps://github.com/apple/swift-nio,net\n"
    page.locator("#file").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": lines.encode()})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#report .failures")).to_contain_text("Row 3")
    assert sorted(item["fullName"] for item in bookmarks(calm_roost)) == ["apple/swift", "apple/swift-nio"]


def test_stars_become_bookmarks(calm_roost, visit):
    connect(calm_roost)
    page = visit(calm_roost).page("/bookmarks/import")
    page.get_by_role("button", name="Import my").or_(page.locator(".stars-state button")).first.click()
    eventually("ada's stars", lambda: len(bookmarks(calm_roost)) >= 100, 60)
