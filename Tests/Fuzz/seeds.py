"""Valid requests, which `inputs.py` mangles, and pieces to insert into them."""

import base64
import re
from pathlib import Path

LONG = "a lantern over the water"
LOGIN = {"username": "ada", "password": "correct horse battery", "next": "/watchlist"}
PROFILE = {"username": "eve", "displayName": "Eve", "email": "eve@example.org", "password": LONG}

# Pages for everyone, for members, and for owners. {user}, {code}, {reset}, {wall} and {avatar} are replaced by existing values.
OPEN_PAGES = ["/login?next=/watchlist", "/login?out=1", "/join", "/join?code={code}", "/join/{code}", "/reset/{reset}", "/setup?code={code}",
              "/healthz", "/static/x/css/roost.css", "{wall}", "{wall}/screen?page=1",
              "/display", "/display/paired?wait=0"]
PAGES = ["/", "/watchlist", "/watchlist?q=bit%20coin", "/watchlist?flash=x", "/watchlist/rows", "/watchlist/tile", "/watchlist/coins", "/displays",
         "/displays?new=1", "/displays/tile", "/displays/1", "/displays/1/preview?form=settings&pages=coins&perPage=3",
         "/displays/1/status", "/displays?code=ABC234", "/watchlist?list=1&sort=-price", "/watchlist/settings", "/watchlist/files",
         "/watchlist/export?what=holdings", "/coins/bitcoin?range=7d", "/coins/bitcoin/live?range=24h", "/alerts", "/alerts/list?coin=bitcoin",
         "/api/v1/alerts", "/api/v1/watchlists", "/api/v1/holdings", "/api/v1/coins/bitcoin/note", "/settings", "/settings/security", "/settings/security?flash=x",
         "/settings/security/sessions",
         "/settings/tokens?new=1", "/avatars/{user}/1", "{avatar}", "/api/v1/watchlist?sort=price", "/api/v1/me",
         "/api/v1/coins?q=bitcoin", "/api/v1/prices?ids=bitcoin,ethereum", "/changes?topics=prices,watchlist,account&cursor=a.1&wait=0"]
OWNERS_PAGES = ["/members", "/members?link=x", "/members?flash=x", "/members/list", "/members/invitations?new=1", "/members/invitations/1",
                "/members/invitations/list", "/members/sessions?flash=x", "/members/log?before=70&kind=sign-ins", "/metrics"]

OPEN_FORMS = [
    ("/login", LOGIN), ("/login", LOGIN | {"username": "eve@example.org"}), ("/setup", {"code": "{code}"} | PROFILE),
    ("/join/{code}", PROFILE | {"password": "short"}), ("/join/0123456789ABCDEF", PROFILE), ("/reset/{reset}", {"password": "short"}),
    ("/reset/0123456789ABCDEF", {"password": LONG})]
FORMS = [
    ("/watchlist", {"coinId": "bitcoin"}), ("/watchlist", {"coinId": "pepe"}), ("/watchlist/sort", {"sort": "price"}),
    ("/watchlist/bitcoin/move", {"to": "2"}), ("/watchlist/ethereum/remove", {}), ("/watchlist/ethereum/undo", {}), ("/watchlist/refresh", {}),
    ("/theme", {"theme": "dark", "back": "/"}), ("/displays", {"name": "Hall"}), ("/displays/2/link", {}),
    ("/displays/2", {"name": "Wall", "secondsPerPage": "20", "redIsUp": "on"}), ("/displays/3/remove", {}),
    ("/displays/pair", {"code": "ABC-234", "name": "Hall"}), ("/displays/2/command", {"kind": "identify"}),
    ("/displays/4/sign-out", {}), ("/alerts", {"coinId": "bitcoin", "kind": "above", "threshold": "90000"}), ("/alerts/1/remove", {}),
    ("/coins/bitcoin/note", {"note": "Bought in two steps", "category": "Savings"}), ("/watchlist/lists", {"name": "Other"}),
    ("/coins/bitcoin/holdings", {"amount": "0.5", "price": "61250.75", "currency": "usd", "boughtOn": "2025-05-08"}),
    ("/coins/bitcoin/wallets", {"address": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "label": "Safe"}),
    ("/watchlist/choices", {"column": "change24h", "density": "compact", "currency": "eur"}), ("/watchlist/sort", {"sort": "-change7d"}),
    ("/settings/profile", {"displayName": "Ada", "email": "ada@example.org"}), ("/settings/avatar/remove", {}),
    ("/settings/tokens", {"name": "script", "scope": "read", "days": "30"}), ("/settings/tokens/9/revoke", {}), ("/settings/tokens/3/revoke", {}),
    ("/settings/sessions/99/end", {})]
OWNERS_FORMS = [
    ("/members/{user}/role", {"role": "member"}), ("/members/{user}/reset", {}), ("/members/{user}/sign-out", {}),
    ("/members/999/remove", {}), ("/members/sessions/99/end", {}), ("/members/invitations", {"note": "Office", "days": "7", "uses": "0"}),
    ("/members/invitations", {"note": "Home", "days": "30", "uses": "10"}), ("/members/invitations/9/revoke", {})]
VICTIMS_FORMS = [
    ("/logout", {}), ("/logout/everywhere", {}), ("/settings/delete", {"password": "wrong"}), ("/settings/sessions/end-others", {}),
    ("/settings/password", {"current": LONG, "password": LONG + " again"})]

