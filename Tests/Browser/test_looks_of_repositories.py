"""Repositories and bookmarks at every width in light and dark mode."""

import pytest
from looks import looks_right
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, bookmarks, loaded, names, page_of, rows
from visit import overflow

LONG = "a-note-that-goes-on-and-on-without-any-blank-" * 6


@pytest.fixture
def explorer(shared_inbox, simulator):
    return shared_inbox


def empty(roost, page):
    for item in bookmarks(roost):
        assert roost.ask("DELETE", f"/api/v1/bookmarks/{item['fullName']}").status == 204
    page.goto("/bookmarks")
    expect(page.locator(".connect")).to_be_visible()


def browse(roost, page):
    bookmark(roost, names(roost)[0])
    page.goto("/repositories?since=0")
    loaded(page)
    expect(page.locator(".stars").first).to_be_visible()


def grouped(roost, page):
    page.goto("/repositories?group=language&sort=stars")
    eventually("several languages", lambda: page.locator("details.repo-group").count() > 3)
    page.locator("details.repo-group summary").first.click()
    page.locator("#view > summary").click()


def nothing_fits(roost, page):
    page.goto("/repositories?text=nothing+fits+this")
    expect(page.locator(".empty")).to_be_visible()


def detail(roost, page):
    """Details of the repository with the longest README among a few."""
    best = names(roost)[0]
    size = -1
    for name in [item["fullName"] for item in page_of(roost)["items"]][:6]:
        page.goto(f"/repositories/{name}")
        expect(page.locator(".readme, .no-readme")).to_be_visible()
        if (length := len(page.locator(".detail-side").inner_text())) > size:
            best, size = name, length
    page.goto(f"/repositories/{best}")
    expect(page.locator(".counts dd").first).not_to_be_empty()


def gone(roost, page):
    page.goto("/repositories/nobody/has-this-one")
    expect(page.locator(".detail-side")).to_contain_text("This repository is not on GitHub")


def search(roost, page):
    page.goto("/repositories?q=stars%3A%3E100&sort=stars")
    expect(rows(page).first).to_be_visible()


def refused_search(roost, page):
    page.goto("/repositories?q=created%3Anonsense")
    expect(page.locator("#q-error")).to_be_visible()


def trending(roost, page):
    page.goto("/repositories?trending=month")
    expect(rows(page).first).to_be_visible()


def the_keys(roost, page):
    page.goto("/repositories/keys")


def kept(roost, page):
    """Bookmarks with every kind of fact, some of them selected."""
    chosen = names(roost, 12)
    bookmark(roost, *chosen, tags=["swift", "a tag of forty letters that is very long"])
    for number, name in enumerate(chosen):
        edited = roost.ask("PATCH", f"/api/v1/bookmarks/{name}", {"tags": [f"tag {number}", "swift"], "note": LONG})
        assert edited.status == 200, edited.text
    page.goto("/bookmarks")
    expect(rows(page)).to_have_count(12)
    rows(page).nth(1).get_by_role("checkbox").evaluate("box => box.click()")
    expect(page.locator("#chosen")).to_contain_text("1 selected")
    rows(page).nth(1).locator(".note-edit").evaluate("link => link.click()")
    expect(page.locator("#editor")).to_be_visible()


def kept_in_groups(roost, page):
    page.goto("/bookmarks?group=ownerType&tag=swift")
    expect(page.locator("details.repo-group").first).to_be_visible()


def importing(roost, page):
    page.goto("/bookmarks/import")
    lines = "full_name,tags\nnot a name,x\n,\n" + "".join(f"no/such/row/{number},x\n" for number in range(60))
    page.locator("#file").set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": lines.encode()})
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator("#report .failures")).to_be_visible()


def home(roost, page):
    page.goto("/")
    expect(page.get_by_role("link", name="Bookmarks").first).to_be_visible()


PAGES = [empty, browse, grouped, nothing_fits, detail, gone, search, refused_search, trending, the_keys, kept,
         kept_in_groups, importing, home]


@pytest.mark.parametrize("prepare", PAGES, ids=lambda each: each.__name__)
def test_repositories_fit_and_have_no_accessibility_violations(prepare, explorer, visit):
    if prepare in (kept_in_groups, home):
        bookmark(explorer, *names(explorer, 4), tags=["swift"])
    page = visit(explorer, reduced_motion="reduce").page("/repositories/keys")
    prepare(explorer, page)
    page.set_viewport_size({"width": 390, "height": 844})
    assert overflow(page)[0] == 0
    shorten(page)
    looks_right(page, f"repositories-{prepare.__name__}")


def shorten(page):
    """Keeps a few rows of each kind: axe-core is slow on long lists."""
    page.evaluate("() => [...document.querySelectorAll('.list-side li.repo')].slice(16).forEach((row) => row.remove())")


def test_error_messages_fit(explorer, simulator, visit):
    page = visit(explorer, reduced_motion="reduce").page("/repositories/keys")
    simulator.spoil("500")
    page.goto("/repositories?since=4000")
    expect(page.locator(".error").first).to_be_visible()
    looks_right(page, "repositories-trouble")
