"""Requests that can be cut off, sent twice at once, or lost when the server is killed."""

import http.client
import json
import socket
import threading
import time

ANSWER = 20  # seconds; longer than any response except a poll's takes on a busy machine


class Server:
    """The running program; it restarts on another port after each kill."""

    def __init__(self, roost):
        self.roost = roost
        self.is_up = threading.Event()
        self.is_up.set()
        self.kills = 0

    def kill(self):
        """Ends the process as a power cut does: it writes nothing more."""
        self.is_up.clear()
        self.roost.kill()
        self.kills += 1
        self.roost.start()
        self.is_up.set()

    def connect(self, timeout=ANSWER):
        self.is_up.wait(60)
        host, port = self.roost.host.rsplit(":", 1)
        return socket.create_connection((host, int(port)), timeout=timeout)


class Reply:
    def __init__(self, status, body):
        self.status = status
        self.body = body

    @property
    def json(self):
        return json.loads(self.body)


class Connection:
    """One browser's connection, kept open between requests; a lost request returns None."""

    def __init__(self, server, token, numbers):
        self.server = server
        self.token = token
        self.numbers = numbers
        self.socket = None
        self.requests = 0

    def bytes(self, method, path, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.server.roost.host}\r\nAuthorization: Bearer {self.token}\r\n"
        if body is not None:
            head += f"Content-Type: application/json\r\nContent-Length: {len(data)}\r\n"
        elif method != "GET":
            head += "Content-Length: 0\r\n"
        return f"{head}\r\n".encode() + data

    def ask(self, method, path, body=None, timeout=ANSWER):
        """The reply, or None if the connection ended first; then it is unknown whether the server processed the request."""
        self.requests += 1
        try:
            self.socket = self.socket or self.server.connect()
            self.socket.settimeout(timeout)
            self.socket.sendall(self.bytes(method, path, body))
            return self.__read(self.socket, method)
        except (OSError, http.client.HTTPException):
            self.close()
            return None

    def __read(self, source, method):
        answer = http.client.HTTPResponse(source, method=method)
        answer.begin()
        reply = Reply(answer.status, answer.read())
        if answer.will_close and source is self.socket:
            self.close()
        return reply

    def ask_twice(self, method, path, body=None):
        """Sends the same request on two connections at once; returns both replies."""
        self.requests += 2
        sockets, replies = [], []
        try:
            sockets = [self.server.connect(), self.server.connect()]
            for each in sockets:
                each.sendall(self.bytes(method, path, body))
            replies = [self.__read(each, method) for each in sockets]
        except (OSError, http.client.HTTPException):
            pass
        finally:
            for each in sockets:
                each.close()
        return replies

    def cut_before(self, method, path, body=None):
        """Ends the connection before the request is complete; the server must not process it."""
        self.requests += 1
        try:
            with self.server.connect() as line:
                data = self.bytes(method, path, body)
                line.sendall(data[:self.numbers.randrange(1, len(data))])
        except OSError:
            pass

    def cut_after(self, method, path, body=None):
        """Sends the whole request and disconnects before or during the response."""
        self.requests += 1
        try:
            with self.server.connect() as line:
                line.sendall(self.bytes(method, path, body))
                if self.numbers.random() < 0.5:
                    time.sleep(self.numbers.random() * 0.005)
                else:
                    line.recv(20)
        except OSError:
            pass

    def close(self):
        if self.socket:
            self.socket.close()
        self.socket = None
