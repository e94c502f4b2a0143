"""What the program says at its start, and how it answers over TLS of its own."""

import re
import ssl
import subprocess
import urllib.request

import pytest
from program import eventually


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """A certificate for loopback that is its own authority, and the key of another."""
    folder = tmp_path_factory.mktemp("tls")
    for name in ("roost", "other"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
             "-subj", "/CN=Roost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / f"{name}.key",
             "-out", folder / f"{name}.pem"], check=True, capture_output=True)
    return folder


def tls(folder, key="roost"):
    return "--tls-certificate", folder / "roost.pem", "--tls-key", folder / f"{key}.key"


def test_over_tls_the_address_is_https_and_its_certificate_holds(make_roost, certificates):
    roost = make_roost(*tls(certificates))
    assert any(f"ready at https://{roost.host}/" in line for line in roost.lines)
    trusting = ssl.create_default_context(cafile=certificates / "roost.pem")
    with urllib.request.urlopen(f"https://{roost.host}/healthz", context=trusting, timeout=20) as answer:
        assert answer.status == 200
    with pytest.raises(OSError):
        urllib.request.urlopen(f"https://{roost.host}/healthz", context=ssl.create_default_context(), timeout=20)


def test_a_key_of_another_certificate_is_refused_in_words(make_roost, certificates):
    with pytest.raises(AssertionError, match="is not that of the certificate"):
        make_roost(*tls(certificates, key="other"))


def test_every_address_on_the_lan_is_printed_with_the_port_that_is_bound(make_roost):
    roost = make_roost(listen="0.0.0.0:0")
    port = roost.host.rsplit(":", 1)[1]
    line = eventually("a line for the LAN", lambda: next((line for line in roost.lines if "On the LAN:" in line), None))
    places = re.findall(r"http://([^/\s]+)/", line)
    assert places and all(place.endswith(f":{port}") for place in places)
    assert port != "0" and not any(place.startswith("127.") for place in places)


def test_on_loopback_no_address_on_the_lan_is_named(make_roost):
    roost = make_roost()
    assert roost.get("/healthz").status == 200
    assert not any("On the LAN" in line for line in roost.lines)
