import Foundation
import RoostServices
import Testing

/// Own sections and choices.
@Suite struct PullSectionTests {
    private func names(_ bench: PullBench) -> [String] {
        bench.pulls.ownSections(of: bench.user).map(\.name)
    }

    @Test func `own sections stand below the others, in their order, and outlive a restart`() async throws {
        try await withPulls { bench in
            for name in ["One", "Two", "Three"] {
                _ = try await bench.pulls.addSection(
                    name: " \(name) ", query: " label:x\n y ", for: bench.user)
            }
            let again = try await bench.restarted()
            #expect(again.ownSections(of: bench.user) == bench.pulls.ownSections(of: bench.user))
            #expect(names(bench) == ["One", "Two", "Three"])
            #expect(bench.pulls.ownSections(of: bench.user).map(\.order) == [0, 1, 2])
            #expect(
                bench.pulls.ownSections(of: bench.user).map(\.query)
                    == Array(repeating: "label:x y", count: 3))
            #expect(bench.inbox.sections.map(\.name).suffix(3) == ["One", "Two", "Three"])
        }
    }

    @Test func `a new section is filled at once, with what the query finds`() async throws {
        try await withPulls { bench in
            await bench.refresh()
            bench.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            let section = try await bench.pulls.addSection(name: "Bugs", query: "label:bug", for: bench.user)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.numbers("own-\(section.id)") == [8] && section.name == "Bugs")
            #expect(bench.gitHub.asked.priorities.last == .click)
        }
    }

    @Test func `a query that is added while a refresh runs is asked soon after it`() async throws {
        try await withPulls { bench in
            bench.gitHub.set(query: "is:pr label:bug", PullFixture.node(8))
            bench.gitHub.turn(graphQL: { query, variables in
                if bench.gitHub.requests == 1 {
                    _ = try await bench.pulls.addSection(name: "Bugs", query: "label:bug", for: bench.user)
                }
                return bench.gitHub.table(query, variables)
            })
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 1)
            bench.clock.advance(1)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == 2)
            let section = try #require(bench.pulls.ownSections(of: bench.user).first)
            #expect(bench.numbers("own-\(section.id)") == [8])
        }
    }

    @Test func `a section moves one place, and stays at the ends`() async throws {
        try await withPulls { bench in
            var ids: [Int64] = []
            for name in ["A", "B", "C"] {
                ids.append(try await bench.pulls.addSection(name: name, query: "x", for: bench.user).id)
            }
            for (place, by, expected) in [
                (0, 1, "BAC"), (0, -1, "ABC"), (0, -1, "ABC"), (2, 1, "ABC"), (2, -5, "CAB"),
            ] {
                try await bench.pulls.moveSection(ids[place], by: by, for: bench.user)
                #expect(names(bench).joined() == expected)
            }
            try await bench.pulls.removeSection(ids[0], of: bench.user)
            #expect(
                names(bench) == ["C", "B"] && bench.pulls.ownSections(of: bench.user).map(\.order) == [0, 1])
        }
    }

    @Test func `a changed query is asked at once, a changed name is not`() async throws {
        try await withPulls { bench in
            let id = try await bench.pulls.addSection(name: "A", query: "x", for: bench.user).id
            await bench.refresh()
            let count = bench.gitHub.requests
            try await bench.pulls.changeSection(id, name: "B", query: "x", for: bench.user)
            bench.clock.advance(2)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == count && names(bench) == ["B"])
            try await bench.pulls.changeSection(id, name: "B", query: "y", for: bench.user)
            await bench.pulls.refreshDue()
            #expect(bench.gitHub.requests == count + 1)
        }
    }

    @Test(arguments: [
        ("", "x", "name"), ("  ", "x", "name"), (String(repeating: "n", count: 65), "x", "name"),
        ("a\u{7}b", "x", "name"), ("A", "", "query"), ("A", " \n ", "query"), ("A", "x\u{0}", "query"),
        ("A", String(repeating: "q", count: 257), "query"),
    ])
    func `what is no name or no query is refused at its field`(name: String, query: String, field: String)
        async throws
    {
        try await withPulls { bench in
            let refused = await refusal {
                _ = try await bench.pulls.addSection(name: name, query: query, for: bench.user)
            }
            #expect(refused?.field == field && refused?.isConflict == false)
        }
    }

    @Test func `a name stands once a user, in any case`() async throws {
        try await withPulls { bench in
            let first = try await bench.pulls.addSection(name: "Bugs", query: "x", for: bench.user)
            let second = try await bench.pulls.addSection(name: "Docs", query: "x", for: bench.user)
            let added = await refusal {
                _ = try await bench.pulls.addSection(name: "BUGS", query: "y", for: bench.user)
            }
            let changed = await refusal {
                try await bench.pulls.changeSection(second.id, name: "bugs", query: "y", for: bench.user)
            }
            #expect(added?.isConflict == true && added?.field == "name" && changed?.isConflict == true)
            try await bench.pulls.changeSection(first.id, name: "BUGS", query: "x", for: bench.user)
            _ = try await bench.pulls.addSection(name: "Bugs", query: "x", for: bench.other)
            #expect(names(bench) == ["BUGS", "Docs"])
        }
    }

    @Test func `there is room for twenty`() async throws {
        try await withPulls { bench in
            for number in 1...20 {
                _ = try await bench.pulls.addSection(name: "S\(number)", query: "x", for: bench.user)
            }
            let refused = await refusal {
                _ = try await bench.pulls.addSection(name: "S21", query: "x", for: bench.user)
            }
            #expect(refused?.field == "name" && names(bench).count == 20)
        }
    }

    @Test func `another user's section is not there`() async throws {
        try await withPulls { bench in
            let id = try await bench.pulls.addSection(name: "Mine", query: "x", for: bench.user).id
            let change = await refusal {
                try await bench.pulls.changeSection(id, name: "y", query: "y", for: bench.other)
            }
            let move = await refusal { try await bench.pulls.moveSection(id, by: 1, for: bench.other) }
            let remove = await refusal { try await bench.pulls.removeSection(id, of: bench.other) }
            #expect([change, move, remove].allSatisfy { $0?.isNotFound == true })
            #expect(bench.pulls.ownSections(of: bench.other).isEmpty && names(bench) == ["Mine"])
        }
    }

    @Test func `choices outlive a restart, with all of them changed`() async throws {
        try await withPulls { bench in
            #expect(bench.pulls.choices(of: bench.user) == PullChoices())
            var choices = PullChoices()
            choices.grouping = .repository
            choices.sort = .size
            choices.drafts = .only
            choices.hidesBots = true
            choices.amberHours = 1
            choices.redHours = 8_760
            choices.notifies = true
            choices.sounds = true
            try await bench.pulls.choose(choices, for: bench.user)
            let again = try await bench.restarted()
            #expect(
                again.choices(of: bench.user) == choices && again.choices(of: bench.other) == PullChoices())
        }
    }

    @Test(arguments: [
        (0, 10, "amberHours"), (8_761, 9_000, "amberHours"), (10, 9, "redHours"), (10, 8_761, "redHours"),
    ])
    func `thresholds that make no sense are refused at their field`(amber: Int, red: Int, field: String)
        async throws
    {
        try await withPulls { bench in
            var choices = PullChoices()
            choices.amberHours = amber
            choices.redHours = red
            let refused = await refusal { try await bench.pulls.choose(choices, for: bench.user) }
            #expect(refused?.field == field && bench.pulls.choices(of: bench.user) == PullChoices())
        }
    }

    @Test func `a wait grows amber and red by the user's own hours`() async throws {
        try await withPulls { bench in
            // Asked nine days ago: more than 168 hours.
            bench.gitHub.set(.asked, PullFixture.node(7, PullFixture.asks("ada")))
            await bench.refresh()
            #expect(bench.item(7)?.pressure == .red)
            var choices = PullChoices()
            (choices.amberHours, choices.redHours) = (200, 300)
            try await bench.pulls.choose(choices, for: bench.user)
            #expect(bench.item(7)?.pressure == .amber)
            (choices.amberHours, choices.redHours) = (300, 300)
            try await bench.pulls.choose(choices, for: bench.user)
            #expect(bench.item(7)?.pressure == .calm)
            bench.clock.advance(100 * 3_600)
            #expect(bench.item(7)?.pressure == .red)
        }
    }
}
