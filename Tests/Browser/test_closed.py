"""Closed by default: what neighbours, other web sites and proxies may not do, and what pages never do."""

import socket

import pytest
from accounts import invite
from playwright.sync_api import expect
from program import NOBODY, Roost, eventually, free_port

ACCOUNTS = ["/settings", "/settings/security", "/settings/tokens", "/members", "/members/invitations",
            "/members/sessions", "/members/log"]
PAGES = ["/", "/alerts", "/watchlist", "/watchlist?q=bitcoin", "/watchlist?flash=x", "/displays", "/nowhere", "/reading", "/reading/tools",
         "/reading/shared", "/reading/save", "/gists", "/gists/new", *ACCOUNTS]
DOORS = ["/login", "/login?next=/watchlist", "/join", "/join/AAAA-BBBB-CCCC-DDDD", "/reset/AAAA-BBBB-CCCC-DDDD"]
PRIVATE = ["/", "/alerts", "/alerts/list", "/alerts/count", "/api/v1/alerts", "/watchlist", "/watchlist/rows", "/watchlist/tile", "/watchlist/coins", "/displays", "/displays/tile", "/metrics",
           "/changes?topics=prices", "/api/v1/watchlist", "/api/v1/coins?q=bitcoin", "/api/v1/prices?ids=bitcoin",
           "/api/v1/me", "/settings/security/sessions", "/settings/tokens/list", "/members/list", "/members/invitations/list",
           "/members/invitations/1", "/avatars/1/x", "/reading", "/reading/list", "/reading/count", "/reading/offline",
           "/reading/tools", "/reading/1", "/reading/1/reader", "/gists", "/gists/1", "/api/v1/articles", "/api/v1/gists",
           *ACCOUNTS]
WRITES = [("POST", "/watchlist", "coinId=solana"), ("POST", "/watchlist/bitcoin/remove", ""),
          ("POST", "/alerts", "coinId=solana&kind=above&threshold=1"), ("POST", "/alerts/seen", ""),
          ("POST", "/watchlist/sort", "sort=price"), ("POST", "/watchlist/coins/refresh", ""), ("POST", "/displays", "name=Spy"), ("POST", "/theme", "theme=dark"),
          ("POST", "/api/v1/watchlist", {"coinId": "solana"}), ("DELETE", "/api/v1/watchlist/bitcoin", None),
          ("PATCH", "/api/v1/watchlist", {"order": ["bitcoin"]}),
          ("POST", "/settings/profile", "displayName=Spy"), ("POST", "/settings/avatar/remove", ""),
          ("POST", "/settings/password", f"current={Roost.PASSWORD}&password=owned by another"),
          ("POST", "/settings/tokens", "name=Spy&scope=write&days=0"), ("POST", "/settings/sessions/end-others", ""),
          ("POST", "/settings/delete", f"password={Roost.PASSWORD}"), ("POST", "/logout", ""),
          ("POST", "/members/1/role", "role=member"), ("POST", "/members/1/reset", ""),
          ("POST", "/members/1/sign-out", ""), ("POST", "/members/1/remove", ""),
          ("POST", "/members/invitations", "note=Spy&days=30&uses=100"), ("POST", "/members/sessions/1/end", ""),
          ("POST", "/reading/save", "url=https://example.org/Spy"), ("POST", "/reading/bulk", "id=1&change=delete"),
          ("POST", "/reading/preferences", "textSize=7"), ("POST", "/api/v1/articles", {"url": "https://example.org/Spy"}),
          ("DELETE", "/api/v1/sessions/current", None)]


def test_no_page_breaks_its_own_content_security_policy_or_asks_another_origin(roost, visit):
    roost.priced("bitcoin", "script-kiddie", "image-of-error")
    browser = visit(roost)
    doors = visit(roost, NOBODY)
    link = invite(browser.page())
    visits = [(browser, path) for path in [*PAGES, roost.display(), "/members/invitations/1"]]
    pages = {each: each.page() for each in (browser, doors)}
    for each, path in [*visits, *((doors, path) for path in [*DOORS, link])]:
        pages[each].goto(path)
        pages[each].wait_for_timeout(300)  # what scripts do just after loading
    assert len(browser.requests) > len(PAGES)
    assert browser.offences == doors.offences == []


