import Foundation
import Testing

@testable import GitHub
@testable import RoostSimulator

/// The simulated GitHub carries out what Roost sends, and refuses what GitHub refuses.
@Suite struct SimulatedActTests {
    private let gitHub = GitHubSimulation(seed: 7)

    private func send(
        _ method: String, _ target: String, _ body: String, as token: String? = nil
    ) -> SimulatedResponse {
        gitHub.answer(
            GitHubRequest(
                method: method, target: target, token: token ?? GitHubTokens.classic(of: "ada"),
                contentType: "application/json", body: Array(body.utf8)))
    }

    private func path(_ pull: SimulatedPull, _ rest: String = "", _ kind: String = "pulls") -> String {
        "/repos/\(pull.repository.fullName)/\(kind)/\(pull.number)\(rest)"
    }

    private func now(_ pull: SimulatedPull) throws -> SimulatedPull {
        try #require(gitHub.world.moment().pull(key: pull.key))
    }

    private func message(_ answer: SimulatedResponse) -> String {
        String(decoding: answer.body, as: UTF8.self)
    }

    @Test func `every mutation is known and changes the pull request`() throws {
        let pull = try gitHub.thread(on: gitHub.open(.init(draft: true)).key)
        func ask(_ query: String, _ variables: [String: String]) throws -> String {
            let body = try JSONSerialization.data(withJSONObject: ["query": query, "variables": variables])
            return message(send("POST", "/graphql", String(decoding: body, as: UTF8.self)))
        }
        let thread = "PRRT_sim\(pull.id * 10)"
        #expect(try ask(PullMutation.resolve, ["thread": thread]).contains("\"isResolved\":true"))
        #expect(try now(pull).threads[0].isResolved)
        #expect(try ask(PullMutation.unresolve, ["thread": thread]).contains("\"isResolved\":false"))
        #expect(try !now(pull).threads[0].isResolved)
        #expect(try ask(PullMutation.resolve, ["thread": "PRRT_sim1"]).contains("NOT_FOUND"))
        _ = try ask(PullMutation.markReady, ["pull": pull.nodeID])
        #expect(try !now(pull).isDraft)
        let method = ["pull": pull.nodeID, "method": "SQUASH"]
        #expect(
            try ask(PullMutation.autoMerge, method.merging(["head": "x"]) { $1 }).contains("UNPROCESSABLE"))
        _ = try ask(PullMutation.autoMerge, method.merging(["head": pull.head.oid]) { $1 })
        #expect(try now(pull).autoMergeAt != nil)
        _ = try ask(PullMutation.stopAutoMerge, ["pull": pull.nodeID])
        #expect(try now(pull).autoMergeAt == nil)
    }

    @Test func `comments, replies, reviews and requests appear in the pull request`() throws {
        let pull = try gitHub.thread(on: gitHub.open().key)
        #expect(send("POST", path(pull, "/comments", "issues"), #"{"body":"Hi"}"#).status == 201)
        let reply = path(pull, "/comments/\(pull.id * 10 + 100_000)/replies")
        #expect(send("POST", reply, #"{"body":"Yes"}"#).status == 201)
        let review =
            #"{"event":"REQUEST_CHANGES","body":"No","comments":[{"path":"a","line":1,"body":"Why?"}]}"#
        #expect(send("POST", path(pull, "/reviews"), review).status == 200)
        let request = #"{"team_reviewers":["platform"]}"#
        #expect(send("POST", path(pull, "/requested_reviewers"), request).status == 201)
        let after = try now(pull)
        #expect(after.comments.map(\.text) == ["Hi"] && after.comments.map(\.author.login) == ["ada"])
        #expect(after.threads.map { $0.comments.count } == [2, 1])
        #expect(after.reviews.last?.state == .changesRequested && after.reviews.last?.text == "No")
        #expect(after.requests.count == 1)
    }

    @Test func `a merge needs the current head, and nothing happens after it`() throws {
        var pull = try gitHub.open()
        while pull.hasConflict { pull = try gitHub.open() }
        let body = { (sha: String) in #"{"sha":"\#(sha)","merge_method":"squash"}"# }
        #expect(send("PUT", path(pull, "/merge"), body("x")).status == 409)
        #expect(send("PUT", path(pull, "/merge"), body(pull.head.oid)).status == 200)
        #expect(try now(pull).state == .merged)
        #expect(send("PUT", path(pull, "/merge"), body(pull.head.oid)).status == 405)
        #expect(send("PATCH", path(pull), #"{"state":"open"}"#).status == 200)
        #expect(try now(pull).state == .merged)
    }

    @Test func `a closed pull request is reopened`() throws {
        let pull = try gitHub.open()
        #expect(send("PATCH", path(pull), #"{"state":"closed"}"#).status == 200)
        #expect(try now(pull).state == .closed)
        #expect(send("PATCH", path(pull), #"{"state":"open"}"#).status == 200)
        #expect(try now(pull).state == .open)
    }

    @Test func `a branch is updated from the expected head only`() throws {
        let pull = try gitHub.open()
        let body = { (sha: String) in #"{"expected_head_sha":"\#(sha)"}"# }
        #expect(send("PUT", path(pull, "/update-branch"), body("x")).status == 422)
        #expect(send("PUT", path(pull, "/update-branch"), body(pull.head.oid)).status == 202)
        #expect(try now(pull).commits.count == pull.commits.count + 1)
    }

    @Test func `failed jobs run again and pass`() throws {
        let pull = try gitHub.failChecks(of: gitHub.open().key)
        let runs = send(
            "GET", "/repos/\(pull.repository.fullName)/actions/runs?head_sha=\(pull.head.oid)", "")
        #expect(message(runs).contains(#""id":\#(pull.id),"conclusion":"failure""#))
        let again = "/repos/\(pull.repository.fullName)/actions/runs/\(pull.id)/rerun-failed-jobs"
        #expect(send("POST", again, "{}").status == 201)
        guard case .pass = try now(pull).checks.verdict else {
            Issue.record("The checks did not pass.")
            return
        }
    }

    @Test func `authors cannot approve their own pull request, and tokens need a scope`() throws {
        let own = try gitHub.open(.init(author: "ada"))
        let approval = #"{"event":"APPROVE"}"#
        let refused = send("POST", path(own, "/reviews"), approval)
        #expect(refused.status == 422 && message(refused).contains("Can not approve your own pull request"))
        let pull = try gitHub.open()
        gitHub.add(token: "scopeless", login: "ada", scopes: ["read:org"])
        let unscoped = send("POST", path(pull, "/reviews"), approval, as: "scopeless")
        #expect(unscoped.status == 404)
        #expect(unscoped.header("X-Accepted-OAuth-Scopes") == "public_repo, repo")
        #expect(send("POST", path(pull, "/reviews"), approval, as: "unknown").status == 401)
        #expect(try now(pull).reviews.isEmpty)
    }
}
