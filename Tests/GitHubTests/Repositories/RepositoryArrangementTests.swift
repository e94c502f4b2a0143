import Foundation
import TestSupport
import Testing

@testable import GitHub

@Suite struct RepositoryArrangementTests {
    private static func item(
        _ id: Int, _ name: String, stars: Int? = nil, language: String? = nil, forks: Int = 0,
        fork: Bool = false, type: Owner.Kind = .user, about: String? = nil, topics: [String] = [],
        pushed: TimeInterval = 0
    ) throws -> RepositoryItem {
        let owner = try Owner(login: String(name.prefix { $0 != "/" }), type: type)
        let repository = try Repository(
            id: RepositoryID(id), nodeId: "R_\(id)", name: String(name.split(separator: "/")[1]),
            fullName: name, owner: owner, description: about, fork: fork,
            htmlURL: "https://github.com/\(name)")
        let detail = stars.map { stars in
            RepositoryDetail(
                stars: stars, forks: forks, openIssues: 0, language: language, topics: topics,
                archived: false,
                defaultBranch: "main", pushedAt: TestClock.start + pushed, createdAt: TestClock.start,
                now: TestClock.start)
        }
        return RepositoryItem(repository: repository, detail: detail, fetchedAt: nil)
    }

    private static func shape(
        _ items: [RepositoryItem], _ grouping: GroupingOption, _ sort: RepositorySort = .listed,
        _ text: String = ""
    ) throws -> [String] {
        try RepositoryArrangement(grouping: grouping, sort: sort, text: text).groups(of: items).map { group in
            "\(group.id) “\(group.title)”: \(group.items.map { String($0.id) }.joined(separator: " "))"
        }
    }

