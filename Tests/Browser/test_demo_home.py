"""The demo has people in distinct colours, bookmarks with details, and displays that are on."""

import re

import pytest
from looks import violations
from playwright.sync_api import expect
from program import NOBODY, Program, eventually
from visit import Visit


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


@pytest.fixture(params=["light", "dark"])
def page(request, browser, demo):
    visit = Visit(browser, demo.url, color_scheme=request.param)
    yield visit.page()
    visit.close()


def test_no_two_people_have_the_same_colour(page):
    page.goto("/members")
    expect(page.locator(".members .avatar")).to_have_count(6)
    colours = page.locator(".members .avatar").evaluate_all("all => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert len(set(colours)) == 6, colours
    assert violations(page) == []


def test_a_person_has_the_same_colour_everywhere(page):
    page.goto("/members")
    grace = page.locator(".members li", has_text="Grace Hopper").locator(".avatar")
    tone = re.search(r"tone-\d", grace.get_attribute("class"))[0]
    page.goto("/chat")
    row = page.locator("a.chat-row").filter(has=page.locator(".name", has_text=re.compile("^Grace Hopper$")))
    expect(row.locator(".avatar")).to_have_class(re.compile(rf"\b{tone}\b"))
    row.click()
    message = page.locator(".message", has=page.locator(".from .name", has_text="Grace Hopper")).first
    expect(message.locator("> .avatar")).to_have_class(re.compile(rf"\b{tone}\b"))


def test_a_command_shows_its_card_without_a_path(page):
    page.goto("/chat")
    page.locator("a.chat-row").filter(has=page.locator(".name", has_text=re.compile("^Lunch$"))).click()
    message = page.locator(".message").filter(has=page.locator(".card", has_text="Bitcoin")).first
    expect(message.locator(".text")).to_be_visible()
    expect(message.locator(".replaceable")).to_have_count(1)
    expect(message.locator(".replaceable")).to_be_hidden()


def test_bookmarks_have_stars_topics_and_readmes(demo):
    def listed():
        items = demo.get("/api/v1/bookmarks", guest=NOBODY).json["items"]
        return items if all(item.get("repository", {}).get("detail") for item in items) else None

    items = eventually("every detail", listed)
    assert len(items) == 6
    for item in items:
        detail = item["repository"]["detail"]
        assert detail["stars"] > 1_000 and detail["topics"] and detail["language"], item
    name = items[0]["fullName"]

    def has_readme():
        return '<article class="readme"' in demo.get(f"/repositories/{name}/detail?in=bookmarks", guest=NOBODY).text

    eventually("the README of the first bookmark", has_readme)


def test_displays_were_opened_recently(page):
    page.goto("/displays")
    expect(page.locator("li.display .seen")).to_have_count(2)
    expect(page.locator("li.display .seen").first).to_contain_text("showing now")
    expect(page.get_by_text("never opened")).to_have_count(0)
