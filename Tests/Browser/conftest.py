import os
import shutil
import subprocess

import pytest
from chat import Team
from github import connect
from playwright.sync_api import sync_playwright
from program import ROOT, Roost, Simulator
from visit import Visit


@pytest.fixture(scope="session")
def browser():
    # Of the same source, without windows and menus: a third less work for the same pages.
    names = ["chromium-headless-shell", "chromium", "chromium-browser"]
    chromium = next(filter(None, map(shutil.which, names)), None)
    assert chromium, "Debian's chromium is not installed"
    # Chromium's own sandbox refuses to run as root, as which containers and CI run.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    # One process for the pages of a profile: a new one for each takes as long as the page itself.
    arguments.append("--renderer-process-limit=1")
    # The name by which ReverseProxy.md calls a Roost behind a proxy, and one of a local network, where nothing is secure.
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
    """`roost.pem`, a certificate that is its own authority, with its key, and another pair named `other`."""
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
    """A stopped Roost that has Ada's account and session, and has never reached CoinGecko."""
    nowhere = ("--coingecko-api-url", "http://127.0.0.1:1/api/v3")
    roost = Roost(running_simulator, tmp_path_factory.mktemp("template") / "data", *nowhere).start()
    assert roost.stop() == 0
    return roost


@pytest.fixture
def make_roost(simulator, template, tmp_path):
    """Starts a Roost with settings of the test's own."""
    made = []

    def make(*arguments, **options):
        # Cookies have other names over TLS and behind a public address: a session begun there is needed.
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
    """A Roost whose prices change every other second."""
    return make_roost()


@pytest.fixture
def calm_roost(make_roost):
    """A Roost that fetches each price once."""
    return make_roost(interval=3600)


@pytest.fixture(scope="module")
def shared_roost(running_simulator, template, tmp_path_factory):
    """A calm Roost, the same for all tests of a file that do not mind what others left in it."""
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
    """Three people in one Roost, the same for all tests of a file: each test talks in a group of its own."""
    data = tmp_path_factory.mktemp("team") / "data"
    roost = Roost(running_simulator, data, interval=3600, template=team_template.roost).start()
    yield team_template.at(roost)
    roost.stop()


@pytest.fixture(scope="module")
def shared_inbox(running_simulator, template, tmp_path_factory):
    """A Roost with ada's GitHub account connected, the same for all tests of a file.

    What one puts away stays away: each test takes pull requests of its own.
    """
    roost = Roost(running_simulator, tmp_path_factory.mktemp("inbox") / "data", interval=3600, template=template).start()
    connect(roost)
    yield roost
    roost.stop()


@pytest.fixture
def inbox_of_ada(shared_inbox, simulator):
    """The shared inbox; what happened at GitHub is taken back afterwards."""
    return shared_inbox


@pytest.fixture
def recorded_roost(tmp_path):
    """A Roost whose GitHub answers as the real one was recorded."""
    recordings = ROOT.parent / "shared" / "recordings" / "github"
    if not recordings.exists():
        assert os.environ.get("CI") != "true", "the recordings are missing"
        pytest.skip("no recordings beside the working tree")
    simulator = Simulator("--recordings", recordings).start()
    roost = Roost(simulator, tmp_path / "recorded", interval=3600).start()
    yield roost
    roost.stop()
    simulator.stop()


@pytest.fixture
def visit(browser):
    """Opens browser profiles and closes them; none may break the rules of `Visit`.

    They are signed in as the owner, or as the guest who is named.
    """
    visits = []

    def open_visit(roost, guest=None, **options):
        visits.append(Visit(browser, roost.url, (guest or roost.owner).cookie, **options))
        return visits[-1]

    yield open_visit
    for each in visits:
        each.close()
