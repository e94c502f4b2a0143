import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub

/// Compares what SQLite sorts, groups and compares with the rules in Swift.
@Suite struct BookmarkTruthTests {
    private struct SeededRandom: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private static func item(_ id: Int64, _ dice: inout SeededRandom, at time: Date) throws -> RepositoryItem
    {
        let languages = ["Swift", "C", "C++", "swift", nil, "Emacs Lisp"]
        return try BookmarkFixture.item(
            id, "owner\(id % 5)/name\(id)",
            stars: Int.random(in: 0..<6, using: &dice) == 0
                ? nil : [0, 9, 10, 700, 5_000, 200_000].randomElement(using: &dice) ?? 0,
            language: languages.randomElement(using: &dice) ?? nil,
            archived: Bool.random(using: &dice),
            description: ["A thing", "Größe", nil].randomElement(using: &dice) ?? nil,
            fetchedAt: time, parent: Bool.random(using: &dice) ? "up/stream" : nil)
    }

    /// A random sequence of actions by users and answers from GitHub.
    private static func act(_ fixture: BookmarkServiceFixture, _ dice: inout SeededRandom) async throws {
        let id = Int64.random(in: 1...40, using: &dice)
        let user = Bool.random(using: &dice) ? fixture.ada : fixture.grace
        let item = try item(id, &dice, at: fixture.clock.now)
        let name = BookmarkFixture.name(item.fullName)
        fixture.clock.advance(Double(Int.random(in: 1...4_000, using: &dice)))
        switch Int.random(in: 0..<9, using: &dice) {
        case 0, 1, 2: try await fixture.add(item, for: user)
        case 3: _ = try? await fixture.bookmarks.remove(name, of: user)
        case 4:
            _ = try? await fixture.bookmarks.edit(
                name, tags: ["Web", "Ärger", "web2"].filter { _ in Bool.random(using: &dice) },
                note: ["", "ÜBER alles", "words"].randomElement(using: &dice), of: user)
        case 5:
            let ids = try await fixture.listing(.init(isChangedOnly: true), of: user).groups.flatMap(\.items)
                .map(\.id)
            _ = try await fixture.bookmarks.change(Array(ids.prefix(2)), .markSeen, of: user)
        case 6:
            fixture.source.refresh(
                item.fullName, gives: .success(Bool.random(using: &dice) ? .missing : .changed(item)))
            fixture.source.refreshOthers(gives: .success(.unchanged))
            fixture.clock.advance(90_000)
            await fixture.refreshDue()
        case 7:
            _ = try await fixture.read(
                #"[{"fullName": "owner\#(id % 5)/name\#(id)", "tags": ["file"]}]"#, for: user)
        default: try await fixture.tell(item)
        }
    }

    @Test(arguments: [1, 2, 3])
    func `after random actions each list equals the one that the rules produce from all bookmarks`(
        seed: UInt64
    )
        async throws
    {
        var dice = SeededRandom(state: seed)
        try await withBookmarks { fixture in
            for _ in 0..<250 { try await Self.act(fixture, &dice) }
            for user in [fixture.ada, fixture.grace] {
                let all = try await fixture.listing(.init(pages: 10), of: user).groups.flatMap(\.items)
                #expect(all.count > 5)
                let head = try await fixture.listing(of: user)
                let tags = Dictionary(grouping: all.flatMap(\.tags)) { $0.lowercased() }.mapValues(\.count)
                #expect(head.total == all.count)
                #expect(
                    Dictionary(uniqueKeysWithValues: head.tags.map { ($0.name.lowercased(), $0.count) })
                        == tags)
                #expect(head.tags.map(\.count) == tags.values.sorted(by: >))
                for grouping in GroupingOption.allCases {
                    for sort in RepositorySort.allCases {
                        for text in ["", "swift", "ÜBER", "größe web"] {
                            let look = RepositoryArrangement(grouping: grouping, sort: sort, text: text)
                            let shown = try await fixture.listing(
                                .init(arrangement: look, pages: 10), of: user)
                            let expected = try look.groups(of: all)
                            #expect(shown.groups.map(\.id) == expected.map(\.id), "\(look)")
                            #expect(shown.groups.map(\.items) == expected.map(\.items), "\(look)")
                            #expect(shown.index.map(\.count) == expected.map(\.items.count), "\(look)")
                        }
                    }
                }
                let changed = try await fixture.listing(.init(isChangedOnly: true, pages: 10), of: user)
                #expect(changed.groups.flatMap(\.items) == all.filter { !$0.changes.isEmpty })
                #expect(changed.changed == all.count { !$0.changes.isEmpty })
                let tagged = try await fixture.listing(.init(tag: "ÄRGER", pages: 10), of: user)
                #expect(tagged.groups.flatMap(\.items) == all.filter { $0.tags.contains("Ärger") })
            }
        }
    }
}
