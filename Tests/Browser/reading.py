"""Helpers for the reading list's pages; reading_sites.py has the addresses to save."""

import re

from playwright.sync_api import expect
from program import eventually
from reading_sites import article

# Selects these words in the text, as with the mouse.
SELECT = """(words) => {
    const walker = document.createTreeWalker(document.querySelector(".reader .body"), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const at = node.data.indexOf(words);
        if (at < 0) continue;
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + words.length);
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        return true;
    }
    return false;
}"""


def listed(roost, which="all", guest=None):
    """The first articles of a list from the API."""
    answer = roost.get(f"/api/v1/articles?list={which}&limit=100", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json["items"]


def empty(roost, guest=None):
    """Deletes every article."""
    while items := listed(roost, guest=guest):
        for item in items:
            assert roost.ask("DELETE", f"/api/v1/articles/{item['id']}", guest=guest).status in (200, 204)


def highlights(roost, number):
    answer = roost.get(f"/api/v1/articles/{number}/highlights")
    assert answer.status == 200, answer.text
    return answer.json["items"]


def open_list(visit, roost, path="/reading", guest=None, **options):
    """Opens the list in a new browser without a service worker, which would answer instead of Roost."""
    return ready(visit(roost, guest, **{"service_workers": "block", **options}).page(path))


def open_article(visit, roost, number, guest=None, **options):
    page = open_list(visit, roost, f"/reading/{number}", guest, **options)
    expect(page.locator(".reader .body")).to_be_visible()
    return page


def ready(page):
    """Waits for the page's scripts; returns the page."""
    expect(page.locator("html")).to_have_class(re.compile(r"(^| )js( |$)"))
    page.wait_for_load_state("domcontentloaded")  # the first script sets the class, and the page's own follow
    page.bring_to_front()
    return page


def row(page, number):
    return page.locator(f"#article-{number}")


def rows(page):
    return page.locator("li.article:visible")


def numbers(page):
    """The ids of the listed articles in order."""
    return page.locator("li.article:not([hidden])").evaluate_all("all => all.map((each) => each.dataset.key)")


def focused(page):
    """The id of the article in the focused row, or None."""
    return page.evaluate("() => document.activeElement.closest('li.article')?.dataset.key")


def offer_to_undo(page, done):
    """The Undo button of the notice with this text; Roost makes a change before the browser hears of it."""
    return page.locator("#notice .notice").filter(has_text=done).first.get_by_role("button", name="Undo", exact=True)


def can_undo(page, done):
    expect(offer_to_undo(page, done)).to_be_visible()


def undo(page, done):
    offer_to_undo(page, done).click()


def select(page, words):
    assert page.evaluate(SELECT, words), f"not in the text: {words}"


def marked(page):
    """The highlighted passages in order."""
    return page.locator(".body mark.highlight").all_inner_texts()


def is_so(roost, number, what, **wanted):
    """Waits until the API returns these values for the article."""
    def question():
        item = article(roost, number)
        return all(item.get(name) == value for name, value in wanted.items())
    eventually(what, question)


def scroll_to_share(page, share):
    """Scrolls until this fraction of the text is above the bottom edge of the window."""
    page.evaluate("""(share) => {
        const { top, height } = document.querySelector(".reader .body").getBoundingClientRect();
        scrollTo(0, scrollY + top + share * height - innerHeight);
        dispatchEvent(new Event("wheel"));
    }""", share)


def share_seen(page):
    return page.evaluate("""() => {
        const { top, height } = document.querySelector(".reader .body").getBoundingClientRect();
        return (innerHeight - top) / height;
    }""")
