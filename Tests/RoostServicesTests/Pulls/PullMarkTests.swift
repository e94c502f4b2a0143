import Foundation
import GRDB
import RoostServices
import Testing

/// What is put away stays away until it matters again.
@Suite struct PullMarkTests {
    private let seven = PullFixture.key(7)

    /// A pull request by grace that asks ada, with changes to it.
    private func set(_ bench: PullBench, head: String = "one", _ more: String = #""x":1"#) {
        bench.gitHub.set(
            .asked, PullFixture.node(7, PullFixture.asks("ada"), #""headRefOid":"\#(head)""#, more))
    }

    private func withSeven(_ body: (PullBench) async throws -> Void) async throws {
        try await withPulls { bench in
            set(bench)
            await bench.refresh()
            #expect(bench.numbers("turn") == [7])
            try await body(bench)
        }
    }

    private func refreshed(_ bench: PullBench) async -> [Int] {
        bench.clock.advance(60)
        await bench.refresh()
        return bench.numbers("turn")
    }

    private let spoken = #""comments":{"nodes":[\#(PullFixture.comment("hedy", "2026-11-10T12:00:30Z"))]}"#

    @Test func `snoozed until a time it is out of sight, stands among the hidden, and comes back by itself`()
        async throws
    {
        try await withSeven { bench in
            let until = bench.clock.now + 3_600
            try await bench.pulls.mark(seven, .snoozedUntil(until), for: bench.user)
            #expect(bench.numbers("turn").isEmpty && bench.inbox.waiting == 0)
            let hidden = try #require(bench.inbox.hidden.first)
            #expect(hidden.key == seven && hidden.mark == .snoozedUntil(until) && hidden.pull?.number == 7)
            bench.clock.advance(3_599)
            #expect(bench.numbers("turn").isEmpty)
            bench.clock.advance(1)
            #expect(bench.numbers("turn") == [7] && bench.inbox.hidden.isEmpty && bench.inbox.waiting == 1)
        }
    }

    @Test func `the end of a snooze is published, and its mark is gone from the disk`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .snoozedUntil(bench.clock.now + 100), for: bench.user)
            let before = bench.feed.version(of: [Topic.waiting(bench.user)])
            bench.clock.advance(100)
            await bench.pulls.refreshDue()
            #expect(bench.feed.version(of: [Topic.waiting(bench.user)]) > before)
            let again = try await bench.restarted()
            #expect(again.inbox(of: bench.user).hidden.isEmpty)
            let count = try await bench.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM pull_marks")
            }
            #expect(count == 0)
        }
    }

    @Test(arguments: ["push", "comment", "checks"])
    func `snoozed until it changes it comes back with the next change`(change: String) async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .snoozedUntilChange, for: bench.user)
            #expect(await refreshed(bench).isEmpty)
            switch change {
            case "push": set(bench, head: "two")
            case "comment": set(bench, spoken)
            default: set(bench, #""statusCheckRollup":{"state":"FAILURE"}"#)
            }
            #expect(await refreshed(bench) == [7])
            // It came back once: the same change does not hide it again.
            set(bench)
            #expect(await refreshed(bench) == [7])
        }
    }

    @Test func `what the reader does himself, bots, labels and checks that start are no change`() async throws
    {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .snoozedUntilChange, for: bench.user)
            let later = "2026-11-10T12:00:30Z"
            let bot = #"{"createdAt":"\#(later)","author":{"__typename":"Bot","login":"lint"}}"#
            for more in [
                #""comments":{"nodes":[\#(PullFixture.comment("ada", later)),\#(bot)]}"#,
                #""labels":{"nodes":[{"name":"bug","color":"d73a4a"}]}"#,
                #""statusCheckRollup":{"state":"PENDING"}"#,
            ] {
                set(bench, more)
                #expect(await refreshed(bench).isEmpty, "\(more)")
            }
        }
    }

    @Test func `muted it never comes back by itself, and in no section`() async throws {
        try await withSeven { bench in
            let section = try await bench.pulls.addSection(name: "All", query: "is:pr", for: bench.user)
            bench.gitHub.set(query: "is:pr", PullFixture.node(7, PullFixture.asks("ada")))
            await bench.refresh()
            #expect(bench.numbers("own-\(section.id)") == [7])
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            set(bench, head: "two", spoken)
            #expect(await refreshed(bench).isEmpty)
            #expect(bench.inbox.sections.allSatisfy { $0.items.isEmpty } && bench.inbox.hidden.count == 1)
            try await bench.pulls.unmark(seven, for: bench.user)
            #expect(bench.numbers("turn") == [7] && bench.inbox.hidden.isEmpty)
        }
    }

    @Test func `done it comes back when it is the reader's turn anew`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .done, for: bench.user)
            #expect(await refreshed(bench).isEmpty)
            // Reviewed meanwhile: no turn, whatever happens.
            bench.gitHub.set(.asked)
            bench.gitHub.set(.mentions, PullFixture.node(7, #""headRefOid":"two""#))
            #expect(await refreshed(bench).isEmpty && bench.numbers("mentions").isEmpty)
            set(bench, head: "two")
            #expect(await refreshed(bench) == [7])
        }
    }

    @Test func `done it comes back for a new reason`() async throws {
        try await withPulls { bench in
            let own = { (more: String) in PullFixture.node(7, author: "ada", more) }
            bench.gitHub.set(.yours, own(#""statusCheckRollup":{"state":"FAILURE"}"#))
            await bench.refresh()
            try await bench.pulls.mark(seven, .done, for: bench.user)
            #expect(await refreshed(bench).isEmpty)
            bench.gitHub.set(
                .yours, own(#""reviewDecision":"APPROVED","statusCheckRollup":{"state":"FAILURE"}"#))
            #expect(await refreshed(bench) == [7])
            #expect(bench.item(7)?.reasons == [.checksFail, .approvedUnmerged])
        }
    }

    @Test func `an outage brings nothing back`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .snoozedUntilChange, for: bench.user)
            bench.gitHub.fail(.networkUnavailable)
            #expect(await refreshed(bench).isEmpty)
            #expect(bench.inbox.hidden.map(\.key) == [seven])
        }
    }

    @Test func `less detail is no change, and back again neither`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .snoozedUntilChange, for: bench.user)
            let failure = GitHubFailure(error: .invalidResponse(statusCode: 404), status: 404)
            bench.gitHub.turn(graphQL: { _, _ in throw failure })
            bench.gitHub.turn(rest: { _, _ in
                .init(
                    status: 200,
                    body: PullFixture.search([PullFixture.item(7, updatedAt: "2026-11-10T12:00:30Z")]))
            })
            // GraphQL has answered before: only the third refusal in a row is believed.
            for _ in 0..<3 { #expect(await refreshed(bench).isEmpty) }
            #expect(bench.source?.hasLessDetail == true)
            bench.gitHub.recover()
            bench.clock.advance(600)
            #expect(await refreshed(bench).isEmpty && bench.source?.hasLessDetail == false)
        }
    }

    @Test func `a mark outlives a restart; what it hides is shown once it is seen again`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            let again = try await bench.restarted()
            let hidden = again.inbox(of: bench.user).hidden
            #expect(hidden.map(\.key) == [seven] && hidden.first?.pull == nil)
            await again.refresh(bench.user)
            #expect(again.inbox(of: bench.user).waiting == 0)
            #expect(again.inbox(of: bench.user).hidden.first?.pull?.number == 7)
        }
    }

    @Test func `what was merged meanwhile is not told of as hidden`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            bench.gitHub.set(.asked)
            #expect(await refreshed(bench).isEmpty && bench.inbox.hidden.isEmpty)
        }
    }

    @Test func `another user's marks are his own`() async throws {
        try await withSeven { bench in
            bench.accounts.connect(2, to: bench.gitHub, for: bench.other)
            await bench.pulls.refresh(bench.other)
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            #expect(bench.numbers("turn", of: bench.other) == [7])
            #expect(bench.pulls.inbox(of: bench.other).hidden.isEmpty)
            let refused = await refusal { try await bench.pulls.unmark(seven, for: bench.other) }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `the key's case is for the eye only, and another host is another pull request`() async throws {
        try await withSeven { bench in
            let shouted = PullKey(host: "GitHub.com", owner: "ROOST", name: "Nest", number: 7)
            try await bench.pulls.mark(shouted, .muted, for: bench.user)
            #expect(bench.numbers("turn").isEmpty)
            let elsewhere = PullFixture.key(7, host: "git.example.org")
            let refused = await refusal { try await bench.pulls.mark(elsewhere, .muted, for: bench.user) }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test func `a later mark takes the place of an earlier one`() async throws {
        try await withSeven { bench in
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            try await bench.pulls.mark(seven, .done, for: bench.user)
            #expect(bench.inbox.hidden.map(\.mark) == [.done])
        }
    }

    @Test func `times that are past or too far, strangers and what is not put away are refused in words`()
        async throws
    {
        try await withSeven { bench in
            for wait: TimeInterval in [-1, 0, 367 * 86_400] {
                let until = bench.clock.now + wait
                let refused = await refusal {
                    try await bench.pulls.mark(seven, .snoozedUntil(until), for: bench.user)
                }
                #expect(refused?.field == "until", "\(wait)")
            }
            let stranger = PullFixture.key(8)
            let unknown = await refusal { try await bench.pulls.mark(stranger, .muted, for: bench.user) }
            let shown = await refusal { try await bench.pulls.unmark(seven, for: bench.user) }
            #expect(unknown?.isNotFound == true && shown?.isNotFound == true)
        }
    }

    @Test func `nothing of a pull request is written to disk`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(
                .asked,
                PullFixture.node(
                    7, title: "Sekretproject", author: "gracewords", PullFixture.asks("ada"),
                    #""headRefOid":"cafe0123beef""#))
            await bench.refresh()
            try await bench.pulls.mark(seven, .snoozedUntilChange, for: bench.user)
            for file in try FileManager.default.contentsOfDirectory(atPath: bench.folder) {
                let bytes = try Data(contentsOf: URL(filePath: bench.folder + "/" + file))
                for word in ["Sekretproject", "gracewords", "cafe0123beef"] {
                    #expect(bytes.range(of: Data(word.utf8)) == nil, "\(word) in \(file)")
                }
            }
        }
    }

    @Test func `the oldest marks make room for new ones`() async throws {
        try await withSeven { bench in
            let digest = #"{"hasDetail":true,"updated":0,"reasons":[]}"#
            try await bench.database.write { database in
                for number in 1...2_000 {
                    try database.execute(
                        sql: """
                            INSERT INTO pull_marks (user_id, host, owner, name, number, kind, seen, marked_at)
                            VALUES (1, 'github.com', 'a', 'b', ?, 'mute', ?, ?)
                            """,
                        arguments: [number, digest, number])
                }
            }
            try await bench.pulls.mark(seven, .muted, for: bench.user)
            let oldest = try await bench.database.read { database in
                try Int.fetchOne(database, sql: "SELECT min(number) FROM pull_marks WHERE name = 'b'")
            }
            #expect(oldest == 2)
        }
    }
}
