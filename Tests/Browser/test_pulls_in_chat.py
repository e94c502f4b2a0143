"""Pull requests and their threads in chat."""

import re

from chat import open_chat
from github import asked, connect, refresh
from playwright.sync_api import expect
from program import eventually
from team import Team

TITLE = "Carry the twos"


def address(key, rest=""):
    return "/pulls/" + key.partition("/")[2] + rest


def test_a_card_in_an_open_conversation_shows_the_checks_as_they_change(calm_roost, simulator, visit):
    connect(calm_roost)
    key, name = asked(simulator, calm_roost, TITLE)
    simulator.happen(**{"pass": {"pull": name}})
    refresh(calm_roost)
    team = Team.assemble(calm_roost)
    chat = team.pair()
    team.say("ada", chat, address(key))
    page = open_chat(visit, team, "ada", chat)
    card = page.locator(".message .card")
    expect(card).to_contain_text("Checks passed")
    expect(card).to_have_attribute("href", address(key))
    simulator.happen(fail={"pull": name})
    refresh(calm_roost)
    expect(card).to_contain_text("Checks failed")
    # Grace has no account on GitHub, and sees only the link.
    other = open_chat(visit, team, "grace", chat)
    expect(other.locator(".message .text")).to_contain_text(address(key))
    expect(other.locator(".card")).to_have_count(0)


def test_a_thread_is_shared_and_its_card_leads_to_it(calm_roost, simulator, visit):
    connect(calm_roost)
    key, name = asked(simulator, calm_roost, TITLE)
    simulator.happen(thread={"pull": name})
    simulator.happen(resolve={"pull": name})
    refresh(calm_roost)
    team = Team.assemble(calm_roost)
    chat = team.pair()
    page = visit(calm_roost, java_script_enabled=False).page("about:blank")

    def folded():
        page.goto(address(key))
        return page.locator(".code-thread").count() == 1

    eventually("the thread", folded)
    thread = page.locator(".code-thread")
    expect(thread).not_to_have_attribute("open", "")
    thread.locator("> summary").click()
    thread.get_by_role("link", name="Share this thread").click()
    page.locator(f'.chat-choices a[href*="{chat}"]').click()
    page.locator("#composer").get_by_role("button", name="Send").click()
    card = page.locator(".message .card")
    expect(card).to_contain_text(TITLE)
    card.click()
    expect(page).to_have_url(re.compile(re.escape(address(key)) + r"\?thread=[^#]+#thread-.+"))
    expect(page.locator(".code-thread")).to_have_attribute("open", "")
