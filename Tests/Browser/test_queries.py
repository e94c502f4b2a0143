"""Every GraphQL query that Roost sends is valid by GitHub's recorded schema."""

import json
import os
from pathlib import Path

import pytest
from github import connect, refresh
from graphql import build_client_schema, parse, validate
from playwright.sync_api import expect
from program import ROOT, eventually

SCHEMA = ROOT.parent / "shared" / "recordings" / "github" / "gh-dash" / "api.github.com.graphql-schema.json"


@pytest.fixture(scope="module")
def schema():
    if not Path(SCHEMA).exists() and os.environ.get("CI") != "true":
        pytest.skip("the recordings are not at ../shared/recordings")
    # Ignores errors in GitHub's own schema, such as deprecations that differ from an interface's.
    return build_client_schema(json.loads(SCHEMA.read_text())["data"], assume_valid=True)


def queries(simulator):
    """Each GraphQL query so far, with the names of its variables."""
    bodies = [json.loads(request["body"]) for request in simulator.requests() if request["path"].endswith("/graphql")]
    return {body["query"]: set(body.get("variables") or {}) for body in bodies}


def test_every_query_of_the_inbox_is_valid(schema, calm_roost, simulator):
    assert simulator.ask("DELETE", "/_simulator/requests").status == 200
    connect(calm_roost)
    added = calm_roost.ask("POST", "/pulls/sections", "name=Open&query=is%3Aopen+sort%3Aupdated")
    assert added.status == 303, added.text
    refresh(calm_roost)
    # After a push `mergeable` is unknown, and Roost requests it again in a separate query.
    mine = next(item for item in calm_roost.get("/api/v1/pulls").json["sections"] if item["id"] == "yours")["items"][0]
    simulator.happen(push={"pull": mine["id"]})
    refresh(calm_roost)
    eventually("the query for the unknown states", lambda: any("nodes(ids" in query for query in queries(simulator)))
    assert_valid(schema, queries(simulator))


def assert_valid(schema, queries):
    for query, variables in queries.items():
        document = parse(query)
        assert validate(schema, document) == [], query
        asked = {each.variable.name.value for each in document.definitions[0].variable_definitions}
        assert asked == variables, query


def test_every_query_about_repositories_is_valid(schema, calm_roost, simulator, visit):
    connect(calm_roost)
    assert simulator.ask("DELETE", "/_simulator/requests").status == 200
    page = visit(calm_roost).page("/repositories?since=0")
    expect(page.locator(".list-side .stars").first).to_be_visible()
    sent = queries(simulator)
    assert any("on Repository" in query for query in sent), sent
    assert_valid(schema, sent)
