"""A gist that a language model writes: its words appear while it writes them."""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect
from reading import ready
from reading_sites import WALL, fetched

TEXT = "The ferry came in late. The people waited in the cold wind. In the end it was the school that decided."
WORDS = ["People wait ", "for the ferry ", "in the cold."]
WHOLE = "".join(WORDS)
MOMENT = 20_000  # milliseconds; pages without scripts ask again after three seconds


class Model:
    """A server with OpenAI's protocol that writes the next words only when the test says so."""

    def __init__(self):
        self.turns = threading.Semaphore(0)
        self.is_broken = False
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for words in WORDS:
                    if not model.turns.acquire(timeout=50) or model.is_broken:
                        return
                    self.wfile.write(f"data: {json.dumps({'choices': [{'delta': {'content': words}}]})}\n\n".encode())
                    self.wfile.flush()
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1"

    def write(self, count=1):
        """Writes the next words."""
        self.turns.release(count)

    def break_off(self):
        """Closes the connection in the middle of the text."""
        self.is_broken = True
        self.write()

    def stop(self):
        self.write(100)
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def model():
    model = Model()
    yield model
    model.stop()


@pytest.fixture
def writer(make_roost, model):
    """A Roost whose gists the model writes."""
    return make_roost("--gist-api-url", model.url, "--gist-model", "small", interval=3600)


def made(roost):
    answer = roost.ask("POST", "/api/v1/gists", {"title": "Ferries", "text": TEXT})
    assert answer.status == 201, answer.text
    return answer.json


def test_a_gists_page_shows_the_words_as_they_are_written(writer, model, visit):
    gist = made(writer)
    page = ready(visit(writer, service_workers="block").page(f"/gists/{gist['id']}"))
    body = page.locator(".gist-page .body")
    state = page.locator("#gist-method")
    expect(state).to_have_text("The model is writing")
    expect(body).to_contain_text(gist["content"].splitlines()[0])
    model.write()
    expect(body).to_have_text("People wait …")
    expect(body).to_have_attribute("aria-busy", "true")
    model.write()
    expect(body).to_have_text("People wait for the ferry …")
    stored = writer.get(f"/api/v1/gists/{gist['id']}").json
    assert (stored["content"], stored["draft"]) == (gist["content"], "People wait for the ferry")
    model.write()
    expect(body).to_have_text(WHOLE)
    expect(state).to_have_text("Written by a model")
    expect(body).not_to_have_attribute("aria-busy", "true")
    assert "draft" not in writer.get(f"/api/v1/gists/{gist['id']}").json


def test_the_gist_above_an_article_grows_as_a_part_of_its_own(writer, model, visit):
    number = fetched(writer, WALL)[0]
    page = ready(visit(writer, service_workers="block").page(f"/reading/{number}"))
    page.get_by_role("button", name="Make a gist").click()
    gist = page.locator(".reader .gist-text")
    expect(gist).not_to_be_empty()
    model.write()
    expect(gist).to_have_text("People wait …")
    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    model.write()
    expect(gist).to_have_text("People wait for the ferry …")
    expect(page.locator("#gist-state")).to_have_text("The model is writing")
    assert "gist-text" in asked, asked
    model.write()
    expect(gist).to_have_text(WHOLE)
    expect(page.locator("#gist-state")).to_be_empty()


def test_without_javascript_the_page_is_loaded_again_until_the_gist_is_whole(writer, model, visit):
    gist = made(writer)
    model.write()
    page = visit(writer, java_script_enabled=False).page(f"/gists/{gist['id']}")
    body = page.locator(".gist-page .body")
    expect(body).to_have_text("People wait …", timeout=MOMENT)
    model.write(2)
    expect(body).to_have_text(WHOLE, timeout=MOMENT)
    assert not re.search(r'http-equiv="refresh"', page.content())


def test_a_stream_that_breaks_off_leaves_roosts_own_gist(writer, model, visit):
    gist = made(writer)
    page = ready(visit(writer, service_workers="block").page(f"/gists/{gist['id']}"))
    body = page.locator(".gist-page .body")
    model.write()
    expect(body).to_have_text("People wait …")
    model.break_off()
    expect(page.locator(".gist-page")).to_contain_text("was cut off. This is Roost’s own gist.")
    expect(body).to_contain_text(gist["content"].splitlines()[0])
