"""The demo and the commands."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from program import BINARY, NOBODY, ROOT, STOP, Program, Roost, eventually, free_port


def values(html):
    """The values on a page with every digit."""
    return re.findall(r'<data [^>]*value="([^"]+)"', html)


@pytest.fixture(scope="module")
def demo():
    demo = Program(
        "--listen", "127.0.0.1:0",
        command=("swift", "run", "-c", "release", "--skip-build", "roost", "demo"),
        environment={"ROOST_STRICT": os.environ.get("ROOST_STRICT", "")}).start()
    yield demo
    demo.stop()


def wall(demo):
    """The wall's path as the demo prints it."""
    return eventually("the wall's address", lambda: next(
        (re.search(r"/display/\S+", line)[0] for line in demo.lines if "/display/" in line), None))


def test_the_demo_has_moving_prices(demo):
    eventually("ten prices", lambda: len(values(demo.get("/watchlist").text)) == 10)
    assert "Ada Lovelace" in demo.get("/").text
    assert len(values(demo.get("/").text)) > 0
    before = values(demo.get("/watchlist").text)
    eventually("prices that move", lambda: values(demo.get("/watchlist").text) != before)


def test_the_demo_prints_the_link_of_a_working_wall(demo):
    link = wall(demo)
    assert demo.get(link).status == 200
    eventually("ten prices", lambda: len(values(demo.get(link).text)) == 10)


def test_the_demo_has_notes_holdings_and_a_wallet(demo):
    eventually("ten prices", lambda: len(values(demo.get("/watchlist").text)) == 10)
    answer = demo.get("/api/v1/watchlist").json
    assert {item["category"] for item in answer["items"] if item["note"]} == {"Savings", "To watch"}
    assert answer["totals"]["value"] and answer["totals"]["profit"]
    tokens = demo.get("/api/v1/watchlists").json["items"][1]["id"]
    assert any("other" in remark for remark in demo.get(f"/api/v1/watchlist?list={tokens}").json["totals"]["remarks"])
    assert all(item["price"] for item in demo.get("/api/v1/holdings").json["items"])
    assert 'class="list-totals' in demo.get("/watchlist").text
    page = demo.get("/coins/bitcoin").text
    assert "Hardware key in the safe" in page and "The first one stays." in page


def test_the_demo_has_two_armed_alerts(demo):
    alerts = demo.get("/api/v1/alerts").json["items"]
    assert {(each["coinId"], each["kind"]) for each in alerts} == {("bitcoin", "above"), ("ethereum", "below")}
    assert all(each["isArmed"] and not each["firedAt"] for each in alerts)
    team = next(each for each in demo.get("/api/v1/conversations").json["items"]
                if each.get("groupName") == "Engine room")
    assert {each["conversationId"] for each in alerts} == {None, team["id"]}


def test_the_demos_walls_do_not_show_holdings(demo):
    assert not any(each["showsTotals"] for each in demo.get("/api/v1/watchlists").json["items"])
    assert 'class="total"' not in demo.get(wall(demo)).text
    displays = demo.get("/displays").text
    assert "Office wall" in displays and "Kitchen" in displays


def test_the_demo_listens_only_on_loopback():
    demo = Program("demo", "--listen", "0.0.0.0:0")
    with pytest.raises(AssertionError, match="loopback only"):
        demo.start()


