"""One HTTP request and its response, and the user who sends it."""

import html
import json
import re


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def text(self):
        return self.body.decode()

    @property
    def json(self):
        return json.loads(self.body)


class Guest:
    """A signed-in user: the session's cookie, and the token sent with each write."""

    def __init__(self, cookie=None, token=None):
        self.cookie = cookie
        self.headers = {"Cookie": cookie, "X-Roost-Token": token} if cookie else {}


    def on(self, page):
        """The same guest with the token of this page's forms."""
        return Guest(self.cookie, html.unescape(re.search(r'data-token="([^"]+)"', page)[1]))


NOBODY = Guest()


def exchange(connection, method, path, body=None, headers=None, guest=None):
    """Sends one request and closes the connection. A dictionary is sent as JSON, a string as a form.

    Follows no redirects.
    """
    headers = {**(guest or NOBODY).headers, **(headers or {})}
    if isinstance(body, dict):
        body = json.dumps(body)
        headers.setdefault("Content-Type", "application/json")
    elif body is not None:
        headers.setdefault("Content-Type", "application/x-www-form-urlencoded")
    try:
        connection.request(method, path, body, headers)
        return Answer(connection.getresponse())
    finally:
        connection.close()
