"""An article's page: typography, keys, reading position, highlights with notes, and its gist."""

import re

import pytest
from chat import meanwhile
from playwright.sync_api import expect
from program import eventually
from reading import (
    can_undo, empty, highlights, is_so, marked, open_article, open_list, ready, row, scroll_to_share, select, share_seen)
from reading_sites import FERRY, FOR_MEMBERS, QUEUE, WALL, WALL_SENTENCE, WALL_TITLE, article, fetched
from visit import idle, is_marked, mark, overflow

FIRST = "When the first autumn storm reached the outer mole last week"
# The lengths of the lines of the first paragraphs in characters, without each paragraph's last line.
LINES = """() => {
    const counts = [];
    for (const paragraph of [...document.querySelectorAll(".body p")].filter((each) => each.textContent.length > 300)) {
        const node = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT).nextNode();
        const range = new Range();
        let [top, begin] = [null, 0];
        for (let at = 0; at < node.length; at += 1) {
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const box = range.getBoundingClientRect();
            if (!box.height || box.top === top) continue;
            if (top !== null && Math.abs(box.top - top) > 6) { counts.push(at - begin); begin = at; }
            top = box.top;
        }
    }
    return counts;
}"""


@pytest.fixture
def library(shared_roost, simulator):
    empty(shared_roost)
    return shared_roost


@pytest.fixture
def wall(library):
    """An article with headings, a list, a quotation and a picture."""
    return fetched(library, WALL)[0]


