"""All data of a user: a file that another program wrote is imported, exported again, and needs little memory both ways."""

import csv
import json
import os
import stat
import subprocess
import threading
import time
import uuid
import zipfile
from pathlib import Path

import pytest
from alltests import only_with_all
from program import BINARY, ROOT

WORDS = ("A lantern over the water shows the way to the boat that left before the morning and will be back with the tide, "
         "says the keeper of the light, who has counted the waves. ")
TIME = "2026-01-02T03:04:05.678Z"


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


def article(number):
    """Some 30 KB, as many articles have."""
    paragraphs = [f"{number}.{index} {WORDS * 3}".strip() for index in range(40)]
    return {
        "url": f"https://example.org/articles/{number}", "title": f"Article {number}", "createdAt": TIME, "savedAt": TIME,
        "updatedAt": TIME, "state": "unread", "tags": ["light", f"year {number % 30}"], "fetchState": "fetched", "kind": "article",
        "content": "".join(f"<p>{text}</p>" for text in paragraphs), "text": "\n".join(paragraphs)}


def write(path, bookmarks, articles, messages):
    """An export of Ada, as AllData.md describes it. Every message has a file."""
    conversation = str(uuid.uuid4())
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("manifest.json", json.dumps({
            "program": "Roost", "kind": "all data", "version": 1, "exportedAt": TIME, "scope": "user", "counts": {},
            "users": [{"folder": "users/1", "username": "ada", "role": "owner"}]}))
        file.writestr("users/1/profile.jsonl", lines([{"username": "ada", "role": "owner", "displayName": "Ada Lovelace"}]))
        file.writestr("users/1/bookmarks.jsonl", lines(
            {"fullName": f"owner{number % 700}/repository-{number}", "note": WORDS, "tags": ["one", f"tag {number % 50}"],
             "addedAt": TIME, "state": "unresolved"} for number in range(bookmarks)))
        with file.open("users/1/articles.jsonl", "w", force_zip64=True) as part:
            for number in range(articles):
                part.write(lines([article(number)]).encode())
        file.writestr("shared/conversations.jsonl", lines([
            {"id": conversation, "isGroup": True, "name": "Crew", "createdAt": TIME,
             "members": [{"user": "ada", "name": "Ada Lovelace"}, {"user": "grace", "name": "Grace Hopper"}]}]))
        names = [(str(uuid.uuid4()), str(uuid.uuid4())) for _ in range(messages)]
        size = 4_096

        def described(id):
            return {"id": id, "name": "notes.bin", "type": "application/octet-stream", "byteCount": size, "url": f"/chat/files/{id}"}
        with file.open("shared/messages.jsonl", "w", force_zip64=True) as part:
            for number, (message, attached) in enumerate(names):
                sender = ("ada", "Ada Lovelace") if number % 2 else ("grace", "Grace Hopper")
                part.write(lines([{
                    "id": message, "conversation": conversation, "sender": sender[0], "senderKey": str(number % 2 + 1),
                    "name": sender[1], "text": f"{number} {WORDS}", "sentAt": TIME, "file": described(attached)}]).encode())
        with file.open("shared/files.jsonl", "w", force_zip64=True) as part:
            for number, (message, attached) in enumerate(names):
                part.write(lines([{
                    "conversation": conversation, "createdAt": TIME, "path": f"files/{attached}", "file": described(attached),
                    "message": {"id": message, "sender": "ada" if number % 2 else "grace", "senderKey": str(number % 2 + 1)},
                }]).encode())
        for _, attached in names:
            file.writestr(f"shared/files/{attached}", os.urandom(size), zipfile.ZIP_STORED)
        file.writestr("shared/members.jsonl", lines([
            {"conversation": conversation, "user": "ada", "isAdmin": True, "joinedAt": TIME, "notify": "all", "joinedAfter": 0,
             "visibleAfter": 0, "delivered": messages, "read": messages}]))


def run(*arguments):
    """Runs a command to its end; returns what it printed and the most memory that it had, in MB."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROOST_")}
    process = subprocess.Popen(
        [BINARY, *map(str, arguments)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    peaks = []

    # `ru_maxrss` would include the memory of this process, which Linux hands on to a child.
    def watch():
        while process.poll() is None:
            status = Path(f"/proc/{process.pid}/status").read_text()
            peaks.extend(int(line.split()[1]) / 1_024 for line in status.splitlines() if line.startswith("VmHWM"))
            time.sleep(.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    output = process.stdout.read()
    watcher.join()
    assert process.returncode == 0, output
    return output, max(peaks)


def counts(path):
    with zipfile.ZipFile(path) as file:
        assert file.testzip() is None
        return json.loads(file.read("manifest.json"))["counts"]


# A command uses some 70 MB with the small file; libzip keeps some 500 bytes for each file.
@pytest.mark.parametrize("bookmarks, articles, messages, megabytes", [
    (200, 40, 300, 150), pytest.param(20_000, 10_000, 50_000, 400, marks=only_with_all)])
def test_a_file_of_another_program_comes_in_and_goes_out_in_little_memory(tmp_path, bookmarks, articles, messages, megabytes):
    given, made, report = tmp_path / "given.zip", tmp_path / "made.zip", tmp_path / "report.csv"
    data = ("--data", tmp_path / "data", "--backup-folder", "off")
    write(given, bookmarks, articles, messages)
    output, used = run("import", given, "--report", report, *data)
    assert "Added without a password: ada." in output
    assert f"bookmarks\t{bookmarks} added" in output and f"articles\t{articles} added" in output, output
    assert f"messages\t{messages} added" in output and f"files\t{messages} added" in output, output
    assert used < megabytes
    with open(report) as file:
        rows = list(csv.reader(file))
    assert len(rows) == 1 + 1 + bookmarks + articles + 1 + 2 * messages + 1
    assert {row[2] for row in rows[1:]} == {"added", "updated"}

    _, used = run("export", "--user", "ada", made, *data)
    assert used < megabytes
    assert stat.S_IMODE(made.stat().st_mode) == 0o600
    found = counts(made)
    assert found["users/1/bookmarks.jsonl"] == bookmarks and found["users/1/articles.jsonl"] == articles
    assert found["shared/messages.jsonl"] == found["shared/files.jsonl"] == messages
    with zipfile.ZipFile(made) as new, zipfile.ZipFile(given) as old:
        files = [name for name in old.namelist() if name.startswith("shared/files/")]
        assert all(new.read(name) == old.read(name) for name in files[::97])
        row = json.loads(new.read("users/1/articles.jsonl").splitlines()[0])
    assert {key: row[key] for key in ("url", "title", "content", "text", "savedAt", "tags")} == {
        key: article(0)[key] for key in ("url", "title", "content", "text", "savedAt", "tags")}

    output, _ = run("import", made, *data)
    assert " added" not in output and " updated" not in output, output


def test_a_running_server_shows_what_a_command_imported(make_roost, tmp_path):
    roost = make_roost()
    write(tmp_path / "given.zip", 3, 2, 4)
    owner = roost.command("user", "list").stdout.split("\t")[0]
    made = roost.command("import", str(tmp_path / "given.zip"), "--user", owner)
    assert made.returncode == 0, made.stderr
    page = roost.get("/bookmarks").text
    assert "repository-2" in page
    assert "Article 1" in roost.get("/reading").text
    assert "Crew" in roost.get("/chat").text
