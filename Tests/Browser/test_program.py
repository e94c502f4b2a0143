"""The program itself: the demo, recorded prices, and the commands."""

import json
import os
import re
import signal
import stat
import subprocess
import time
from decimal import Decimal
from pathlib import Path

import pytest
from program import BINARY, NOBODY, ROOT, Program, Roost, Simulator, eventually

RECORDINGS = ROOT.parent / "shared" / "recordings" / "coingecko"


def values(html):
    """The figures on a page, every digit of them."""
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
    """The path that the demo names."""
    return eventually("the wall's address", lambda: next(
        (re.search(r"/display/\S+", line)[0] for line in demo.lines if "/display/" in line), None))


def test_the_demo_opens_with_prices_that_move(demo):
    eventually("ten prices", lambda: len(values(demo.get("/watchlist").text)) == 10)
    assert "Ada Lovelace" in demo.get("/").text
    assert len(values(demo.get("/").text)) > 0
    before = values(demo.get("/watchlist").text)
    eventually("prices that move", lambda: values(demo.get("/watchlist").text) != before, 20)


def test_the_demo_names_a_wall_that_works(demo):
    page = demo.get(wall(demo))
    assert page.status == 200
    assert len(values(page.text)) == 10


def test_the_demo_has_two_lists_that_share_coins(demo):
    lists = demo.get("/api/v1/watchlists").json["items"]
    assert [each["name"] for each in lists] == ["Watchlist", "Tokens"]
    first, second = ({item["coinId"] for item in demo.get(f"/api/v1/watchlist?list={each['id']}").json["items"]}
                     for each in lists)
    assert first & second and first - second and second - first
    tabs = demo.get("/watchlist").text.partition('class="list-tabs"')[2].partition("</nav>")[0]
    assert "Watchlist" in tabs and "Tokens" in tabs


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


def test_the_demo_waits_with_two_alerts_and_has_fired_none(demo):
    alerts = demo.get("/api/v1/alerts").json["items"]
    assert {(each["coinId"], each["kind"]) for each in alerts} == {("bitcoin", "above"), ("ethereum", "below")}
    assert all(each["isArmed"] and not each["firedAt"] for each in alerts)
    team = next(each for each in demo.get("/api/v1/conversations").json["items"]
                if each.get("groupName") == "Engine room")
    assert {each["conversationId"] for each in alerts} == {None, team["id"]}


def test_the_demos_walls_say_nothing_of_what_is_owned(demo):
    assert not any(each["showsTotals"] for each in demo.get("/api/v1/watchlists").json["items"])
    assert 'class="total"' not in demo.get(wall(demo)).text
    displays = demo.get("/displays").text
    assert "Office wall" in displays and "Kitchen" in displays


def test_the_demo_stays_on_loopback():
    demo = Program("demo", "--listen", "0.0.0.0:0")
    with pytest.raises(AssertionError, match="loopback only"):
        demo.start()


def test_a_wish_to_stop_is_heard_however_soon_it_comes(make_roost):
    """Also while it starts, when the signal ends it or it stops as soon as it serves."""
    roost = make_roost(interval=3600)
    for moment in range(20):
        if moment:
            roost.process = subprocess.Popen(
                roost.arguments, cwd=ROOT, env=roost.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL)
            time.sleep(moment * 0.005)
        roost.process.send_signal(signal.SIGTERM)
        assert roost.process.wait(10) in ([0, -signal.SIGTERM] if moment else [0]), moment


@pytest.mark.parametrize("option", ["--coins=999", "--coins=17001", "--step=0", "--fault=none-such"])
def test_a_simulation_that_cannot_be_is_refused(option):
    run = subprocess.run([BINARY, "simulate", option], capture_output=True, text=True, timeout=30)
    name = option.split("=")[0].strip("-")
    assert (run.returncode, name in run.stderr) == (64, True), run.stderr


def test_the_demo_leaves_nothing_behind(tmp_path):
    demo = Program("demo", "--listen", "127.0.0.1:0", environment={"TMPDIR": str(tmp_path)}).start()
    assert list(tmp_path.glob("roost-demo-*"))
    assert demo.stop() == 0
    assert list(tmp_path.iterdir()) == []


def recorded_prices():
    """The price of each coin in dollars as the newest recording has it, digit by digit."""
    newest = {}
    for path in RECORDINGS.rglob("*markets*.json"):
        currency = re.search(r"vs_currency_(\w+)", path.stem)
        if (currency and currency[1] != "usd") or path.name.startswith("422"):
            continue
        coins = json.loads(path.read_text(), parse_float=str, parse_int=str)
        for coin in coins if isinstance(coins, list) else []:
            known = newest.get(coin["id"])
            if known is None or (coin["last_updated"] or "") > known[0]:
                newest[coin["id"]] = (coin["last_updated"] or "", coin["current_price"])
    return {coin: format(Decimal(price).normalize(), "f") for coin, (_, price) in newest.items() if price}


