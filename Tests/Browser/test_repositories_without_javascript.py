"""Repositories and bookmarks with JavaScript switched off."""

import re

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, bookmarks, groups, keep, names, page_of, row, rows


@pytest.fixture
def explorer(shared_inbox, simulator):
    """One for all tests of this file; each leaves no bookmark behind."""
    yield shared_inbox
    for item in bookmarks(shared_inbox):
        assert shared_inbox.ask("DELETE", f"/api/v1/bookmarks/{item['fullName']}").status == 204


@pytest.fixture
def quiet(explorer, visit):
    return visit(explorer, java_script_enabled=False)


def choose(page, words):
    page.locator("#view > summary").click()
    page.locator("#view").get_by_role("button", name=words, exact=True).click()


def test_the_list_comes_and_a_page_that_is_loading_loads_itself_again(make_roost, visit):
    page = visit(make_roost(interval=3600), java_script_enabled=False).page("/repositories?since=0")
    expect(page.locator(".skeletons")).to_have_count(1)
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in page.content()
    expect(rows(page)).to_have_count(100)
    assert 'http-equiv="refresh"' not in page.content()


def test_more_goes_on_where_the_page_ends(explorer, quiet):
    first = page_of(explorer)
    page_of(explorer, since=first["items"][-1]["id"])
    page = quiet.page("/repositories?since=0")
    expect(rows(page)).to_have_count(100)
    page.get_by_role("link", name="More", exact=True).click()
    expect(page).to_have_url(re.compile(r"pages=2"))
    expect(rows(page)).to_have_count(200)


def test_it_is_grouped_folded_and_filtered(explorer, quiet):
    page = quiet.page("/repositories?since=0")
    expect(rows(page)).to_have_count(100)
    choose(page, "Owner")
    expect(page).to_have_url(re.compile("/repositories"))
    heads = groups(page)
    assert len(heads) == 2 and sum(count for _, count, _ in heads) == 100
    group = page.locator("details.repo-group").first
    group.locator("summary").click()
    expect(group.locator("li.repo").first).to_be_hidden()
    page.locator(".index a").last.click()
    expect(page.locator("details.repo-group").last.locator("summary")).to_be_in_viewport()
    page.goto("/repositories?since=0")
    choose(page, "Nothing")
    expect(page.locator("details.repo-group")).to_have_count(0)
    name = names(explorer, 7)[6]
    page.locator("#text").fill(name)
    page.keyboard.press("Enter")
    expect(rows(page)).to_have_count(1)
    expect(row(page, name)).to_be_visible()
    page.get_by_role("link", name="Show all").click()
    expect(rows(page)).to_have_count(100)


def test_details_are_a_page_with_a_way_back(explorer, quiet):
    page = quiet.page("/repositories?since=0")
    name = names(explorer, 2)[1]
    row(page, name).locator("a.name").click()
    expect(page.locator(".detail-side h2")).to_have_text(name)
    expect(page.locator(".counts dd").first).not_to_be_empty()  # the page loads itself again until it is whole
    expect(page.locator(".readme, .no-readme")).to_be_visible()
    assert 'http-equiv="refresh"' not in page.content()
    button = page.locator(".detail-side [data-act=bookmark]")
    button.click()
    expect(page).to_have_url(re.compile(f"/repositories/{name}"))
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_bookmark_is_set_taken_off_and_brought_back(explorer, quiet):
    page = quiet.page("/repositories?since=0")
    name = names(explorer, 3)[2]
    keep(page, name).click()
    expect(page.locator("#notice")).to_contain_text(f"{name} is bookmarked.")
    expect(keep(page, name)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("link", name=re.compile("^Bookmarks")).first.click()
    expect(rows(page)).to_have_count(1)
    keep(page, name).click()
    expect(page.locator("#notice")).to_contain_text(f"{name} is no longer bookmarked.")
    expect(rows(page)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, name)).to_be_visible()


def test_tags_and_a_note_are_written_in_place(explorer, quiet):
    name = names(explorer)[0]
    bookmark(explorer, name)
    page = quiet.page("/bookmarks")
    row(page, name).hover()
    row(page, name).get_by_role("link", name="Tags and note").click()
    editor = page.locator("form.editor")
    editor.locator("input[name=tags]").fill("swift, to read")
    editor.locator("textarea").fill("Look at the parser.")
    editor.get_by_role("button", name="Save").click()
    expect(row(page, name).locator(".tags-of")).to_contain_text("to read")
    expect(row(page, name).locator(".note-text")).to_have_text("Look at the parser.")
    page.get_by_role("navigation", name="Narrow down").get_by_role("link", name="swift").click()
    expect(page).to_have_url(re.compile(r"tag=swift"))
    expect(rows(page)).to_have_count(1)


def test_several_are_changed_at_once_and_back(explorer, quiet):
    chosen = names(explorer, 3)
    bookmark(explorer, *chosen)
    page = quiet.page("/bookmarks")
    for name in chosen[:2]:
        row(page, name).get_by_role("checkbox").check()
    page.locator("#bulk-tag").fill("pair")
    page.get_by_role("button", name="Add tag").click()
    expect(page.locator("#notice")).to_contain_text("“pair” is now on 2 bookmarks.")
    expect(page.locator(".tags-of")).to_have_count(2)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".tags-of")).to_have_count(0)
    expect(page.locator("#bulk")).to_be_hidden()  # while none is chosen


def test_a_phone_shows_boxes_and_buttons_behind_edit(explorer, visit):
    name = names(explorer)[0]
    bookmark(explorer, name)
    page = visit(explorer, java_script_enabled=False, viewport={"width": 390, "height": 844}).page("/bookmarks")
    expect(row(page, name).get_by_role("checkbox")).to_be_hidden()
    page.locator("label.edit").click()
    row(page, name).get_by_role("checkbox").check()
    page.get_by_role("button", name="Remove bookmark", exact=True).click()
    expect(rows(page)).to_have_count(0)


def test_files_and_stars_are_imported(explorer, quiet):
    page = quiet.page("/bookmarks/import")
    lines = f"full_name,tags\n{names(explorer)[0]},mine\nnot a name,x\n"
    page.locator("#file").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": lines.encode()})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#report .failures")).to_contain_text("Row 3")
    assert [item["tags"] for item in bookmarks(explorer)] == [["mine"]]
    page.locator("#report").get_by_role("button", name="Undo").click()
    eventually("the file taken back", lambda: bookmarks(explorer) == [])


def test_stars_are_imported(make_roost, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost, java_script_enabled=False).page("/bookmarks/import")
    page.locator(".stars-state button").click()
    eventually("ada's stars", lambda: "Reading your stars" not in roost.get("/bookmarks/import").text, 30)
    page.goto("/bookmarks")
    expect(rows(page)).to_have_count(100)
    expect(page.get_by_role("link", name="More", exact=True)).to_be_visible()


def test_search_and_trending(quiet):
    page = quiet.page("/repositories?since=0")
    page.locator("#q").fill("stars:>1000 language:Swift")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".list-side .stars + span").first).to_have_text("Swift")  # it loads itself again meanwhile
    page.get_by_role("link", name="Trending").click()
    expect(rows(page).first).to_be_visible()
    page.locator("#view > summary").click()
    page.get_by_role("link", name="Keys").click()
    expect(page.locator("main")).to_contain_text("without them each row’s own link and button do the same")
