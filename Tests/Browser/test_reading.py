"""The reading list: saving, finding, changing one or many, and every tab that follows."""

import re
import time

import pytest
from playwright.sync_api import expect
from program import eventually
from reading import can_undo, empty, focused, is_so, listed, numbers, open_list, row, rows, undo
from reading_sites import (
    FERRY, GAZETTE, GERMAN, MISSING, QUEUE, WALL, WALL_TITLE, article, fetched, import_articles, pocket, save)
from test_hostile_text import FOREIGN, OUT
from visit import idle, is_marked, mark


@pytest.fixture
def library(shared_roost, simulator):
    """A Roost whose reading list is empty."""
    empty(shared_roost)
    return shared_roost


def type_address(page, address):
    page.locator("#save input[name=url]").fill(address)
    page.locator("#save").get_by_role("button", name="Save", exact=True).click()


def test_an_address_becomes_an_article_on_every_page_without_a_reload(library, visit):
    page, other = open_list(visit, library), open_list(visit, library)
    for each in (page, other):
        expect(each.locator(".connect")).to_be_visible()
        mark(each)
    type_address(page, f"{WALL}?utm_source=test#top")
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    for each in (page, other):
        expect(each.locator("li.article a.name")).to_have_text(WALL_TITLE)
        expect(each.locator("li.article .site")).to_contain_text("harbour-gazette.example")
        expect(each.locator("li.article .minutes")).to_contain_text("min")
        expect(each.locator("li.article .excerpt")).not_to_be_empty()
        expect(each.locator(".places a[href='/reading'] .count")).to_have_text("1")
        assert is_marked(each)
    expect(page.locator("#save input[name=url]")).to_have_value("")
    type_address(page, WALL)
    expect(page.locator("#notice")).to_contain_text("Already in your list.")
    expect(rows(page)).to_have_count(1)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_wrong_address_is_refused_at_its_field_with_what_was_typed(scripts, library, visit):
    page = open_list(visit, library) if scripts else visit(library, java_script_enabled=False).page("/reading")
    type_address(page, "ftp://x.example/")
    field = page.locator("#save input[name=url]")
    expect(page.locator("#save-url-error")).to_be_visible()
    expect(field).to_have_attribute("aria-describedby", "save-url-error")
    expect(field).to_have_value("ftp://x.example/")
    expect(field).to_be_focused()
    expect(page.locator("#notice .notice")).to_have_count(0)
    type_address(page, WALL)
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    expect(page.locator("#save-url-error")).to_have_count(0)
    expect(field).to_have_value("")


def test_a_change_is_seen_in_another_browser_within_a_second(library, visit):
    number = fetched(library, WALL)[0]
    page = open_list(visit, library, "/reading?list=all")
    star = row(page, number).locator("[data-act=favorite]")
    times = []
    for is_favorite in (True, False, True):  # a busy machine may be late once
        begun = time.monotonic()
        changed = library.ask("PATCH", f"/api/v1/articles/{number}", {"isFavorite": is_favorite})
        assert changed.status == 200, changed.text
        expect(star).to_have_attribute("aria-pressed", str(is_favorite).lower())
        times.append(time.monotonic() - begun)
    assert min(times) < 1, times