# JSON requests: sender, method, path, body.
JSON = [
    ("owner", "POST", "/api/v1/watchlist", b'{"coinId": "cardano"}'),
    ("member", "PATCH", "/api/v1/watchlist", b'{"order": ["bitcoin", "solana"]}'),
    ("writer", "POST", "/api/v1/watchlist", b'{"coinId": "bitcoin"}'),
    ("writer", "PATCH", "/api/v1/watchlist", b'{"order": ["solana", "bitcoin", "ethereum"]}'),
    ("owner", "DELETE", "/api/v1/watchlist/cardano", b""),
    ("nobody", "POST", "/api/v1/sessions", b'{"username": "ada", "password": "correct horse"}'),
    ("nobody", "POST", "/api/v1/users",
     b'{"email": "a@b.c", "password": "xxxxxxxxxxxx", "username": "eve", "displayName": null, "joinCode": "{code}"}'),
    ("victim", "DELETE", "/api/v1/sessions/current", b"")]

PIECES = [
    b"\0", b"\r\n", b"\n", b"\r", b"\t", b" ", b"\x0b", b"%", b"%00", b"%zz", b"%0d%0a", b"\xff\xfe", b"\xed\xa0\x80", b"%ED%A0%80",
    b"%F0%9F", b"..", b"/../", b"//", b"?", b"#", b"&", b"=", b";", b",", b'"', b"'", b"\\", b"{", b"[", b"@", b"\xe2\x80\xae", b"1e999999999",
    b"-1", b"99999999999999999999", b"9223372036854775807", b"9223372036854775808", b"\xf0\x9f\x90\xa6", "é".encode() * 9, b"A" * 300]
# Each HTML character with a letter before it or a mark after it, which some programs combine with it but no browser does.
# If not escaped, it becomes an element or attribute of this name, which no page has.
PROBE = "roost-probe"
PROBES = [
    f"{letter}{sign}{mark}{PROBE} {PROBE}=x{letter}>".encode()
    for letter in ("", "\u0d4e", "\U000110bd", "\u0600") for sign in "\"'<>&"
    for mark in ("", "\u0301", "\u200d", "\ufe0f", "\u20dd", "\U000e0100")]
# Pieces for raw bytes and pictures: false lengths and counts.
LINES = [
    b"Transfer-Encoding: chunked\r\n", b"Transfer-Encoding:\r\n chunked\r\n", b"Transfer-Encoding: chunked \r\n",
    b"Transfer-Encoding: chunked\r\n gzip\r\n", b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"Content-Length: +5\r\n",
    b"Content-Length: 5,5\r\n", b"Content-Length: 0x5\r\n", b"Content-Length:\r\n 5\r\n", b"Host: a#b\r\n", b"Host: a@b\r\n", b"Host:\r\n", b"Expect: 100-continue\r\n", b"Host: a\r\n",
    b"Host: evil.example\r\n", b"HTTP/1.0", b"HTTP/9.9", b"Connection: keep-alive, close\r\n", b'Forwarded: for="[::1\r\n',
    b"X-Forwarded-For: ,,,\r\n", b"Accept-Encoding: gzip;q=0.1.2, *;q=\r\n", b'If-None-Match: W/"\r\n', b"Authorization: Bearer \r\n",
    b"Authorization: bearer roost_x\r\n", b"Origin: null\r\n", b"Sec-Fetch-Site: cross-site\r\n"]
# Fields that other servers may interpret differently. Each must make Roost answer once with 400 (413 for a length beyond 64
# bits). A pair is the name of the request's field to replace, and the new field.
SMUGGLED = [
    (b"Content-Length", b"Content-Length: +%d"), (b"Content-Length", b"Content-Length: 0x%x"),
    (b"Content-Length", b"Content-Length: %d,5"), (b"Content-Length", b"Content-Length: -%d"),
    (b"Content-Length", b"Content-Length:\r\n %d"), (b"Content-Length", b"Content-Length: 99999999999999999999%d"),
    (b"Content-Length", b"Content-Length : %d"), (b"", b"Content-Length: %d"), (b"", b"Transfer-Encoding: chunked"),
    (b"Content-Length", b"Transfer-Encoding:\r\n chunked"), (b"Content-Length", b"Transfer-Encoding: chunked\r\n gzip"),
    (b"Content-Length", b"Transfer-Encoding: chunked "), (b"Content-Length", b"Transfer-Encoding: xchunked"),
    (b"Content-Length", b"Transfer-Encoding: gzip, chunked"), (b"", b"Host: b"), (b"Host", b"Host: a#b"), (b"Host", b"Host: a/b"),
    (b"Host", b"Host: a@b"), (b"Host", b"Host:\r\n a"), (b"Host", b"X-Host: a"), (b"", b"X-Folded: a\r\n b")]
LENGTHS = [b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\0\0\1", b"\1\0\0\0", b"\0\2", b"\xff\xff", b"\xff\xd9",
           b"\0\0\0\x0cIEND", b"\x21\xfe\xff", b"EXIF", b"\xff\xe1\0\1"]
FORWARDED = [
    (b"X-Forwarded-For", b"198.51.100.7, 203.0.113.9"), (b"X-Forwarded-For", b"2001:db8::7"), (b"X-Forwarded-Proto", b"https"),
    (b"X-Forwarded-Host", b"roost.example.org"), (b"Forwarded", b'for="[2001:db8::7]:80";proto=https;host=roost.example.org, for=10.0.0.7'),
    (b"X-Real-IP", b"203.0.113.9"), (b"Via", b"1.1 proxy")]
AGENT = b"Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"


def pictures():
    """The sample pictures of the image tests: every format, with all metadata that must be removed."""
    source = Path(__file__).resolve().parents[1] / "TestSupport/Pictures.swift"
    found = re.findall(r'decode\(\s*"""(.*?)"""', source.read_text(), re.DOTALL)
    assert len(found) >= 4
    return [base64.b64decode("".join(text.split())) for text in found]


PICTURES = pictures()
