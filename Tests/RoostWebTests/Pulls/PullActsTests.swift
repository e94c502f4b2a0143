import Foundation
import TestSupport
import Testing

@testable import GitHub
@testable import GitHubWeb
@testable import HTTPClient
@testable import HTTPServer
@testable import RoostSupport
@testable import RoostWeb

/// The forms that act on a pull request, and what their routes refuse.
@Suite struct PullActsTests {
    private func names(_ forms: [PullActForm?]) -> [String] {
        forms.compactMap(\.self).flatMap(\.buttons).map(\.act.rawValue)
    }

    private func verdicts(_ view: PullActsView) -> [String] { view.review?.verdicts.map(\.value) ?? [] }

    @Test func `the forms carry the commit that the user sees, and an id of their own`() {
        let details = PullDetails.actSample()
        let view = PullActsView(details, draft: nil, login: "ada", account: 7)
        for form in [view.review, view.merge] {
            #expect(form?.head == details.headCommit)
        }
        let acting = [view.comment, view.review, view.merge] + view.changes + view.reviewers
        #expect(acting.allSatisfy { $0?.account == "7" })
        let reply = PullReplyView(PullDetails.actThread, of: details, as: 7)
        #expect(reply.reply?.account == "7" && reply.resolution?.account == "7")
        #expect(rendered(PullActView.sample).contains("name=\"account\" value=\"7\""))
        let ids = ([view.comment, view.review, view.merge] + view.changes + view.reviewers).compactMap {
            $0?.id
        }
        #expect(Set(ids).count == ids.count && ids.allSatisfy { $0.utf8.count > 20 })
    }

