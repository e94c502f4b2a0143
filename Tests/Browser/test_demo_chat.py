"""The demo's chat shows every state, and its sample users reply."""

import uuid
from urllib.parse import quote

import pytest
from program import NOBODY, Program, eventually

API = "/api/v1/conversations"


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def conversations(demo):
    """Conversations by group name, or by the other person's name."""
    ada = demo.get("/api/v1/me", guest=NOBODY).json["userId"]
    return {each.get("groupName") or next(one["name"] for one in each["members"] if one["userId"] != ada): each
            for each in demo.get(API, guest=NOBODY).json["items"]}


def messages(demo, conversation, query="limit=200"):
    return demo.get(f"{API}/{conversation['id']}/messages?{query}", guest=NOBODY).json["items"]


def unread(conversation):
    return next(iter((conversation.get("unreadCount") or {}).values()), 0)


def test_conversations_show_every_state(demo):
    known = conversations(demo)
    assert {"Engine room", "Release 1.0", "Lunch", "Grace Hopper", "Alan Turing", "Katherine Johnson"} <= known.keys()
    assert known["Engine room"]["groupPhotoURL"] and len(known["Engine room"]["admins"]) == 2
    assert known["Lunch"]["notify"] == "none" and unread(known["Lunch"]) > 0
    assert unread(known["Grace Hopper"]) == 1
    assert known["Release 1.0"]["draft"]


def test_messages_show_every_state(demo):
    known = [message for each in conversations(demo).values() for message in messages(demo, each)]
    assert {message["status"] for message in known} == {"sent", "delivered", "read"}
    for field in ("editedAt", "deletedAt", "replyTo", "imageURL", "reactions"):
        assert any(message.get(field) for message in known), field
    assert any(message.get("file") and not message.get("imageURL") for message in known)
    assert any("```" in message["text"] for message in known)
    assert len({message["sentAt"][:10] for message in known}) >= 4  # days


def test_messages_link_to_a_pull_request_a_repository_and_a_coin(demo):
    texts = "\n".join(message["text"] for each in conversations(demo).values() for message in messages(demo, each))
    assert "/pull/" in texts and "/repositories/" in texts and "/coins/bitcoin" in texts


def test_a_sample_user_reads_types_and_replies(demo):
    grace = conversations(demo)["Grace Hopper"]
    sent = demo.ask("POST", f"{API}/{grace['id']}/messages", {"id": str(uuid.uuid4()), "text": "Hello!"}, guest=NOBODY)
    assert sent.status == 201, sent.text
    seq = sent.json["seq"]

    def is_typing():
        return "Grace" in demo.get(f"/chat/{quote(grace['id'])}/typing", guest=NOBODY).text

    eventually("Grace typing", is_typing)
    answers = eventually("an answer", lambda: [
        message for message in messages(demo, grace, f"after={seq}") if message["senderName"] == "Grace Hopper"])
    assert answers[0]["text"]
    own = next(message for message in messages(demo, grace) if message["seq"] == seq)
    assert own["status"] == "read"


def test_an_absent_sample_user_gets_the_message_later(demo):
    katherine = conversations(demo)["Katherine Johnson"]
    sent = demo.ask("POST", f"{API}/{katherine['id']}/messages", {"id": str(uuid.uuid4()), "text": "Hello!"}, guest=NOBODY)
    assert sent.json["status"] == "sent"
