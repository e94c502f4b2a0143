"""Injected markup can do no harm: the second layer after escaping."""

import pytest
from github import keys, pull
from playwright.sync_api import expect
from program import eventually

# As from an unescaped title: a button of the page's own form, which carries the page's token.
BUTTON = """<button form="act" formaction="/members/2/role" name="role" value="owner" data-act="{act}">A title</button>"""
# Keeps the markup when the list is fetched again, as a real injection would return with it.
PLANT = """(row, html) => {
    row.querySelector(".main").insertAdjacentHTML("afterbegin", html);
    row.querySelector(".main").firstElementChild.dataset.owned = "";
}"""

@pytest.fixture(scope="module")
def grace(shared_inbox):
    guest = shared_inbox.add_user("grace")
    assert shared_inbox.get("/api/v1/me", guest=guest).json["userId"] == "2"
    return guest


@pytest.fixture
def planted(inbox_of_ada, grace, visit):
    """Ada's inbox, a function that injects markup into a row, and the addresses the page then posts to."""
    page = visit(inbox_of_ada).page("/pulls")
    sent = []
    # Staying at a row for a moment has Roost fetch its details.
    page.on("request", lambda request: request.method == "POST" and not request.url.endswith("/prefetch")
            and sent.append(request.url.removeprefix(inbox_of_ada.url)))

    def plant(key, html):
        pull(page, key).evaluate(PLANT, html)

    yield page, plant, sent
    assert not [address for address in sent if "/members" in address], sent
    assert inbox_of_ada.get("/api/v1/me", guest=grace).json["role"] == "member"


def test_keys_do_not_press_an_injected_button(planted):
    page, plant, sent = planted
    key = keys(page)[0]
    plant(key, BUTTON.format(act="done"))
    page.keyboard.press("j")
    page.keyboard.press("e")
    expect(page.locator("#notice")).to_contain_text("done")
    assert sent == [f"/pulls/{key}/done"]


@pytest.mark.parametrize("act", ["", "role", "constructor", "__proto__", "done"])
def test_an_injected_button_cannot_send_to_its_own_address(act, planted):
    page, plant, sent = planted
    key = keys(page)[-1]
    plant(key, BUTTON.format(act=act))
    pull(page, key).get_by_role("button", name="A title").click()
    if act == "done":
        eventually("Roost's own action", lambda: sent == [f"/pulls/{key}/done"])
        return
    expect(page.locator("#notice")).to_contain_text("Nothing was sent")
    assert not sent and page.url.endswith("/pulls")


@pytest.mark.parametrize("html", [
    # A button of the page's form that scripts do not handle.
    """<button form="filter" formmethod="post" formaction="/members/2/role" name="role" value="owner">A title</button>""",
    """<div data-key="../members/2/role?"><button form="act" formaction="/x" data-act="done">A title</button></div>""",
    """<div data-key="a/../b/7"><button form="act" formaction="/x" data-act="done">A title</button></div>""",
])
def test_injected_markup_with_its_own_form_or_key_sends_nothing(html, planted):
    page, plant, sent = planted
    plant(keys(page)[-1], html)
    page.get_by_role("button", name="A title").click()
    expect(page.locator("#notice")).to_contain_text("Nothing was sent")
    assert not sent and page.url.endswith("/pulls")


@pytest.mark.parametrize("address", ["/members/2/role", "//evil.example/", "/pulls/../members/2/role", "/settings/github/1/disconnect"])
def test_a_form_injected_into_a_row_is_ignored(address, planted):
    """The rows are inside Roost's own form and browsers drop nested forms, so the button submits Roost's form."""
    page, plant, sent = planted
    plant(keys(page)[-1], f"""<form method="post" action="{address}" data-inline><button name="role" value="owner">A title</button></form>""")
    page.get_by_role("button", name="A title").click()
    eventually("a refresh by Roost's own form", lambda: sent == ["/pulls/refresh"])
    assert page.url.endswith("/pulls")


def test_the_key_o_does_not_open_an_injected_link(planted):
    page, plant, _ = planted
    plant(keys(page)[0], """<a class="name out" href="https://evil.example/x" target="_blank">A title</a>""")
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert len(page.context.pages) == 1


def test_a_live_part_is_fetched_only_from_its_own_page(planted):
    page, _, _ = planted
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for address in ("/settings/tokens", "//evil.example/", "/pulls/rows/../../members", "/display/x"):
        page.locator(".inbox .live").evaluate("""(live, address) => {
            live.dataset.live = address;
            live.dispatchEvent(new CustomEvent("roost:refresh"));
        }""", address)
    page.locator(".inbox .live").evaluate("""(live) => {
        live.dataset.live = "/pulls/rows?text=x";
        live.dispatchEvent(new CustomEvent("roost:refresh"));
    }""")
    eventually("a request to the page's own address", lambda: any(url.endswith("/pulls/rows?text=x") for url in asked))
    assert not [url for url in asked if "tokens" in url or "evil" in url or "members" in url or "/display/" in url]