def test_the_keys_go_through_the_list_and_do_what_the_help_says(library, visit):
    first, second, third = reversed(fetched(library, WALL, FERRY, QUEUE))
    page = open_list(visit, library)
    expect(rows(page)).to_have_count(3)
    assert numbers(page) == [str(first), str(second), str(third)], "the newest is not the first"
    page.keyboard.press("j")
    eventually("the first row", lambda: focused(page) == str(first))
    page.keyboard.press("j")
    eventually("the second row", lambda: focused(page) == str(second))
    page.keyboard.press("k")
    eventually("the first row", lambda: focused(page) == str(first))
    page.keyboard.press("f")
    expect(row(page, first).locator("[data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    is_so(library, first, "a favourite", isFavorite=True)
    page.keyboard.press("a")
    expect(row(page, first)).to_be_hidden()
    eventually("the row below takes the focus", lambda: focused(page) == str(second))
    is_so(library, first, "archived", state="archived")
    page.keyboard.press("#")
    expect(row(page, second)).to_be_hidden()
    eventually("it is deleted", lambda: str(second) not in [item["id"] for item in listed(library)])
    can_undo(page, "Deleted.")
    page.keyboard.press("z")
    expect(row(page, second)).to_be_visible()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    expect(page.locator("#text")).to_be_focused()
    page.keyboard.press("Escape")
    eventually("a row again", lambda: focused(page))
    opened = focused(page)
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(f"/reading/{opened}$"))


def test_what_roost_does_not_take_comes_back(library, visit):
    number = fetched(library, WALL)[0]
    page = open_list(visit, library)
    held = []
    page.route("**/archive", lambda route: held.append(route))
    row(page, number).hover()
    row(page, number).locator("[data-act=archive]").click()
    expect(row(page, number)).to_be_hidden()
    eventually("the request", lambda: held or page.wait_for_timeout(20))
    held.pop().abort()
    expect(row(page, number)).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("Roost does not answer.")
    assert article(library, number)["state"] == "unread"


def test_several_are_changed_at_once_and_back(library, visit):
    chosen = fetched(library, WALL, FERRY, QUEUE)[:2]
    page = open_list(visit, library)
    expect(page.locator("#bulk")).to_be_hidden()
    for number in chosen:
        row(page, number).get_by_role("checkbox").check()
    expect(page.locator("#chosen")).to_contain_text("2 selected")
    page.locator("#bulk-tag").fill("harbour pair")
    page.get_by_role("button", name="Add tag").click()
    for number in chosen:
        expect(row(page, number).locator(".tags-of")).to_contain_text("harbour pair")
    undo(page, "2 articles tagged")
    expect(page.locator(".tags-of").filter(has_text="harbour pair")).to_have_count(0)
    for number in chosen:
        row(page, number).get_by_role("checkbox").check()
    page.locator("#bulk").get_by_role("button", name="Archive", exact=True).click()
    expect(rows(page)).to_have_count(1)
    undo(page, "2 articles archived")
    expect(rows(page)).to_have_count(3)


def test_a_search_finds_what_stands_in_the_texts_while_one_types(library, visit):
    wall, ferry = fetched(library, WALL, FERRY)
    page = open_list(visit, library)
    mark(page)
    page.locator("#text").press_sequentially("octopus")
    expect(rows(page)).to_have_count(1)
    expect(row(page, wall).locator(".excerpt mark").first).to_contain_text(re.compile("octopus", re.IGNORECASE))
    expect(page).to_have_url(re.compile(r"[?&]text=octopus"))
    page.locator("#text").fill("brass band")
    expect(row(page, ferry)).to_be_visible()
    expect(row(page, wall)).to_have_count(0)
    page.locator("#text").fill("")
    expect(rows(page)).to_have_count(2)
    assert is_marked(page)


def test_a_page_that_cannot_be_fetched_stays_and_says_why(library, simulator, visit):
    number = save(library, MISSING)
    page = open_list(visit, library)
    expect(row(page, number).locator(".field-error")).to_contain_text("404", timeout=30_000)
    simulator.change_page(MISSING, title="It is back", text="\n\n".join(["The page is back. " * 30] * 4))
    row(page, number).get_by_role("button", name="Try again").click()
    expect(row(page, number).locator("a.name")).to_have_text("It is back")
    expect(row(page, number).locator(".field-error")).to_have_count(0)


def test_the_list_grows_while_one_scrolls_and_stays_grown(library, visit):
    now = int(time.time())
    imported = import_articles(library, pocket(
        [(f"{GAZETTE}/many/{number}", f"Article {number:03}", now - number, []) for number in range(120)]))
    assert imported.status < 300, imported.text
    eventually("all of them", lambda: len(listed(library)) == 100, 30)
    page = open_list(visit, library)
    mark(page)
    first = rows(page).count()
    assert first < 120
    expect(page.locator("[data-more]")).to_have_count(1)
    page.locator("[data-more]").scroll_into_view_if_needed()
    eventually("more rows", lambda: rows(page).count() > first)
    grown = rows(page).count()
    names = page.locator("li.article a.name").all_text_contents()
    assert len(set(names)) == len(names), "a row is there twice"
    number = numbers(page)[0]
    assert library.ask("PATCH", f"/api/v1/articles/{number}", {"isFavorite": True}).status == 200
    expect(row(page, number).locator("[data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    assert rows(page).count() >= grown
    assert is_marked(page)


def test_what_a_page_says_of_itself_stays_text(library, simulator, visit):
    address = f"{GAZETTE}/made/hostile"
    escaped = "".join(f"&#{ord(sign)};" for sign in f"{OUT}script>alert(1)</script>{OUT}meta http-equiv=refresh content=0 probe>")
    paragraph = f"<p>{'Somebody has written this with care and at some length, so that it is an article. ' * 6}{escaped}</p>"
    simulator.change_page(address, type="text/html; charset=utf-8", html=(
        f'<!doctype html><html lang="en"><head><title>{escaped}</title><meta name="author" content="{escaped}">'
        f'<meta name="description" content="{escaped}"><meta property="og:site_name" content="{escaped}"></head><body><article>'
        f"<h1>{escaped}</h1>{paragraph * 5}<p onclick=\"alert(1)\">A <a href=\"javascript:alert(1)\">link</a> of it, "
        f"<img src=x onerror=alert(1)> and a picture of nothing at all.</p><form action=/members><button>In</button></form>"
        f"</article></body></html>"))
    number = fetched(library, address)[0]
    tagged = library.ask("PATCH", f"/api/v1/articles/{number}", {"tags": [f"a {OUT}"[:30]], "category": f"b {OUT}"[:30]})
    assert tagged.status == 200, tagged.text
    for path in ("/reading", f"/reading/{number}", f"/reading/{number}/edit", "/reading?text=probe", "/"):
        page = open_list(visit, library, path)
        idle(page)
        assert page.evaluate(FOREIGN) == [], path
        assert page.locator(".body [onclick], .body [onerror], .body a[href^=javascript], .body form, .body button").count() == 0
        assert page.url == library.url + path


@pytest.mark.parametrize("path", ["/reading", "/reading/{wall}"])
def test_a_planted_button_does_nothing_to_anything_else(path, library, visit):
    """Had a text got out of its place, with a button of the page's own form: it leads nowhere but to its own article."""
    wall, ferry = fetched(library, WALL, FERRY)
    page = open_list(visit, library, path.format(wall=wall))
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url.removeprefix(library.url)))
    place, form = (f"#article-{wall} .main", "act") if path == "/reading" else (".reader .body", "reader-form")
    for act, address in [("archive", "/members/2/role"), ("archive", f"/reading/{ferry}/delete"), ("delete", "/reading/bulk"),
                         ("archive", f"//evil.example/reading/{wall}/archive"), ("constructor", f"/reading/{wall}/edit")]:
        page.evaluate("""([place, form, act, address]) => {
            const button = document.createElement("button");
            Object.assign(button, { name: "role", value: "owner", textContent: "A title" });
            button.setAttribute("form", form);
            button.setAttribute("formaction", address);
            Object.assign(button.dataset, { act, owned: "" });
            document.querySelector(place).prepend(button);
        }""", [place, form, act, address])
        button = page.get_by_role("button", name="A title", exact=True)
        button.click()
        expect(page.locator("#notice")).to_contain_text("Nothing was sent")
        button.evaluate("(one) => one.remove()")
        page.locator("#notice").evaluate("(one) => one.replaceChildren()")
    assert [address for address in sent if not address.endswith("/progress")] == []
    assert len(listed(library)) == 2


def test_other_people_see_nothing_of_it(library, visit):
    number = fetched(library, WALL)[0]
    grace = library.add_user("grace")
    page = open_list(visit, library, guest=grace)
    expect(page.locator(".connect")).to_be_visible()
    assert library.get(f"/reading/{number}", guest=grace).status == 404
    assert library.get(f"/reading/{number}/reader", guest=grace).status == 404


# Without scripts.


def test_all_of_it_works_without_scripts(library, visit):
    page = visit(library, java_script_enabled=False).page("/reading")
    type_address(page, WALL)
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    number = listed(library)[0]["id"]
    is_so(library, number, "the text", fetchState="fetched")
    page.goto("/reading")
    row(page, number).locator("[data-act=favorite]").click()
    page.goto("/reading?list=favorites")
    expect(row(page, number)).to_be_visible()
    row(page, number).locator("a.name").click()
    expect(page.locator(".reader .body")).to_contain_text("nobody stood on it to watch")
    page.get_by_role("button", name="Make a gist").click()
    expect(page.locator(".reader .gist p").first).not_to_be_empty()
    page.locator(".add-highlight summary").click()
    page.locator("#quote").fill("The waves ran up to the new wall")
    page.locator("#quote-note").fill("Why?")
    page.locator(".add-highlight").get_by_role("button", name="Highlight").click()
    expect(page.locator(".body mark.highlight")).to_have_text("The waves ran up to the new wall")
    expect(page.locator("#highlights")).to_contain_text("Why?")
    page.locator("#more-tools summary").click()
    page.locator("#text-width").select_option("wide")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.locator(".reader")).to_have_class(re.compile("width-wide"))
    page.locator("#reader-tools").get_by_role("button", name="Archive", exact=True).click()
    page.goto("/reading?list=archived")
    expect(row(page, number)).to_be_visible()
    row(page, number).locator("[data-act=delete]").click()
    expect(row(page, number)).to_have_count(0)
    undo(page, "Deleted.")
    page.goto("/reading?list=archived")
    expect(row(page, number)).to_be_visible()


def test_several_are_changed_at_once_without_scripts(library, visit):
    chosen = fetched(library, WALL, GERMAN)
    page = visit(library, java_script_enabled=False).page("/reading")
    for number in chosen:
        row(page, number).get_by_role("checkbox").check()
    page.locator("#bulk").get_by_role("button", name="Archive", exact=True).click()
    expect(rows(page)).to_have_count(0)
    undo(page, "2 articles archived")
    page.goto("/reading")
    expect(rows(page)).to_have_count(2)