def test_the_text_is_about_65_characters_wide_below_its_title_and_facts(library, wall, visit):
    page = open_article(visit, library, wall, viewport={"width": 1920, "height": 1080})
    expect(page.get_by_role("heading", level=1)).to_have_text(WALL_TITLE)
    expect(page.locator(".reader-header")).to_contain_text("Maren Holt")
    expect(page.locator("a.original")).to_have_attribute("href", WALL)
    lengths = sorted(page.evaluate(LINES))
    assert lengths and 55 <= lengths[len(lengths) // 2] <= 75, lengths
    assert page.locator(".body blockquote").count() and page.locator(".body ul li").count() >= 4


def test_pictures_are_loaded_through_roost(library, wall, visit):
    browser = visit(library, service_workers="block")
    page = browser.page(f"/reading/{wall}")
    picture = page.locator(".body img").first
    expect(picture).to_have_attribute("src", re.compile("^/pictures/"))

    def is_here():
        picture.scroll_into_view_if_needed()
        return picture.evaluate("(one) => one.complete && one.naturalWidth") or page.reload() is None

    eventually("the picture", is_here, every=0.5)
    assert not [url for url in browser.requests if "harbour-gazette" in url]


def test_size_width_and_font_change_without_a_reload_and_are_remembered(library, wall, visit):
    page = open_article(visit, library, wall)
    mark(page)
    reader = page.locator(".reader")
    page.keyboard.press("t")
    expect(page.locator("#text-size")).to_be_focused()
    letters = "(one) => parseFloat(getComputedStyle(one).fontSize)"
    before = reader.evaluate(letters)
    page.locator("#text-size").fill("6")
    page.locator("#text-width").select_option("narrow")
    page.locator("#text-font").select_option("sans")
    expect(reader).to_have_class(re.compile("text-6"))
    expect(reader).to_have_class(re.compile("width-narrow"))
    meanwhile(page, "the saved choice", lambda: "text-6 width-narrow font-sans" in library.get(f"/reading/{wall}").text)
    meanwhile(page, "larger letters", lambda: reader.evaluate(letters) > before)
    page.keyboard.press("Escape")
    expect(page.locator("#text-size")).to_be_hidden()
    assert is_marked(page)
    other = open_article(visit, library, wall)
    for name in ("text-6", "width-narrow", "font-sans"):
        expect(other.locator(".reader")).to_have_class(re.compile(name))
    restored = library.ask("POST", "/reading/preferences", "textSize=4&width=normal&font=serif")
    assert restored.status == 303, restored.text


def test_a_choice_stays_while_it_is_saved_even_if_the_article_changes(library, wall, visit):
    page = open_article(visit, library, wall)
    held = []
    page.route("**/reading/preferences", lambda route: held.append(route))
    page.keyboard.press("t")
    page.locator("#text-size").fill("6")
    meanwhile(page, "the request", lambda: held)

    changed = library.ask("PATCH", f"/api/v1/articles/{wall}", {"isFavorite": True})
    assert changed.status == 200, changed.text
    expect(page.locator("#reader-tools [data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".reader")).to_have_class(re.compile("text-6"))
    # Roost saves the choice and then another one before it answers this page, which must then show the other.
    answer = held[0].fetch()

    def choose(size):
        chosen = library.ask("POST", "/reading/preferences", f"textSize={size}&width=normal&font=serif")
        assert chosen.status == 303, chosen.text

    with page.expect_response(lambda one: one.status == 200 and one.url.endswith("/reader") and "reader text-5" in one.text()):
        choose(5)
    expect(page.locator(".reader")).to_have_class(re.compile("text-6"))
    held[0].fulfill(response=answer)
    expect(page.locator(".reader")).to_have_class(re.compile("text-5"))
    choose(4)


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_wide_content_scrolls_by_itself_and_not_the_page(width, library, simulator, visit):
    address = f"{WALL}-wide"
    words = "A long way along the quay, told at some length so that it is an article and no list. " * 8
    long = "a-word-that-goes-on-and-on-" * 12
    simulator.change_page(address, type="text/html; charset=utf-8", html=(
        f"<!doctype html><html lang=en><title>Wide things</title><body><article><h1>Wide things</h1><p>{words}</p><p>{long}</p>"
        f"<pre><code>let tides = ports.map {{ $0.highWater(on: .today, in: .current, {long}) }}</code></pre><p>{words}</p>"
        f"<table><tr>{'<th>A column of its own</th>' * 14}</tr><tr>{'<td>1,234,567 tonnes</td>' * 14}</tr></table><p>{words}</p>"
        f"</article></body></html>"))
    page = open_article(visit, library, fetched(library, address)[0], viewport={"width": width, "height": 800})
    assert overflow(page)[0] == 0
    for name in ("pre", "table"):
        place = page.locator(f".body {name}").first
        assert place.evaluate("""(one) => [one, one.parentElement].some((each) => each.scrollWidth > each.clientWidth
            && getComputedStyle(each).overflowX === "auto")"""), name


def test_the_reading_position_is_saved_shown_and_restored(library, wall, visit):
    page = open_article(visit, library, wall)
    line = page.locator("#reading-line")
    with page.expect_request(lambda request: request.url.endswith("/progress")):
        scroll_to_share(page, .6)
    meanwhile(page, "the saved progress", lambda: abs(article(library, wall)["progress"] - .6) < .03)
    expect(line).to_have_attribute("aria-valuenow", re.compile("^(59|60|61)$"))
    other = open_article(visit, library, wall)
    eventually("the same position", lambda: abs(share_seen(other) - .6) < .05)
    listing = open_list(visit, library, "/reading?list=all")
    expect(row(listing, wall).locator("progress")).to_have_attribute("value", re.compile("^(59|60|61)$"))


def test_the_reading_position_is_saved_when_leaving_at_once(library, wall, visit):
    page = open_article(visit, library, wall)

    def is_shown():
        scroll_to_share(page, .4)  # again after a picture that has arrived since
        return page.locator("#reading-line").get_attribute("aria-valuenow") == "40"

    eventually("the progress on the page", is_shown)
    page.goto("/reading")
    meanwhile(page, "the saved progress", lambda: abs(article(library, wall)["progress"] - .4) < .03)


def test_the_keys_do_what_the_help_says(library, visit):
    wall, ferry = fetched(library, WALL, FERRY)
    page = open_list(visit, library)
    row(page, ferry).locator("a.name").click()
    expect(page.locator(".reader .body")).to_be_visible()
    ready(page)
    for _ in range(2):
        page.keyboard.press("j")
    expect(page.locator(".body .here")).to_have_count(1)
    second = page.locator(".body .here").inner_text()
    page.keyboard.press("j")
    expect(page.locator(".body .here")).not_to_have_text(second)
    page.keyboard.press("k")
    expect(page.locator(".body .here")).to_have_text(second)
    page.keyboard.press("f")
    expect(page.locator("#reader-tools [data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    is_so(library, ferry, "a favourite", isFavorite=True)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("n")
    expect(page).to_have_url(re.compile(f"/reading/{wall}$"))
    expect(page.locator(".reader .body")).to_be_visible()
    ready(page)
    page.keyboard.press("n")
    expect(page.locator("#notice")).to_contain_text("last article")
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile(f"/reading/{ferry}$"))
    expect(page.locator("#reader-tools [data-act=archive]")).to_be_visible()
    ready(page)
    page.keyboard.press("a")
    is_so(library, ferry, "archived", state="archived")
    expect(page.locator("#reader-tools [data-act=archive]")).to_have_attribute("aria-pressed", "true")
    can_undo(page, "Archived.")
    page.keyboard.press("z")
    is_so(library, ferry, "unread again", state="unread")
    page.keyboard.press("u")
    expect(page).to_have_url(re.compile("/reading$"))


def agrees(page, highlight):
    """Expects the stored offsets to match the passage on the page, in UTF-16 units."""
    text = page.evaluate("([start, end]) => document.querySelector('.body').textContent.slice(start, end)",
                         [highlight["start"], highlight["end"]])
    assert text == highlight["quote"]


def test_a_selection_is_highlighted_with_h(library, wall, visit):
    page, other = open_article(visit, library, wall), open_article(visit, library, wall)
    mark(other)
    select(page, WALL_SENTENCE)
    page.keyboard.press("h")
    for each in (page, other):
        eventually("the mark", lambda: "".join(marked(each)) == WALL_SENTENCE)  # noqa: B023
    kept = highlights(library, wall)
    assert [each["quote"] for each in kept] == [WALL_SENTENCE]
    agrees(page, kept[0])
    assert is_marked(other)


def test_a_passage_chosen_while_another_is_saved_is_highlighted_too(library, wall, visit):
    page = open_article(visit, library, wall)
    first, second = WALL_SENTENCE.split(" ", 1)
    held, let_through = [], []
    page.route("**/highlights", lambda route: route.continue_() if let_through else held.append(route))
    for passage in (first, second):
        select(page, passage)
        page.keyboard.press("h")
        meanwhile(page, "the first request", lambda: held)
    assert len(held) == 1
    let_through.append(True)
    held[0].continue_()
    meanwhile(page, "both highlights", lambda: {each["quote"] for each in highlights(library, wall)} == {first, second})
    eventually("both marks", lambda: sorted(marked(page)) == sorted([first, second]))


def test_a_paragraph_is_highlighted_with_the_keyboard_alone(library, wall, visit):
    page = open_article(visit, library, wall)
    for _ in range(6):  # a picture may come first
        page.keyboard.press("j")
        expect(page.locator(".body .here")).to_have_count(1)
        if FIRST in page.locator(".body .here").inner_text():
            break
    paragraph = page.locator(".body .here").inner_text()
    page.keyboard.press("h")
    eventually("the mark", lambda: "".join(marked(page)).split() == paragraph.split())
    agrees(page, highlights(library, wall)[0])


def test_the_paragraph_of_the_keys_stays_when_the_page_updates(library, wall, visit):
    page = open_article(visit, library, wall)
    here = page.locator(".body .here")
    for _ in range(2):
        page.keyboard.press("j")
    expect(here).to_have_count(1)
    paragraph = here.inner_text()
    changed = library.ask("PATCH", f"/api/v1/articles/{wall}", {"isFavorite": True})
    assert changed.status == 200, changed.text
    expect(page.locator("#reader-tools [data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    expect(here).to_have_text(paragraph)
    idle(page)  # a browser takes the focus from an element that cannot have it with its next frame
    expect(here).to_be_focused()


def test_a_selection_across_elements_and_emoji_has_the_right_offsets(library, simulator, visit):
    address = f"{WALL}-signs"
    words = "It was told at some length so that it is an article and no list, and then once more. " * 6
    simulator.change_page(address, type="text/html; charset=utf-8", html=(
        f"<!doctype html><html lang=en><title>Signs</title><body><article><h1>Signs</h1><p>Before it 🐙 stands {words}</p>"
        f"<p>The <b>octopus 🐙🏽 of</b> the <i>chamber</i> is at home. {words}</p><p>{words}</p></article></body></html>"))
    number = fetched(library, address)[0]
    page = open_article(visit, library, number)
    page.evaluate("""() => {
        const bold = document.querySelector(".body :is(b, strong)");
        const range = new Range();
        range.setStart(bold.firstChild, 0);
        range.setEnd(bold.parentElement.querySelector("i, em").nextSibling, " is at home. ".length);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
    }""")
    page.keyboard.press("h")
    eventually("the mark", lambda: "".join(marked(page)) == "octopus 🐙🏽 of the chamber is at home.")
    agrees(page, highlights(library, number)[0])


def test_a_note_is_added_to_a_selection_edited_at_its_highlight_and_removed(library, wall, visit):
    page = open_article(visit, library, wall)
    select(page, FIRST)
    tools = page.locator(".selection-tools")
    expect(tools).to_be_visible()
    tools.get_by_role("button", name="Add note").click()
    form = page.locator("#highlight-form")
    expect(form.locator("textarea")).to_be_focused()
    form.locator("textarea").fill("Which <b>storm</b>?")
    form.get_by_role("button", name="Highlight").click()
    expect(form).to_be_hidden()
    expect(page.locator("#highlights .note-text")).to_have_text("Which <b>storm</b>?")
    page.locator(".body mark.highlight").first.click()
    expect(form.locator("textarea")).to_have_value("Which <b>storm</b>?")
    form.locator("textarea").fill("The one in October.")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#highlights .note-text")).to_have_text("The one in October.")
    page.locator(".body mark.highlight").first.click()
    form.get_by_role("button", name="Remove").click()
    expect(page.locator(".body mark.highlight")).to_have_count(0)
    assert highlights(library, wall) == []
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    eventually("the mark again", lambda: "".join(marked(page)) == FIRST)


def test_a_note_that_could_not_be_saved_keeps_its_text(library, wall, visit):
    page = open_article(visit, library, wall)
    select(page, FIRST)
    page.locator(".selection-tools").get_by_role("button", name="Add note").click()
    page.route("**/highlights", lambda route: route.abort())
    page.locator("#highlight-form textarea").fill("Not lost")
    page.locator("#highlight-form").get_by_role("button", name="Highlight").click()
    expect(page.locator("#notice")).to_contain_text("Roost does not answer.")
    expect(page.locator("#highlight-form textarea")).to_have_value("Not lost")
    page.unroute("**/highlights")
    page.locator("#highlight-form").get_by_role("button", name="Highlight").click()
    expect(page.locator("#highlights .note-text")).to_have_text("Not lost")


def test_a_button_generates_a_gist_above_the_text(library, wall, visit):
    page, other = open_article(visit, library, wall), open_article(visit, library, wall)
    expect(page.locator(".reader .gist")).to_have_count(0)
    page.get_by_role("button", name="Make a gist").click()
    for each in (page, other):
        expect(each.locator(".reader .gist p").first).not_to_be_empty()
        assert each.evaluate("""() => document.querySelector(".gist").compareDocumentPosition(document.querySelector(".body"))
            & Node.DOCUMENT_POSITION_FOLLOWING""")
    expect(page.get_by_role("button", name="Make a gist")).to_have_count(0)


def test_a_gist_created_in_another_tab_appears_and_its_page_copies_it_as_markdown(library, visit):
    number = fetched(library, QUEUE)[0]
    page = open_article(visit, library, number, permissions=["clipboard-read", "clipboard-write"])
    mark(page)
    made = library.ask("POST", f"/api/v1/articles/{number}/gist", {})
    assert made.status in (200, 201), made.text
    expect(page.locator(".reader .gist p").first).not_to_be_empty()
    assert is_marked(page)
    page.get_by_role("link", name="Copy as Markdown").click()
    expect(page.locator("#notice .notice")).to_contain_text("Copied as Markdown.")
    at_the_article = page.evaluate("() => navigator.clipboard.readText()")
    page.locator(".gist h2 a").click()
    expect(page).to_have_url(re.compile(r"/gists/\d+$"))
    page.locator(".gist-tools [data-copy] button").click()
    expect(page.locator(".gist-tools .copy-word")).to_have_text("Copied.")
    copied = page.evaluate("() => navigator.clipboard.readText()")
    assert copied.strip() == at_the_article.strip() == page.locator("#markdown").input_value().strip() != ""


def test_a_text_that_its_site_cuts_says_how_to_get_the_rest(library, visit):
    number = fetched(library, FOR_MEMBERS)[0]
    page = visit(library).page(f"/reading/{number}")
    note = page.locator("#partial")
    expect(note).to_have_text("Only the beginning. Sign in to the site and use the bookmarklet for the rest.")
    expect(note.get_by_role("link", name="Sign in to the site")).to_have_attribute("href", FOR_MEMBERS)
    page.goto("/reading")
    expect(page.locator(f"#article-{number}")).to_contain_text("only the beginning")
