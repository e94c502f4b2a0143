"""Outgoing webhooks, and the programs of their article, run as it prints them."""

import os
import re
import socket
import subprocess
import sys
from urllib.parse import urlencode

import pytest
from documentation import article
from playwright.sync_api import expect
from program import eventually, free_port

PROGRAMS = {re.match(r"# (\w+\.py)", code)[1]: code for code in re.findall(r"```python\n(.*?)```", article("Webhooks"), re.DOTALL)}


def post(roost, path, **fields):
    answer = roost.ask("POST", path, urlencode(fields, doseq=True))
    assert answer.status == 303, answer.text
    return answer.headers["Location"]


@pytest.fixture
def token(team):
    """A token of Ada's that may write."""
    page = team.roost.get(post(team.roost, "/settings/tokens", name="program", scope="write", days=30)).text
    return re.search(r'value="(roost_[^"]+)"', page)[1]


@pytest.fixture
def run(team, token, tmp_path):
    """Starts a program of the article; the test's end ends it."""
    started = []

    def start(name, **environment):
        file = tmp_path / name
        file.write_text(PROGRAMS[name])
        process = subprocess.Popen(
            [sys.executable, file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, "SERVER": team.roost.url, "TOKEN": token, **environment})
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def allow(roost, origin):
    if origin not in roost.get("/members/webhooks").text:
        post(roost, "/members/webhooks", origin=origin)


def hook(roost, url, *events):
    """Creates a webhook of Ada's; returns it as JSON, with its secret."""
    made = roost.ask("POST", "/api/v1/webhooks", {"url": url, "events": list(events)})
    assert made.status == 201, made.text
    return made.json


def listens(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def log(roost, webhook):
    return roost.get(f"/api/v1/webhooks/{webhook['id']}/deliveries").json["items"]


def test_the_article_has_two_programs_of_about_thirty_lines():
    assert {name: len(code.splitlines()) < 45 for name, code in PROGRAMS.items()} == {"bot.py": True, "save_links.py": True}


def test_the_bot_of_the_article_answers_once(team, run):
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    allow(team.roost, origin)
    webhook = hook(team.roost, origin, "message.arrived")
    run("bot.py", SECRET=webhook["secret"], PORT=str(port))
    eventually("the bot", lambda: listens(port))
    chat = team.group("Dice")
    team.say("grace", chat, "!dice")
    eventually("an answer", lambda: any(text.startswith("You rolled ") for text in team.texts(chat)))
    team.say("grace", chat, "and now?")
    eventually("all deliveries", lambda: [each["state"] for each in log(team.roost, webhook)] == ["delivered", "delivered"])
    first = log(team.roost, webhook)[-1]
    again = team.roost.ask("POST", f"/api/v1/webhooks/{webhook['id']}/deliveries/{first['id']}/send", {})
    assert again.status == 202, again.text
    eventually("the repetition", lambda: log(team.roost, webhook)[-1]["state"] == "delivered")
    assert sum(text.startswith("You rolled ") for text in team.texts(chat)) == 1
    team.roost.ask("DELETE", f"/api/v1/webhooks/{webhook['id']}")


def test_the_bot_of_the_article_refuses_a_wrong_signature(team, run):
    port = free_port()
    origin = f"http://127.0.0.1:{port}"
    allow(team.roost, origin)
    webhook = hook(team.roost, origin, "message.arrived")
    run("bot.py", SECRET="another secret", PORT=str(port))
    eventually("the bot", lambda: listens(port))
    chat = team.group("No dice")
    team.say("grace", chat, "!dice")
    eventually("a refusal", lambda: 401 in [each.get("status") for each in log(team.roost, webhook)])
    assert team.texts(chat) == ["!dice"]
    team.roost.ask("DELETE", f"/api/v1/webhooks/{webhook['id']}")


def test_the_script_of_the_article_saves_links(team, run, running_simulator):
    url = running_simulator.sites()["pages"][0]["url"]
    printed, problems = run("save_links.py").communicate(f"Read <{url}>, then ({url}).\nAlso http://\n", timeout=60)
    assert problems == ""
    assert printed.splitlines() == [f"{url} Article saved."]
    assert url in [item["url"] for item in team.roost.get("/api/v1/articles").json["items"]]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_webhook_is_made_tested_and_deleted_on_its_page(visit, team, scripts):
    page = visit(team.roost, java_script_enabled=scripts).page("/members/webhooks")
    port = free_port()  # no one listens there, so deliveries fail
    page.get_by_role("textbox", name="Address").fill(f"http://127.0.0.1:{port}")
    page.get_by_role("button", name="Allow address").click()
    expect(page.get_by_role("listitem").filter(has_text=f"127.0.0.1:{port}")).to_be_visible()
    page.goto(f"{team.roost.url}/settings/webhooks")
    page.get_by_role("textbox", name="Address").fill("https://not-allowed.example/")
    page.get_by_label("You save an article").check()
    page.get_by_role("button", name="Create webhook").click()
    expect(page.locator(".field-error")).to_be_visible()
    expect(page.get_by_role("textbox", name="Address")).to_have_value("https://not-allowed.example/")
    expect(page.get_by_label("You save an article")).to_be_checked()
    page.get_by_role("textbox", name="Address").fill(f"http://127.0.0.1:{port}/roost")
    page.get_by_role("button", name="Create webhook").click()
    expect(page.locator("input.address")).to_have_value(re.compile("^roosthook_"))
    page.get_by_role("button", name="Send test event").click()

    def has_failed():
        if not scripts:
            page.reload()
        return page.get_by_text("Couldn’t connect.").count() > 0 or page.wait_for_timeout(100)

    eventually("the failure in the log", has_failed)
    page.get_by_text("Delete the webhook").click()
    page.get_by_role("button", name="Delete webhook").click()
    expect(page).to_have_url(re.compile("/settings/webhooks"))
    expect(page.get_by_text(f"127.0.0.1:{port}/roost")).to_have_count(0)
