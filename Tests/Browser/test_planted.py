"""What a stranger's text would do that got out of its place in a page: the second layer behind escaping."""

import pytest
from exchange import exchange
from github import keys, pull
from playwright.sync_api import expect
from program import eventually

# As a title would have brought it: the button belongs to the page's own form, which carries the page's own token.
BUTTON = """<button form="act" formaction="/members/2/role" name="role" value="owner" data-act="{act}">A title</button>"""
# It stays when the list is fetched again, as it would have come with it.
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
    """Ada's inbox, a way to plant something into a row of it, and what the page sent afterwards."""
    page = visit(inbox_of_ada).page("/pulls")
    sent = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url.removeprefix(inbox_of_ada.url)))

    def plant(key, html):
        pull(page, key).evaluate(PLANT, html)

    yield page, plant, sent
    assert not [address for address in sent if "/members" in address], sent
    assert inbox_of_ada.get("/api/v1/me", guest=grace).json["role"] == "member"


def test_the_keys_do_what_they_stand_for_and_not_what_a_planted_button_says(planted):
    page, plant, sent = planted
    key = keys(page)[0]
    plant(key, BUTTON.format(act="done"))
    page.keyboard.press("j")
    page.keyboard.press("e")
    expect(page.locator("#notice")).to_contain_text("done")
    assert sent == [f"/pulls/{key}/done"]


@pytest.mark.parametrize("act", ["", "role", "constructor", "__proto__", "done"])
def test_a_planted_button_that_is_clicked_leads_to_no_address_of_its_own(act, planted):
    page, plant, sent = planted
    key = keys(page)[-1]
    plant(key, BUTTON.format(act=act))
    pull(page, key).get_by_role("button", name="A title").click()
    if act == "done":
        eventually("the act of our own", lambda: sent == [f"/pulls/{key}/done"])
        return
    expect(page.locator("#notice")).to_contain_text("Nothing was sent")
    assert not sent and page.url.endswith("/pulls")


@pytest.mark.parametrize("html", [
    # Of the page's form that is no form of scripts.
    """<button form="filter" formmethod="post" formaction="/members/2/role" name="role" value="owner">A title</button>""",
    """<div data-key="../members/2/role?"><button form="act" formaction="/x" data-act="done">A title</button></div>""",
    """<div data-key="a/../b/7"><button form="act" formaction="/x" data-act="done">A title</button></div>""",
])
def test_what_is_planted_with_a_place_of_its_own_sends_nothing(html, planted):
    page, plant, sent = planted
    plant(keys(page)[-1], html)
    page.get_by_role("button", name="A title").click()
    expect(page.locator("#notice")).to_contain_text("Nothing was sent")
    assert not sent and page.url.endswith("/pulls")


@pytest.mark.parametrize("address", ["/members/2/role", "//evil.example/", "/pulls/../members/2/role", "/settings/github/1/disconnect"])
def test_a_form_that_is_planted_into_a_row_is_none(address, planted):
    """The rows stand in a form of ours, and a browser makes no form within a form: what is left does what ours does by itself."""
    page, plant, sent = planted
    plant(keys(page)[-1], f"""<form method="post" action="{address}" data-inline><button name="role" value="owner">A title</button></form>""")
    page.get_by_role("button", name="A title").click()
    eventually("what our form does", lambda: sent == ["/pulls/refresh"])
    assert page.url.endswith("/pulls")


def test_a_planted_link_is_not_what_the_key_o_opens(planted):
    page, plant, _ = planted
    plant(keys(page)[0], """<a class="name" href="https://evil.example/x" target="_blank">A title</a>""")
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    assert len(page.context.pages) == 1


def test_a_live_part_is_fetched_from_no_other_address(planted):
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
    eventually("our own address", lambda: any(url.endswith("/pulls/rows?text=x") for url in asked))
    assert not [url for url in asked if "tokens" in url or "evil" in url or "members" in url or "/display/" in url]

@pytest.mark.parametrize("path", ["/", "/pulls", "/watchlist", "/repositories?since=0", "/bookmarks", "/displays", "/settings"])
def test_what_owners_do_is_refused_with_the_token_of_another_page(path, inbox_of_ada, grace):
    roost = inbox_of_ada
    guest = roost.owner.on(roost.get(path).text)
    for act, body in (("role", "role=owner"), ("remove", ""), ("reset", "")):
        # Not `ask`, which takes the token of an owners' page.
        refused = exchange(roost.connect(), "POST", f"/members/2/{act}", body, guest=guest)
        assert refused.status == 403, (path, act)
    assert roost.get("/api/v1/me", guest=grace).json["role"] == "member"
