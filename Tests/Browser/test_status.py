"""The status page, and `roost doctor`, which reports the same on the command line."""

import re
import subprocess

from playwright.sync_api import expect
from program import BINARY, NOBODY, ROOT


def doctor(roost, *options, listen=None):
    """Runs the doctor with the settings of the server."""
    arguments = [str(argument) for argument in roost.arguments[1:]]
    arguments[arguments.index("--listen") + 1] = listen or roost.host
    return subprocess.run([BINARY, "doctor", *arguments, *options], cwd=ROOT, env=roost.environment, text=True,
                          capture_output=True, timeout=120, check=False)


def findings(run):
    """Level and text of each line by its subject; every line has this form."""
    lines = [re.fullmatch(r"(ok|warning|problem) +([^:]+): (.+)", line) for line in run.stdout.splitlines()]
    assert lines and all(lines), run.stdout + run.stderr
    return {line[2]: (line[1], line[3]) for line in lines}


def contents(folder):
    return {path.name: (path.stat().st_mode, path.read_bytes()) for path in folder.iterdir() if path.is_file()}


def test_the_doctor_recognises_the_server_of_the_data_folder(roost):
    run = doctor(roost)
    found = findings(run)
    assert found["Address"][0] == "ok" and f"process {roost.process.pid}" in found["Address"][1]
    assert found["Data folder"][0] == found["Secret key"][0] == found["Database"][0] == "ok"
    assert found["CoinGecko"][0] == found["Clock"][0] == "ok"
    assert [level for subject, (level, _) in found.items() if subject.startswith("GitHub")] == ["ok"]
    assert run.returncode == 0


def test_the_doctor_of_a_stopped_server_changes_nothing_and_shows_no_key(roost):
    roost.stop()
    before = contents(roost.data)
    run = doctor(roost, "--offline")
    found = findings(run)
    assert contents(roost.data) == before
    assert (run.returncode, found["Address"][0]) == (0, "ok") and "is free" in found["Address"][1]
    assert not {"CoinGecko", "Clock"} & set(found)
    assert (roost.data / "secret.key").read_text().strip() not in run.stdout + run.stderr


def test_the_doctor_fails_with_the_remedy_for_each_problem(roost, simulator):
    roost.stop()
    key = roost.data / "secret.key"
    key.write_text("A" * 43 + "=\n")
    roost.data.chmod(0o755)
    roost.arguments += ["--coingecko-api-url", "http://127.0.0.1:1/api/v3"]
    run = doctor(roost, listen=simulator.host)
    found = findings(run)
    assert found["Address"][0] == "problem" and "--listen" in found["Address"][1]
    assert found["Secret key"][0] == "problem" and "--key-file" in found["Secret key"][1]
    assert found["Data folder"][0] == "warning" and "chmod 700" in found["Data folder"][1]
    assert found["CoinGecko"][0] == "problem"
    assert run.returncode == 1
    assert roost.data.stat().st_mode & 0o777 == 0o755


def test_a_certificate_that_ends_soon_is_reported_by_the_log_the_pages_and_the_doctor(make_roost, tmp_path):
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "5",
         "-subj", "/CN=Roost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", tmp_path / "soon.key",
         "-out", tmp_path / "soon.pem"], check=True, capture_output=True)
    roost = make_roost("--tls-certificate", tmp_path / "soon.pem", "--tls-key", tmp_path / "soon.key")
    assert any("expires in 4 days" in line for line in roost.lines)
    token = {"Authorization": f"Bearer {roost.command('token', 'create', 'ada').stdout.strip()}"}
    status = roost.get("/api/v1/status", headers=token, guest=NOBODY).json
    assert status["certificate"]["daysLeft"] == 4
    assert "Certificate" in [finding["subject"] for finding in status["findings"]]
    assert "expires in 4 days" in roost.get("/", headers=token, guest=NOBODY).text
    found = findings(doctor(roost, "--offline"))
    assert found["Certificate"][0] == "warning" and "expires in 4 days" in found["Certificate"][1]
    assert found["Address"][0] == "ok"


def test_the_status_page_is_live_and_tells_what_to_do(roost, simulator, visit):
    roost.priced("bitcoin")
    browser = visit(roost)
    page = browser.page("/settings/status")
    expect(page.get_by_role("heading", level=1)).to_have_text("Status")
    expect(page.locator(".freshness-live")).to_contain_text("Updated")
    failing = page.locator(".finding").filter(has_text="CoinGecko: prices")
    expect(failing).to_have_count(0)
    simulator.inject("500")
    watchlist = browser.page("/watchlist")
    page.bring_to_front()
    expect(failing).to_have_count(1, timeout=60_000)
    expect(failing.locator(".remedy")).not_to_be_empty()
    expect(page.locator(".source-failing")).to_contain_text("CoinGecko: prices")
    watchlist.close()


def test_the_status_page_works_without_javascript(calm_roost, visit):
    page = visit(calm_roost, java_script_enabled=False).page("/settings/status")
    expect(page.get_by_role("heading", name="Sources")).to_be_visible()
    for name in ("Server", "Storage", "Backups", "Certificate", "Queues"):
        expect(page.get_by_role("heading", name=name, exact=True)).to_be_visible()
