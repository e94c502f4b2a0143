"""How supervisors see Roost: its log, SIGHUP, systemd's messages and the files for Prometheus and Grafana."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import threading

import pytest
from program import BINARY, ROOT, Roost, eventually

MONITORING = ROOT / "Sources" / "Packaging" / "monitoring"


@pytest.fixture
def prepared(simulator, template, tmp_path):
    """Makes a Roost that is not started yet, so that its environment can be changed."""
    made = []

    def make(*arguments, **options):
        if "--tls-certificate" not in arguments:
            options.setdefault("template", template)
        roost = Roost(simulator, tmp_path / f"data-{len(made)}", *arguments, **options)
        made.append(roost)
        return roost

    yield make
    for roost in made:
        if roost.process:
            roost.stop()


@pytest.fixture
def supervisor(tmp_path):
    """A socket as systemd's, and the messages that it has received."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(str(tmp_path / "notify"))
        yield Supervisor(listener, str(tmp_path / "notify"))


class Supervisor:
    def __init__(self, listener, address):
        self.address, self.messages = address, []
        threading.Thread(target=self.__receive, args=(listener,), daemon=True).start()

    def __receive(self, listener):
        try:
            while True:
                self.messages.append(dict(line.split("=", 1) for line in listener.recv(4096).decode().split("\n")))
        except OSError:
            pass

    def states(self, *names):
        """The messages of these kinds, in order."""
        return [name for message in list(self.messages) for name in message if name in names]


def reload(roost):
    """Sends SIGHUP and waits until the log says that it is done."""
    done = sum("Reloaded." in line for line in roost.lines)
    roost.process.send_signal(signal.SIGHUP)
    eventually("the reload", lambda: sum("Reloaded." in line for line in list(roost.lines)) > done)


def environment(**more):
    """This process's environment without Roost's settings."""
    return {name: value for name, value in os.environ.items() if not name.startswith("ROOST_")} | more


def line_with(roost, text):
    return eventually(f"a line with “{text}”", lambda: next((line for line in list(roost.lines) if text in line), None))


def test_every_line_of_the_json_log_is_an_object(prepared, tmp_path):
    log = tmp_path / "access.log"
    roost = prepared("--log-format", "json", "--log-level", "trace", "--access-log", log, settled=False, template=None).start()
    eventually("the setup link", lambda: any("/setup?code=" in line for line in list(roost.lines)))
    assert roost.get("/healthz?secret=1").status == 200
    reload(roost)
    assert roost.stop() == 0
    roost.reader.join(10)
    events = [json.loads(line) for line in roost.lines]
    assert all({"time", "level", "message"} <= set(event) for event in events)
    assert [event["level"] for event in events if "is ready at" in event["message"]] == ["notice"]
    request = json.loads(log.read_text().splitlines()[0])
    assert (request["method"], request["path"], request["status"]) == ("GET", "/healthz", 200)
    assert "secret" not in log.read_text()


def test_a_failed_start_is_json_too(tmp_path):
    for arguments in (("--listen", "nowhere"), ("--threads", "many"), ("--config", tmp_path / "missing.json")):
        done = subprocess.run(
            [BINARY, "--data", tmp_path / "data", "--log-format", "json", *arguments], cwd=ROOT, text=True, timeout=60,
            env=environment(), capture_output=True, check=False)
        assert done.returncode == 1
        events = [json.loads(line) for line in done.stderr.splitlines()]
        assert events[-1]["level"] == "critical" and events[-1]["message"], arguments


def test_lines_for_the_journal_begin_with_their_level(tmp_path, simulator):
    read, write = os.pipe()
    status = os.fstat(write)
    process = subprocess.Popen(
        [BINARY, "--listen", "127.0.0.1:0", "--data", tmp_path / "data", "--github-api-url", simulator.github_url,
         "--coingecko-api-url", f"{simulator.url}/api/v3"],
        cwd=ROOT, env=environment(JOURNAL_STREAM=f"{status.st_dev}:{status.st_ino}"), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=write)
    os.close(write)
    lines = []
    with os.fdopen(read) as stream:
        for line in stream:
            lines.append(line)
            if "ready at" in line:
                process.send_signal(signal.SIGHUP)
            if "Reloaded." in line:
                process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert all(re.match(r"<[2-7]>", line) for line in lines), lines
    assert any(re.match(r"<5>Roost is ready at http://", line) for line in lines)
    assert any(re.match(r"<5>notice Reloaded\.", line) for line in lines)


