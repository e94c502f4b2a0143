"""Backups: made without being asked, restored, tried out, and next to a program that follows the log as Litestream does."""

import shutil
import sqlite3
import stat

import pytest
from alltests import only_with_all
from program import NOBODY, Roost, eventually


def backups(roost):
    return sorted((roost.data / "backups").glob("roost-*.sqlite"))


@pytest.fixture()
def copy(make_roost, tmp_path):
    """A backup of a stopped Roost that watches Bitcoin."""
    roost = make_roost()
    roost.watch("bitcoin")
    made = roost.command("backup", str(tmp_path / "copy.sqlite"))
    assert made.returncode == 0, made.stderr
    roost.stop()
    return tmp_path / "copy.sqlite"


def coins(path):
    with sqlite3.connect(path) as file:
        return [row[0] for row in file.execute("SELECT coin_id FROM watchlist_items ORDER BY 1")]


@only_with_all
def test_a_server_makes_a_backup_and_reports_its_age(make_roost):
    roost = make_roost()
    roost.watch("bitcoin")
    made = eventually("a backup", lambda: backups(roost), 150)
    assert len(made) == 1 and stat.S_IMODE(made[0].stat().st_mode) == 0o600
    assert coins(made[0]) == ["bitcoin"]
    report = eventually("a good report", lambda: next(
        (backup for backup in [roost.get("/healthz").json["backup"]] if backup["state"] == "ok"), None))
    assert report["count"] == 1 and 0 <= report["ageSeconds"] < 150 and report["nextAt"] and report["bytes"] > 100_000
    assert "backup" not in roost.get("/healthz", guest=NOBODY).json
    metrics = roost.get("/metrics").text.splitlines()
    assert "roost_backup_up 1" in metrics and "roost_backups 1" in metrics
    assert any(line.startswith("roost_backup_age_seconds ") for line in metrics)
    checked = roost.command("check", str(made[0]))
    assert (checked.returncode, checked.stdout) == (0, "No problems found.\n"), checked.stderr


def test_without_backups_no_folder_is_made(make_roost):
    roost = make_roost("--backup-folder", "off")
    assert roost.get("/healthz").json["backup"]["state"] == "off"
    assert not any(line.startswith("roost_backup") for line in roost.get("/metrics").text.splitlines())


def test_a_restore_replaces_a_database_only_by_force_and_keeps_it(make_roost, copy):
    roost = make_roost()
    roost.watch("solana")
    running = roost.command("restore", str(copy), "--force")
    assert running.returncode != 0 and "is running on the data folder" in running.stderr
    roost.stop()
    refused = roost.command("restore", str(copy))
    assert refused.returncode != 0 and "--force" in refused.stderr
    assert coins(roost.data / "roost.sqlite") == ["solana"]
    restored = roost.command("restore", str(copy), "--force")
    assert restored.returncode == 0, restored.stderr
    former = [file for file in roost.data.glob("roost.sqlite-replaced-*") if not file.name.endswith("-wal")]
    assert len(former) == 1 and str(former[0]) in restored.stdout
    assert coins(former[0]) == ["solana"]
    assert stat.S_IMODE((roost.data / "roost.sqlite").stat().st_mode) == 0o600
    roost.start()
    roost.owner = roost.sign_in()
    assert [item["coinId"] for item in roost.items()] == ["bitcoin"]


def test_a_damaged_copy_replaces_nothing(make_roost, copy):
    with open(copy, "r+b") as file:
        file.write(b"not a database" * 100)
    assert "isn't a database" in make_roost().command("check", str(copy)).stdout
    roost = make_roost()
    roost.watch("solana")
    roost.stop()
    refused = roost.command("restore", str(copy), "--force")
    assert refused.returncode != 0 and str(copy) in refused.stderr and "Nothing was changed" in refused.stderr
    assert coins(roost.data / "roost.sqlite") == ["solana"]
    assert not list(roost.data.glob("*.part*"))


def test_a_drill_starts_a_copy_next_to_a_running_server(make_roost, copy):
    roost = make_roost("--backup-folder", "off")
    before = sorted(path.name for path in roost.data.iterdir())
    drill = roost.command("restore", "--drill", str(copy))
    assert drill.returncode == 0, drill.stderr
    assert "watchlist_items\t1\t1\n" in drill.stdout and "The drill succeeded" in drill.stdout
    assert sorted(path.name for path in roost.data.iterdir()) == before
    assert roost.get("/healthz").status == 200


def test_a_damaged_or_foreign_file_is_named_with_the_remedy_at_the_start(make_roost, simulator, tmp_path):
    roost = make_roost()
    roost.stop()
    path = roost.data / "roost.sqlite"
    path.write_bytes(b"not a database" * 1_000)
    newest = roost.data / "backups" / "roost-20261128T030000Z.sqlite"
    newest.parent.mkdir()
    newest.touch()
    with pytest.raises(AssertionError) as failed:
        roost.start()
    for words in (str(path), "roost restore FILE --force", str(newest)):
        assert words in str(failed.value)
    path.unlink()
    with sqlite3.connect(path) as file:
        file.execute("CREATE TABLE recipes (id INTEGER)")
    with pytest.raises(AssertionError, match="is the database of another program: it has the table “recipes”"):
        roost.start()


def test_a_program_that_follows_the_log_gets_all_changes_and_hinders_nothing(make_roost, tmp_path):
    """Copies the file and its log under a read transaction, as Litestream does, while only it empties the log."""
    roost = make_roost()
    path = roost.data / "roost.sqlite"
    follower = sqlite3.connect(path, isolation_level=None, timeout=5)
    follower.execute("PRAGMA wal_autocheckpoint = 0")
    follower.execute("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)")
    follower.execute("CREATE TABLE _litestream_lock (id INTEGER)")
    names = ["bitcoin", "ethereum", "solana", "cardano", "dogecoin"]

    def hold():
        follower.execute("INSERT INTO _litestream_seq VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET seq = seq + 1")
        follower.execute("BEGIN")
        follower.execute("SELECT count(*) FROM _litestream_seq").fetchall()

    hold()
    for name in names:
        roost.watch(name)
        assert roost.get("/healthz").json["status"] == "ok"
        follower.execute("COMMIT")
        follower.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        hold()
    replica = tmp_path / "replica.sqlite"
    shutil.copy(path, replica)
    shutil.copy(f"{path}-wal", f"{replica}-wal")
    assert coins(replica) == sorted(names)
    for command in (["check"], ["backup", str(tmp_path / "copy.sqlite")], ["check", str(tmp_path / "copy.sqlite")]):
        done = roost.command(*command)
        assert done.returncode == 0, done.stdout + done.stderr
    assert roost.stop() == 0
    follower.close()
    restored = Roost.command(roost, "restore", str(replica), "--force")
    assert restored.returncode == 0, restored.stderr
    assert coins(path) == sorted(names)
