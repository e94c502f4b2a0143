import Foundation
import TestSupport
import Testing

@testable import Reading
@testable import RoostSupport

@Suite(.timeLimit(.minutes(3))) struct ReadingListTests {
    private static let filters: [ArticleFilter] = {
        var filters: [ArticleFilter] = []
        for list in ArticleFilter.List.allCases where list != .suggested {
            for sort in ArticleSort.allCases {
                filters.append(ArticleFilter(list: list, sort: sort))
                filters.append(ArticleFilter(list: list, category: "Category 3", sort: sort))
                filters.append(ArticleFilter(list: list, tag: "TAG 2", sort: sort))
                filters.append(ArticleFilter(list: list, site: "site1.example", sort: sort))
                filters.append(ArticleFilter(list: list, text: "plain", sort: sort))
                filters.append(
                    ArticleFilter(list: list, category: "Category 3", tag: "Tag 2", text: "wor", sort: sort))
            }
        }
        return filters
    }()

    /// What the filter matches, found by checking each article.
    private func expected(_ filter: ArticleFilter, _ all: [ArticleItem]) -> Set<ArticleID> {
        Set(
            all.filter { item in
                switch filter.list {
                case .unread where item.state != .unread, .archived where item.state != .archived:
                    return false
                case .favorites where !item.isFavorite: return false
                case .failed where item.fetchState.name != "failed": return false
                default: break
                }
                if let category = filter.category, item.category != category { return false }
                if let tag = filter.tag, !item.tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
                    return false
                }
                return filter.site == nil || item.site == filter.site
            }.map(\.id))
    }

    @Test func `every list in every order contains each of its articles once, page by page`() async throws {
        try await withReading { fixture in
            try fixture.fill(120)
            let all = try await fixture.reading.list(
                ArticleFilter(list: .all), limit: 500, of: fixture.ada
            ).items
            #expect(all.count == 120)
            for filter in Self.filters {
                var found: [ArticleItem] = []
                var position: ArticlePosition?
                var pages = 0
                repeat {
                    let page = try await fixture.reading.list(
                        filter, after: position, limit: 7, of: fixture.ada)
                    found += page.items
                    position = page.next
                    pages += 1
                    #expect(page.total == expected(filter, all).count, "\(filter)")
                } while position != nil && pages < 100
                #expect(found.count == Set(found.map(\.id)).count, "\(filter)")
                #expect(Set(found.map(\.id)) == expected(filter, all), "\(filter)")
                let isSorted =
                    switch filter.sort {
                    case .newest: zip(found, found.dropFirst()).allSatisfy { $0.savedAt >= $1.savedAt }
                    case .oldest: zip(found, found.dropFirst()).allSatisfy { $0.savedAt <= $1.savedAt }
                    case .title:
                        zip(found, found.dropFirst()).allSatisfy { $0.title <= $1.title }
                    case .site: zip(found, found.dropFirst()).allSatisfy { $0.site <= $1.site }
                    case .shortest: zip(found.map(\.id), found.map(\.id).dropFirst()).allSatisfy { $0 <= $1 }
                    case .longest: zip(found.map(\.id), found.map(\.id).dropFirst()).allSatisfy { $0 >= $1 }
                    }
                #expect(isSorted, "\(filter)")
            }
        }
    }

    /// With 100,000 articles the cost of a list depends only on its page.
    @Test func `no list scans a whole table, and simple lists sort nothing`() async throws {
        try await withReading { fixture in
            try fixture.fill(60)
            for filter in Self.filters {
                let before = fixture.services.statements.all.count
                _ = try await fixture.reading.list(filter, limit: 5, of: fixture.ada)
                let queries = fixture.services.statements.all.dropFirst(before).filter {
                    $0.hasPrefix("SELECT")
                }
                #expect(!queries.isEmpty)
                for sql in queries {
                    let plan = try QueryPlan.ofTraced(sql, in: fixture.services)
                    let scans = plan.steps.filter {
                        $0.hasPrefix("SCAN") && !$0.contains("VIRTUAL TABLE") && !$0.hasPrefix("SCAN found")
                            && !$0.hasPrefix("SCAN (subquery") && !$0.contains("CONSTANT ROW")
                            // The search index reads a row or two of its own.
                            && $0 != "SCAN main.reading_search_config"
                    }
                    #expect(scans.isEmpty, "\(filter): \(plan.steps)")
                    let isPlain =
                        filter.text == nil && filter.category == nil && filter.site == nil
                        && filter.tag == nil
                        && (filter.list == .unread || filter.list == .archived || filter.list == .all)
                    let sorts = plan.steps.contains { $0.contains("TEMP B-TREE") }
                    #expect(!isPlain || !sorts, "\(filter): \(plan.steps)")
                }
            }
        }
    }

    @Test func `counts stay correct after any changes`() async throws {
        try await withReading { fixture in
            try fixture.fill(60)
            var numbers = SeededNumbers(seed: 7)
            let reading = fixture.reading
            for _ in 0..<60 {
                let id = ArticleID(Int.random(in: 1...60, using: &numbers))
                switch Int.random(in: 0..<5, using: &numbers) {
                case 0: _ = try? await reading.delete(id, by: fixture.ada)
                case 1: _ = try? await reading.edit(id, change: .init(state: .archived), by: fixture.ada)
                case 2: _ = try? await reading.edit(id, change: .init(isFavorite: true), by: fixture.ada)
                case 3:
                    _ = try? await reading.edit(
                        id, change: .init(category: "New", tags: ["a", "b"]), by: fixture.ada)
                default:
                    let done = try await reading.editMany(
                        .ids([id, id + 1]), change: .init(delete: true), by: fixture.ada)
                    if let undo = done.undo { try await reading.undo(undo, by: fixture.ada) }
                }
            }
            let all = try await reading.list(ArticleFilter(list: .all), limit: 500, of: fixture.ada).items
            let counts = try await reading.counts(of: fixture.ada)
            #expect(counts.all == all.count)
            #expect(counts.unread == all.count { $0.state == .unread })
            #expect(counts.favorites == all.count(where: \.isFavorite))
            #expect(counts.failed == all.count { $0.fetchState.name == "failed" })
            for group in try await reading.database.read({ try reading.categories($0, of: fixture.ada) }) {
                #expect(group.count == all.count { $0.category == group.name })
            }
            for group in try await reading.database.read({ try reading.tags($0, of: fixture.ada) }) {
                #expect(group.count == all.count { $0.tags.contains(group.name) })
            }
            for group in try await reading.database.read({ try reading.sites($0, of: fixture.ada) }) {
                #expect(group.count == all.count { $0.site == group.name })
            }
            try fixture.services.change(
                "INSERT INTO reading_search (reading_search, rank) VALUES ('integrity-check', 1)")
        }
    }

    // MARK: Search

    @Test func `a search covers titles, texts, gists and notes without accents, and marks the words`()
        async throws
    {
        try await withReading { fixture in
            fixture.serve([
                "example.org/a": ReadingFixture.page("Café Müller", word: "Überraschung"),
                "example.org/b": ReadingFixture.page("Boats", word: "boat"),
            ])
            let cafe = try await fixture.fetched("http://example.org/a")
            let boats = try await fixture.fetched("http://example.org/b")
            _ = try await fixture.reading.addHighlight(
                NewHighlight(start: 0, end: 1, quote: "harbour was quiet", note: "Zeppelin"), to: boats.id,
                by: fixture.ada)
            let gist = try await fixture.gists.make(for: boats.id, by: fixture.ada)
            try await fixture.gists.edit(gist.id, content: "An orchid.", by: fixture.ada)
            func found(_ text: String, of user: UserID? = nil) async throws -> [ArticleID] {
                try await fixture.reading.list(
                    ArticleFilter(list: .all, text: text), of: user ?? fixture.ada
                ).items.map(\.id)
            }
            #expect(try await found("cafe muller") == [cafe.id])
            #expect(try await found("uberrasch") == [cafe.id])
            #expect(try await found("ORCHID") == [boats.id])
            #expect(try await found("zeppelin") == [boats.id])
            #expect(try await found("\"harbour was quiet\"") == [boats.id, cafe.id])
            #expect(try await found("\"quiet was harbour\"").isEmpty)
            #expect(try await found("cafe boat").isEmpty)
            #expect(try await found("harbour", of: fixture.grace).isEmpty)
            for odd in ["u\(fixture.ada)", "owner : u1", "title:", "* OR NOT", "\"", "{", "!!!"] {
                #expect(try await found(odd).isEmpty, "\(odd)")
            }
            let page = try await fixture.reading.list(
                ArticleFilter(list: .all, text: "zeppelin"), of: fixture.ada)
            #expect(page.items.first?.snippet?.contains { $0.isMatch && $0.text == "Zeppelin" } == true)
        }
    }

    // MARK: Suggestions

    @Test func `reading an article to the end suggests similar ones, with the reason`() async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            for number in 0..<3 {
                let read = try await reading.save(
                    ArticleDraft(url: "https://example.org/\(number)", category: "Science"), by: fixture.ada
                ).item
                try await reading.edit(
                    read.id, change: .init(state: .archived, progress: 1), by: fixture.ada)
                let left = try await reading.save(
                    ArticleDraft(url: "https://news.example/\(number)", tags: ["politics"]), by: fixture.ada
                ).item
                try await reading.edit(
                    left.id, change: .init(state: .archived, progress: 0.1), by: fixture.ada)
            }
            #expect(try await reading.database.read { try reading.suggestions($0, for: fixture.ada) }.isEmpty)
            let more = try await reading.save(
                ArticleDraft(url: "https://blog.example/x", category: "Science"), by: fixture.ada
            ).item
            let other = try await reading.save(
                ArticleDraft(url: "https://news.example/x", tags: ["politics"]), by: fixture.ada
            ).item
            let found = try await reading.database.read { try reading.suggestions($0, for: fixture.ada) }
            #expect(found.map(\.item.id) == [more.id])
            #expect(found.first?.reason == "You finished all articles that you opened in “Science”.")
            let listed = try await reading.list(ArticleFilter(list: .suggested), of: fixture.ada)
            #expect(listed.items.map(\.id) == [more.id] && other.state == .unread)
            #expect(
                try await reading.database.read { try reading.suggestions($0, for: fixture.grace) }.isEmpty)
        }
    }

    @Test func `preferences are separate for each user`() async throws {
        try await withReading { fixture in
            let chosen = ReadingPreferences.with {
                $0.textSize = 6
                $0.width = .wide
                $0.font = .sans
                $0.gistLength = .words(80)
            }
            try await fixture.reading.setPreferences(chosen, of: fixture.ada)
            #expect(
                try await fixture.reading.database.read {
                    try fixture.reading.preferences($0, of: fixture.ada)
                }
                    == chosen)
            #expect(
                try await fixture.reading.database.read {
                    try fixture.reading.preferences($0, of: fixture.grace)
                } == ReadingPreferences())
            let error = await refusal {
                try await fixture.reading.setPreferences(
                    ReadingPreferences.with { $0.textSize = 8 }, of: fixture.ada)
            }
            #expect(error == .invalid(field: "textSize", why: "The text size must be 1 to 7."))
        }
    }

    @Test(arguments: [0, 8, Int.max]) func `an imported text size that the form refuses is not used`(
        size: Int
    ) async throws {
        try await withReading { fixture in
            let reading = fixture.reading
            try await reading.database.write {
                try $0.setPreferences(
                    ReadingPreferences.with {
                        $0.textSize = size
                        $0.width = .wide
                    }, of: fixture.ada)
            }
            let read = try await reading.database.read { try reading.preferences($0, of: fixture.ada) }
            #expect(read == ReadingPreferences.with { $0.width = .wide })
        }
    }
}

extension QueryPlan {
    /// The plan of a statement from the trace, with or without its arguments filled in.
    fileprivate static func ofTraced(_ sql: String, in fixture: ServicesFixture) throws -> QueryPlan {
        // Replaces named arguments with question marks, except in quoted text.
        let plain = sql.replacing(#/:[a-zA-Z]+/#, with: "?")
        return try fixture.plan(of: plain)
    }
}
