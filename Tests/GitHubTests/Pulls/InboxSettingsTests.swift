import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub
@testable import RoostServices
@testable import RoostSupport

/// Marks, choices and own sections are read from SQLite, even when another connection wrote them.
@Suite(.timeLimit(.minutes(2))) struct InboxSettingsTests {
    private let seven = PullFixture.key(7)

    private func withSeven(_ body: (PullServiceFixture) async throws -> Void) async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(try await fixture.numbers("turn") == [7])
            try await body(fixture)
        }
    }

    private func change(_ fixture: PullServiceFixture, _ sql: String, _ arguments: StatementArguments = [])
        async throws
    {
        let other = try DatabaseFile.open(Services.databasePath(in: fixture.folder))
        try await other.write { try $0.execute(sql: sql, arguments: arguments) }
        try other.close()
    }

    /// Mutes or snoozes the pull request from another connection.
    private func mark(
        _ fixture: PullServiceFixture, until: Date? = nil,
        seen: String = #"{"hasDetail":true,"updated":0,"reasons":[]}"#
    ) async throws {
        try await change(
            fixture,
            """
            INSERT INTO pull_marks (user_id, host, owner, name, number, kind, until, seen, marked_at)
            VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                seven.host, seven.owner, seven.name, seven.number, until == nil ? "mute" : "until",
                until?.timeIntervalSince1970, seen,
                fixture.clock.now.timeIntervalSince1970,
            ])
    }

    @Test func `everything that a mark stores is read back`() async throws {
        try await withSeven { fixture in
            let written = #"""
                {"head":"a1","spoken":1,"checks":"failed","asked":2,"ready":3,"hasDetail":true,"isDraft":true,
                "updated":4,"reasons":["name","team"],"awaitsChecks":true}
                """#
            try await mark(fixture, seen: written)
            let settings = try await fixture.pulls.settings(of: fixture.user)
            let seen = try #require(settings.marks.first?.seen)
            let members = try object(Data(written.utf8))
            #expect(try object(JSONEncoder().encode(seen)) == members)
            #expect(Mirror(reflecting: seen).children.count == members.count, "some property is not compared")
        }
    }

    private func object(_ json: Data) throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: json) as? NSDictionary)
    }

    @Test(arguments: [
        (#"{"amberHours":0}"#, 72, 168), (#"{"amberHours":200,"redHours":100}"#, 72, 168),
        (#"{"redHours":9000}"#, 72, 168), (#"{"amberHours":1,"redHours":8760}"#, 1, 8_760),
    ]) func `imported hours that the form refuses are not used`(
        stored: String, amber: Int, red: Int
    ) async throws {
        try await withSeven { fixture in
            try await change(
                fixture, "INSERT INTO preferences (user_id, name, value) VALUES (1, 'pulls', ?)", [stored])
            let choices = try await fixture.pulls.settings(of: fixture.user).choices
            #expect(choices.amberHours == amber && choices.redHours == red)
        }
    }

    @Test func `imported bots that the form refuses are not used`() async throws {
        try await withSeven { fixture in
            let logins = ["not a login", "", "renovate[bot]"] + (1...60).map { "bot-\($0)" }
            let stored = String(decoding: try JSONEncoder().encode(["botLogins": logins]), as: UTF8.self)
            try await change(
                fixture, "INSERT INTO preferences (user_id, name, value) VALUES (1, 'pulls', ?)", [stored])
            let choices = try await fixture.pulls.settings(of: fixture.user).choices
            #expect(choices.botLogins == ["renovate[bot]"] + (1...49).map { "bot-\($0)" })
        }
    }

    @Test func `marks, choices and sections from another connection apply to the next read`()
        async throws
    {
        try await withSeven { fixture in
            fixture.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            try await mark(fixture)
            try await change(
                fixture,
                """
                INSERT INTO preferences (user_id, name, value) VALUES (1, 'pulls', '{"sort":"size"}')
                """)
            try await change(
                fixture,
                """
                INSERT INTO pull_sections (id, user_id, name, query, sort_order)
                VALUES (70, 1, 'Elsewhere', 'label:bug', 0)
                """)
            let inbox = try await fixture.inbox
            #expect(inbox.waiting == 0)
            #expect(inbox.hidden.map(\.key) == [seven])
            #expect(inbox.choices.sort == .size)
            #expect(inbox.sections.last?.name == "Elsewhere")
            #expect(try await fixture.pulls.waiting(for: fixture.user) == 0)
            fixture.clock.advance(60)
            await fixture.refresh()
            #expect(try await fixture.numbers("own-70") == [8])
            try await change(fixture, "DELETE FROM pull_marks")
            try await change(fixture, "UPDATE pull_sections SET name = 'Another'")
            #expect(try await fixture.numbers("turn") == [7])
            #expect(try await fixture.inbox.sections.last?.name == "Another")
        }
    }

    @Test func `a snooze from another connection ends at its time, and its mark is deleted`() async throws {
        try await withSeven { fixture in
            try await mark(fixture, until: fixture.clock.now + 100)
            #expect(try await fixture.numbers("turn").isEmpty)
            let before = fixture.feed.version(of: [Topic.waiting(fixture.user)])
            fixture.clock.advance(100)
            await fixture.pulls.refreshDue()
            #expect(fixture.feed.version(of: [Topic.waiting(fixture.user)]) > before)
            #expect(try await fixture.pulls.settings(of: fixture.user).marks.isEmpty)
        }
    }

    @Test func `unreadable rows are an error, not an empty inbox, and GitHub is not asked`()
        async throws
    {
        try await withSeven { fixture in
            try await change(fixture, "DROP TABLE pull_sections")
            let unreadable = RoostError.unavailable("Couldn’t read the database. Please try again.")
            await #expect(throws: unreadable) { _ = try await fixture.inbox }
            await #expect(throws: unreadable) {
                _ = try await fixture.pulls.waiting(for: fixture.user)
            }
            let requests = fixture.gitHub.requests
            await fixture.refresh()
            #expect(fixture.gitHub.requests == requests)
            #expect(fixture.log.lines.contains { $0.contains("could not be fetched") })
            let refused = await refusal {
                _ = try await fixture.pulls.addSection(name: "A", query: "x", for: fixture.user)
            }
            #expect(refused == .unavailable("Couldn’t save. Please try again."))
        }
    }

    @Test func `SQLite finds a user's rows and the ends of snoozes by an index, with few statements`()
        async throws
    {
        try await withSeven { fixture in
            func asked(since count: Int) -> [String] {
                fixture.statements.all[count...].filter {
                    $0.hasPrefix("SELECT") && ($0.contains("FROM pull_") || $0.contains("FROM preferences"))
                }
            }
            try await mark(fixture)
            let before = fixture.statements.all.count
            _ = try await fixture.inbox
            #expect(asked(since: before).count == 3)
            let work = Task { await fixture.pulls.run() }
            defer { work.cancel() }
            try await wait(for: "the query for the next end of a snooze") {
                asked(since: before).contains { $0.contains("ORDER BY until") }
            }
            work.cancel()
            await work.value
            let statements = Set(asked(since: before))
            #expect(statements.count == 5)
            let plans = try await fixture.database.read { database in
                try statements.map { try QueryPlan(of: $0, database).steps }
            }
            for plan in plans { #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)") }
        }
    }
}
