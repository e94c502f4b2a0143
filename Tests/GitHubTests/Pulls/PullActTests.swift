import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Acts on a pull request by grace, which is in ada's inbox.
@Suite struct PullActTests {
    private let seven = PullFixture.key(7)
    private let head = String(repeating: "a1", count: 20)

    private func withSeven(_ body: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            try await body(fixture)
        }
    }

    private func refusal(_ work: () async throws -> PullActResult) async -> RoostError? {
        do { _ = try await work() } catch { return error as? RoostError }
        return nil
    }

    private func failure(_ status: Int, _ message: String, _ change: (inout GitHubRefusal) -> Void = { _ in })
        -> GitHubFailure
    {
        let error: APIError =
            switch status {
            case 403: .forbidden
            case 500...: .serverError(statusCode: status)
            default: .invalidResponse(statusCode: status)
            }
        var failure = GitHubFailure(error: error, status: status)
        var refusal = GitHubRefusal()
        refusal.message = message
        change(&refusal)
        failure.refusal = refusal
        return failure
    }

    /// The same text for the same JSON.
    private func sorted(_ json: String) throws -> String {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
        return String(
            decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
    }

    // MARK: What is sent

    @Test func `each act is sent to its address with what was typed`() async throws {
        let pull = "/repos/roost/nest/pulls/7"
        let review = PullReview(
            verdict: .requestChanges, body: "*Almost*\n",
            comments: [
                .init(path: "a b.swift", line: 4, body: "Why?"),
                .init(path: "c.swift", line: 9, startLine: 7, isOnOldFile: true, body: "Keep"),
            ], head: head)
        let acts: [(PullAct, String, String, String)] = [
            (
                .comment("Hi **there** <b>\r\nBye"), "POST", "/repos/roost/nest/issues/7/comments",
                #"{"body": "Hi **there** <b>\nBye"}"#
            ),
            (.reply(comment: 42, "Yes"), "POST", pull + "/comments/42/replies", #"{"body": "Yes"}"#),
            (
                .review(review), "POST", pull + "/reviews",
                """
                {"commit_id": "\(head)", "event": "REQUEST_CHANGES", "body": "*Almost*\\n", "comments": [
                {"path": "a b.swift", "line": 4, "side": "RIGHT", "body": "Why?"},
                {"path": "c.swift", "line": 9, "side": "LEFT", "start_line": 7, "start_side": "LEFT", "body": "Keep"}]}
                """
            ),
            (.requestReview(of: "hedy"), "POST", pull + "/requested_reviewers", #"{"reviewers": ["hedy"]}"#),
            (
                .requestReview(of: "roost/core"), "POST", pull + "/requested_reviewers",
                #"{"team_reviewers": ["core"]}"#
            ),
            (
                .merge(.squash, head: head), "PUT", pull + "/merge",
                #"{"sha": "\#(head)", "merge_method": "squash"}"#
            ),
            (
                .updateBranch(head: head), "PUT", pull + "/update-branch",
                #"{"expected_head_sha": "\#(head)"}"#
            ),
            (.close, "PATCH", pull, #"{"state": "closed"}"#),
            (.reopen, "PATCH", pull, #"{"state": "open"}"#),
        ]
        try await withSeven { fixture in
            for (index, (act, method, path, body)) in acts.enumerated() {
                let result = try await fixture.actions.perform(
                    act, id: "act \(index)", on: seven, for: fixture.user)
                let sent = try #require(fixture.gitHub.asked.acts.last)
                #expect(fixture.gitHub.asked.acts.count == index + 1)
                #expect(sent.method == method && sent.path == path)
                #expect(try sorted(sent.body) == sorted(body))
                #expect(result.url == "https://github.com/roost/nest/pull/7#new")
                #expect(!result.message.isEmpty)
            }
        }
    }

    @Test func `conversations are resolved and reopened by their node ids`() async throws {
        try await withSeven { fixture in
            let asked = Shared<[String]>([])
            fixture.gitHub.turn(graphQL: { query, variables in
                asked.set(asked.value + ["\(query.prefix { $0 != "(" }) \(variables["thread"] ?? "")"])
                return #"{"data":{"resolveReviewThread":{"thread":{"isResolved":true}}}}"#
            })
            for act in [PullAct.resolve(thread: "PRRT_1"), .unresolve(thread: "PRRT_2")] {
                _ = try await fixture.actions.perform(act, id: "a", on: seven, for: fixture.user)
            }
            #expect(asked.value == ["mutation ResolveThread PRRT_1", "mutation UnresolveThread PRRT_2"])
        }
    }

    @Test func `failed runs of this commit are started again, and others are not`() async throws {
        try await withSeven { fixture in
            fixture.gitHub.turn(rest: { path, _ in
                #expect(path.hasPrefix("/repos/roost/nest/actions/runs?head_sha=\(head)&"))
                let runs = [(1, "success"), (2, "failure"), (3, "timed_out"), (4, "cancelled")].map {
                    #"{"id": \#($0), "conclusion": "\#($1)"}"#
                }
                let body =
                    #"{"workflow_runs": [\#(runs.joined(separator: ",")), {"id": 5, "conclusion": null}]}"#
                return .init(status: 200, body: Data(body.utf8))
            })
            fixture.gitHub.turn(act: { _, _, _ in .init(status: 201, body: Data()) })
            _ = try await fixture.actions.perform(
                .rerunChecks(head: head), id: "a", on: seven, for: fixture.user)
            let runs = "/repos/roost/nest/actions/runs"
            #expect(
                fixture.gitHub.asked.acts.map(\.path)
                    == ["\(runs)/2/rerun-failed-jobs", "\(runs)/3/rerun-failed-jobs"])
            fixture.gitHub.turn(rest: { _, _ in .init(status: 200, body: Data(#"{"workflow_runs": []}"#.utf8))
            })
            let error = await refusal {
                try await fixture.actions.perform(
                    .rerunChecks(head: head), id: "b", on: seven, for: fixture.user)
            }
            #expect(error?.message.contains("no failed run") == true)
        }
    }

    @Test func `a mutation is sent once like any act, and a query is no act`() throws {
        let call = { try GitHubAPI.call(query: $0, variables: [:], at: Self.host, token: nil) }
        for mutation in PullMutation.all {
            let isAct = try call(mutation).isAct
            #expect(isAct, "\(mutation)")
        }
        let isAct = try call("query Viewer { viewer { login } }").isAct
        #expect(!isAct)
    }

    private static let host = GitHubHosts().standard

    @Test func `what has begun is said, although a later run is refused`() async throws {
        try await withSeven { fixture in
            fixture.gitHub.turn(rest: { _, _ in
                let runs = [1, 2, 3].map { #"{"id": \#($0), "conclusion": "failure"}"# }
                let body = #"{"workflow_runs": [\#(runs.joined(separator: ","))]}"#
                return .init(status: 200, body: Data(body.utf8))
            })
            let failure = self.failure(403, "This run is too old")
            fixture.gitHub.turn(act: { _, path, _ in
                guard path.contains("/runs/1/") else { throw failure }
                return .init(status: 201, body: Data())
            })
            let result = try await fixture.actions.perform(
                .rerunChecks(head: head), id: "a", on: seven, for: fixture.user)
            #expect(result.message.contains("of 1 of 3 runs again"))
            #expect(result.message.contains("“This run is too old”"))
            #expect(fixture.gitHub.asked.acts.count == 2)
        }
    }

    @Test(arguments: ["..", ".", "a/b", "a b", ""])
    func `nothing is sent for a name that GitHub does not allow`(name: String) async throws {
        try await withSeven { fixture in
            for key in [
                PullKey(host: "github.com", owner: "roost", name: name, number: 7),
                PullKey(host: "github.com", owner: name, name: "nest", number: 7),
            ] {
                for account in [nil, 1] as [GitHubAccountID?] {
                    let error = await refusal {
                        try await fixture.actions.perform(
                            .comment("Hi"), id: "a", on: key, as: account, for: fixture.user)
                    }
                    guard case .notFound = error else {
                        Issue.record("\(String(describing: error))")
                        return
                    }
                }
                await #expect(throws: RoostError.self) {
                    try await fixture.actions.saveDraft(
                        .comment, body: "x", head: head, of: key, by: fixture.user)
                }
            }
            #expect(fixture.gitHub.asked.acts.isEmpty)
        }
    }

    @Test(arguments: [
        (PullAct.comment(" \n"), "body"), (.comment(String(repeating: "x", count: 65_537)), "body"),
        (.reply(comment: 0, "x"), "comment"), (.resolve(thread: ""), "thread"),
        (.resolve(thread: "a b"), "thread"), (.merge(.merge, head: "main"), "head"),
        (.merge(.merge, head: ""), "head"), (.requestReview(of: "../x/y"), "reviewer"),
        (.requestReview(of: ""), "reviewer"), (.updateBranch(head: "ABC"), "head"),
        (.review(PullReview(head: String(repeating: "0", count: 40))), "body"),
        (.review(PullReview(verdict: .approve)), "head"),
    ])
    func `an act with an invalid field is refused at the field, and nothing is sent`(
        act: PullAct, field: String
    ) async throws {
        try await withSeven { fixture in
            let error = await refusal {
                try await fixture.actions.perform(act, id: "a", on: seven, for: fixture.user)
            }
            guard case .invalid(field, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(fixture.gitHub.asked.acts.isEmpty)
        }
    }

    // MARK: Never sent twice

    @Test
    func
        `a repeated act gets the first result, also after a restart, and for another text it is another act`()
        async throws
    {
        try await withSeven { fixture in
            let first = try await fixture.actions.perform(
                .comment("Hi"), id: "form 1", on: seven, for: fixture.user)
            fixture.gitHub.turn(act: { _, _, _ in throw CancellationError() })
            let restarted = PullActions(pulls: fixture.pulls, audit: fixture.audit)
            for actions in [fixture.actions, restarted] {
                let again = try await actions.perform(
                    .comment("Hi"), id: "form 1", on: seven, for: fixture.user)
                #expect(again == first)
            }
            #expect(fixture.gitHub.asked.acts.count == 1)
            fixture.gitHub.turn(act: nil)
            for (id, text) in [("form 1", "Ho"), ("form 2", "Hi")] {
                _ = try await restarted.perform(.comment(text), id: id, on: seven, for: fixture.user)
            }
            #expect(fixture.gitHub.asked.acts.count == 3)
        }
    }

    @Test func `a double click is one act, even if the first caller leaves`() async throws {
        try await withSeven { fixture async throws in
            let (began, mayAnswer) = (AsyncSignal(), AsyncSignal())
            fixture.gitHub.turn(act: { _, _, _ in
                began.fire()
                await mayAnswer.wait()
                return .init(status: 201, body: Data("{}".utf8))
            })
            let click = { @Sendable [seven] in
                try await fixture.actions.perform(.close, id: "form", on: seven, for: fixture.user)
            }
            let first = Task { try await click() }
            await began.wait()
            first.cancel()
            let second = Task { try await click() }
            mayAnswer.fire()
            #expect(try await second.value.message == "Closed.")
            #expect(fixture.gitHub.asked.acts.count == 1)
        }
    }

    @Test(arguments: [
        GitHubFailure(error: .timedOut), GitHubFailure(error: .interrupted),
        GitHubFailure(error: .serverError(statusCode: 502), status: 502),
        GitHubFailure(error: .invalidResponse(statusCode: 200), status: 200),
    ])
    func `an act without an answer is unknown, and is not sent again`(failure: GitHubFailure) async throws {
        try await withSeven { fixture in
            fixture.gitHub.turn(act: { _, _, _ in throw failure })
            for _ in 0..<2 {
                let error = await refusal {
                    try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
                }
                #expect(error == PullActError.unknown)
                fixture.gitHub.turn(act: nil)
            }
            #expect(fixture.gitHub.asked.acts.count == 1)
        }
    }

    @Test func `an act that did not reach GitHub or was refused can be sent again`() async throws {
        let failures = [
            GitHubFailure(error: .networkUnavailable), GitHubFailure(error: .untrusted),
            GitHubFailure(error: .rateLimited(resetDate: TestClock.start + 60), retryAfter: 60),
            failure(422, "No"), failure(403, "No"), failure(404, "Not Found"),
        ]
        try await withSeven { fixture in
            for failure in failures {
                fixture.gitHub.turn(act: { _, _, _ in throw failure })
                let error = await refusal {
                    try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
                }
                #expect(error != nil && error != PullActError.unknown)
            }
            fixture.gitHub.turn(act: nil)
            _ = try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
            #expect(fixture.gitHub.asked.acts.count == failures.count + 1)
        }
    }

    @Test func `a stop ends the acts that run and refuses others, and no act is sent again`() async throws {
        try await withSeven { fixture async throws in
            let began = AsyncSignal()
            fixture.gitHub.turn(act: { _, _, _ in
                began.fire()
                try await Task.sleep(for: .seconds(3_600))
                return .init(status: 201, body: Data("{}".utf8))
            })
            let click = { @Sendable [seven] in
                try await fixture.actions.perform(.close, id: "form", on: seven, for: fixture.user)
            }
            let first = Task { try await click() }
            await began.wait()
            await fixture.actions.stop()
            await #expect(throws: PullActError.unknown) { try await first.value }
            guard case .unavailable = await refusal({ try await click() }) else {
                Issue.record("an act after the stop")
                return
            }
            let restarted = PullActions(pulls: fixture.pulls, audit: fixture.audit)
            let again = await refusal {
                try await restarted.perform(.close, id: "form", on: seven, for: fixture.user)
            }
            #expect(again == PullActError.unknown && fixture.gitHub.asked.acts.count == 1)
        }
    }

    // MARK: The log

    @Test func `each act is in the log once, without its texts`() async throws {
        try await withSeven { fixture in
            let program = PullActor(
                user: fixture.user, name: "ada", token: "Bot", client: ClientInfo(address: "192.168.1.8"))
            for actor in [program, program, .browser(of: fixture.user)] {
                _ = try await fixture.actions.perform(.comment("Secret"), id: "a", on: seven, by: actor)
            }
            fixture.gitHub.turn(act: { _, _, _ in throw GitHubFailure(error: .timedOut) })
            _ = await refusal {
                try await fixture.actions.perform(
                    .merge(.merge, head: head), id: "b", on: seven, for: fixture.user)
            }
            let refused = failure(422, "No")
            fixture.gitHub.turn(act: { _, _, _ in throw refused })
            _ = await refusal {
                try await fixture.actions.perform(.close, id: "c", on: seven, for: fixture.user)
            }
            let entries = try await fixture.audit.entries()
            #expect(
                entries.map { "\($0.kind) \($0.actor) \($0.address) \($0.detail)" } == [
                    "pullAct ada 192.168.1.7 merge, \(seven), result unknown",
                    "pullAct ada 192.168.1.8 comment, \(seven), by the token “Bot”",
                ])
        }
    }

    // MARK: Whose account

    @Test func `an act uses the account that the page showed, and no other`() async throws {
        try await withSeven { fixture in
            let (second, others) = (PullScript(), PullScript())
            fixture.accounts.connect(2, to: second, for: fixture.user)
            fixture.accounts.connect(3, to: others, for: fixture.other)
            _ = try await fixture.actions.perform(
                .comment("Hi"), id: "a", on: seven, as: 2, for: fixture.user)
            #expect(second.asked.acts.count == 1)
            fixture.accounts.disconnect(2)
            for account in [2, 3, 0] as [GitHubAccountID] {
                let error = await refusal {
                    try await fixture.actions.perform(
                        .comment("Ho"), id: "b", on: seven, as: account, for: fixture.user)
                }
                guard case .conflict("account", let why) = error else {
                    Issue.record("\(account): \(String(describing: error))")
                    return
                }
                #expect(why.contains("your account ada does it"))
            }
            #expect(second.asked.acts.count == 1)
            #expect(fixture.gitHub.asked.acts.isEmpty && others.asked.acts.isEmpty)
        }
    }

    @Test func `an act uses only the user's own account`() async throws {
        try await withSeven { fixture in
            let error = await refusal {
                try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.other)
            }
            guard case .notFound = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            let gitHub = PullScript()
            fixture.accounts.connect(2, to: gitHub, for: fixture.other)
            gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.pulls.refresh(fixture.other)
            _ = try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.other)
            #expect(gitHub.asked.acts.count == 1)
            #expect(fixture.gitHub.asked.acts.isEmpty)
        }
    }

    @Test func `an account that is not connected sends nothing`() async throws {
        try await withSeven { fixture in
            fixture.accounts.change(1) { $0.state = .unauthenticated }
            let error = await refusal {
                try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
            }
            #expect(error != nil && fixture.gitHub.asked.acts.isEmpty)
        }
    }

    // MARK: Refusals

    @Test(arguments: [
        (PullAct.merge(.merge, head: String(repeating: "b", count: 40)), 409, "Head branch was modified."),
        (
            .updateBranch(head: String(repeating: "b", count: 40)), 422,
            "expected_head_sha didn’t match current head ref."
        ),
    ])
    func `a push since the user looked is said in a sentence`(act: PullAct, status: Int, message: String)
        async throws
    {
        try await withSeven { fixture in
            let failure = self.failure(status, message)
            fixture.gitHub.turn(act: { _, _, _ in throw failure })
            let error = await refusal {
                try await fixture.actions.perform(act, id: "a", on: seven, for: fixture.user)
            }
            #expect(error == PullActSender.otherHead)
        }
    }

    @Test func `an approval of another commit than the current one is not sent`() async throws {
        try await withSeven { fixture in
            let current = Shared("b\(head.dropFirst())")
            fixture.gitHub.turn(rest: { path, _ in
                #expect(path == "/repos/roost/nest/pulls/7")
                let body = #"{"node_id": "PR_7", "head": {"sha": "\#(current.value)"}}"#
                return .init(status: 200, body: Data(body.utf8))
            })
            let review = PullAct.review(PullReview(verdict: .approve, head: head))
            let error = await refusal {
                try await fixture.actions.perform(review, id: "a", on: seven, for: fixture.user)
            }
            #expect(error == PullActSender.otherHead && fixture.gitHub.asked.acts.isEmpty)
            current.set(head)
            let result = try await fixture.actions.perform(review, id: "a", on: seven, for: fixture.user)
            #expect(result.message == "Approved.")
        }
    }

    @Test func `GitHub's reason is shown in its words`() async throws {
        try await withSeven { fixture in
            let failures = [
                (failure(422, "Can not approve your own pull request"), "body"),
                (failure(405, "Pull Request is not mergeable"), "act"),
            ]
            for (failure, field) in failures {
                fixture.gitHub.turn(act: { _, _, _ in throw failure })
                let error = await refusal {
                    try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
                }
                #expect(error?.message == "GitHub refused this: “\(failure.refusal?.message ?? "")”")
                switch error {
                case .invalid(let named, _), .conflict(let named, _): #expect(named == field)
                default: Issue.record("\(String(describing: error))")
                }
            }
        }
    }

    @Test func `a token without the scope or the permission gets a sentence that names it`() async throws {
        try await withSeven { fixture in
            fixture.accounts.change(1) { $0.scopes = ["read:org"] }
            let byScope = failure(404, "Not Found") { refusal in
                refusal.acceptedScopes = ["public_repo", "repo"]
                refusal.tokenScopes = ["read:org"]
            }
            for failure in [byScope, failure(404, "Not Found")] {
                fixture.gitHub.turn(act: { _, _, _ in throw failure })
                let error = await refusal {
                    try await fixture.actions.perform(
                        .merge(.merge, head: head), id: "a", on: seven, for: fixture.user)
                }
                #expect(
                    error
                        == .notAllowed(
                            "Your GitHub token lacks the scope “repo”, which it needs to merge. Connect the "
                                + "account again with a token that has it."))
            }
            fixture.accounts.change(1) { ($0.scopes, $0.isFineGrained) = ([], true) }
            let byPermission = failure(403, "Resource not accessible by personal access token") {
                $0.permissions = "pull_requests=write"
            }
            fixture.gitHub.turn(act: { _, _, _ in throw byPermission })
            let error = await refusal {
                try await fixture.actions.perform(.comment("Hi"), id: "a", on: seven, for: fixture.user)
            }
            #expect(error?.message.contains("pull_requests=write") == true)
            guard case .notAllowed = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a refusal by GraphQL is an error although its status is 200`() async throws {
        try await withSeven { fixture in
            fixture.gitHub.turn(graphQL: { _, _ in
                #"{"data":{"resolveReviewThread":null},"errors":[{"type":"FORBIDDEN","path":["resolveReviewThread"],"message":"ada does not have permission"}]}"#
            })
            let error = await refusal {
                try await fixture.actions.perform(
                    .resolve(thread: "PRRT_1"), id: "a", on: seven, for: fixture.user)
            }
            #expect(error == .notAllowed("GitHub refused this: “ada does not have permission”"))
        }
    }
}
