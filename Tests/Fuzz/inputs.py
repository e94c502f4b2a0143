"""Inputs: mangled valid requests. Each depends only on its seed, kind and number, and on what is `Known` about this Roost,
so that it can be reproduced."""

import random
import re
import zlib
from dataclasses import dataclass, replace
from json import dumps

import seeds
from raw import encoded, line, mangle, mangled_path, quoted, request

KINDS = ["parser", "framing", "cookies", "pages", "forms", "uploads", "json"]
OPEN = ("/login", "/setup", "/join/", "/reset/")
FORM = b"Content-Type: application/x-www-form-urlencoded"


@dataclass
class Input:
    data: bytes
    # Intact enough to reach its route.
    is_routed: bool = False
    # Must not succeed, whatever else is wrong with it.
    is_forbidden: bool = False
    # Must be refused, and data after it on the connection must not be answered.
    is_ambiguous: bool = False


def filled(text, dice, known):
    """The text with its placeholders replaced by existing values."""
    values = {"user": known.users, "code": known.codes, "reset": known.resets, "wall": [known.wall],
              "avatar": [known.avatar]}
    return re.sub(r"\{(user|code|reset|wall|avatar)\}", lambda found: dice.choice(values[found[1]]), text)


def somebody(dice, known):
    return dice.choice((known.owner, known.owner, known.secure, known.member))


def stranger(dice, known):
    """A visitor from another address, so that failed sign-ins are throttled and do not occupy the password hashing."""
    return replace(known.visitor, headers=far_away(dice))


def far_away(dice):
    return (("X-Forwarded-For", f"198.51.100.{dice.randrange(30)}"),)


def form(dice, known):
    """A sender, a form and its fields."""
    chance = dice.random()
    if chance < 0.14:
        who, (path, values) = stranger(dice, known), dice.choice(seeds.OPEN_FORMS)
    elif chance < 0.2:
        who, (path, values) = dice.choice(known.victims), dice.choice(seeds.VICTIMS_FORMS)
        who = replace(who, headers=far_away(dice))
    elif chance < 0.5:
        who, (path, values) = dice.choice((known.owner, known.secure)), dice.choice(seeds.OWNERS_FORMS)
    else:
        who, (path, values) = somebody(dice, known), dice.choice(seeds.FORMS)
    values = {name.encode(): filled(value, dice, known).encode() for name, value in values.items()}
    token = who.owners_token if path.startswith("/members") and who.owners_token else who.token
    return who, filled(path, dice, known), values | {b"token": token.encode()}


def parser(dice, known):
    if dice.random() < 0.1:
        return Input(dice.randbytes(dice.choice((1, 10, 100, 1_000, 20_000))))
    headers = [b"Accept: text/html", b"Accept-Encoding: gzip", b"User-Agent: fuzz", b'If-None-Match: "a", W/"b"']
    headers = dice.sample(headers, dice.randrange(len(headers)))
    if dice.random() < 0.3:
        who, path, values = form(dice, known)
        body = encoded(values)
        headers.append(FORM)
        if dice.random() < 0.3:
            body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
            whole = request("POST", path, who, [*headers, b"Transfer-Encoding: chunked"]) + body
        else:
            whole = request("POST", path, who, headers, body)
    else:
        method = dice.choice(("GET", "GET", "GET", "HEAD", "OPTIONS", "DELETE", "PUT"))
        path = filled(dice.choice(seeds.PAGES + seeds.OPEN_PAGES + seeds.OWNERS_PAGES), dice, known)
        whole = request(method, path, known.owner, headers)
    return Input(mangle(whole, dice, seeds.PIECES + seeds.LINES))