def test_a_broken_policy_would_be_seen(shared_roost, visit):
    """The test above can fail: an inline script is refused, and the visit hears of it."""
    browser = visit(shared_roost)
    page = browser.page("/")
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "document.title = 'broken in'";
        document.head.append(script);
    }""")
    eventually("a reported violation", lambda: browser.offences or page.wait_for_timeout(20))
    expect(page).not_to_have_title("broken in")
    browser.offences.clear()


def test_every_answer_carries_the_security_headers(shared_roost):
    for path in [*PAGES, *DOORS, shared_roost.display(), "/api/v1/watchlist", "/healthz", "/display/x", "/static/x/y"]:
        headers = shared_roost.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'"), path
        assert "unsafe" not in policy and "*" not in policy, path
        assert headers["X-Content-Type-Options"] == "nosniff", path
        assert headers["Referrer-Policy"] == "no-referrer", path
        assert headers["X-Frame-Options"] == "DENY", path


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example"])
def test_a_name_that_somebody_points_at_us_is_misdirected(host, shared_roost):
    for path in ("/", "/api/v1/watchlist", "/healthz"):
        assert shared_roost.get(path, headers={"Host": host}).status == 421


@pytest.mark.parametrize("marks", [
    {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://localhost:1"},
], ids=str)
def test_another_sites_write_is_refused_and_changes_nothing(marks, roost):
    roost.watch("bitcoin")
    before = roost.items()[0]["dateAdded"]
    for method, path, body in WRITES:
        assert roost.ask(method, path, body, headers=marks).status == 403, (method, path)
    items = roost.items()
    assert [(item["coinId"], item["dateAdded"]) for item in items] == [("bitcoin", before)]
    for path in ("/displays", "/settings", "/settings/tokens", "/members/invitations", "/reading?list=all"):
        assert "Spy" not in roost.get(path).text, path
    roost.sign_in()


def test_nobody_sees_or_changes_anything_on_this_machine_either(roost):
    roost.watch("bitcoin")
    for path in PRIVATE:
        assert roost.get(path, guest=NOBODY).status == 401, path
    for method, path, body in WRITES:
        assert roost.ask(method, path, body, guest=NOBODY).status == 401, path
    assert roost.get(roost.display(), guest=NOBODY).status == 200
    assert [item["coinId"] for item in roost.items()] == ["bitcoin"]


def own_address():
    """This machine's address on its network, or None; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def test_the_lan_sees_displays_and_nothing_else_without_a_session(make_roost):
    address = own_address()
    if address is None:
        pytest.skip("this machine has no network")
    port = free_port()
    roost = make_roost(listen=f"0.0.0.0:{port}")
    roost.host = f"127.0.0.1:{port}"
    roost.watch("bitcoin")
    link = roost.display()
    lan = f"{address}:{port}"
    for path in PRIVATE:
        assert roost.get(path, host=lan, guest=NOBODY).status == 401, path
    for method, path, body in WRITES:
        assert roost.ask(method, path, body, host=lan, guest=NOBODY).status == 401, path
    assert roost.get(link, host=lan, guest=NOBODY).status == 200
    assert roost.get("/healthz", host=lan, guest=NOBODY).json == {"status": "ok"}
    assert roost.get("/watchlist", host=lan).status == 200  # who is signed in sees the same from there
    assert lan in roost.get("/displays?new=1").text


def test_a_neighbour_with_a_token_reads_and_writes_by_its_scope(make_roost):
    roost = make_roost()
    def token(scope):
        made = roost.command("token", "create", "ada", "--scope", scope)
        assert made.returncode == 0, made.stderr
        return {"Authorization": f"Bearer {made.stdout.strip()}"}

    reader, writer = token("read"), token("write")
    assert roost.ask("POST", "/api/v1/watchlist", {"coinId": "bitcoin"}, headers=writer, guest=NOBODY).status == 201
    assert roost.ask("POST", "/api/v1/watchlist", {"coinId": "solana"}, headers=reader, guest=NOBODY).status == 403
    assert [item["coinId"] for item in roost.get("/api/v1/watchlist", headers=reader, guest=NOBODY).json["items"]] == ["bitcoin"]
    wrong = {"Authorization": "Bearer roost_wrong"}
    assert roost.get("/api/v1/watchlist", headers=wrong, guest=NOBODY).status in (401, 403)
