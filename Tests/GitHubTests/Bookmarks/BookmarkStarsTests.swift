import Foundation
import GRDB
import TestSupport
import Testing

@testable import GitHub

@Suite struct BookmarkStarsTests {
    /// - Parameter refused: names of stars that could not be read
    private func page(
        _ ids: ClosedRange<Int64>, refused names: [String] = [], next: String?
    ) throws -> StarredPage {
        var refused = RefusedRepositories()
        for name in names { refused.add(.init(name: name, why: "Its name is missing or invalid.")) }
        return StarredPage(
            items: try ids.map { id in
                (try BookmarkFixture.item(id, "star/n\(id)"), TestClock.start - Double(id) * 3_600)
            }, refused: refused, next: next)
    }

    @Test
    func `all stars become bookmarks with their times, and existing ones are kept`()
        async throws
    {
        try await withBookmarks { fixture in
            try await fixture.add(try BookmarkFixture.item(2, "star/n2"))
            _ = try await fixture.bookmarks.edit(
                BookmarkFixture.name("star/n2"), tags: ["mine"], note: "n", of: fixture.ada)
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            fixture.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            try await fixture.stars.start(for: fixture.ada)
            let started = try await fixture.listing().stars
            #expect(started == .running(0))
            await fixture.stars.runUntilIdle()
            let listing = try await fixture.listing()
            #expect(
                listing.stars == .done(added: 4, existing: 1, at: fixture.clock.now) && listing.total == 5)
            let names = listing.groups.flatMap { $0.items.map(\.fullName) }
            #expect(names == ["star/n2", "star/n1", "star/n3", "star/n4", "star/n5"])
            let (kept, new) = (try await fixture.find("star/n2"), try await fixture.find("star/n5"))
            #expect(kept?.tags == ["mine"] && new?.addedAt == TestClock.start - 5 * 3_600)
            let done = try await fixture.bookmarks.undo(listing.starsUndo ?? 0, for: fixture.ada)
            let remaining = try await fixture.listing()
            #expect(done.count == 4 && remaining.total == 1 && remaining.starsUndo == nil)
        }
    }

    @Test func `an import reports its progress page by page`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            fixture.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            let seen = Shared<[StarImport]>([])
            let versions = Shared<[Int]>([])
            fixture.source.during {
                seen.set(seen.value + [(try? await fixture.listing().stars) ?? .idle])
                versions.set(versions.value + [fixture.version()])
            }
            try await fixture.stars.start(for: fixture.ada)
            // A second click during an import starts nothing.
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(seen.value == [.running(0), .running(3)])
            #expect(Set(versions.value).count == 2 && fixture.source.asked.count == 2)
        }
    }

    @Test func `pages read before an outage are kept and can be undone`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            let reset = fixture.clock.now + 600
            fixture.source.star(
                "/user/starred?page=2", .failure(GitHubFailure(error: .rateLimited(resetDate: reset))))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            let listing = try await fixture.listing()
            #expect(
                listing.stars == .failed(.rateLimited(resetDate: reset), read: 3) && listing.total == 3)
            #expect(listing.starsUndo != nil)
            fixture.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            let whole = try await fixture.listing().stars
            #expect(whole == .done(added: 2, existing: 3, at: fixture.clock.now))
        }
    }

    @Test func `an import ends when its pages form a loop`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...2, next: "/user/starred?page=2")))
            fixture.source.star(
                "/user/starred?page=2", .success(try page(3...4, next: "/user/starred?page=2")))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(fixture.source.asked.count == 2)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 4)
        }
    }

    @Test func `no more pages are requested once the bookmark limit is reached`() async throws {
        try await withBookmarks(limit: 3) { fixture in
            fixture.source.star("", .success(try page(1...4, next: "/user/starred?page=2")))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(fixture.source.asked.count == 1)
            #expect(try await fixture.bookmarks.count(of: fixture.ada) == 3)
            let listing = try await fixture.listing()
            #expect(listing.stars == .done(added: 3, existing: 0, at: fixture.clock.now))
            #expect(
                listing.refusedStars.first
                    == [.init(name: "star/n4", why: "You have reached the limit of bookmarks.")])
        }
    }

    @Test func `an import that reaches the limit at the end of a page reports that the rest did not fit`()
        async throws
    {
        try await withBookmarks(limit: 3) { fixture in
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            fixture.source.star(
                "/user/starred?page=2", .success(try page(3...5, next: "/user/starred?page=3")))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(fixture.source.asked.count == 2)
            let listing = try await fixture.listing()
            #expect(listing.stars == .done(added: 3, existing: 1, at: fixture.clock.now))
            #expect(listing.refusedStars.first.map(\.name) == ["star/n4", "star/n5"])
        }
    }

    @Test
    func `refused stars are counted over all pages, and the first ten are named, even after a restart`()
        async throws
    {
        try await withBookmarks { fixture in
            let names = (1...13).map { "bad/\($0)" }
            fixture.source.star(
                "", .success(try page(1...2, refused: Array(names[..<8]), next: "/user/starred?page=2")))
            fixture.source.star(
                "/user/starred?page=2", .success(try page(3...3, refused: Array(names[8...]), next: nil)))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            let restarted = try await fixture.restarted()
            let listing = try await restarted.bookmarks.listing(.init(), for: fixture.ada)
            #expect(listing.stars == .done(added: 3, existing: 0, at: fixture.clock.now))
            #expect(listing.refusedStars.count == 13)
            #expect(listing.refusedStars.first.compactMap(\.name) == Array(names[..<10]))
            #expect(listing.refusedStars.first.allSatisfy { $0.why == "Its name is missing or invalid." })
            // The next import starts its own count.
            fixture.source.star("", .success(try page(1...2, next: nil)))
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(try await fixture.listing().refusedStars == .init())
        }
    }

    @Test func `without an account there is nothing to import, and a message says how to connect one`()
        async throws
    {
        try await withBookmarks { fixture in
            fixture.accounts.set(nil, for: fixture.ada)
            let error = await refusal { try await fixture.stars.start(for: fixture.ada) }
            #expect(error?.message.contains("Connect your GitHub account") == true)
            let state = try await fixture.listing().stars
            #expect(state == .idle)
        }
    }

    @Test func `a page that cannot be saved ends the import, and the account is not blamed`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: nil)))
            try await fixture.database.write {
                try $0.execute(
                    sql: """
                        CREATE TRIGGER no_bookmarks BEFORE INSERT ON bookmarks
                        BEGIN SELECT raise(ABORT, 'not now'); END
                        """)
            }
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            let listing = try await fixture.listing()
            guard case .failed(.unknown, read: 0) = listing.stars else {
                Issue.record("\(listing.stars)")
                return
            }
            #expect(listing.total == 0)
        }
    }

    @Test func `an import ends when its user is deleted`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            fixture.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            fixture.source.during { [database = fixture.database, parts = fixture.parts] in
                _ = try? await database.write { try $0.execute(sql: "DELETE FROM users WHERE id = 1") }
                parts.forget(1)
            }
            try await fixture.stars.start(for: fixture.ada)
            await fixture.stars.runUntilIdle()
            #expect(fixture.source.asked.count == 1)
            let rows = try await fixture.database.read {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM bookmark_star_imports")
            }
            #expect(rows == 0 && fixture.log.lines.isEmpty)
        }
    }

    @Test func `an import continues after a restart and is undone as one`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            fixture.source.star(
                "/user/starred?page=2", .success(try page(4...5, next: "/user/starred?page=3")))
            fixture.source.star("/user/starred?page=3", .success(try page(5...7, next: nil)))
            let work = Shared<Task<Void, Never>?>(nil)
            fixture.source.during { [source = fixture.source] in
                guard source.asked.count == 2 else { return }
                while work.value == nil { await Task.yield() }
                work.value?.cancel()
            }
            try await fixture.stars.start(for: fixture.ada)
            work.set(Task { await fixture.stars.runUntilIdle() })
            await work.value?.value
            let restarted = try await fixture.restarted()
            let before = try await restarted.bookmarks.listing(.init(), for: fixture.ada)
            // The page whose answer came too late to be saved is requested again.
            #expect(before.stars == .running(3) && before.total == 3 && before.starsUndo == nil)
            // Neither upkeep nor other changes delete the undo of the import.
            fixture.clock.advance(90_000)
            try await fixture.undos.removeExpired()
            for number in 1...11 {
                _ = try await restarted.bookmarks.edit(
                    BookmarkFixture.name("star/n1"), tags: nil, note: "\(number)", of: fixture.ada)
            }
            _ = try await restarted.bookmarks.edit(
                BookmarkFixture.name("star/n1"), tags: nil, note: "", of: fixture.ada)
            let upkeep = Task { await restarted.run() }
            try await wait(for: "the stars") { try await fixture.bookmarks.count(of: fixture.ada) == 7 }
            upkeep.cancel()
            await upkeep.value
            // After a day the bookmarks themselves are due too.
            let pages = fixture.source.asked.map { $0.suffix(7) }.filter { !$0.hasPrefix("star/n") }
            #expect(pages == ["tars 1 ", "?page=2", "?page=2", "?page=3"])
            let after = try await restarted.bookmarks.listing(.init(), for: fixture.ada)
            #expect(after.stars == .done(added: 7, existing: 1, at: fixture.clock.now) && after.total == 7)
            let undone = try await restarted.bookmarks.undo(after.starsUndo ?? 0, for: fixture.ada)
            #expect(undone.count == 7)
        }
    }

    @Test func `the background work starts an import automatically`() async throws {
        try await withBookmarks { fixture in
            fixture.source.star("", .success(try page(1...3, next: nil)))
            let work = Task { await fixture.parts.run() }
            try await fixture.stars.start(for: fixture.ada)
            try await wait(for: "the stars") { try await fixture.bookmarks.count(of: fixture.ada) == 3 }
            work.cancel()
            await work.value
        }
    }
}
