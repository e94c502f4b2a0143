"""Closed by default: the network without a session, and what no page does."""

import socket

import pytest
from accounts import invite
from playwright.sync_api import expect
from program import NOBODY, eventually, free_port

ACCOUNTS = ["/settings", "/settings/security", "/settings/tokens", "/settings/webhooks", "/members", "/members/webhooks", "/members/invitations",
            "/members/sessions", "/members/log", "/settings/status"]
PAGES = ["/", "/alerts", "/watchlist", "/watchlist?q=bitcoin", "/watchlist?flash=x", "/displays", "/nowhere", "/reading", "/reading/tools",
         "/reading/shared", "/reading/save", "/gists", "/gists/new", *ACCOUNTS]
DOORS = ["/login", "/login?next=/watchlist", "/join", "/join/AAAA-BBBB-CCCC-DDDD", "/reset/AAAA-BBBB-CCCC-DDDD"]


def test_no_page_violates_its_content_security_policy_or_contacts_another_origin(roost, visit):
    roost.priced("bitcoin", "script-kiddie", "image-of-error")
    browser = visit(roost)
    doors = visit(roost, NOBODY)
    link = invite(browser.page())
    visits = [(browser, path) for path in [*PAGES, roost.display(), "/members/invitations/1"]]
    pages = {each: each.page() for each in (browser, doors)}
    for each, path in [*visits, *((doors, path) for path in [*DOORS, link])]:
        pages[each].goto(path)
        pages[each].wait_for_timeout(300)  # for requests just after loading
    assert len(browser.requests) > len(PAGES)
    assert browser.offences == doors.offences == []


def test_a_violated_policy_is_detected(shared_roost, visit):
    """Proves that the test above can fail: an inline script is refused, and the visit records it."""
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


def own_address():
    """This machine's address on its network, or None. Sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


def test_without_a_session_the_lan_sees_only_displays(make_roost):
    address = own_address()
    if address is None:
        pytest.skip("this machine has no network")
    port = free_port()
    roost = make_roost(listen=f"0.0.0.0:{port}")
    roost.host = f"127.0.0.1:{port}"
    roost.watch("bitcoin")
    link = roost.display()
    lan = f"{address}:{port}"
    for path in ("/", "/watchlist", "/members", "/changes?topics=prices", "/api/v1/watchlist"):
        assert roost.get(path, host=lan, guest=NOBODY).status == 401, path
    assert roost.ask("POST", "/watchlist", "coinId=solana", host=lan, guest=NOBODY).status == 401
    assert roost.get(link, host=lan, guest=NOBODY).status == 200
    assert roost.get("/healthz", host=lan, guest=NOBODY).json == {"status": "ok"}
    assert roost.get("/watchlist", host=lan).status == 200  # a signed-in user sees the same from the LAN
    assert lan in roost.get("/displays?new=1").text