    @Test func `languages are sorted by their number of rows, then by name; none and unknown come last`()
        throws
    {
        let items = [
            try Self.item(1, "a/a"), try Self.item(2, "a/b", stars: 1),
            try Self.item(3, "a/c", stars: 1, language: "C++"),
            try Self.item(4, "a/d", stars: 1, language: "Swift"),
            try Self.item(5, "a/e", stars: 1, language: "C#"),
            try Self.item(6, "a/f", stars: 1, language: "Swift"),
            try Self.item(7, "a/g", stars: 1, language: "C"),
            try Self.item(8, "a/h"), try Self.item(9, "a/i"),
            try Self.item(10, "a/j", stars: 1, language: "None"),
        ]
        #expect(
            try Self.shape(items, .language) == [
                "language-swift “Swift”: 4 6", "language-c “C”: 7", "language-c_23 “C#”: 5",
                "language-c_2b_2b “C++”: 3", "language-none “None”: 10", "no-language “No language”: 2",
                "unknown-language “Language not known yet”: 1 8 9",
            ])
    }

    @Test(arguments: [
        (0, "stars-0"), (9, "stars-0"), (10, "stars-10"), (99, "stars-10"), (100, "stars-100"),
        (999, "stars-100"), (1_000, "stars-1000"), (9_999, "stars-1000"), (10_000, "stars-10000"),
        (99_999, "stars-10000"), (100_000, "stars-100000"), (1_000_000_000, "stars-100000"),
    ])
    func `stars are divided into bands at their edges`(stars: Int, id: String) throws {
        let groups = try RepositoryArrangement(grouping: .starCount).groups(of: [
            try Self.item(1, "a/a", stars: stars)
        ])
        #expect(groups.map(\.id) == [id])
    }

    @Test func `bands of stars are sorted from most to fewest, with unknown last`() throws {
        let items = [
            try Self.item(1, "a/a"), try Self.item(2, "a/b", stars: 3),
            try Self.item(3, "a/c", stars: 123_456),
            try Self.item(4, "a/d", stars: 1_000), try Self.item(5, "a/e", stars: 12),
        ]
        #expect(
            try Self.shape(items, .starCount) == [
                "stars-100000 “100,000 stars or more”: 3", "stars-1000 “1,000 stars or more”: 4",
                "stars-10 “10 stars or more”: 5", "stars-0 “Fewer than 10 stars”: 2",
                "stars-unknown “Stars not known yet”: 1",
            ])
    }

    @Test func `owners and forks make two groups each, whatever their sizes`() throws {
        let items = [
            try Self.item(1, "a/a", fork: true), try Self.item(2, "b/b", type: .organization),
            try Self.item(3, "b/c", fork: true, type: .organization),
        ]
        #expect(
            try Self.shape(items, .ownerType) == [
                "owner-user “People”: 1", "owner-organization “Organisations”: 2 3",
            ])
        #expect(try Self.shape(items, .forkStatus) == ["fork-no “Not a fork”: 2", "fork-yes “Forks”: 1 3"])
    }

    @Test func `without grouping there is one group, and an empty list has none`() throws {
        #expect(try Self.shape([try Self.item(1, "a/a")], .none) == ["all “”: 1"])
        for grouping in GroupingOption.allCases { #expect(try Self.shape([], grouping).isEmpty) }
    }

    @Test func `sorting puts unknown values last and keeps the order of equal rows`() throws {
        let items = [
            try Self.item(1, "b/z"), try Self.item(2, "a/b", stars: 5, forks: 1, pushed: -9),
            try Self.item(3, "A/a", stars: 9, forks: 1, pushed: -5), try Self.item(4, "c/c"),
            try Self.item(5, "c/a", stars: 5, forks: 8, pushed: -5),
        ]
        let order = { (sort: RepositorySort) in
            try RepositoryArrangement(sort: sort).groups(of: items).flatMap(\.items).map(\.id)
        }
        #expect(try order(.listed) == [1, 2, 3, 4, 5])
        #expect(try order(.name) == [3, 2, 1, 5, 4])
        #expect(try order(.stars) == [3, 2, 5, 1, 4])
        #expect(try order(.forks) == [5, 2, 3, 1, 4])
        #expect(try order(.pushed) == [3, 5, 2, 1, 4])
        let turned = try RepositoryArrangement(sort: .stars).groups(of: items.reversed())
        #expect(turned.flatMap(\.items).map(\.id) == [3, 5, 2, 4, 1])
    }

    @Test func `a filter matches every word, anywhere, ignoring case`() throws {
        let items = [
            try Self.item(
                1, "ada/Engine", stars: 1, language: "Swift", about: "Analytical", topics: ["brass"]),
            try Self.item(2, "ada/notes", stars: 1, language: "C"), try Self.item(3, "grace/compiler"),
        ]
        #expect(try Self.shape(items, .none, .listed, "  ADA ") == ["all “”: 1 2"])
        #expect(try Self.shape(items, .none, .listed, "swift brass analytical engine") == ["all “”: 1"])
        #expect(try Self.shape(items, .none, .listed, "ada compiler").isEmpty)
        // A word does not match across two fields: "engine" ends where "analytical" begins.
        #expect(try Self.shape(items, .none, .listed, "engineanalytical").isEmpty)
    }

    @Test func `both encodings of an accent match, and case is ignored in every script`()
        throws
    {
        let items = [
            try Self.item(1, "a/a", about: "Caf\u{E9} ΣΊΣΥΦΟΣ Грусть"),
            try Self.item(2, "a/b", about: "Cafe Sisyphos"),
            try Self.item(3, "a/c", about: "Cafe\u{301}"),
        ]
        #expect(try Self.shape(items, .none, .listed, "CAFÉ") == ["all “”: 1 3"])
        #expect(try Self.shape(items, .none, .listed, "cafe\u{301}") == ["all “”: 1 3"])
        #expect(try Self.shape(items, .none, .listed, "σίσυφοσ ГРУСТЬ") == ["all “”: 1"])
    }

    @Test func `a filter of punctuation is matched literally, and an overlong one is cut`() throws {
        let marks = String(repeating: "\u{301}", count: 600)
        let items = [
            try Self.item(1, "a/a", about: "e" + marks + marks), try Self.item(2, "a/b", about: "plain"),
        ]
        #expect(try Self.shape(items, .none, .listed, marks) == ["all “”: 1"])
        #expect(try Self.shape(items, .none, .listed, marks.dropLast(401) + "x").isEmpty)
    }

    @Test func `arranging stops when its task is cancelled`() async throws {
        let items = try (1...50).map { try Self.item($0, "a/r\($0)") }
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try RepositoryArrangement(text: "a").groups(of: items).count
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `two thousand rows are grouped and sorted quickly`() throws {
        let items = try (1...2_000).map {
            try Self.item($0, "a/r\($0)", stars: $0 % 977, language: ["Swift", "C", "Rust"][$0 % 3])
        }
        let start = ContinuousClock.now
        _ = try RepositoryArrangement(grouping: .language, sort: .stars, text: "a").groups(of: items)
        let seconds = ContinuousClock.now - start
        #expect(seconds < .seconds(1), "\(seconds)")
    }
}