    @Test func `only what GitHub allows is offered`() {
        let view = PullActsView(PullDetails.actSample(), draft: nil, login: "ada", account: 7)
        #expect(verdicts(view) == ["comment", "approve", "requestChanges"])
        #expect(view.merge?.methods.map(\.value) == ["squash", "merge"], "known methods in GitHub's order")
        #expect(names(view.changes) == ["updateBranch", "rerunChecks", "close"])
        let waiting = PullDetails.actSample { details in
            details.permissions.canEnableAutoMerge = false
            details.permissions.canDisableAutoMerge = true
        }
        let other = PullActsView(waiting, draft: nil, login: "ada", account: 7)
        #expect(names(other.changes) == ["updateBranch", "stopAutoMerge", "rerunChecks", "close"])
        #expect(names([other.merge]) == ["merge"] && names([view.merge]) == ["merge", "autoMerge"])
        #expect(
            view.reviewers.map { $0.hidden.map(\.value) } == [["hedy"]], "requested ones are not asked again")
        let reader = PullActsView(
            PullDetails.actSample { $0.permissions = .init() }, draft: nil, login: "ada", account: 7)
        #expect(verdicts(reader) == ["comment"] && reader.merge == nil)
        #expect(reader.changes.isEmpty && reader.reviewers.isEmpty)
    }

    @Test func `authors do not judge their own pull request`() {
        let details = PullDetails.actSample()
        let view = PullActsView(details, draft: nil, login: details.pull.authorLogin.uppercased(), account: 7)
        #expect(verdicts(view) == ["comment"])
    }

    @Test func `a draft is shown with its comments on the code`() {
        let view = PullActsView.sample
        #expect(view.review?.text?.value == "Almost <there>")
        #expect(
            view.draftComments.map(\.location) == [
                "Sources/App.swift, lines 9 to 12", "README.md, line 1 before the change",
            ])
    }

    @Test(arguments: [PullRequest.State.closed, .merged])
    func `a draft stays visible when the pull request is no longer open`(state: PullRequest.State) {
        let open = PullDetails.actSample()
        var pull = open.pull
        pull.state = state
        var details = PullDetails(key: open.key, nodeId: "PR_7", pull: pull, fetchedAt: .sample)
        details.headCommit = open.headCommit
        let draft = PullReview(
            verdict: .comment, body: "Almost <there>",
            comments: [.init(path: "a\u{202E}b.swift", line: 12, body: "Why “twice”?")], head: open.headCommit
        )
        let text = rendered(PullActsView(details, draft: draft, login: "ada", account: 7))
        #expect(text.contains("Almost &lt;there&gt;</p>") && text.contains("Why “twice”?"))
        #expect(text.contains("aU+202Eb.swift, line 12"))
        #expect(text.contains("value=\"discardDraft\"") && text.contains("This draft was not sent"))
        #expect(!text.contains("value=\"review\""))
        let none = rendered(PullActsView(details, draft: nil, login: "ada", account: 7))
        #expect(!none.contains("Your review"))
        let sent = rendered(PullActsView(open, draft: draft, login: "ada", account: 7))
        #expect(sent.contains("Almost &lt;there&gt;</textarea>") && !sent.contains("This draft was not sent"))
    }

    @Test func `a draft that is refused keeps its text and verdict`() {
        let view = PullActView(
            layout: .sample, .saveDraft, PullDetails.actSample().key,
            FormState(
                typed: ["body": "Long", "verdict": "requestChanges"], fieldErrors: ["body": "Too long."]),
            isRefused: true)
        #expect(view.form?.text?.value == "Long" && view.form?.text?.error == "Too long.")
        #expect(view.form?.verdicts.first { $0.isChosen }?.value == "requestChanges")
    }

    @Test(
        arguments: [
            ("https://github.com/a/b/pull/1#discussion_r42", 42), ("https://github.com/a/b/pull/1", nil),
            ("https://github.com/a/b/pull/1#discussion_r42x", nil),
            ("#discussion_r99999999999999999999", nil),
        ] as [(String, Int?)])
    func `replies name the first comment by its number`(url: String, number: Int?) {
        #expect(PullReplyView.number(of: url) == number)
    }

    @Test func `what was typed is shown again with the reason, and nothing else is trusted`() {
        let text = rendered(PullActView.sample)
        #expect(text.contains("Fine &lt;b&gt;</textarea>"))
        #expect(
            text.contains(
                "-body-error\">GitHub refused this: “Can not approve your own pull request”"))
        #expect(text.contains("value=\"approve\" checked"))
        #expect(!text.contains("name=\"confirmed\""), "an approval is confirmed again")
    }

    @Test func `an act with an unknown result takes a tick to be sent again`() {
        let typed = ["body": "Hi", "unknown": "yes", "again": "yes"]
        func view(isRefused: Bool) -> PullActView {
            PullActView(
                layout: .sample, .comment, PullDetails.actSample().key, FormState(typed: typed),
                isRefused: isRefused)
        }
        let text = rendered(view(isRefused: true))
        #expect(text.contains("<input type=\"checkbox\" name=\"again\" value=\"yes\" required>"))
        #expect(text.contains("name=\"unknown\" value=\"yes\""))
        #expect(!text.contains("type=\"hidden\" name=\"again\""), "the tick is for one try")
        let hidden = view(isRefused: false).form?.hidden.map(\.name) ?? []
        #expect(hidden.contains("again") && hidden.contains("unknown"), "a confirmation keeps the tick")
        #expect(!rendered(PullActView.sample).contains("name=\"again\""))
    }

    @Test func `an unknown act without the tick is not sent`() async throws {
        try await PullPageControllerTests.withPull { testServer, key in
            _ = try await PullPageControllerTests.conversation(testServer, key)
            let form = "act=comment&body=Hi&id=a&unknown=yes"
            let answer = try await testServer.post(key.page("/acts"), form: form)
            #expect(answer.status == 503 && answer.text.contains("name=\"again\""))
            #expect(answer.text.contains(">Hi</textarea>"))
            let again = try await testServer.post(key.page("/acts"), form: form + "&again=yes")
            #expect(again.status == 303)
        }
    }

    @Test func `an account that is gone is said, and the form names the one that is left`() async throws {
        try await PullPageControllerTests.withPull { testServer, key in
            let page = try await PullPageControllerTests.conversation(testServer, key)
            let shown = try #require(page.firstMatch(of: /name="account" value="([0-9]+)"/)).1
            for account in ["99", "x"] {
                let answer = try await testServer.post(
                    key.page("/acts"), form: "act=comment&body=Hi&account=\(account)")
                #expect(answer.status == 409 && answer.text.contains(">Hi</textarea>"))
                #expect(answer.text.contains("is not connected any more"))
                #expect(answer.text.contains("name=\"account\" value=\"\(shown)\""))
            }
        }
    }

    @Test func `a token acts only with the scope for it`() async throws {
        try await TestServer.with { server async throws in
            let (owner, services) = (server.owner, server.services)
            let writers = [
                try await Guest.bearer(owner, .write, services),
                try await Guest.bearer(owner, limitedTo: ["pulls:write"], services),
            ]
            let path = "/api/v1/pulls/apple/swift-nio/7/acts"
            for writer in writers {
                let answer = try await server.json("POST", path, #"{"act": "close"}"#, as: writer)
                #expect(answer.status == 403)
                #expect(answer.error("message") == "This token lacks the scope “pulls:act”.")
                let form = try await server.post(
                    "/pulls/apple/swift-nio/7/acts", form: "act=close", as: writer)
                #expect(form.status == 403)
            }
            let acting = try await Guest.bearer(owner, limitedTo: ["pulls:act"], services)
            #expect(try await server.json("POST", path, #"{"act": "close"}"#, as: acting).status == 404)
            #expect(try await server.send("GET", "/api/v1/pulls", as: acting).status == 200)
        }
    }

    @Test func `a program that names no host means github-com, in reading and in acting`() throws {
        let parts = PathParameters([("owner", "apple"), ("name", "swift-nio"), ("number", "7")])
        let request = try Request(.get, "/api/v1/pulls/apple/swift-nio/7", parameters: parts)
        #expect(try PullPageQuery(ofProgram: request, .conversation).host == "github.com")
    }

    @Test func `after a push there is nothing to send again`() {
        let view = PullActView(
            layout: .sample, .merge, PullDetails.actSample().key,
            FormState(typed: ["method": "squash"], fieldErrors: ["head": "Someone pushed."]), isRefused: true)
        #expect(view.form == nil && view.message == "Someone pushed.")
        let comment = PullActView(
            layout: .sample, .lineComment, PullDetails.actSample().key,
            FormState(typed: ["body": "Why?"], fieldErrors: ["head": "Of an older commit."]), isRefused: true)
        #expect(comment.form?.text?.value == "Why?" && comment.form?.error == "Of an older commit.")
    }

    @Test func `merging, closing and approving ask first`() {
        let head = String(repeating: "a1", count: 20)
        let asking: [PullAct] = [
            .merge(.squash, head: head), .autoMerge(.merge, head: head), .close,
            .review(PullReview(verdict: .approve, head: head)),
        ]
        let areAsked = asking.allSatisfy { $0.needsConfirmation }
        #expect(areAsked)
        let others: [PullAct] = [
            .comment("x"), .reopen, .review(PullReview(verdict: .requestChanges, head: head)),
        ]
        let isAsked = others.contains { $0.needsConfirmation }
        #expect(!isAsked)
        let view = PullActView(
            layout: .sample, .merge, PullDetails.actSample().key,
            FormState(typed: ["method": "squash", "head": head]), isRefused: false)
        #expect(view.title == "Squash and merge?")
        let hidden = view.form?.hidden.map { "\($0.name)=\($0.value)" } ?? []
        #expect(Set(hidden) == ["method=squash", "confirmed=yes"] && view.form?.head == head)
    }

    @Test func `without an account that sees it, a pull request takes no act, and texts stay`() async throws {
        try await TestServer.with { server in
            for act in PullActKind.allCases {
                let form = "act=\(act.rawValue)&body=Hi&verdict=comment&method=merge"
                let answer = try await server.post("/pulls/apple/swift-nio/7/acts", form: form)
                #expect(answer.status == 409, "\(act)")
                #expect(answer.text.contains("None of your GitHub accounts sees this pull request."))
                if act.hasText { #expect(answer.text.contains(">Hi</textarea>"), "\(act)") }
            }
            let unknown = try await server.post("/pulls/apple/swift-nio/7/acts", form: "act=dance")
            #expect(unknown.status == 404)
            let json = try await server.json(
                "POST", "/api/v1/pulls/apple/swift-nio/7/acts?host=git.example.org",
                #"{"act": "close"}"#)
            #expect(json.status == 404)
        }
    }

    @Test(arguments: [
        (#"{"act": "dance"}"#, "act"), (#"{"body": "x"}"#, "act"),
        (#"{"act": "merge", "head": "x"}"#, "method"),
        (#"{"act": "review", "verdict": "maybe"}"#, "verdict"),
        (
            #"{"act": "review", "verdict": "comment", "comments": [{"path": "a", "line": 1, "side": "left", "body": "x"}]}"#,
            "side"
        ),
        (#"{"act": "review", "verdict": "comment", "comments": [{"path": "a"}]}"#, "comments[0].line"),
    ])
    func `programs get the name of the wrong field`(body: String, field: String) async throws {
        try await TestServer.with { server in
            let answer = try await server.json("POST", "/api/v1/pulls/apple/swift-nio/7/acts", body)
            #expect(answer.status == 422 && answer.error("field") == field, "\(answer.text)")
        }
    }
}
