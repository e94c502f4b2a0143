import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct PullSectionTests {
    private func names(_ fixture: PullServiceFixture) async throws -> [String] {
        try await fixture.pulls.settings(of: fixture.user).sections.map(\.name)
    }

    @Test func `own sections come after the others, in their order, and survive a restart`() async throws {
        try await withPulls { fixture in
            for name in ["One", "Two", "Three"] {
                _ = try await fixture.pulls.addSection(
                    name: " \(name) ", query: " label:x\n y ", for: fixture.user)
            }
            let restarted = fixture.restarted()
            #expect(
                try await restarted.settings(of: fixture.user).sections
                    == fixture.pulls.settings(of: fixture.user).sections)
            #expect(try await names(fixture) == ["One", "Two", "Three"])
            #expect(try await fixture.pulls.settings(of: fixture.user).sections.map(\.order) == [0, 1, 2])
            #expect(
                try await fixture.pulls.settings(of: fixture.user).sections.map(\.query)
                    == Array(repeating: "label:x y", count: 3))
            #expect(try await fixture.inbox.sections.map(\.name).suffix(3) == ["One", "Two", "Three"])
        }
    }

    @Test func `a new section is filled at once with the results of its query`() async throws {
        try await withPulls { fixture in
            await fixture.refresh()
            fixture.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            let section = try await fixture.pulls.addSection(
                name: "Bugs", query: "label:bug", for: fixture.user)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(try await fixture.numbers("own-\(section.id)") == [8] && section.name == "Bugs")
            #expect(fixture.gitHub.asked.priorities.last == .click)
        }
    }

    @Test func `a query that is added during a refresh is searched soon after it`() async throws {
        try await withPulls { fixture in
            fixture.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            fixture.gitHub.turn(graphQL: { query, variables in
                if fixture.gitHub.requests == 1 {
                    _ = try await fixture.pulls.addSection(
                        name: "Bugs", query: "label:bug", for: fixture.user)
                }
                return fixture.gitHub.table(query, variables)
            })
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 1)
            fixture.clock.advance(1)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == 2)
            let section = try #require(try await fixture.pulls.settings(of: fixture.user).sections.first)
            #expect(try await fixture.numbers("own-\(section.id)") == [8])
        }
    }

    @Test func `a section moves by one position, and stays at the ends`() async throws {
        try await withPulls { fixture in
            var ids: [Int64] = []
            for name in ["A", "B", "C"] {
                ids.append(try await fixture.pulls.addSection(name: name, query: "x", for: fixture.user).id)
            }
            for (index, by, expected) in [
                (0, 1, "BAC"), (0, -1, "ABC"), (0, -1, "ABC"), (2, 1, "ABC"), (2, -5, "CAB"),
            ] {
                try await fixture.pulls.moveSection(ids[index], by: by, for: fixture.user)
                #expect(try await names(fixture).joined() == expected)
            }
            try await fixture.pulls.removeSection(ids[0], of: fixture.user)
            #expect(try await names(fixture) == ["C", "B"])
            #expect(try await fixture.pulls.settings(of: fixture.user).sections.map(\.order) == [0, 1])
        }
    }

    @Test func `a changed query is searched at once, a changed name is not`() async throws {
        try await withPulls { fixture in
            let id = try await fixture.pulls.addSection(name: "A", query: "x", for: fixture.user).id
            await fixture.refresh()
            let count = fixture.gitHub.requests
            try await fixture.pulls.changeSection(id, name: "B", query: "x", for: fixture.user)
            fixture.clock.advance(2)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == count)
            #expect(try await names(fixture) == ["B"])
            try await fixture.pulls.changeSection(id, name: "B", query: "y", for: fixture.user)
            await fixture.pulls.refreshDue()
            #expect(fixture.gitHub.requests == count + 1)
        }
    }

    @Test(arguments: [
        ("", "x", "name"), ("  ", "x", "name"), (String(repeating: "n", count: 65), "x", "name"),
        ("a\u{7}b", "x", "name"), ("A", "", "query"), ("A", " \n ", "query"), ("A", "x\u{0}", "query"),
        ("A", String(repeating: "q", count: 257), "query"),
    ])
    func `an invalid name or query is refused at its field`(name: String, query: String, field: String)
        async throws
    {
        try await withPulls { fixture in
            let refused = await refusal {
                _ = try await fixture.pulls.addSection(name: name, query: query, for: fixture.user)
            }
            #expect(refused?.field == field && refused?.isConflict == false)
        }
    }

    @Test func `a section's name is unique per user, ignoring case`() async throws {
        try await withPulls { fixture in
            let first = try await fixture.pulls.addSection(name: "Bugs", query: "x", for: fixture.user)
            let second = try await fixture.pulls.addSection(name: "Docs", query: "x", for: fixture.user)
            let added = await refusal {
                _ = try await fixture.pulls.addSection(name: "BUGS", query: "y", for: fixture.user)
            }
            let changed = await refusal {
                try await fixture.pulls.changeSection(second.id, name: "bugs", query: "y", for: fixture.user)
            }
            #expect(added?.isConflict == true && added?.field == "name" && changed?.isConflict == true)
            try await fixture.pulls.changeSection(first.id, name: "BUGS", query: "x", for: fixture.user)
            _ = try await fixture.pulls.addSection(name: "Bugs", query: "x", for: fixture.other)
            #expect(try await names(fixture) == ["BUGS", "Docs"])
        }
    }

    @Test func `a user can have twenty sections`() async throws {
        try await withPulls { fixture in
            for number in 1...20 {
                _ = try await fixture.pulls.addSection(name: "S\(number)", query: "x", for: fixture.user)
            }
            let refused = await refusal {
                _ = try await fixture.pulls.addSection(name: "S21", query: "x", for: fixture.user)
            }
            #expect(refused?.field == "name")
            #expect(try await names(fixture).count == 20)
        }
    }

    @Test func `another user's section is not found`() async throws {
        try await withPulls { fixture in
            let id = try await fixture.pulls.addSection(name: "Mine", query: "x", for: fixture.user).id
            let change = await refusal {
                try await fixture.pulls.changeSection(id, name: "y", query: "y", for: fixture.other)
            }
            let move = await refusal { try await fixture.pulls.moveSection(id, by: 1, for: fixture.other) }
            let remove = await refusal { try await fixture.pulls.removeSection(id, of: fixture.other) }
            #expect([change, move, remove].allSatisfy { $0?.isNotFound == true })
            #expect(try await fixture.pulls.settings(of: fixture.other).sections.isEmpty)
            #expect(try await names(fixture) == ["Mine"])
        }
    }

    @Test func `choices survive a restart`() async throws {
        try await withPulls { fixture in
            #expect(try await fixture.pulls.settings(of: fixture.user).choices == PullPreferences())
            var choices = PullPreferences()
            choices.grouping = .repository
            choices.sort = .size
            choices.drafts = .only
            choices.hidesBots = true
            choices.botLogins = ["labs-automation", "tidy[bot]"]
            choices.amberHours = 1
            choices.redHours = 8_760
            choices.notifies = true
            choices.sounds = true
            try await fixture.pulls.choose(choices, for: fixture.user)
            let restarted = fixture.restarted()
            #expect(try await restarted.settings(of: fixture.user).choices == choices)
            #expect(try await restarted.settings(of: fixture.other).choices == PullPreferences())
        }
    }

    @Test(arguments: [
        (0, 10, "amberHours"), (8_761, 9_000, "amberHours"), (10, 9, "redHours"), (10, 8_761, "redHours"),
    ])
    func `invalid thresholds are refused at their field`(amber: Int, red: Int, field: String)
        async throws
    {
        try await withPulls { fixture async throws in
            var choices = PullPreferences()
            choices.amberHours = amber
            choices.redHours = red
            let refused = await refusal { try await fixture.pulls.choose(choices, for: fixture.user) }
            #expect(refused?.field == field)
            #expect(try await fixture.pulls.settings(of: fixture.user).choices == PullPreferences())
        }
    }

    @Test(arguments: ["a b", "ada!", "[bot]", "", "é", String(repeating: "a", count: 40)])
    func `an invalid login is not accepted as a bot`(login: String) async throws {
        try await withPulls { fixture async throws in
            var choices = PullPreferences()
            choices.botLogins = ["labs-automation", login]
            let refused = await refusal { try await fixture.pulls.choose(choices, for: fixture.user) }
            #expect(refused?.field == "botLogins")
            #expect(try await fixture.pulls.settings(of: fixture.user).choices == PullPreferences())
            choices.botLogins = (1...51).map { "robot-\($0)" }
            let many = await refusal { try await fixture.pulls.choose(choices, for: fixture.user) }
            #expect(many?.field == "botLogins")
        }
    }

    @Test
    func `a comment by a bot on the user's list is not an answer, at once and after a restart`()
        async throws
    {
        try await withPulls { fixture in
            let answered = #"""
                "threads":{"nodes":[{"isResolved":false,"comments":{"nodes":[
                \#(PullFixture.comment("ada", "2026-11-08T10:00:00Z")),
                \#(PullFixture.comment("Labs-Automation", "2026-11-09T10:00:00Z"))]}}]}
                """#
            fixture.gitHub.set(.commented, PullFixture.node(7, answered))
            await fixture.refresh()
            #expect(try await fixture.numbers("turn") == [7])
            var choices = PullPreferences()
            choices.botLogins = ["labs-automation"]
            try await fixture.pulls.choose(choices, for: fixture.user)
            #expect(try await fixture.numbers("turn").isEmpty)
            #expect(try await fixture.inbox.waiting == 0)
            let restarted = fixture.restarted()
            await restarted.refresh(fixture.user)
            #expect(try await restarted.inbox(of: fixture.user).waiting == 0)
            try await fixture.pulls.choose(PullPreferences(), for: fixture.user)
            #expect(try await fixture.numbers("turn") == [7])
        }
    }

    @Test func `a wait turns amber and red after the user's own number of hours`() async throws {
        try await withPulls { fixture in
            // The review was requested nine days ago, which is more than 168 hours.
            fixture.gitHub.set(.reviewRequested, PullFixture.node(7, PullFixture.asks("ada")))
            await fixture.refresh()
            #expect(try await fixture.pressure(7) == .red)
            var choices = PullPreferences()
            (choices.amberHours, choices.redHours) = (200, 300)
            try await fixture.pulls.choose(choices, for: fixture.user)
            #expect(try await fixture.pressure(7) == .amber)
            (choices.amberHours, choices.redHours) = (300, 300)
            try await fixture.pulls.choose(choices, for: fixture.user)
            #expect(try await fixture.pressure(7) == .calm)
            fixture.clock.advance(100 * 3_600)
            #expect(try await fixture.pressure(7) == .red)
        }
    }
}
