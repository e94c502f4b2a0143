"""Builds requests as bytes, and mangles them."""

import seeds


def mangle(data, dice, pieces=seeds.PIECES):
    data = bytearray(data)
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5))):
        at = dice.randrange(len(data) + 1)
        to = min(len(data), at + dice.choice((1, 2, 4, 16, 64)))
        match dice.randrange(10):
            case 0 if data:
                data[at % len(data)] ^= 1 << dice.randrange(8)
            case 1:
                del data[at:to]
            case 2:
                data[at:at] = data[at:to] * dice.choice((1, 2, 30))
            case 3 | 4:
                data[at:at] = dice.choice(pieces)
            case 5:
                data[at:to] = dice.choice(pieces)
            case 6:
                data[at:at] = dice.randbytes(dice.choice((1, 4, 40)))
            case 7:
                del data[at if dice.random() < 0.3 else len(data):]
            case 8:
                data[at:at] = dice.choice(seeds.PROBES)
            case 9:
                data = bytearray(bytes(data).replace(b"\r\n", dice.choice((b"\n", b"\r", b"\r\n "))))
    return bytes(data)


def quoted(text):
    return b"".join(bytes([byte]) if chr(byte).isalnum() else b"%%%02X" % byte for byte in text)


def encoded(values):
    return b"&".join(name + b"=" + quoted(value) for name, value in values.items())


def line(text):
    """The text without characters that would end a line of a request."""
    return text.translate(None, b"\0\r\n")


def request(method, path, who, headers=(), body=None, cookie=None):
    path = path if isinstance(path, bytes) else path.encode()
    lines = [b"%s %s HTTP/1.1" % (method.encode(), path), b"Host: " + who.host.encode(), b"Connection: close"]
    lines += [f"{name}: {value}".encode() for name, value in who.headers]
    cookie = who.cookie.encode() if cookie is None else cookie
    if cookie:
        lines.append(b"Cookie: " + cookie)
    lines.extend(headers)
    if body is not None:
        lines.append(b"Content-Length: %d" % len(body))
    return b"\r\n".join(lines) + b"\r\n\r\n" + (body or b"")


def mangled_path(path, dice):
    """Mangles a value in the path, so that it usually still matches its route."""
    at = max(path.rfind("/"), path.rfind("="), path.rfind(",")) + 1
    return (path[:at].encode() + quoted(mangle(path[at:].encode(), dice)))[:4_000]
