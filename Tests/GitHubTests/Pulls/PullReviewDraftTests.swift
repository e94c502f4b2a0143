import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

/// Drafts of reviews, kept until they are sent.
@Suite struct PullReviewDraftTests {
    private let seven = PullFixture.key(7)
    private let head = String(repeating: "a1", count: 20)

    private func withSeven(_ body: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            try await body(fixture)
        }
    }

    private func draft(_ fixture: PullServiceFixture, of user: UserID? = nil) async throws -> PullReview? {
        try await fixture.pulls.database.read {
            try fixture.actions.draft($0, of: seven, by: user ?? fixture.user)
        }
    }

    @Test func `a draft keeps its text, verdict and comments, and only its author sees it`() async throws {
        try await withSeven { fixture in
            let comment = PullReview.LineComment(path: "a.swift", line: 3, startLine: 3, body: "Why?\r\nHow?")
            try await fixture.actions.addComment(comment, head: head, to: seven, by: fixture.user)
            try await fixture.actions.saveDraft(
                .requestChanges, body: "Almost", head: String(repeating: "f", count: 40), of: seven,
                by: fixture.user)
            let draft = try #require(try await draft(fixture))
            #expect(draft.verdict == .requestChanges && draft.body == "Almost")
            #expect(draft.head == head, "the comments' commit")
            #expect(draft.comments == [.init(path: "a.swift", line: 3, body: "Why?\nHow?")])
            #expect(try await self.draft(fixture, of: fixture.other) == nil)
            for _ in 0..<2 {
                try await fixture.actions.removeComment(
                    draft.comments[0].digest, from: seven, by: fixture.user)
            }
            let rest = try #require(try await self.draft(fixture))
            #expect(rest.comments.isEmpty)
            for _ in 0..<2 {
                try await fixture.actions.discardDraft(rest.digest, of: seven, by: fixture.user)
            }
            #expect(try await self.draft(fixture) == nil)
        }
    }

    @Test func `a draft survives GitHub's refusal and is removed once it is sent`() async throws {
        try await withSeven { fixture in
            let saved = try await fixture.actions.saveDraft(
                .comment, body: "Nice", head: head, of: seven, by: fixture.user)
            let failure = GitHubFailure(error: .invalidResponse(statusCode: 422), status: 422)
            fixture.gitHub.turn(act: { _, _, _ in throw failure })
            await #expect(throws: RoostError.self) {
                try await fixture.actions.perform(.review(saved), id: "a", on: seven, for: fixture.user)
            }
            #expect(try await draft(fixture) == saved)
            fixture.gitHub.turn(act: nil)
            _ = try await fixture.actions.perform(.review(saved), id: "a", on: seven, for: fixture.user)
            #expect(try await draft(fixture) == nil)
        }
    }

    @Test func `a draft that was changed while it was sent stays`() async throws {
        try await withSeven { fixture in
            let saved = try await fixture.actions.saveDraft(
                .comment, body: "Nice", head: head, of: seven, by: fixture.user)
            fixture.gitHub.turn(act: { [seven, head] _, _, _ in
                try await fixture.actions.saveDraft(
                    .comment, body: "Nice, but", head: head, of: seven, by: fixture.user)
                return .init(status: 200, body: Data("{}".utf8))
            })
            _ = try await fixture.actions.perform(.review(saved), id: "a", on: seven, for: fixture.user)
            #expect(try await draft(fixture)?.body == "Nice, but")
        }
    }

    @Test func `a form that is sent twice adds and removes one comment`() async throws {
        try await withSeven { fixture in
            for id in ["form 1", "form 1", "form 2"] {
                try await fixture.actions.addComment(
                    .init(path: "a.swift", line: 3, body: "Why?", id: id), head: head, to: seven,
                    by: fixture.user)
            }
            let comments = try #require(try await draft(fixture)).comments
            #expect(comments.map(\.id) == ["form 1", "form 2"])
            for _ in 0..<2 {
                try await fixture.actions.removeComment(comments[0].digest, from: seven, by: fixture.user)
            }
            #expect(try await draft(fixture)?.comments.map(\.id) == ["form 2"])
        }
    }

    @Test func `a draft that was changed after the page was loaded is not discarded`() async throws {
        try await withSeven { fixture in
            let seen = try await fixture.actions.saveDraft(
                .comment, body: "Nice", head: head, of: seven, by: fixture.user)
            let saved = try await fixture.actions.saveDraft(
                .comment, body: "Nice, but", head: head, of: seven, by: fixture.user)
            let error = await #expect(throws: RoostError.self) {
                try await fixture.actions.discardDraft(seen.digest, of: seven, by: fixture.user)
            }
            guard case .conflict("draft", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await draft(fixture) == saved)
        }
    }

    @Test func `a review that is sent twice is one review, with the comments of its draft`() async throws {
        try await withSeven { fixture in
            let comment = PullReview.LineComment(path: "a.swift", line: 3, body: "Why?", id: "form 1")
            try await fixture.actions.addComment(comment, head: head, to: seven, by: fixture.user)
            for _ in 0..<2 {
                _ = try await fixture.actions.perform(
                    .review(PullReview(body: "Nice", head: head)), id: "form 2", on: seven, usesDraft: true,
                    by: .browser(of: fixture.user))
                #expect(try await draft(fixture) == nil)
            }
            #expect(fixture.gitHub.asked.acts.count == 1)
            let sent = try #require(fixture.gitHub.asked.acts.first).body
            #expect(sent.contains("Why?") && sent.contains("Nice") && !sent.contains("form 1"))
        }
    }

    @Test func `comments on lines of two commits are not mixed`() async throws {
        try await withSeven { fixture in
            let comment = PullReview.LineComment(path: "a.swift", line: 3, body: "Why?")
            try await fixture.actions.addComment(comment, head: head, to: seven, by: fixture.user)
            let other = String(repeating: "f", count: 40)
            let error = await #expect(throws: RoostError.self) {
                try await fixture.actions.addComment(comment, head: other, to: seven, by: fixture.user)
            }
            guard case .conflict("head", _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(try await draft(fixture)?.comments.count == 1)
        }
    }

    @Test(arguments: [
        (PullReview.LineComment(path: "", line: 1, body: "x"), "path"),
        (.init(path: "a\nb", line: 1, body: "x"), "path"), (.init(path: "a", line: 0, body: "x"), "line"),
        (.init(path: "a", line: 2, startLine: 3, body: "x"), "startLine"),
        (.init(path: "a", line: 2, startLine: -1, body: "x"), "startLine"),
        (.init(path: "a", line: 2, body: " "), "body"),
        (.init(path: "a", line: 2, body: "x", id: String(repeating: "x", count: 256)), "id"),
    ])
    func `an invalid comment is refused at its field`(comment: PullReview.LineComment, field: String)
        async throws
    {
        try await withSeven { fixture in
            let error = await #expect(throws: RoostError.self) {
                try await fixture.actions.addComment(comment, head: head, to: seven, by: fixture.user)
            }
            guard case .invalid(field, _) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `no draft is removed for another, and a user without the pull request keeps none`()
        async throws
    {
        try await withSeven { fixture in
            let total = PullReviewStore.maximumDrafts
            try await fixture.pulls.database.write { [user = fixture.user] writes in
                for number in 101...(100 + total) {
                    try writes.putPullReviewDraft(
                        PullReview(body: "x"), of: PullFixture.key(number), by: user,
                        at: TestClock.start + Double(number))
                }
            }
            let error = await #expect(throws: RoostError.self) {
                try await fixture.actions.saveDraft(
                    .comment, body: "x", head: head, of: seven, by: fixture.user)
            }
            #expect(error?.message.contains("You have \(total) drafts") == true)
            // One of them can still be changed.
            try await fixture.pulls.database.write { [user = fixture.user] writes in
                try writes.putPullReviewDraft(
                    PullReview(body: "y"), of: PullFixture.key(101), by: user, at: TestClock.start)
            }
            let numbers = try await fixture.database.read {
                try Int.fetchAll($0, sql: "SELECT number FROM pull_review_drafts ORDER BY number")
            }
            #expect(numbers == Array(101...(100 + total)))
            await #expect(throws: RoostError.self) {
                try await fixture.actions.saveDraft(
                    .comment, body: "x", head: head, of: seven, by: fixture.other)
            }
            #expect(try await draft(fixture, of: fixture.other) == nil)
        }
    }
}
