"""What is sent: valid requests, mangled. Every input is made of its seed, kind and number alone, so that it can be made again."""

import random

KINDS = ["parser", "cookies", "forms", "multipart", "json"]

GETS = ["/", "/watchlist", "/watchlist?q=bit%20coin", "/watchlist/rows", "/displays", "/changes?topics=prices&wait=0",
        "/api/v1/watchlist?sort=price", "/api/v1/prices?ids=bitcoin,ethereum", "/healthz", "/static/x/css/roost.css", "/display/x",
        "/login?next=/watchlist", "/join", "/join/0123-4567-89AB-CDEF", "/reset/0123456789ABCDEF", "/setup", "/settings",
        "/settings/security", "/settings/tokens", "/members", "/members/invitations", "/members/log?before=7", "/avatars/1/2"]

FORMS = [("/watchlist", {"coinId": "bitcoin"}), ("/watchlist/sort", {"sort": "price"}), ("/theme", {"theme": "dark", "return": "/"}),
         ("/watchlist/bitcoin/move", {"to": "2"}), ("/watchlist/bitcoin/remove", {}), ("/watchlist/bitcoin/undo", {}),
         ("/watchlist/refresh", {}), ("/displays/1/link", {}), ("/displays/1", {"name": "Wall", "secondsPerPage": "20", "redIsUp": "on"}), ("/displays/1/remove", {}),
         ("/displays/2", {"name": "Hall", "secondsPerPage": "5"}),
         ("/login", {"username": "ada", "password": "correct horse battery", "next": "/watchlist"}),
         ("/setup", {"code": "0123-4567-89AB-CDEF", "username": "ada", "displayName": "Ada", "email": "a@b.c", "password": "x" * 12}),
         ("/join/0123456789ABCDEF", {"username": "eve", "displayName": "Eve", "email": "", "password": "y" * 12}),
         ("/reset/0123456789ABCDEF", {"password": "z" * 12}), ("/settings/profile", {"displayName": "Ada", "email": "a@b.c"}),
         ("/settings/password", {"current": "x", "password": "y" * 12}), ("/settings/sessions/1/end", {}),
         ("/settings/tokens/1/revoke", {}), ("/members/1/role", {"role": "owner"}), ("/members/invitations/1/revoke", {})]

JSON = [("POST", "/api/v1/watchlist", b'{"coinId": "bitcoin"}'), ("PATCH", "/api/v1/watchlist", b'{"order": ["bitcoin", "solana"]}'),
        ("POST", "/api/v1/sessions", b'{"username": "ada", "password": "correct horse"}'),
        ("POST", "/api/v1/users", b'{"email": "a@b.c", "password": "xxxxxxxxxxxx", "username": "eve", "code": "0123456789ABCDEF"}')]

PIECES = [b"\0", b"\r\n", b"\n", b"\r", b"\t", b" ", b"\x0b", b"%", b"%00", b"%zz", b"%0d%0a", b"\xff\xfe", b"\xed\xa0\x80", b"%ED%A0%80",
          b"%F0%9F", b"..", b"/../", b"//", b"?", b"#", b"&", b"=", b";", b",", b'"', b"'", b"\\", b"{", b"[", b"\xe2\x80\xae", b"1e999999999",
          b"-1", b"99999999999999999999", b"9223372036854775807", b"9223372036854775808", b"\xf0\x9f\x90\xa6", "é".encode() * 9,
          b"Transfer-Encoding: chunked\r\n", b"Content-Length: 5\r\n", b"Content-Length: -1\r\n", b"Expect: 100-continue\r\n",
          b"Host: a\r\n", b"Host: evil.example\r\n", b"HTTP/1.0", b"HTTP/9.9", b"Connection: keep-alive, close\r\n",
          b'Forwarded: for="[::1\r\n', b"X-Forwarded-For: ,,,\r\n", b"Accept-Encoding: gzip;q=0.1.2, *;q=\r\n",
          b'If-None-Match: W/"\r\n', b"Authorization: Bearer \r\n", b"Authorization: bearer roost_x\r\n", b"A" * 300]


class Session:
    """What a visitor of ours knows: without it most inputs would be turned away at the door."""

    def __init__(self, host, cookie="", token=""):
        self.host, self.cookie, self.token = host, cookie, token


