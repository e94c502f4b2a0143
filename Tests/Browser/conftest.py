import os
import shutil
import subprocess

import pytest
from described import PREFIX, description
from github import connect
from playwright.sync_api import sync_playwright
from program import Roost, Simulator
from team import Team
from visit import Visit


@pytest.fixture(scope="session")
def browser():
    # The headless shell has no windows and menus and needs a third less CPU time for the same pages.
    names = ["chromium-headless-shell", "chromium", "chromium-browser"]
    chromium = next(filter(None, map(shutil.which, names)), None)
    assert chromium, "Debian's chromium is not installed"
    # Containers and CI run as root, which Chromium's sandbox refuses.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    # One process for all pages of a profile: starting one takes as long as loading a page.
    arguments.append("--renderer-process-limit=1")
    # The host name in ReverseProxy.md, and one that is not a secure context over HTTP.
    arguments.append("--host-resolver-rules=MAP roost.example.org 127.0.0.1, MAP roost.local 127.0.0.1")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=arguments)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def running_simulator():
    simulator = Simulator("--step", 1, "--coins", 2_000).start()
    yield simulator
    simulator.stop()


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """`roost.pem`, a self-signed certificate with its key, and another pair named `other`."""
    folder = tmp_path_factory.mktemp("tls")
    for name in ("roost", "other"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
             "-subj", "/CN=Roost", "-addext", "subjectAltName=IP:127.0.0.1,DNS:roost.example.org",
             "-keyout", folder / f"{name}.key", "-out", folder / f"{name}.pem"], check=True, capture_output=True)
    return folder


@pytest.fixture
def simulator(running_simulator):
    yield running_simulator
    running_simulator.clear()


@pytest.fixture(scope="session")
def template(running_simulator, tmp_path_factory):
    """A stopped Roost with Ada's account and session, which has never reached CoinGecko."""
    nowhere = ("--coingecko-api-url", "http://127.0.0.1:1/api/v3")
    roost = Roost(running_simulator, tmp_path_factory.mktemp("template") / "data", *nowhere).start()
    description.document = roost.get(f"{PREFIX}openapi.json").json
    assert roost.stop() == 0
    return roost


@pytest.fixture
def make_roost(simulator, template, tmp_path):
    """Starts a Roost with the test's settings."""
    made = []

    def make(*arguments, **options):
        # Over TLS and behind a public URL cookies have other names, so the template's session does not work.
        if not {"--tls-certificate", "--public-url"} & set(arguments):
            options.setdefault("template", template)
        roost = Roost(simulator, tmp_path / f"data-{len(made)}", *arguments, **options)
        made.append(roost)
        return roost.start()

    yield make
    for roost in made:
        roost.stop()


@pytest.fixture
def roost(make_roost):
    """A Roost whose prices change every two seconds."""
    return make_roost()


@pytest.fixture
def calm_roost(make_roost):
    """A Roost that fetches each price once."""
    return make_roost(interval=3600)


@pytest.fixture(scope="module")
def shared_roost(running_simulator, template, tmp_path_factory):
    """A calm Roost, shared by all tests of a file that tolerate each other's data."""
    roost = Roost(running_simulator, tmp_path_factory.mktemp("shared") / "data", interval=3600, template=template).start()
    yield roost
    roost.stop()


@pytest.fixture(scope="session")
def team_template(running_simulator, template, tmp_path_factory):
    """A stopped Roost with the accounts and sessions of Ada, Grace and Alan."""
    roost = Roost(running_simulator, tmp_path_factory.mktemp("people") / "data", interval=3600, template=template).start()
    team = Team.assemble(roost)
    assert roost.stop() == 0
    return team


@pytest.fixture(scope="module")
def team(running_simulator, team_template, tmp_path_factory):
    """Three people in one Roost, shared by all tests of a file; each test creates its own group."""
    data = tmp_path_factory.mktemp("team") / "data"
    roost = Roost(running_simulator, data, interval=3600, template=team_template.roost).start()
    yield team_template.at(roost)
    roost.stop()


@pytest.fixture(scope="module")
def shared_inbox(running_simulator, template, tmp_path_factory):
    """A Roost with ada's GitHub account connected, shared by all tests of a file.

    Hidden pull requests stay hidden, so each test uses its own.
    """
    roost = Roost(running_simulator, tmp_path_factory.mktemp("inbox") / "data", interval=3600, template=template).start()
    try:
        connect(roost)
        yield roost
    finally:
        roost.stop()


@pytest.fixture
def inbox_of_ada(shared_inbox, simulator):
    """The shared inbox; the `simulator` fixture resets GitHub afterwards."""
    return shared_inbox


@pytest.fixture
def visit(browser):
    """Opens and closes browser profiles, signed in as the owner or a given guest; none may break the rules of `Visit`."""
    visits = []

    def open_visit(roost, guest=None, **options):
        visits.append(Visit(browser, roost.url, (guest or roost.owner).cookie, **options))
        return visits[-1]

    yield open_visit
    for each in visits:
        each.close()