def test_a_stop_signal_works_at_any_moment(make_roost):
    """During the start, the signal either ends the process or takes effect once it serves."""
    roost = make_roost(interval=3600)
    for moment in range(20):
        if moment:
            roost.process = subprocess.Popen(
                roost.arguments, cwd=ROOT, env=roost.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            time.sleep(moment * 0.005)
        roost.process.send_signal(signal.SIGTERM)
        assert roost.process.wait(STOP) in ([0, -signal.SIGTERM] if moment else [0]), moment


@pytest.mark.parametrize("option", ["--coins=999", "--coins=17001", "--step=0", "--fault=none-such"])
def test_invalid_simulator_options_are_refused(option):
    run = subprocess.run([BINARY, "simulate", option], capture_output=True, text=True, timeout=30)
    name = option.split("=")[0].strip("-")
    assert (run.returncode, name in run.stderr) == (64, True), run.stderr


def test_the_demo_leaves_nothing_behind(tmp_path):
    demo = Program("demo", "--listen", "127.0.0.1:0", environment={"TMPDIR": str(tmp_path)}).start()
    assert list(tmp_path.glob("roost-demo-*"))
    assert demo.stop() == 0
    assert list(tmp_path.iterdir()) == []


def test_memory_of_startup_code_is_released(make_roost):
    roost = make_roost()

    def kilobytes():
        lines = (Path("/proc") / str(roost.process.pid) / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssFile:")).split()[1])

    # It starts with more than 50 MB. Roost releases them after the start and once a minute; used code is loaded again.
    eventually("less than 30 MB of the program's files in memory", lambda: kilobytes() < 30_000, seconds=90)
    assert roost.get("/watchlist").status == 200


def test_acknowledged_changes_survive_a_kill(make_roost):
    roost = make_roost()
    roost.watch("bitcoin", "solana", "cardano")
    roost.kill()
    roost.start()
    assert sorted(item["coinId"] for item in roost.items()) == ["bitcoin", "cardano", "solana"]


def test_a_backup_of_a_running_server_is_intact(roost, tmp_path):
    roost.watch("bitcoin")
    copy = tmp_path / "copy"
    copy.mkdir()
    made = roost.command("backup", str(copy / "roost.sqlite"))
    assert made.returncode == 0, made.stderr
    assert roost.command("backup", str(copy / "roost.sqlite")).returncode != 0
    checked = roost.command("check")
    assert (checked.returncode, checked.stdout) == (0, "No problems found.\n")
    roost.data = copy
    assert roost.command("check").stdout == "No problems found.\n"


def test_an_owner_created_on_the_command_line_can_sign_in_at_once(make_roost):
    roost = make_roost(settled=False)
    added = roost.command("user", "add", "grace", "--owner", "--password-stdin", stdin="a lantern over water\n")
    assert (added.returncode, added.stdout) == (0, "Added owner grace.\n"), added.stderr
    assert roost.try_to_sign_in("grace")
    assert roost.ask("POST", "/api/v1/users", {
        "username": "eve", "password": "a lantern over water", "joinCode": roost.setup_code}).status == 422


def test_a_revoked_token_fails_from_the_next_request(roost):
    token = roost.command("token", "create", "ada", "--scope", "read", "--label", "script").stdout.strip()
    headers = {"Authorization": f"Bearer {token}"}
    assert roost.get("/api/v1/watchlist", headers=headers, guest=NOBODY).status == 200
    number = roost.command("token", "list").stdout.split("\t")[0]
    assert roost.command("token", "revoke", number).returncode == 0
    assert roost.get("/api/v1/watchlist", headers=headers, guest=NOBODY).status == 401


def test_a_token_for_an_area_is_made_on_the_command_line(roost):
    token = roost.command("token", "create", "ada", "--scope", "chat:read,reading:write").stdout.strip()
    headers = {"Authorization": f"Bearer {token}"}
    for path, status in {"conversations": 200, "articles": 200, "watchlist": 403}.items():
        assert roost.get(f"/api/v1/{path}", headers=headers, guest=NOBODY).status == status, path
    assert "chat:read" in roost.command("token", "list").stdout
    assert roost.command("token", "create", "ada", "--scope", "members:read").returncode != 0


def test_a_password_reset_and_a_removal_take_effect_at_once(roost):
    grace = roost.add_user("grace")
    link = roost.command("user", "reset-password", "grace").stdout.strip()
    assert re.fullmatch(r"http://\S+/reset/[0-9A-Z-]{19}", link)
    assert roost.get("/api/v1/me", guest=grace).status == 200
    changed = roost.command("user", "reset-password", "grace", "--password-stdin", stdin="another lantern here\n")
    assert changed.returncode == 0, changed.stderr
    assert roost.get("/api/v1/me", guest=grace).status == 401
    grace = roost.sign_in("grace", "another lantern here")
    assert roost.command("user", "remove", "grace").returncode == 0
    assert roost.get("/api/v1/me", guest=grace).status == 401
    assert roost.command("user", "remove", "ada").returncode != 0  # the last owner cannot be removed


def test_a_command_creates_no_second_key(make_roost, tmp_path):
    """As with systemd, only the server gets the key as a credential."""
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    (credentials / "secret.key").write_text("A" * 43 + "=")
    (credentials / "secret.key").chmod(0o400)
    roost = make_roost(settled=False)
    roost.stop()
    (roost.data / "secret.key").unlink()
    assert roost.command("key", "forget").returncode == 0
    roost.environment["CREDENTIALS_DIRECTORY"] = str(credentials)
    roost.start()
    wall = roost.settle() or roost.display()
    assert "secretKey" not in roost.get("/healthz").json["sources"]
    del roost.environment["CREDENTIALS_DIRECTORY"]
    for arguments in (["user", "add", "grace"], ["user", "list"], ["token", "create", "ada"], ["check"]):
        done = roost.command(*arguments)
        assert done.returncode == 0, done.stderr
        assert not (roost.data / "secret.key").exists(), arguments
    roost.stop()
    roost.start()
    assert roost.get("/healthz").json["sources"]["secretKey"]["state"] == "failed"
    assert f"last read from {credentials}/secret.key" in "\n".join(roost.lines)
    assert not (roost.data / "secret.key").exists()
    assert roost.get(wall, guest=NOBODY).status == 200


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("made", [True, False])
def test_files_that_root_creates_belong_to_the_folders_owner(made, tmp_path, simulator):
    service = tmp_path / "service"
    service.mkdir()
    os.chown(service, 12345, 23456)
    data = service / "data"
    if made:
        data.mkdir(mode=0o700)
        os.chown(data, 12345, 23456)
    roost = Roost(simulator, data)
    added = roost.command("user", "add", "grace", "--owner", "--password-stdin", stdin="a lantern over water\n")
    assert added.returncode == 0, added.stderr

    def owners():
        return {(path.stat().st_uid, path.stat().st_gid) for path in [data, *data.rglob("*")]}

    assert owners() == {(12345, 23456)}
    roost.settled = False
    roost.start()
    try:
        eventually("the log", lambda: (data / "roost.sqlite-wal").exists())
        assert {"secret.key", "roost.lock", "roost.sqlite-shm"} <= {path.name for path in data.iterdir()}
        assert owners() == {(12345, 23456)}
    finally:
        roost.stop()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
def test_a_user_without_access_to_the_data_folder_is_told_its_owner(tmp_path, simulator):
    roost = Roost(simulator, tmp_path / "data")
    assert roost.command("user", "add", "grace", "--owner", "--password-stdin", stdin="a lantern over water\n").returncode == 0
    for folder in [tmp_path, *tmp_path.parents][:-1]:
        if folder.stat().st_mode & 0o001 == 0:
            folder.chmod(folder.stat().st_mode | 0o011)
    for command in ("list", "add"):
        arguments = ["user", command] + (["eve"] if command == "add" else [])
        try:
            run = subprocess.run([BINARY, *arguments, "--data", roost.data], cwd=ROOT, env=roost.environment, text=True,
                                 capture_output=True, timeout=60, check=False, user=12345, group=12345, extra_groups=[])
        except PermissionError:
            pytest.skip("the program is in a folder that other users cannot enter")
        assert run.returncode != 0
        assert f"The data folder {roost.data} belongs to root. Run this as that user: sudo -u root" in run.stderr


def test_a_password_reset_lists_the_remaining_tokens_and_can_revoke_them(roost):
    roost.add_user("henry")
    tokens = [roost.command("token", "create", "henry").stdout.strip() for _ in range(2)]

    def statuses():
        return {roost.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}, guest=NOBODY).status for token in tokens}

    reset = roost.command("user", "reset-password", "henry")
    assert "Still valid: 2 API tokens of henry." in reset.stderr
    assert re.fullmatch(r"http://\S+/reset/[0-9A-Z-]{19}\n", reset.stdout)
    assert statuses() == {200}
    reset = roost.command("user", "reset-password", "henry", "--password-stdin", "--revoke-tokens", stdin="another lantern here\n")
    assert (reset.returncode, reset.stdout) == (0, "Password changed.\n")
    assert "Revoked 2 API tokens of henry." in reset.stderr
    assert statuses() == {401}
    assert "API token" not in roost.command("user", "reset-password", "henry").stderr