def test_recorded_prices_are_shown_to_the_last_digit(tmp_path):
    if not RECORDINGS.is_dir():
        assert os.environ.get("CI") != "true", "the recordings are missing"
        pytest.skip("no recordings beside the working tree")
    prices = recorded_prices()
    assert len(prices) >= 200
    simulator = Simulator("--recordings", RECORDINGS).start()
    roost = Roost(simulator, tmp_path / "data", interval=3600).start()
    try:
        roost.priced(*prices)
        items = roost.items()
        assert {item["coinId"]: item["currentPrice"] for item in items} == prices
        assert sorted(values(roost.get("/watchlist").text)) == sorted(prices.values())
        assert {item["coinId"]: item["stale"] for item in items} == dict.fromkeys(prices, True)  # they are years old
    finally:
        roost.stop()
        simulator.stop()


def test_coins_added_in_quick_succession_soon_have_their_prices(calm_roost):
    calm_roost.watch("bitcoin", "solana", "cardano")
    eventually("three prices", lambda: all(item["currentPrice"] for item in calm_roost.items()))


def test_prices_in_json_are_strings_and_batched_in_one_request(roost, simulator):
    roost.priced("bitcoin", "ethereum", "pepe")
    assert all(isinstance(item["currentPrice"], str) for item in roost.items())
    simulator.ask("DELETE", "/_simulator/requests")
    eventually("another request", lambda: roost.get("/watchlist") and simulator.get("/_simulator/requests").json["items"])
    requests = [item for item in simulator.get("/_simulator/requests").json["items"] if "markets" in item["path"]]
    assert len(requests) <= 2  # one refresh, or two where the second has just begun; never one a coin


def test_it_stops_within_five_seconds_and_keeps_everything(make_roost, simulator):
    roost = make_roost()
    roost.watch("bitcoin", "solana")
    assert roost.stop() == 0
    roost.start()
    assert sorted(item["coinId"] for item in roost.items()) == ["bitcoin", "solana"]


