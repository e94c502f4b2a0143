"""What happens to bookmarked repositories at GitHub: found out each day, said in their rows until it is seen."""

import sqlite3
import time

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import asked, bookmark, bookmarks, keep, names, row, rows
from visit import is_marked, mark


@pytest.fixture
def kept(make_roost, simulator):
    """A Roost with three bookmarks of which everything is known, and their names."""
    roost = make_roost(interval=3600)
    connect(roost)
    chosen = names(roost, 3)
    bookmark(roost, *chosen)
    eventually("every detail", lambda: all(
        item.get("checkedAt") and item.get("repository", {}).get("detail") for item in bookmarks(roost)), 30)
    return roost, chosen


def a_day_later(roost, meanwhile=lambda: None):
    """Roost is stopped and begins anew when every bookmark is due again: there is no other way to turn its clock."""
    roost.stop()
    meanwhile()
    with sqlite3.connect(roost.data / "roost.sqlite") as database:
        changed = database.execute("UPDATE bookmarks SET due_at = due_at - 90000").rowcount
    database.close()
    assert changed
    roost.start()


def stars(roost, name):
    return next(item for item in bookmarks(roost) if item["fullName"] == name)["repository"]["detail"]["stars"]


def test_what_changed_is_found_within_a_day_and_said_until_it_is_seen(kept, simulator, visit):
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
    assert is_marked(page), "loaded anew"
    home = visit(roost).page("/")
    expect(home.get_by_role("link", name="3 changed")).to_be_visible()
    renamed.get_by_role("button", name="Mark as seen").click()
    expect(renamed.locator(".changes")).to_have_count(0)
    expect(page.locator(".news-line")).to_contain_text("2 have changed")
    page.get_by_role("button", name="Mark all as seen").click()
    expect(page.locator(".changes")).to_have_count(0)
    expect(page.locator(".news-line")).to_have_count(0)
    assert sorted(item["fullName"] for item in bookmarks(roost)) == sorted([first, f"{owner}/its-other-name", third])
    assert all(item["changes"] == [] for item in bookmarks(roost))


def test_one_that_was_deleted_is_kept_and_marked_and_can_be_removed(kept, simulator, visit):
    roost, (name, *_) = kept
    assert roost.ask("PATCH", f"/api/v1/bookmarks/{name}", {"tags": ["dear"], "note": "mine"}).status == 200
    before = stars(roost, name)
    simulator.happen(repository={"fullName": name, "delete": True})
    a_day_later(roost)
    page = visit(roost).page("/bookmarks")
    expect(row(page, name).locator(".changes .loss")).to_have_text("no longer on GitHub")
    expect(row(page, name)).to_contain_text("dear")
    assert stars(roost, name) == before
    row(page, name).get_by_role("button", name="Mark as seen").click()
    expect(row(page, name).locator(".changes")).to_have_count(0)
    expect(row(page, name)).to_contain_text("GitHub")  # what it is stays said
    keep(page, name).click()
    expect(row(page, name)).to_have_count(0)
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(row(page, name)).to_contain_text("mine")


def test_the_daily_questions_are_asked_by_the_account_and_no_more_than_one_each(kept, simulator):
    roost, chosen = kept
    # Once Roost is stopped: until then questions of the time before may be on their way.
    a_day_later(roost, lambda: simulator.ask("DELETE", "/_simulator/requests"))

    def questions():
        return asked(simulator, r"/(repos/[^/]+/[^/]+|repositories/\d+)$")

    def waiting():
        with sqlite3.connect(roost.data / "roost.sqlite") as database:
            return database.execute("SELECT count(*) FROM bookmarks WHERE due_at < ?", [time.time() + 80_000]).fetchone()[0]

    eventually("every bookmark put off until tomorrow", lambda: waiting() == 0)
    assert {question["path"] for question in questions()} == {f"/repos/{name}" for name in chosen}
    assert len(questions()) == len(chosen), [question["path"] for question in questions()]
    assert all(question.get("login") == "ada" for question in questions())


def test_a_detail_that_is_looked_at_tells_its_bookmark_at_once(kept, simulator, visit):
    roost, (name, *_) = kept
    simulator.happen(repository={"fullName": name, "archived": True})
    browser = visit(roost)
    page, other = browser.page("/bookmarks"), browser.page(f"/repositories/{name}")
    expect(rows(page)).to_have_count(3)
    # What has just come is not fetched again for five seconds.
    chip = other.locator(".repo-title").get_by_text("archived", exact=True)

    def archived():
        other.locator(".detail-side .source-line").get_by_role("button", name="Refresh").click()
        return chip.count() == 1

    eventually("the detail, archived", archived, every=0.5)
    expect(row(page, name).locator(".changes")).to_contain_text("archived")
    assert [item["changes"] for item in bookmarks(roost) if item["fullName"] == name] == [["archived"]]