def mangle(data, dice):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        at = dice.randrange(len(data) + 1)
        to = min(len(data), at + dice.choice((1, 2, 4, 16, 64)))
        match dice.randrange(9):
            case 0 if data:
                data[at % len(data)] ^= 1 << dice.randrange(8)
            case 1:
                del data[at:to]
            case 2:
                data[at:at] = data[at:to] * dice.choice((1, 2, 30))
            case 3 | 4:
                data[at:at] = dice.choice(PIECES)
            case 5:
                data[at:to] = dice.choice(PIECES)
            case 6:
                data[at:at] = dice.randbytes(dice.choice((1, 4, 40)))
            case 7:
                del data[at if dice.random() < 0.3 else len(data):]
            case 8:
                data = bytearray(bytes(data).replace(b"\r\n", dice.choice((b"\n", b"\r", b"\r\n "))))
    return bytes(data)


def quoted(text):
    return b"".join(bytes([byte]) if chr(byte).isalnum() else b"%%%02X" % byte for byte in text)


def request(method, path, session, headers=(), body=None, cookie=None):
    lines = [f"{method} {path} HTTP/1.1".encode(), b"Host: " + session.host.encode(), b"Connection: close"]
    cookie = session.cookie.encode() if cookie is None else cookie
    if cookie:
        lines.append(b"Cookie: " + cookie)
    lines.extend(headers)
    if body is not None:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")


def fields(dice, session):
    path, values = dice.choice(FORMS)
    values = {name.encode(): value.encode() for name, value in values.items()}
    return path, values | ({b"token": session.token.encode()} if session.token else {})


def parser(dice, session):
    if dice.random() < 0.1:
        return dice.randbytes(dice.choice((1, 10, 100, 1_000, 20_000)))
    headers = [b"Accept: text/html", b"Accept-Encoding: gzip", b"User-Agent: fuzz", b'If-None-Match: "a", W/"b"']
    headers = dice.sample(headers, dice.randrange(len(headers)))
    if dice.random() < 0.3:
        path, values = fields(dice, session)
        body = b"&".join(name + b"=" + quoted(value) for name, value in values.items())
        headers.append(b"Content-Type: application/x-www-form-urlencoded")
        if dice.random() < 0.3:
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
            whole = request("POST", path, session, [*headers, b"Transfer-Encoding: chunked"]) + body
        else:
            whole = request("POST", path, session, headers, body)
    else:
        whole = request(dice.choice(("GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE", "PUT")), dice.choice(GETS), session, headers)
    return mangle(whole, dice)


def cookies(dice, session):
    name = dice.choice((b"roost_session", b"roost_visit", b"__Host-roost_session", b"__Host-roost_visit", b"roost_theme"))
    values = [dice.choice((b"dark", b"auto", b"A" * 43, b"", session.cookie.encode())) for _ in range(dice.randrange(1, 4))]
    cookie = mangle(b"; ".join(name + b"=" + value for value in values), dice)
    cookie = cookie.translate(None, b"\0\r\n")
    return request("GET", dice.choice(("/", "/watchlist", "/settings", "/login", "/api/v1/watchlist")), session, cookie=cookie)


def forms(dice, session):
    path, values = fields(dice, session)
    values = {name: mangle(value, dice) if name != b"token" or dice.random() < 0.1 else value for name, value in values.items()}
    body = b"&".join(name + b"=" + quoted(value) for name, value in values.items())
    if dice.random() < 0.5:
        body = mangle(body, dice)
    return request("POST", path, session, [b"Content-Type: application/x-www-form-urlencoded"], body)


def multipart(dice, session):
    path, values = fields(dice, session)
    if dice.random() < 0.4:
        path = "/settings/avatar"
    boundary = b"----roost"
    parts = [b'Content-Disposition: form-data; name="%s"\r\n\r\n%s' % pair for pair in values.items()]
    image = dice.choice((b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\6\0\0\0", b"\xff\xd8\xff\xe0\0\x10JFIF\0", b"GIF89a\x10\0\x10\0",
                         b"RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0")) + dice.randbytes(40)
    parts.append(b'Content-Disposition: form-data; name="avatar"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n' + mangle(image, dice))
    body = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + boundary + b"--\r\n"
    kind = b"multipart/form-data; boundary=" + boundary
    if dice.random() < 0.8:
        body = mangle(body, dice)
    if dice.random() < 0.2:
        kind = mangle(kind, dice).translate(None, b"\0\r\n")
    return request("POST", path, session, [b"Content-Type: " + kind, b"X-Roost-Token: " + session.token.encode()], body)


def json(dice, session):
    method, path, body = dice.choice(JSON)
    headers = [b"Content-Type: application/json", b"X-Roost-Token: " + session.token.encode()]
    return request(method, path, session, headers, mangle(body, dice) if dice.random() < 0.95 else b"[" * 5_000)


def make(seed, kind, number, session):
    return globals()[kind](random.Random(f"{seed}/{kind}/{number}"), session)
