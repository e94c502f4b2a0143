"""The program's start messages, and its own TLS."""

import re
import ssl
import urllib.request

import pytest
from playwright.sync_api import expect
from program import NOBODY, Roost, eventually
from visit import is_marked, mark, row


def tls(folder, key="roost"):
    return "--tls-certificate", folder / "roost.pem", "--tls-key", folder / f"{key}.key"


def test_over_tls_the_printed_address_is_https_with_the_given_certificate(make_roost, certificates):
    roost = make_roost(*tls(certificates))
    assert any(f"ready at https://{roost.host}/" in line for line in roost.lines)
    trusting = ssl.create_default_context(cafile=certificates / "roost.pem")
    with urllib.request.urlopen(f"https://{roost.host}/healthz", context=trusting, timeout=20) as answer:
        assert answer.status == 200
    with pytest.raises(OSError):
        urllib.request.urlopen(f"https://{roost.host}/healthz", context=ssl.create_default_context(), timeout=20)


def test_every_lan_address_is_printed_with_the_bound_port(make_roost):
    roost = make_roost(listen="0.0.0.0:0")
    port = roost.host.rsplit(":", 1)[1]
    line = eventually("a line for the LAN", lambda: next((line for line in roost.lines if "On the LAN:" in line), None))
    places = re.findall(r"http://([^/\s]+)/", line)
    assert places and all(place.endswith(f":{port}") for place in places)
    assert port != "0" and not any(place.startswith("127.") for place in places)


def test_the_setup_link_is_printed_for_every_lan_address(make_roost):
    roost = make_roost(listen="0.0.0.0:0", settled=False)
    assert roost.setup_code
    line = next(line for line in roost.lines if "Set it up at" in line)
    links = re.findall(r"http://\S+/setup\?code=\S+", line)
    places = [re.match(r"http://([^/]+)/", link)[1] for link in links]
    lan = next(line for line in roost.lines if "On the LAN:" in line)
    assert places and places == re.findall(r"http://([^/\s]+)/", lan)
    with urllib.request.urlopen(links[0], timeout=20) as answer:
        assert answer.status == 200


def test_on_loopback_no_lan_address_is_printed(make_roost):
    roost = make_roost()
    assert roost.get("/healthz").status == 200
    assert not any("On the LAN" in line for line in roost.lines)


def test_over_tls_a_browser_signs_in_and_pages_update_live(make_roost, certificates, visit):
    roost = make_roost(*tls(certificates), interval=3600)
    roost.watch("bitcoin")
    browser = visit(roost, NOBODY, ignore_https_errors=True)
    page = browser.page("/watchlist")
    page.locator('input[name="username"]').fill(Roost.NAME)
    page.locator('input[name="password"]').fill(Roost.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(row(page, "bitcoin")).to_be_visible()
    assert "__Host-roost_session" in {cookie["name"] for cookie in browser.context.cookies() if cookie["secure"]}
    mark(page)
    roost.watch("solana")
    expect(row(page, "solana")).to_be_visible()
    assert is_marked(page)
