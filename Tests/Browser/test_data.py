"""The data folder: a clean stop, a second server, permissions, damage, and a full disk."""

import os
import re
import shutil
import signal
import sqlite3
import stat
import subprocess

import pytest
from program import NOBODY, Roost, eventually


def test_after_a_clean_stop_the_main_file_holds_all_data(make_roost, tmp_path):
    roost = make_roost()
    roost.watch("bitcoin", "solana")
    assert roost.stop() == 0
    copy = tmp_path / "copy.sqlite"
    shutil.copy(roost.data / "roost.sqlite", copy)
    with sqlite3.connect(copy) as file:
        coins = [row[0] for row in file.execute("SELECT coin_id FROM watchlist_items ORDER BY 1")]
    assert coins == ["bitcoin", "solana"]


def test_a_second_server_on_the_same_folder_is_refused_with_a_reason(make_roost, simulator):
    roost = make_roost()
    second = Roost(simulator, roost.data)
    with pytest.raises(AssertionError, match=re.escape(f"(process {roost.process.pid}) is running on the data folder")):
        second.start()
    assert roost.command("check").stdout == "No problems found.\n"
    roost.kill()
    roost.start()


SIGNALS = [signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGPIPE]


def test_signals_other_than_stop_requests_do_not_end_the_server(make_roost):
    roost = make_roost()
    roost.watch("bitcoin")
    for number in SIGNALS:
        roost.process.send_signal(number)
        assert roost.get("/healthz").status == 200, number
    assert roost.process.poll() is None
    assert roost.stop() == 0
    assert not (roost.data / "roost.sqlite-wal").exists()


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_every_command_restricts_a_data_folder_that_others_can_read(make_roost, tmp_path):
    roost = make_roost()
    roost.stop()
    file = roost.data / "roost.sqlite"

    def open_up():
        roost.data.chmod(0o755)
        file.chmod(0o644)

    for command in (["check"], ["user", "list"], ["token", "list"], ["backup", str(tmp_path / "copy")]):
        open_up()
        answer = roost.command(*command)
        assert answer.returncode == 0, answer.stderr
        assert (mode(roost.data), mode(file)) == (0o700, 0o600), command
    open_up()
    roost.start()
    assert {mode(path) for path in roost.data.glob("roost.sqlite*")} == {0o600}
    assert mode(roost.data) == 0o700
    assert any("was open to other users (mode 0755)" in line for line in roost.lines)


def damage(path):
    """Overwrites 16 KB in the middle of a database with an empty write-ahead log."""
    with sqlite3.connect(path, isolation_level=None) as file:
        file.execute("VACUUM")
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with open(path, "r+b") as file:
        file.seek(path.stat().st_size // 2 // 4096 * 4096)
        file.write(bytes(range(256)) * 64)


def test_a_damaged_database_is_not_backed_up_and_is_reported(make_roost, tmp_path):
    roost = make_roost()
    roost.stop()
    damage(roost.data / "roost.sqlite")
    assert roost.command("check").returncode != 0
    copies = tmp_path / "copies"
    copies.mkdir()
    failed = roost.command("backup", str(copies / "copy.sqlite"))
    assert failed.returncode != 0 and "restore the last good backup" in failed.stderr, failed.stderr
    assert list(copies.iterdir()) == []


@pytest.fixture()
def small_disk(tmp_path):
    """A file system of 6 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("no file system may be mounted here")
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(folder):
    """Fills the disk; returns the file that does."""
    path = folder / "filler"
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"\0" * 4096)
        except OSError:
            pass
    return path


def test_a_full_disk_is_reported_until_there_is_room_again(simulator, small_disk):
    roost = Roost(simulator, small_disk / "data").start()
    try:
        roost.watch("bitcoin")
        filler = fill(small_disk)
        full = eventually("the full disk", lambda: next(
            (answer for answer in [roost.get("/healthz", guest=NOBODY)] if answer.json["status"] == "storageFull"), None))
        assert full.status == 503

        def sign_in():
            return roost.ask(
                "POST", "/api/v1/sessions", {"username": Roost.NAME, "password": Roost.PASSWORD}, guest=NOBODY)

        refused = eventually("a sign-in that is not saved", lambda: next(
            (answer for answer in [sign_in()] if answer.status != 201), None), 60)
        assert (refused.status, refused.json["error"]["code"]) == (507, "storageFull")
        assert roost.get("/watchlist").status == 200
        failed = roost.command("backup", str(small_disk / "copy.sqlite"))
        assert failed.returncode != 0 and "full" in failed.stderr, failed.stderr
        assert sorted(os.listdir(small_disk)) == ["data", "filler"]
        filler.unlink()
        eventually("room again", lambda: roost.get("/healthz", guest=NOBODY).json["status"] == "ok")
        assert sign_in().status == 201
    finally:
        roost.stop()
