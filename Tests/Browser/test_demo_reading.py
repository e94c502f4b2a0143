"""The demo's reading list has pages in three languages from the simulated sites, in every state."""

import pytest
from program import NOBODY, Program, eventually
from reading_sites import FERRY, GERMAN, MISSING, PDF, QUEUE, TIDE_TABLES, WRONG_CHARSET

API = "/api/v1"


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def items(demo, path):
    return demo.get(f"{API}/{path}", guest=NOBODY).json["items"]


def by_address(demo):
    return {each["url"]: each for each in items(demo, "articles?list=all&limit=100")}


def test_a_dozen_pages_in_three_languages_are_fetched(demo):
    fetched = [each for each in by_address(demo).values() if each["fetchState"] == "fetched"]
    assert len(fetched) >= 12
    assert {each.get("language") for each in fetched} - {None} == {"en", "de", "fr"}  # a PDF's may be unknown
    assert all(each["title"] != each["url"] and each["minutes"] for each in fetched)


def test_articles_show_every_state(demo):
    known = by_address(demo)
    assert {each["state"] for each in known.values()} == {"unread", "archived"}
    assert any(each["isFavorite"] for each in known.values())
    assert any(0 < each["progress"] < 1 for each in known.values())
    assert known[MISSING]["fetchState"] == "failed" and known[MISSING]["error"]
    # Roost reads it if pdftotext is installed.
    assert known[PDF]["fetchState"] == "fetched" or known[PDF]["mediaType"] == "application/pdf"
    assert known[TIDE_TABLES]["tags"] == ["swift", "tides"] and known[TIDE_TABLES]["category"] == "Work"
    assert len({each["category"] for each in known.values()}) >= 3


def test_unread_articles_are_suggested(demo):
    suggested = items(demo, "articles?list=suggested")
    assert len(suggested) >= 3 and FERRY in {each["url"] for each in suggested}
    assert all("Weekend" in each["reason"] for each in suggested)


def test_some_articles_have_gists_and_highlights(demo):
    known = by_address(demo)
    assert sum(each.get("gistCreated") is True for each in known.values()) >= 5
    gists = items(demo, "gists")
    assert any(each["isEdited"] for each in gists) and any(not each["isEdited"] for each in gists)
    noted = items(demo, f"articles/{known[GERMAN]['id']}/highlights")
    assert [each["note"] for each in noted] == ["Der Satz für die Einleitung."]
    assert known[QUEUE]["highlightCount"] == 2


def test_articles_are_shared_with_and_by_the_visitor(demo):
    assert [each["title"] for each in items(demo, "shared-items?direction=with")] == ["The keeper's ledger"]
    by_me = items(demo, "shared-items?direction=by")
    assert {each["url"] for each in by_me} == {FERRY} and len(by_me) == 2


def test_a_message_in_the_chat_links_to_an_article(demo):
    texts = [each["text"] for conversation in items(demo, "conversations")
             for each in items(demo, f"conversations/{conversation['id']}/messages?limit=200")]
    assert any(GERMAN in text for text in texts)


def test_only_pages_of_the_simulated_sites_can_be_saved(demo):
    def save(url):
        saved = demo.ask("POST", f"{API}/articles", {"url": url}, guest=NOBODY)
        assert saved.status == 201, saved.text
        return saved.json["linkId"]

    def state(number):
        return demo.get(f"{API}/articles/{number}", guest=NOBODY).json

    other = save(WRONG_CHARSET)
    eventually("the page", lambda: state(other)["fetchState"] == "fetched")
    # The demo listens on this machine, and Roost fetches nothing from it.
    here = save(f"{demo.url}/healthz")
    eventually("the refusal", lambda: state(here)["fetchState"] == "failed")
    assert "public" in state(here)["error"]