def test_text_lines_elsewhere_have_no_prefix(prepared):
    roost = prepared()
    roost.environment["JOURNAL_STREAM"] = "1:2"
    roost.start()
    assert any(line.startswith("Roost is ready at") for line in roost.lines)


def test_sighup_opens_the_access_log_again(prepared, tmp_path):
    log = tmp_path / "access.log"
    roost = prepared("--access-log", log).start()
    roost.get("/healthz")
    eventually("the first line", lambda: log.exists() and "/healthz" in log.read_text())
    moved = log.rename(tmp_path / "access.log.1")
    reload(roost)
    roost.get("/login")
    eventually("a line in the new file", lambda: log.exists() and "/login" in log.read_text())
    assert "/login" not in moved.read_text()
    assert oct(log.stat().st_mode & 0o777) == "0o600"


def test_sighup_applies_changed_settings_and_names_those_that_need_a_restart(prepared, tmp_path):
    file, log = tmp_path / "roost.json", tmp_path / "access.log"
    file.write_text("{}")
    roost = prepared("--config", file).start()
    file.write_text(json.dumps({"access-log": str(log), "log-level": "debug", "threads": 3, "currency": "eur",
                                "coingecko-api-key": "CG-not-to-be-logged"}))
    reload(roost)
    assert "settings=coingecko-api-key, currency, threads" in line_with(roost, "need a restart")
    assert not any("CG-not" in line for line in roost.lines)
    roost.get("/login")
    eventually("the new log", lambda: log.exists() and "/login" in log.read_text())
    file.write_text('{"log-format": "json", "access-log": "off"}')
    reload(roost)
    assert json.loads(line_with(roost, '"Reloaded."'))["level"] == "notice"
    size = eventually("the log's size", lambda: log.stat().st_size)
    assert roost.get("/healthz").status == 200
    assert roost.stop() == 0
    assert log.stat().st_size == size


def test_sighup_keeps_everything_if_the_settings_are_invalid(prepared, tmp_path):
    file = tmp_path / "roost.json"
    file.write_text('{"chat-rate": 7}')
    roost = prepared("--config", file).start()
    for text in ('{"chat-rate": "seven"}', '{"no-such-setting": 1}', "{", ""):
        file.write_text(text)
        reload(roost)
    assert sum("The settings could not be read again" in line for line in roost.lines) == 4
    assert all(" error " in line for line in roost.lines if "could not be read again" in line)
    file.unlink()
    reload(roost)
    assert roost.get("/healthz").status == 200


def test_sighup_loads_a_renewed_certificate_and_keeps_the_old_one_if_it_is_broken(prepared, certificates, tmp_path):
    pem, key = tmp_path / "server.pem", tmp_path / "server.key"

    def install(name):
        shutil.copy(certificates / f"{name}.pem", pem)
        shutil.copy(certificates / f"{name}.key", key)

    def served():
        host, _, port = roost.host.partition(":")
        return ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate((host, int(port)), timeout=20))

    def certificate(name):
        return ssl.PEM_cert_to_DER_cert((certificates / f"{name}.pem").read_text())

    install("roost")
    roost = prepared("--tls-certificate", pem, "--tls-key", key).start()
    assert served() == certificate("roost")
    open_connection = roost.connect()
    open_connection.request("GET", "/healthz")
    assert open_connection.getresponse().read()
    install("other")
    reload(roost)
    assert served() == certificate("other")
    open_connection.request("GET", "/healthz")
    assert open_connection.getresponse().status == 200
    open_connection.close()
    pem.write_text("-----BEGIN CERTIFICATE-----\nbroken\n")
    reload(roost)
    assert "The certificate could not be loaded again" in line_with(roost, "certificate could not")
    assert served() == certificate("other")
    install("roost")
    shutil.copy(certificates / "other.key", key)
    reload(roost)
    assert served() == certificate("other")
    install("roost")
    reload(roost)
    assert served() == certificate("roost")
    metrics = roost.get("/metrics").text
    expiry = re.search(r"^roost_certificate_expiry_timestamp_seconds (\d+)$", metrics, re.MULTILINE)
    assert int(expiry[1]) > 1_700_000_000


