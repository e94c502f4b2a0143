"""Bookmarks: kept with all that is known, current in every tab, and readable when GitHub is not."""

import csv
import io
import json

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, bookmarks, keep, names, page_of, row, rows
from visit import is_marked, mark


def known(roost, name):
    """Waits until the whole detail is kept with the bookmark."""
    def detail():
        item = next(item for item in bookmarks(roost) if item["fullName"] == name)
        return item.get("repository", {}).get("detail")
    return eventually(f"the detail of {name}", detail)


def test_a_bookmark_is_read_with_the_upstream_switched_off(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    name = next(item["fullName"] for item in page_of(roost)["items"])
    bookmark(roost, name, tags=["later"], note="Look at the parser.")
    detail = known(roost, name)
    page = visit(roost).page(f"/repositories/{name}")
    expect(page.locator(".readme, .no-readme")).to_be_visible()
    text = page.locator(".detail-side").inner_text()
    simulator.spoil("reset")
    roost.stop()
    roost.start()
    page = visit(roost).page("/bookmarks")
    expect(row(page, name)).to_contain_text("later")
    expect(row(page, name)).to_contain_text("Look at the parser.")
    page = visit(roost).page(f"/repositories/{name}?in=bookmarks")
    expect(page.locator(".counts").first).to_contain_text(f"{detail['stars']:,}")
    assert page.locator(".readme").count() == text.count("README") or page.locator(".readme, .no-readme").count() == 1


def test_tags_and_a_note_are_written_and_followed_everywhere(calm_roost, visit):
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


def test_on_a_phone_a_name_has_the_row_s_width_with_and_without_boxes(calm_roost, visit):
    name = names(calm_roost)[0]
    bookmark(calm_roost, name)
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/bookmarks")
    assert row(page, name).locator(".main").bounding_box()["width"] > 150
    assert keep(page, name).bounding_box()["x"] > 300
    page.locator(".list-side > .edit").click()
    expect(row(page, name).get_by_role("checkbox")).to_be_visible()
    assert row(page, name).locator(".main").bounding_box()["width"] > 120
    assert keep(page, name).bounding_box()["x"] > 300


def test_what_was_removed_comes_back(calm_roost, visit):
    name = names(calm_roost)[0]
    bookmark(calm_roost, name, tags=["keep"], note="mine")
    page = visit(calm_roost).page("/bookmarks")
    keep(page, name).click()
    expect(row(page, name)).to_have_count(0)
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(row(page, name)).to_contain_text("keep")
    expect(row(page, name)).to_contain_text("mine")


def test_several_are_changed_at_once_and_back(calm_roost, visit):
    chosen = names(calm_roost, 3)
    bookmark(calm_roost, *chosen)
    page = visit(calm_roost).page("/bookmarks")
    for name in chosen[:2]:
        row(page, name).get_by_role("checkbox").check()
    page.locator("#bulk-tag").fill("pair")
    page.get_by_role("button", name="Add tag").click()
    for name in chosen[:2]:
        expect(row(page, name).locator(".tags-of")).to_contain_text("pair")
    expect(row(page, chosen[2]).locator(".tags-of")).to_have_count(0)
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(page.locator(".tags-of")).to_have_count(0)


@pytest.mark.parametrize("format", ["json", "csv"])
def test_what_is_exported_is_imported_again(format, calm_roost, make_roost, visit):
    chosen = names(calm_roost, 3)
    for index, name in enumerate(chosen):
        bookmark(calm_roost, name, tags=["one", f"n{index}"], note=f'=1+1 "quoted"\n{index}')
    answer = calm_roost.get(f"/bookmarks/export.{format}")
    assert answer.status == 200 and "attachment" in answer.headers["Content-Disposition"]
    if format == "csv":
        cells = [cell for line in csv.reader(io.StringIO(answer.text.lstrip("\ufeff"))) for cell in line]
        assert not any(cell[:1] in ("=", "+", "-", "@") for cell in cells), "a spreadsheet would run it"
    other = make_roost(interval=3600)
    page = visit(other).page("/bookmarks/import")
    page.locator("#file").set_input_files({"name": f"mine.{format}", "mimeType": "text/plain", "buffer": answer.body})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#report")).to_contain_text("3")
    mine, theirs = ({item["fullName"]: (item["tags"], item["note"]) for item in bookmarks(each)} for each in (calm_roost, other))
    assert mine == theirs


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
    eventually("ada's stars", lambda: len(bookmarks(calm_roost)) >= 100, 30)


def test_the_json_interface(calm_roost):
    name = names(calm_roost)[0]
    made = calm_roost.ask("POST", "/api/v1/bookmarks", {"fullName": name, "tags": ["a"]})
    assert made.status == 201 and made.json["fullName"] == name
    assert calm_roost.ask("POST", "/api/v1/bookmarks", {"fullName": name}).status == 200
    missing = calm_roost.ask("POST", "/api/v1/bookmarks", {})
    assert missing.status == 422 and missing.json["error"]["field"] == "fullName"
    wrong = calm_roost.ask("POST", "/api/v1/bookmarks", {"fullName": "no name"})
    assert wrong.status in (400, 422) and wrong.json["error"]["field"] == "fullName"
    nobody = calm_roost.ask("POST", "/api/v1/bookmarks", {"fullName": "nobody/has-this-one"})
    assert nobody.status == 404, nobody.text
    assert json.dumps(bookmarks(calm_roost)[0])
    assert calm_roost.ask("DELETE", f"/api/v1/bookmarks/{name}").status == 204
    assert calm_roost.ask("DELETE", f"/api/v1/bookmarks/{name}").status == 404
    assert bookmarks(calm_roost) == []