def test_a_taken_port_names_the_setting_for_another_one(roost, tmp_path):
    second = Program("--data", tmp_path, "--listen", roost.host)
    with pytest.raises(AssertionError, match="another program is already listening there.*--listen 8081"):
        second.start()
    port = free_port()
    third = Program("--data", tmp_path, "--listen", f":{port}").start()
    assert third.host == f"127.0.0.1:{port}"
    assert third.stop() == 0


def test_a_data_folder_that_is_moved_under_the_server_is_noticed(make_roost, tmp_path):
    roost = make_roost("--log-level", "info")
    other = roost.data.with_name("moved")
    roost.data.rename(other)
    eventually("a line in the log", lambda: any("data folder was moved or deleted" in line for line in roost.lines))
    assert (roost.get("/healthz").status, roost.get("/healthz").json["status"]) == (503, "dataFolderMissing")
    refused = roost.ask("POST", "/api/v1/watchlist", {"coinId": "solana"})
    assert (refused.status, refused.json["error"]["code"]) == (503, "dataFolderMissing")
    assert not roost.data.exists()
    other.rename(roost.data)
    assert roost.get("/healthz").status == 200
    roost.watch("solana")


@pytest.mark.parametrize("arguments, words", [
    (["--threads", "many"], "--threads takes a whole number from 1 to 64, not “many”."),
    (["--listen", "nonsense"], "nonsense"),
    (["--coingecko-plan", "demo"], "--coingecko-plan demo needs --coingecko-api-key."),
    (["--config", "/no/such/file"], "The settings file /no/such/file cannot be read."),
    (["--key-file", "/no/such.key"], "The key file /no/such.key does not exist."),
    (["--assets", "/"], "--assets / has no folder Public."),
])
def test_an_invalid_setting_is_refused_with_a_reason(arguments, words, tmp_path):
    program = Program("--data", tmp_path, *arguments)
    with pytest.raises(AssertionError, match=re.escape(words)):
        program.start()
    assert program.process.returncode != 0
