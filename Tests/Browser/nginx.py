"""nginx with the configuration from ReverseProxy.md, in front of a Roost."""

import http.client
import os
import re
import socket
import ssl
import subprocess

from documentation import article
from exchange import NOBODY, exchange
from program import eventually

NAME = "roost.example.org"
CLIENT = "127.0.0.7"  # the source of requests: neither nginx's address nor Roost's


def configuration(port, roost, certificates, cache=None):
    """The article's configuration with other ports and paths; with `cache`, a folder, also the parts that cache."""
    text, path, locations = re.findall(r"```nginx\n(.*?)```", article("ReverseProxy"), re.DOTALL)
    assert f"server_name {NAME};" in text
    for there, here in {
        "listen 443": f"listen 127.0.0.1:{port}",
        "/etc/ssl/roost.example.org.pem": f"{certificates}/roost.pem",
        "/etc/ssl/roost.example.org.key": f"{certificates}/roost.key",
        "127.0.0.1:8080": roost.host,
    }.items():
        assert text.count(there) == 1, there
        text = text.replace(there, here)
    if cache:
        assert "/var/cache/nginx/roost" in path
        text = text.rstrip().removesuffix("}") + locations.replace("127.0.0.1:8080", roost.host) + "}\n"
        text = path.replace("/var/cache/nginx/roost", str(cache)) + text
    return text


class Connection(http.client.HTTPSConnection):
    """A connection to nginx under its host name, which DNS does not resolve."""

    def __init__(self, nginx, source):
        super().__init__(NAME, nginx.port, timeout=40, source_address=(source, 0))
        self.__trusting = ssl.create_default_context(cafile=nginx.certificates / "roost.pem")

    def connect(self):
        plain = socket.create_connection(("127.0.0.1", self.port), self.timeout, self.source_address)
        self.sock = self.__trusting.wrap_socket(plain, server_hostname=self.host)


class Nginx:
    """Takes requests like a Roost; `owner` has the browser's session."""

    def __init__(self, folder, port, certificates, caches=False):
        self.folder, self.port, self.certificates, self.caches = folder, port, certificates, caches
        self.host = f"{NAME}:{port}"
        self.url = f"https://{self.host}"
        self.owner = NOBODY
        self.process = None

    def start(self, roost):
        # Otherwise its workers cannot enter root's folder.
        user = "user root root;" if os.geteuid() == 0 else ""
        temporary = " ".join(f"{kind}_temp_path {self.folder}/{kind};"
                             for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        cache = self.folder / "cache" if self.caches else None
        path = self.folder / "nginx.conf"
        path.write_text(
            f"{user} daemon off; worker_processes 1; pid {self.folder}/pid; error_log stderr; events {{}}\n"
            f"http {{ access_log off; {temporary}\n{configuration(self.port, roost, self.certificates, cache)}}}\n")
        self.process = subprocess.Popen(["nginx", "-p", self.folder, "-e", "stderr", "-c", path], stdin=subprocess.DEVNULL)
        eventually("nginx", self.__answers)
        return self

    def __answers(self):
        assert self.process.poll() is None, "nginx has ended"
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait(10)

    def ask(self, method, path, body=None, headers=None, guest=None, source=CLIENT):
        return exchange(Connection(self, source), method, path, body, headers, guest)

    def get(self, path, **more):
        return self.ask("GET", path, **more)
