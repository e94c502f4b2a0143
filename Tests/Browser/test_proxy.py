"""Roost behind nginx with the configuration from ReverseProxy.md."""

import random
import re
import struct
import threading
import time
import zlib
from collections import Counter
from urllib.parse import urlencode

import pytest
from alltests import only_with_all
from nginx import CLIENT, Nginx
from playwright.sync_api import expect
from program import NOBODY, Roost, eventually, free_port
from visit import is_marked, mark, row

pytestmark = only_with_all
FORGED = "203.0.113.9"
CLAIMS = {"X-Forwarded-For": FORGED, "X-Real-IP": FORGED, "Forwarded": f"for={FORGED};proto=http;host=evil.example",
          "X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "http"}


@pytest.fixture
def make_proxied(make_roost, certificates, tmp_path):
    """A Roost and the nginx in front of it."""
    made = []

    def make(*trust, caches=False, **options):
        nginx = Nginx(tmp_path, free_port(), certificates, caches)
        made.append(nginx)
        roost = make_roost("--public-url", nginx.url, *trust, **{"interval": 3600, **options})
        nginx.start(roost)
        return roost, nginx

    yield make
    for nginx in made:
        nginx.stop()


@pytest.fixture
def proxied(make_proxied):
    return make_proxied("--trusted-proxy", "127.0.0.1")


def sessions(nginx, guest):
    return re.findall(r'<span class="facts">([^ ]+) · since', nginx.get("/settings/security", guest=guest).text)


def address(html):
    return re.search(r'<input class="address"[^>]* value="([^"]+)"', html)[1]


def png(side):
    """A PNG of random noise, which cannot be compressed."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    dice = random.Random(side)
    rows = b"".join(b"\0" + dice.randbytes(3 * side) for _ in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def test_the_owner_is_created_and_signs_in_with_secure_cookies(make_proxied, visit):
    roost, nginx = make_proxied("--trusted-proxy", "127.0.0.1", settled=False)
    browser = visit(nginx, NOBODY, ignore_https_errors=True)

    def fill(page, button):
        page.locator('input[name="username"]').fill(Roost.NAME)
        page.locator('input[name="password"]').fill(Roost.PASSWORD)
        page.get_by_role("button", name=button).click()
        expect(page.get_by_role("link", name="Watchlist").first).to_be_visible()

    page = browser.page(f"/setup?code={roost.setup_code}")
    fill(page, "Create account")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    fill(page, "Sign in")
    cookies = {cookie["name"]: cookie for cookie in browser.context.cookies()}
    cookies.pop("roost_zone", None)  # written by a script, and no secret
    assert set(cookies) == {"__Host-roost_session", "__Host-roost_visit", "__Host-roost_device"}
    for cookie in cookies.values():
        assert (cookie["secure"], cookie["httpOnly"], cookie["sameSite"]) == (True, True, "Lax")
        assert (cookie["domain"], cookie["path"]) == ("roost.example.org", "/")


def test_the_sessions_list_names_the_client_and_not_the_proxy(proxied):
    roost, nginx = proxied
    guest = roost.sign_in(through=nginx)
    assert sessions(nginx, guest) == [CLIENT, "127.0.0.1"]  # the second is the owner's direct session


def test_forwarded_headers_from_the_client_are_not_trusted(proxied):
    roost, nginx = proxied
    guest = roost.sign_in(through=nginx)
    page = nginx.get("/settings/security", guest=guest, headers=CLAIMS)
    assert page.status == 200
    assert FORGED not in page.text
    assert sessions(nginx, guest)[0] == CLIENT
    log = nginx.get("/members/log", guest=guest).text
    assert CLIENT in log and FORGED not in log
    assert page.headers["Strict-Transport-Security"] == "max-age=31536000"


def test_direct_requests_need_no_proxy_and_no_tls(proxied):
    roost, nginx = proxied
    assert roost.get("/watchlist").status == 200
    assert roost.owner.cookie.startswith("roost_session=")
    # A session of one address does not work at the other.
    assert nginx.get("/watchlist", guest=roost.owner).status == 401
    assert roost.get("/watchlist", guest=roost.sign_in(through=nginx)).status == 401


def test_links_start_with_the_public_address_for_direct_requests_too(proxied):
    roost, nginx = proxied
    for place, guest in ((nginx, roost.sign_in(through=nginx)), (roost, roost.owner)):
        for page, path, form in (("/displays", "/displays", {"name": "Wall"}),
                                 ("/members", "/members/invitations", {"note": "Office", "days": 7, "uses": 5})):
            there = guest.on(place.get(page, guest=guest).text)
            made = place.ask("POST", path, urlencode(form), guest=there)
            assert made.status == 303, made.text
            link = address(place.get(made.headers["Location"], guest=guest).text)
            assert link.startswith(f"{nginx.url}/")
            assert nginx.get(link.removeprefix(nginx.url)).status == 200


@pytest.mark.parametrize("host", ["evil.example", "roost.example.org.evil.example"])
def test_a_foreign_host_is_answered_421(host, proxied):
    _, nginx = proxied
    assert nginx.get("/login", headers={"Host": host}).status == 421
    assert nginx.get("/login").status == 200


def test_a_poll_is_answered_as_soon_as_something_changes(proxied):
    roost, nginx = proxied
    guest = roost.sign_in(through=nginx)
    cursor = nginx.get("/changes?topics=watchlist&wait=0", guest=guest).json["cursor"]
    heard = []

    def poll():
        answer = nginx.get(f"/changes?topics=watchlist&cursor={cursor}", guest=guest)
        heard.append((time.monotonic(), answer.json["changed"]))

    thread = threading.Thread(target=poll)
    thread.start()
    eventually("a poll that waits", lambda: "roost_polls_waiting 1\n" in roost.get("/metrics").text)
    began = time.monotonic()
    roost.watch("bitcoin")
    thread.join(40)
    assert heard[0][1] == ["watchlist"]
    assert heard[0][0] - began < 10, "a poll that hears of nothing ends after some 30 seconds"


def test_pages_update_live_through_the_proxy(proxied, visit):
    roost, nginx = proxied
    nginx.owner = roost.sign_in(through=nginx)
    roost.priced("bitcoin")
    page = visit(nginx, ignore_https_errors=True).page("/watchlist")
    expect(row(page, "bitcoin")).to_be_visible()
    mark(page)
    roost.watch("solana")
    expect(row(page, "solana")).to_be_visible()
    row(page, "bitcoin").hover()
    page.get_by_role("button", name="Remove Bitcoin").click()
    expect(row(page, "bitcoin")).to_have_count(0)
    assert [item["coinId"] for item in roost.items()] == ["solana"]
    assert is_marked(page)


def test_a_clients_failed_sign_ins_delay_no_other_client(make_proxied):
    """A second proxy before nginx gives clients addresses outside loopback."""
    _, nginx = make_proxied("--trusted-proxy", "127.0.0.0/8")

    def sign_in(client, name, password):
        return nginx.ask("POST", "/api/v1/sessions", {"username": name, "password": password},
                         headers={"X-Forwarded-For": client})

    statuses, wait = [], 0
    while wait < 2:  # the first delay is one second, which may pass before the next attempt arrives
        refused = sign_in("198.51.100.7", f"nobody-{len(statuses)}", "a wrong password")
        statuses.append(refused.status)
        wait = int(refused.headers["Retry-After"] or 0)
        assert len(statuses) < 40
    assert statuses[:10] == [401] * 10
    assert set(statuses[10:]) <= {401, 429}
    assert sign_in("198.51.100.7", Roost.NAME, Roost.PASSWORD).status == 429
    assert sign_in("198.51.100.8", Roost.NAME, Roost.PASSWORD).status == 201


def test_an_upload_of_nearly_a_megabyte_passes(proxied, visit):
    roost, nginx = proxied
    nginx.owner = roost.sign_in(through=nginx)
    picture = png(585)
    assert 1_000_000 < len(picture) < 1_048_576
    # With scripts, the page would scale it down first.
    page = visit(nginx, ignore_https_errors=True, java_script_enabled=False).page("/settings")
    page.locator("#avatar").set_input_files({"name": "noise.png", "mimeType": "image/png", "buffer": picture})
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Profile saved.")).to_be_visible()
    shown = page.locator(".portrait img")
    # Pages show a scaled copy.
    eventually("the picture", lambda: shown.evaluate("image => image.naturalWidth") == 128)


def test_an_import_of_ten_megabytes_passes(proxied):
    """nginx's own limit is 1 MB; the largest that Roost takes is an import."""
    roost, nginx = proxied
    guest = roost.sign_in(through=nginx)
    links = "".join(f'<DT><A HREF="https://example.org/{number}">{"x" * 20_000}</A>\n' for number in range(500))
    file = f"<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n{links}</DL><p>\n"
    form = (f'--part\r\nContent-Disposition: form-data; name="file"; filename="bookmarks.html"\r\n'
            f'Content-Type: text/html\r\n\r\n{file}\r\n'
            '--part\r\nContent-Disposition: form-data; name="fetch"\r\n\r\nno\r\n--part--\r\n')
    assert len(form) > 10_000_000
    answer = nginx.ask("POST", "/api/v1/articles/import", form, guest=guest,
                       headers={"Content-Type": "multipart/form-data; boundary=part"})
    assert answer.status == 202, answer.text


def asked(roost):
    """The answers that Roost has sent, without those to this question."""
    text = roost.get("/metrics").text
    counts = Counter()
    for status, count in re.findall(r'roost_requests_total\{.*status="(\d+)".*\} (\d+)', text):
        counts[int(status)] += int(count)
    return counts


def test_a_caching_proxy_asks_for_files_once_and_for_walls_once_a_second(make_proxied):
    roost, nginx = make_proxied("--trusted-proxy", "127.0.0.1", caches=True)
    roost.priced("bitcoin")
    wall = roost.display()
    page = nginx.get(wall)
    assert (page.status, page.headers["X-Cache"], page.headers["Cache-Control"]) == (200, "MISS", "no-store")
    style = re.search(r'href="(/static/[^"]+\.css)"', page.text)[1]
    caught = [nginx.get(style).headers["X-Cache"] for _ in range(20)]
    assert caught == ["MISS"] + ["HIT"] * 19

    before, began = sum(asked(roost).values()), time.monotonic()
    seen = [nginx.get(f"{wall}/screen").headers["X-Cache"] for _ in range(200)]
    seconds = time.monotonic() - began
    # One request of this test's own, and one for each second that the loop took.
    assert sum(asked(roost).values()) - before <= seconds + 3
    assert seen.count("HIT") >= 200 - seconds - 2, seen

    # Nothing has changed: the copy is confirmed and not sent again.
    confirmed = asked(roost).get(304, 0)
    eventually("a copy that was confirmed",
               lambda: nginx.get(f"{wall}/screen").headers["X-Cache"] == "REVALIDATED", every=1.1)
    eventually("its count", lambda: asked(roost)[304] > confirmed)  # counted after the answer is sent

    # A change is there after a second, and private pages are not kept.
    roost.watch("solana")
    eventually("the change", lambda: "SOL" in nginx.get(f"{wall}/screen").text)
    guest = roost.sign_in(through=nginx)
    assert nginx.get("/watchlist", guest=guest).headers["X-Cache"] is None
    assert nginx.get("/watchlist").status == 401