def test_systemd_hears_when_roost_is_ready_reloading_and_stopping(prepared, supervisor):
    roost = prepared()
    roost.environment["NOTIFY_SOCKET"] = supervisor.address
    roost.start()
    eventually("READY", lambda: supervisor.states("READY"))
    assert supervisor.messages[0]["READY"] == "1" and roost.url in supervisor.messages[0]["STATUS"]
    reload(roost)
    eventually("the second READY", lambda: len(supervisor.states("READY")) == 2)
    assert supervisor.states("READY", "RELOADING", "STOPPING") == ["READY", "RELOADING", "READY"]
    reloading = next(message for message in supervisor.messages if "RELOADING" in message)
    assert reloading["RELOADING"] == "1" and int(reloading["MONOTONIC_USEC"]) > 0
    assert roost.stop() == 0
    eventually("STOPPING", lambda: supervisor.states("STOPPING"))
    assert supervisor.states("WATCHDOG") == []


def test_systemd_hears_of_a_failed_reload_as_of_any(prepared, supervisor, tmp_path):
    file = tmp_path / "roost.json"
    file.write_text("{}")
    roost = prepared("--config", file)
    roost.environment["NOTIFY_SOCKET"] = supervisor.address
    roost.start()
    file.write_text("{")
    reload(roost)
    eventually("the second READY", lambda: len(supervisor.states("READY")) == 2)


def test_messages_reach_a_socket_in_the_abstract_namespace(prepared):
    name = f"roost-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
        listener.bind(f"\0{name}")
        listener.settimeout(60)
        roost = prepared()
        roost.environment["NOTIFY_SOCKET"] = f"@{name}"
        roost.start()
        assert listener.recv(4096).startswith(b"READY=1\n")


@pytest.mark.parametrize("encrypted", [False, True])
def test_the_watchdog_is_fed_while_the_server_answers(prepared, supervisor, certificates, encrypted):
    tls = ("--tls-certificate", certificates / "roost.pem", "--tls-key", certificates / "roost.key")
    roost = prepared(*(tls if encrypted else ()))
    roost.environment.update(NOTIFY_SOCKET=supervisor.address, WATCHDOG_USEC="10000000")  # each answer may take five seconds
    roost.start()
    eventually("several signs of life", lambda: len(supervisor.states("WATCHDOG")) >= 3)
    assert not any("does not answer itself" in line for line in roost.lines)


def test_the_watchdog_of_another_process_is_not_fed(prepared, supervisor):
    roost = prepared()
    roost.environment.update(NOTIFY_SOCKET=supervisor.address, WATCHDOG_USEC="100000", WATCHDOG_PID="1")
    roost.start()
    reload(roost)
    eventually("the second READY", lambda: len(supervisor.states("READY")) == 2)
    assert supervisor.states("WATCHDOG") == []


@pytest.mark.skipif(not shutil.which("promtool"), reason="promtool is not installed")
def test_promtool_accepts_the_alert_rules_and_the_metrics(roost):
    rules = subprocess.run(
        ["promtool", "check", "rules", MONITORING / "roost-alerts.yml"], capture_output=True, text=True, check=False)
    assert rules.returncode == 0, rules.stderr
    roost.priced("bitcoin")
    metrics = subprocess.run(
        ["promtool", "check", "metrics"], input=roost.get("/metrics").text, capture_output=True, text=True, check=False)
    assert "error" not in metrics.stderr, metrics.stderr


def test_the_dashboard_is_a_dashboard():
    dashboard = json.loads((MONITORING / "roost-dashboard.json").read_text())
    ids = [panel["id"] for panel in dashboard["panels"]]
    assert len(ids) == len(set(ids)) > 10
    assert all(target["expr"] for panel in dashboard["panels"] for target in panel["targets"])
    spaces = [(panel["gridPos"]["x"] + column, panel["gridPos"]["y"] + row)
              for panel in dashboard["panels"]
              for column in range(panel["gridPos"]["w"]) for row in range(panel["gridPos"]["h"])]
    assert len(spaces) == len(set(spaces)) and max(x for x, _ in spaces) < 24