def framing(dice, known):
    """Half have an ambiguous length or host and another request after them; the other half are strangers' large bodies, and
    requests with too many cookies, fields or arguments."""
    headers = [FORM]
    match dice.randrange(4):
        case 0:
            pairs = "; ".join(f"c{number}={'x' * dice.choice((0, 1, 9))}" for number in range(dice.randrange(90, 700)))
            return Input(request("GET", "/login", known.visitor, cookie=pairs.encode()), is_routed=True)
        case 1:
            path = dice.choice(("/bookmarks/import", "/bookmarks/impor%74", "/settings/%61vatar", "/watchlist", "/theme"))
            if dice.random() < 0.3:
                headers.append(b"Expect: 100-continue")
            return Input(request("POST", path, stranger(dice, known), headers, b"a" * dice.choice((1, 20_000, 300_000))),
                         is_forbidden=True)
        case _:
            who, path, values = form(dice, known)
            body, (name, field) = encoded(values), dice.choice(seeds.SMUGGLED)
            head, _, rest = request("POST", path, who, headers, body).partition(b"\r\n\r\n")
            lines = [part for part in head.split(b"\r\n") if not name or not part.startswith(name + b":")]
            lines = [part for part in lines if not part.startswith(b"Connection:")]
            lines.insert(dice.randrange(1, len(lines) + 1), field.replace(b"%d", b"%d" % len(body)).replace(b"%x", b"%x" % len(body)))
            follower = request("GET", "/login", known.visitor)
            return Input(b"\r\n\r\n".join((b"\r\n".join(lines), rest)) + follower, is_ambiguous=True)


def cookies(dice, known):
    """Many cookies, often with a valid one, and a form token of the same or of another user."""
    who = somebody(dice, known)
    names = ("roost_session", "roost_visit", "roost_device", "__Host-roost_session", "__Host-roost_visit",
             "__Host-roost_device", "roost_theme")
    crowd = []
    for other in (known.owner, known.member, known.visitor, known.secure, dice.choice(known.victims)):
        crowd.append(f"{dice.choice(names)}={dice.choice(('dark', 'A' * 43, '', other.cookie.partition('=')[2]))}")
    mangled = line(mangle("; ".join(dice.sample(crowd, dice.randrange(1, 4))).encode(), dice))
    chance = dice.random()
    if chance < 0.1:
        thief = known.member if who is not known.member else known.owner
        body = b"theme=dark&back=/&token=" + quoted(thief.token.encode())
        return Input(request("POST", "/theme", who, [FORM], body), is_forbidden=True)
    cookie = who.cookie.encode() + b"; " + mangled if chance < 0.7 else mangled + b"; " + who.cookie.encode()
    if chance < 0.6:
        page = dice.choice(("/", "/watchlist", "/settings", "/login", "/api/v1/me"))
        return Input(request("GET", page, who, cookie=cookie))
    token = quoted(who.token.encode() if dice.random() < 0.7 else mangle(who.token.encode(), dice))
    return Input(request("POST", "/theme", who, [FORM], b"theme=light&back=/&token=" + token, cookie=cookie))


def pages(dice, known):
    """Values in addresses and in headers of proxies and browsers."""
    who, paths = dice.choice((
        (known.owner, seeds.OWNERS_PAGES), (known.secure, seeds.OWNERS_PAGES + seeds.PAGES), (known.member, seeds.PAGES),
        (known.owner, seeds.PAGES), (stranger(dice, known), seeds.OPEN_PAGES)))
    path = filled(dice.choice(paths), dice, known)
    is_routed = "/changes" in path or dice.random() < 0.4
    if not is_routed:
        path = mangled_path(path, dice)
    headers = []
    for name, value in dice.sample(seeds.FORWARDED, dice.choice((0, 0, 1, 2))):
        headers.append(name + b": " + line(mangle(value, dice)))
    if dice.random() < 0.3:
        headers.append(b"Accept-Encoding: " + line(mangle(b"gzip;q=1.0, deflate;q=0.5, *;q=0", dice)))
    if dice.random() < 0.3:
        headers.append(b"User-Agent: " + line(mangle(seeds.AGENT, dice)))
    if dice.random() < 0.1:
        path = filled(dice.choice(seeds.OWNERS_PAGES + seeds.PAGES), dice, known)
        return Input(request("GET", path, stranger(dice, known)), is_forbidden=True)
    return Input(request("GET", path, who, headers), is_routed)


def forms(dice, known):
    who, path, values = form(dice, known)
    if dice.random() < 0.05:
        return forgery(who, path, values, dice, known)
    is_routed = dice.random() < 0.85
    if not is_routed:
        path = mangled_path(path, dice)
    some = dice.sample(sorted(values), dice.randrange(len(values) + 1))
    for name in some:
        if name != b"token" or dice.random() < 0.1:
            values[name] = mangle(values[name], dice)
    token = values.pop(b"token")
    body = encoded(values)
    headers = [FORM]
    if dice.random() < 0.4:
        body = mangle(body, dice)
        # A malformed form has no fields.
        headers.append(b"X-Roost-Token: " + line(token))
    return Input(request("POST", path, who, headers, b"token=" + quoted(token) + b"&" + body), is_routed)


