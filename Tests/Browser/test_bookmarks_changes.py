"""Changes to bookmarked repositories on GitHub: found daily, and shown in the rows until marked as seen."""

import sqlite3

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, bookmarks, names, row
from visit import is_marked, mark


@pytest.fixture
def kept(make_roost, simulator):
    """A Roost with three bookmarks with all details, and their names."""
    roost = make_roost(interval=3600)
    connect(roost)
    chosen = names(roost, 3)
    bookmark(roost, *chosen)
    eventually("every detail", lambda: all(
        item.get("checkedAt") and item.get("repository", {}).get("detail") for item in bookmarks(roost)), 60)
    return roost, chosen


def a_day_later(roost, meanwhile=lambda: None):
    """Stops Roost, makes every bookmark due, and starts it again: its clock cannot be set."""
    roost.stop()
    meanwhile()
    with sqlite3.connect(roost.data / "roost.sqlite") as database:
        changed = database.execute("UPDATE bookmarks SET due_at = due_at - 90000").rowcount
    database.close()
    assert changed
    roost.start()


def stars(roost, name):
    return next(item for item in bookmarks(roost) if item["fullName"] == name)["repository"]["detail"]["stars"]


def test_changes_are_found_within_a_day_and_shown_until_marked_as_seen(kept, simulator, visit):
    roost, (first, second, third) = kept
    before = stars(roost, first)
    owner = second.split("/")[0]
    simulator.happen(repository={"fullName": first, "stars": before + 12_040})
    simulator.happen(repository={"fullName": second, "rename": f"{owner}/its-other-name"})
    simulator.happen(repository={"fullName": third, "archived": True})
    a_day_later(roost)
    page = visit(roost).page("/bookmarks")
    mark(page)
    expect(row(page, first).locator(".changes")).to_contain_text("stars")
    gained = stars(roost, first) - before
    assert gained >= 12_040
    expect(row(page, first).locator(".changes")).to_contain_text(f"+{gained:,} stars")
    renamed = row(page, f"{owner}/its-other-name")
    expect(renamed.locator(".changes")).to_contain_text(f"renamed from {second}")
    expect(row(page, third).locator(".changes .loss")).to_have_text("archived")
    expect(page.locator(".news-line")).to_contain_text("3 have changed")
    assert is_marked(page), "the page was reloaded"
    home = visit(roost).page("/")
    moved = home.get_by_role("region", name="Bookmarks that moved")
    expect(moved.get_by_role("listitem")).to_have_count(3)
    expect(moved.get_by_role("listitem").filter(has_text=third)).to_contain_text("archived")
    expect(home.locator(".summary")).to_contain_text("3 bookmarks moved.")
    renamed.get_by_role("button", name="Mark as seen").click()
    expect(renamed.locator(".changes")).to_have_count(0)
    expect(page.locator(".news-line")).to_contain_text("2 have changed")
    page.get_by_role("button", name="Mark all as seen").click()
    expect(page.locator(".changes")).to_have_count(0)
    expect(page.locator(".news-line")).to_have_count(0)
    expect(moved.get_by_role("listitem")).to_have_count(0)
    assert sorted(item["fullName"] for item in bookmarks(roost)) == sorted([first, f"{owner}/its-other-name", third])
    assert all(item["changes"] == [] for item in bookmarks(roost))