def test_code_that_only_the_start_needed_is_let_go(make_roost):
    roost = make_roost()

    def kilobytes():
        lines = (Path("/proc") / str(roost.process.pid) / "status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("RssFile:")).split()[1])

    # It starts with more than 50; what is let go once a minute, first after the start, comes back as it is used.
    eventually("less than 30 MB of the program's files in memory", lambda: kilobytes() < 30_000, seconds=90)
    assert roost.get("/watchlist").status == 200


def test_what_was_acknowledged_survives_a_kill(make_roost):
    roost = make_roost()
    roost.watch("bitcoin", "solana", "cardano")
    roost.kill()
    roost.start()
    assert sorted(item["coinId"] for item in roost.items()) == ["bitcoin", "cardano", "solana"]


def test_a_backup_is_made_while_it_runs_and_is_sound(roost, tmp_path):
    roost.watch("bitcoin")
    copy = tmp_path / "copy"
    copy.mkdir()
    made = roost.command("backup", str(copy / "roost.sqlite"))
    assert made.returncode == 0, made.stderr
    assert roost.command("backup", str(copy / "roost.sqlite")).returncode != 0
    checked = roost.command("check")
    assert (checked.returncode, checked.stdout) == (0, "The database is sound.\n")
    roost.data = copy
    assert roost.command("check").stdout == "The database is sound.\n"


def test_the_data_folder_is_private(roost):
    assert stat.S_IMODE(roost.data.stat().st_mode) == 0o700


def test_the_first_owner_takes_over_what_the_stand_in_has(make_roost):
    """As a script did before anybody had an account: with a token of the stand-in's."""
    roost = make_roost(settled=False)
    token = roost.command("token", "create", "owner", "--scope", "write").stdout.strip()
    headers = {"Authorization": f"Bearer {token}"}
    assert roost.ask("POST", "/api/v1/watchlist", {"coinId": "bitcoin"}, headers=headers).status == 201
    roost.settle()
    assert [item["coinId"] for item in roost.items()] == ["bitcoin"]
    assert roost.get("/api/v1/me", headers=headers, guest=NOBODY).json["username"] == "ada"
    assert roost.command("user", "list").stdout.split("\t")[:2] == ["ada", "owner"]


def test_an_owner_made_on_the_command_line_signs_in_at_once(make_roost):
    roost = make_roost(settled=False)
    added = roost.command("user", "add", "grace", "--owner", "--password-stdin", stdin="a lantern over water\n")
    assert (added.returncode, added.stdout) == (0, "Added owner grace.\n"), added.stderr
    assert roost.try_to_sign_in("grace")
    assert roost.ask("POST", "/api/v1/users", {
        "username": "eve", "password": "a lantern over water", "joinCode": roost.setup_code}).status == 422


def test_a_revoked_token_opens_nothing_from_the_next_request_on(roost):
    token = roost.command("token", "create", "ada", "--scope", "read", "--label", "script").stdout.strip()
    headers = {"Authorization": f"Bearer {token}"}
    assert roost.get("/api/v1/watchlist", headers=headers, guest=NOBODY).status == 200
    number = roost.command("token", "list").stdout.split("\t")[0]
    assert roost.command("token", "revoke", number).returncode == 0
    assert roost.get("/api/v1/watchlist", headers=headers, guest=NOBODY).status == 401


def test_a_reset_password_and_a_removed_user_hold_at_once(roost):
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
    assert roost.command("user", "remove", "ada").returncode != 0  # the last owner stays


def test_a_command_makes_no_second_key(make_roost, tmp_path):
    """As with systemd: the server has the key as a credential, the commands do not."""
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
def test_what_root_makes_before_the_first_start_belongs_to_the_folders_owner(made, tmp_path, simulator):
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
def test_a_user_who_may_not_open_the_data_folder_is_told_whose_it_is(tmp_path, simulator):
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
            pytest.skip("the program is in a folder that others may not enter")
        assert run.returncode != 0
        assert f"The data folder {roost.data} belongs to root. Run this as that user: sudo -u root" in run.stderr


def test_a_reset_password_says_which_tokens_stay_and_revokes_them_on_demand(roost):
    roost.add_user("henry")
    tokens = [roost.command("token", "create", "henry").stdout.strip() for _ in range(2)]

    def statuses():
        return {roost.get("/api/v1/me", headers={"Authorization": f"Bearer {token}"}, guest=NOBODY).status for token in tokens}

    reset = roost.command("user", "reset-password", "henry")
    assert "Still valid: 2 API tokens of henry." in reset.stderr
    assert re.fullmatch(r"http://\S+/reset/[0-9A-Z-]{19}\n", reset.stdout)
    assert statuses() == {200}
    reset = roost.command("user", "reset-password", "henry", "--password-stdin", "--revoke-tokens", stdin="another lantern here\n")
    assert (reset.returncode, reset.stdout) == (0, "The password is changed.\n")
    assert "Revoked 2 API tokens of henry." in reset.stderr
    assert statuses() == {401}
    assert "API token" not in roost.command("user", "reset-password", "henry").stderr


def test_a_token_for_monitoring_is_for_owners_and_reads_nothing_else(roost):
    roost.add_user("irene")
    refused = roost.command("token", "create", "irene", "--scope", "metrics")
    assert refused.returncode != 0 and "Only an owner’s token can read the metrics." in refused.stderr
    made = roost.command("token", "create", "ada", "--scope", "metrics", "--label", "prometheus")
    headers = {"Authorization": f"Bearer {made.stdout.strip()}"}
    assert "roost_requests_total" in roost.get("/metrics", headers=headers, guest=NOBODY).text
    assert "sources" in roost.get("/healthz", headers=headers, guest=NOBODY).json
    for path in ("/api/v1/conversations", "/api/v1/me", "/chat", "/"):
        assert roost.get(path, headers=headers, guest=NOBODY).status == 403, path
    number, user, scope, *_ = roost.command("token", "list").stdout.splitlines()[-1].split("\t")
    assert (user, scope) == ("ada", "metrics")
    assert roost.command("token", "revoke", number).returncode == 0


@pytest.mark.parametrize("arguments, words", [
    (["--threads", "many"], "--threads takes a whole number from 1 to 64, not “many”."),
    (["--listen", "nonsense"], "nonsense"),
    (["--coingecko-plan", "demo"], "--coingecko-plan demo needs --coingecko-api-key."),
    (["--config", "/no/such/file"], "The settings file /no/such/file cannot be read."),
    (["--key-file", "/no/such.key"], "The key file /no/such.key does not exist."),
    (["--assets", "/"], "--assets / holds no folder Public."),
])
def test_a_wrong_setting_is_refused_in_words(arguments, words, tmp_path):
    program = Program("--data", tmp_path, *arguments)
    with pytest.raises(AssertionError, match=re.escape(words)):
        program.start()
    assert program.process.returncode != 0