def forgery(who, path, values, dice, known):
    """Requests from another site, with another user's or page's token, or without the required session."""
    headers = [FORM]
    match dice.choice(("site", "token", "session", "page")):
        case "session" if not path.startswith(OPEN):
            who = stranger(dice, known)
            values[b"token"] = who.token.encode()
        case "token":
            other = known.visitor if who.token != known.visitor.token else known.owner
            values[b"token"] = other.token.encode()
        case "page" if path.startswith("/members"):
            values[b"token"] = who.token.encode()
        case _:
            headers.append(b"Origin: https://evil.example")
    return Input(request("POST", path, who, headers, encoded(values)), is_forbidden=True)


def picture(dice):
    """A picture with false lengths and reordered chunks; sometimes with correct PNG checksums again."""
    data = mangle(dice.choice(seeds.PICTURES), dice, seeds.LENGTHS)
    if dice.random() < 0.1:
        data += data
    if data.startswith(b"\x89PNG") and dice.random() < 0.5:
        at = 8
        while at + 12 <= len(data):
            size = int.from_bytes(data[at:at + 4], "big")
            end = at + 8 + size
            if end + 4 > len(data):
                break
            data = data[:end] + zlib.crc32(data[at + 4:end]).to_bytes(4, "big") + data[end + 4:]
            at = end + 4
    return data


def uploads(dice, known):
    who = somebody(dice, known)
    boundary, token = b"----roost", who.token.encode()
    image = picture(dice) if dice.random() < 0.9 else dice.choice(seeds.PICTURES)
    token = b'Content-Disposition: form-data; name="token"\r\n\r\n' + token
    file = b'Content-Disposition: form-data; name="avatar"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n' + image
    parts = [token, file] if dice.random() < 0.9 else [token, mangle(file, dice), file]
    body = b"".join(b"--" + boundary + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + boundary + b"--\r\n"
    kind = b"multipart/form-data; boundary=" + boundary
    if dice.random() < 0.3:
        body = mangle(body, dice)
    if dice.random() < 0.1:
        kind = line(mangle(kind, dice))
    headers = [b"Content-Type: " + kind]
    if dice.random() < 0.7:
        headers.append(b"X-Roost-Token: " + who.token.encode())
    return Input(request("POST", "/settings/avatar", who, headers, body), is_routed=True)


def json(dice, known):
    name, method, path, body = dice.choice(seeds.JSON)
    body = filled(body.decode(), dice, known).encode()
    headers = [b"Content-Type: application/json"]
    if dice.random() < 0.05 and name == "writer":
        headers.append(b"Authorization: Bearer " + known.readers.encode())
        return Input(request(method, path, stranger(dice, known), headers, body), is_forbidden=True)
    if name == "writer":
        bearer = known.writers.encode()
        headers.append(b"Authorization: Bearer " + (line(mangle(bearer, dice)) if dice.random() < 0.05 else bearer))
        who = replace(known.owner, cookie="", token="")
    else:
        people = {"owner": known.owner, "member": known.member, "victim": dice.choice(known.victims)}
        who = people.get(name) or stranger(dice, known)
        headers.append(b"X-Roost-Token: " + who.token.encode())
    if method == "DELETE":
        path = mangled_path(path, dice)
    if dice.random() < 0.2:
        # Escaped inside a JSON string, so that it arrives intact.
        at = dice.choice([found.end() for found in re.finditer(rb'[:\[,] *"', body)] or [len(body)])
        body = body[:at] + dumps(dice.choice(seeds.PROBES).decode())[1:-1].encode() + body[at:]
    else:
        body = mangle(body, dice) if dice.random() < 0.95 else b"[" * 5_000
    return Input(request(method, path, who, headers, body), is_routed=method != "DELETE")


def make(seed, kind, number, known):
    return globals()[kind](random.Random(f"{seed}/{kind}/{number}"), known)
