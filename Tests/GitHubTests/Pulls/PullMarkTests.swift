import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostSupport

@Suite struct PullMarkTests {
    private let seven = PullFixture.key(7)

    /// A pull request by grace that requests ada's review, with changes to it.
    private func set(_ fixture: PullServiceFixture, head: String = "one", _ more: String = #""x":1"#) {
        fixture.gitHub.set(
            .reviewRequested, PullFixture.node(7, PullFixture.asks("ada"), #""headRefOid":"\#(head)""#, more))
    }

    private func withSeven(_ body: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            set(fixture)
            await fixture.refresh()
            #expect(try await fixture.numbers("turn") == [7])
            try await body(fixture)
        }
    }

    private func refreshed(_ fixture: PullServiceFixture) async throws -> [Int] {
        fixture.clock.advance(60)
        await fixture.refresh()
        return try await fixture.numbers("turn")
    }

    private let laterComment =
        #""comments":{"nodes":[\#(PullFixture.comment("hedy", "2026-11-10T12:00:30Z"))]}"#

    @Test
    func `a pull request snoozed until a time is hidden, listed as hidden, and comes back automatically`()
        async throws
    {
        try await withSeven { fixture in
            let until = fixture.clock.now + 3_600
            try await fixture.pulls.mark(seven, .snoozedUntil(until), for: fixture.user)
            #expect(try await fixture.numbers("turn").isEmpty)
            #expect(try await fixture.inbox.waiting == 0)
            let hidden = try #require(try await fixture.inbox.hidden.first)
            #expect(hidden.key == seven && hidden.mark == .snoozedUntil(until) && hidden.pull?.number == 7)
            fixture.clock.advance(3_599)
            #expect(try await fixture.numbers("turn").isEmpty)
            fixture.clock.advance(1)
            #expect(try await fixture.numbers("turn") == [7])
            #expect(try await fixture.inbox.hidden.isEmpty)
            #expect(try await fixture.inbox.waiting == 1)
        }
    }

    @Test func `the end of a snooze is published, and its mark is deleted from the disk`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .snoozedUntil(fixture.clock.now + 100), for: fixture.user)
            let before = fixture.feed.version(of: [Topic.waiting(fixture.user)])
            fixture.clock.advance(100)
            await fixture.pulls.refreshDue()
            #expect(fixture.feed.version(of: [Topic.waiting(fixture.user)]) > before)
            let restarted = fixture.restarted()
            #expect(try await restarted.inbox(of: fixture.user).hidden.isEmpty)
            let count = try await fixture.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM pull_marks")
            }
            #expect(count == 0)
        }
    }

    @Test(arguments: ["push", "comment", "checks"])
    func `a pull request snoozed until it changes comes back with the next change`(change: String)
        async throws
    {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .snoozedUntilChange, for: fixture.user)
            #expect(try await refreshed(fixture).isEmpty)
            switch change {
            case "push": set(fixture, head: "two")
            case "comment": set(fixture, laterComment)
            default: set(fixture, #""statusCheckRollup":{"state":"FAILURE"}"#)
            }
            #expect(try await refreshed(fixture) == [7])
            // It has come back: the same change does not hide it again.
            set(fixture)
            #expect(try await refreshed(fixture) == [7])
        }
    }

    @Test func `the reader's own comments, bots, labels and starting checks are not changes`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .snoozedUntilChange, for: fixture.user)
            let later = "2026-11-10T12:00:30Z"
            let bot = #"{"createdAt":"\#(later)","author":{"__typename":"Bot","login":"lint"}}"#
            for more in [
                #""comments":{"nodes":[\#(PullFixture.comment("ada", later)),\#(bot)]}"#,
                #""labels":{"nodes":[{"name":"bug","color":"d73a4a"}]}"#,
                #""statusCheckRollup":{"state":"PENDING"}"#,
            ] {
                set(fixture, more)
                #expect(try await refreshed(fixture).isEmpty, "\(more)")
            }
        }
    }

    @Test(arguments: [PullMark.done, .snoozedUntilChange])
    func `it comes back when its draft becomes ready, and when its review is requested again`(mark: PullMark)
        async throws
    {
        let requestNode = { (day: Int) in
            #"""
            "timelineItems":{"nodes":[{"__typename":"ReviewRequestedEvent","createdAt":"2026-11-0\#(day)T10:00:00Z",
            "requestedReviewer":{"__typename":"User","login":"ada"}}]}
            """#
        }
        try await withPulls { fixture in
            set(fixture, #""isDraft":true"#)
            await fixture.refresh()
            try await fixture.pulls.mark(seven, mark, for: fixture.user)
            #expect(try await refreshed(fixture).isEmpty)
            set(fixture, #""isDraft":false"#)
            #expect(try await refreshed(fixture) == [7])
            set(fixture, requestNode(4))
            await fixture.refresh()
            try await fixture.pulls.mark(seven, mark, for: fixture.user)
            #expect(try await refreshed(fixture).isEmpty)
            set(fixture, requestNode(5))
            #expect(try await refreshed(fixture) == [7])
        }
    }

    @Test(arguments: [PullMark.done, .snoozedUntilChange])
    func `it comes back when running checks fail, and not when they pass`(mark: PullMark) async throws {
        try await withPulls { fixture in
            set(fixture, #""statusCheckRollup":{"state":"PENDING"}"#)
            await fixture.refresh()
            try await fixture.pulls.mark(seven, mark, for: fixture.user)
            set(fixture, #""statusCheckRollup":{"state":"SUCCESS"}"#)
            #expect(try await refreshed(fixture).isEmpty)
            set(fixture, #""statusCheckRollup":{"state":"FAILURE"}"#)
            #expect(try await refreshed(fixture) == [7])
        }
    }

    @Test func `a mark of an older Roost, which stored less, still applies`() async throws {
        try await withPulls { fixture in
            set(
                fixture,
                #"""
                "timelineItems":{"nodes":[{"__typename":"ReadyForReviewEvent","createdAt":"2026-11-05T10:00:00Z"},
                {"__typename":"ReviewRequestedEvent","createdAt":"2026-11-05T10:00:00Z",
                "requestedReviewer":{"__typename":"User","login":"ada"}}]}
                """#)
            try await fixture.database.write { database in
                try database.execute(
                    sql: """
                        INSERT INTO pull_marks (user_id, host, owner, name, number, kind, seen, marked_at)
                        VALUES (1, 'github.com', 'roost', 'nest', 7, 'done', ?, 1790000000)
                        """,
                    arguments: [#"{"hasDetail":true,"updated":0,"reasons":["name"]}"#])
            }
            let restarted = fixture.restarted()
            await restarted.refresh(fixture.user)
            #expect(try await restarted.inbox(of: fixture.user).hidden.map(\.key) == [seven])
        }
    }

    @Test func `a muted pull request never comes back automatically, in any section`() async throws {
        try await withSeven { fixture in
            let section = try await fixture.pulls.addSection(name: "All", query: "is:pr", for: fixture.user)
            fixture.gitHub.set(query: "is:pr", PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(try await fixture.numbers("own-\(section.id)") == [7])
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            set(fixture, head: "two", laterComment)
            #expect(try await refreshed(fixture).isEmpty)
            #expect(try await fixture.inbox.sections.allSatisfy { $0.items.isEmpty })
            #expect(try await fixture.inbox.hidden.count == 1)
            try await fixture.pulls.unmark(seven, for: fixture.user)
            #expect(try await fixture.numbers("turn") == [7])
            #expect(try await fixture.inbox.hidden.isEmpty)
        }
    }

    @Test func `a pull request marked done comes back when it is the reader's turn again`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .done, for: fixture.user)
            #expect(try await refreshed(fixture).isEmpty)
            // Reviewed in the meantime: it is not the reader's turn, whatever happens.
            fixture.gitHub.set(.reviewRequested)
            fixture.gitHub.set(.mentions, PullFixture.node(7, #""headRefOid":"two""#))
            #expect(try await refreshed(fixture).isEmpty)
            #expect(try await fixture.numbers("mentions").isEmpty)
            set(fixture, head: "two")
            #expect(try await refreshed(fixture) == [7])
        }
    }

    @Test func `a pull request marked done comes back for a new reason`() async throws {
        try await withPulls { fixture in
            let own = { (more: String) in PullFixture.node(7, author: "ada", more) }
            fixture.gitHub.set(.yours, own(#""statusCheckRollup":{"state":"FAILURE"}"#))
            await fixture.refresh()
            try await fixture.pulls.mark(seven, .done, for: fixture.user)
            #expect(try await refreshed(fixture).isEmpty)
            fixture.gitHub.set(
                .yours, own(#""reviewDecision":"APPROVED","statusCheckRollup":{"state":"FAILURE"}"#))
            #expect(try await refreshed(fixture) == [7])
            #expect(try await fixture.item(7)?.reasons == [.checksFail, .approvedUnmerged])
        }
    }

    @Test func `an outage brings nothing back`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .snoozedUntilChange, for: fixture.user)
            fixture.gitHub.fail(.networkUnavailable)
            #expect(try await refreshed(fixture).isEmpty)
            #expect(try await fixture.inbox.hidden.map(\.key) == [seven])
        }
    }

    @Test func `losing and regaining detail is not a change`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .snoozedUntilChange, for: fixture.user)
            let failure = GitHubFailure(error: .invalidResponse(statusCode: 404), status: 404)
            fixture.gitHub.turn(graphQL: { _, _ in throw failure })
            fixture.gitHub.turn(rest: { _, _ in
                .init(
                    status: 200,
                    body: PullFixture.search([PullFixture.item(7, updatedAt: "2026-11-10T12:00:30Z")]))
            })
            // GraphQL has worked before: Roost falls back only after the third refusal in a row.
            for _ in 0..<3 { #expect(try await refreshed(fixture).isEmpty) }
            #expect(try await fixture.source?.hasLessDetail == true)
            fixture.gitHub.recover()
            fixture.clock.advance(600)
            #expect(try await refreshed(fixture).isEmpty)
            #expect(try await fixture.source?.hasLessDetail == false)
        }
    }

    @Test func `a mark survives a restart; the pull request is listed as hidden once it is found again`()
        async throws
    {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            let restarted = fixture.restarted()
            let hidden = try await restarted.inbox(of: fixture.user).hidden
            #expect(hidden.map(\.key) == [seven] && hidden.first?.pull == nil)
            await restarted.refresh(fixture.user)
            #expect(try await restarted.inbox(of: fixture.user).waiting == 0)
            #expect(try await restarted.inbox(of: fixture.user).hidden.first?.pull?.number == 7)
        }
    }

    @Test func `a pull request that was merged is not listed as hidden`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            fixture.gitHub.set(.reviewRequested)
            #expect(try await refreshed(fixture).isEmpty)
            #expect(try await fixture.inbox.hidden.isEmpty)
        }
    }

    @Test func `a user's marks do not affect other users`() async throws {
        try await withSeven { fixture in
            fixture.accounts.connect(2, to: fixture.gitHub, for: fixture.other)
            await fixture.pulls.refresh(fixture.other)
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            #expect(try await fixture.numbers("turn", of: fixture.other) == [7])
            #expect(try await fixture.pulls.inbox(of: fixture.other).hidden.isEmpty)
            let refused = await refusal { try await fixture.pulls.unmark(seven, for: fixture.other) }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `the key is case-insensitive, and another host is another pull request`() async throws {
        try await withSeven { fixture in
            let shouted = PullKey(host: "GitHub.com", owner: "ROOST", name: "Nest", number: 7)
            try await fixture.pulls.mark(shouted, .muted, for: fixture.user)
            #expect(try await fixture.numbers("turn").isEmpty)
            let otherHost = PullFixture.key(7, host: "git.example.org")
            let refused = await refusal { try await fixture.pulls.mark(otherHost, .muted, for: fixture.user) }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `a later mark replaces an earlier one`() async throws {
        try await withSeven { fixture in
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            try await fixture.pulls.mark(seven, .done, for: fixture.user)
            #expect(try await fixture.inbox.hidden.map(\.mark) == [.done])
        }
    }

    @Test func `invalid times, other users' marks and unmarked pull requests are refused with a message`()
        async throws
    {
        try await withSeven { fixture in
            for wait: TimeInterval in [-1, 0, 367 * 86_400] {
                let until = fixture.clock.now + wait
                let refused = await refusal {
                    try await fixture.pulls.mark(seven, .snoozedUntil(until), for: fixture.user)
                }
                #expect(refused?.field == "until", "\(wait)")
            }
            let stranger = PullFixture.key(8)
            let unknown = await refusal { try await fixture.pulls.mark(stranger, .muted, for: fixture.user) }
            let shown = await refusal { try await fixture.pulls.unmark(seven, for: fixture.user) }
            #expect(unknown?.isNotFound == true && shown?.isNotFound == true)
        }
    }

    @Test func `nothing of a pull request is written to disk`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(
                .reviewRequested,
                PullFixture.node(
                    7, title: "Sekretproject", author: "gracewords", PullFixture.asks("ada"),
                    #""headRefOid":"cafe0123beef""#))
            await fixture.refresh()
            try await fixture.pulls.mark(seven, .snoozedUntilChange, for: fixture.user)
            for file in try FileManager.default.contentsOfDirectory(atPath: fixture.folder) {
                let bytes = try Data(contentsOf: URL(filePath: fixture.folder + "/" + file))
                for secret in ["Sekretproject", "gracewords", "cafe0123beef"] {
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret) in \(file)")
                }
            }
        }
    }

    @Test func `the oldest marks are dropped to make room for new ones`() async throws {
        try await withSeven { fixture in
            let digest = #"{"hasDetail":true,"updated":0,"reasons":[]}"#
            try await fixture.database.write { database in
                for number in 1...2_000 {
                    try database.execute(
                        sql: """
                            INSERT INTO pull_marks (user_id, host, owner, name, number, kind, seen, marked_at)
                            VALUES (1, 'github.com', 'a', 'b', ?, 'mute', ?, ?)
                            """,
                        arguments: [number, digest, number])
                }
            }
            try await fixture.pulls.mark(seven, .muted, for: fixture.user)
            let oldest = try await fixture.database.read { database in
                try Int.fetchOne(database, sql: "SELECT min(number) FROM pull_marks WHERE name = 'b'")
            }
            #expect(oldest == 2)
        }
    }
}
