import Foundation
import RoostServices
import Testing

/// The import of GitHub's stars.
@Suite struct BookmarkStarsTests {
    private func page(_ ids: ClosedRange<Int64>, next: String?) throws -> ScriptedSource.Starred {
        (
            try ids.map { id in
                (try BookmarkFixture.item(id, "star/n\(id)"), TestClock.start - Double(id) * 3_600)
            }, next
        )
    }

    @Test
    func `all stars become bookmarks, dated by when they were given, and those that are there stay`()
        async throws
    {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(2, "star/n2"))
            _ = try await bench.bookmarks.edit(
                BookmarkFixture.name("star/n2"), tags: ["mine"], note: "n", of: bench.ada)
            bench.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            bench.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            try bench.bookmarks.importStars(for: bench.ada)
            let begun = try await bench.listing().stars
            #expect(begun == .running(0))
            await bench.bookmarks.readStars()
            let listing = try await bench.listing()
            #expect(listing.stars == .done(added: 4, known: 1, at: bench.clock.now) && listing.total == 5)
            let names = listing.groups.flatMap { $0.items.map(\.fullName) }
            #expect(names == ["star/n2", "star/n1", "star/n3", "star/n4", "star/n5"])
            let (kept, new) = (try await bench.find("star/n2"), try await bench.find("star/n5"))
            #expect(kept?.tags == ["mine"] && new?.addedAt == TestClock.start - 5 * 3_600)
            let done = try await bench.bookmarks.undo(listing.starsUndo ?? "", for: bench.ada)
            let left = try await bench.listing()
            #expect(done.count == 4 && left.total == 1 && left.starsUndo == nil)
        }
    }

    @Test func `an import tells how far it is, page by page`() async throws {
        try await withBookmarks { bench in
            bench.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            bench.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            let seen = Shared<[BookmarkService.StarImport]>([])
            let versions = Shared<[Int]>([])
            bench.source.during {
                seen.set(seen.value + [(try? await bench.listing().stars) ?? .idle])
                versions.set(versions.value + [bench.version()])
            }
            try bench.bookmarks.importStars(for: bench.ada)
            // A second click while it runs begins nothing.
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            #expect(seen.value == [.running(0), .running(3)])
            #expect(Set(versions.value).count == 2 && bench.source.asked.count == 2)
        }
    }

    @Test func `what was read before an outage stays, and can be taken back`() async throws {
        try await withBookmarks { bench in
            bench.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            let reset = bench.clock.now + 600
            bench.source.star(
                "/user/starred?page=2", .failure(GitHubFailure(error: .rateLimited(resetDate: reset))))
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            let listing = try await bench.listing()
            #expect(
                listing.stars == .failed(.rateLimited(resetDate: reset), read: 3) && listing.total == 3)
            #expect(listing.starsUndo != nil)
            bench.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            let whole = try await bench.listing().stars
            #expect(whole == .done(added: 2, known: 3, at: bench.clock.now))
        }
    }

    @Test func `pages that lead in a circle end`() async throws {
        try await withBookmarks { bench in
            bench.source.star("", .success(try page(1...2, next: "/user/starred?page=2")))
            bench.source.star(
                "/user/starred?page=2", .success(try page(3...4, next: "/user/starred?page=2")))
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            #expect(bench.source.asked.count == 2)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 4)
        }
    }

    @Test func `past the room for bookmarks nothing more is asked for`() async throws {
        try await withBookmarks(limit: 3) { bench in
            bench.source.star("", .success(try page(1...4, next: "/user/starred?page=2")))
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            #expect(bench.source.asked.count == 1)
            #expect(try await bench.bookmarks.count(of: bench.ada) == 3)
        }
    }

    @Test func `without an account there is nothing to import, and it is said how to get one`()
        async throws
    {
        try await withBookmarks { bench in
            bench.connected.set(false)
            let error = await refusal { try bench.bookmarks.importStars(for: bench.ada) }
            #expect(error?.message.contains("Connect GitHub") == true)
            let state = try await bench.listing().stars
            #expect(state == .idle)
        }
    }

    @Test func `an import ends with its user`() async throws {
        try await withBookmarks { bench in
            bench.source.star("", .success(try page(1...3, next: "/user/starred?page=2")))
            bench.source.star("/user/starred?page=2", .success(try page(4...5, next: nil)))
            bench.source.during { [bookmarks = bench.bookmarks] in bookmarks.forget(1) }
            try bench.bookmarks.importStars(for: bench.ada)
            await bench.bookmarks.readStars()
            #expect(bench.source.asked.count == 1)
        }
    }

    @Test func `the background work begins an import by itself`() async throws {
        try await withBookmarks { bench in
            bench.source.star("", .success(try page(1...3, next: nil)))
            let work = Task { await bench.bookmarks.run() }
            try bench.bookmarks.importStars(for: bench.ada)
            try await wait(for: "the stars") { try await bench.bookmarks.count(of: bench.ada) == 3 }
            work.cancel()
            await work.value
        }
    }
}
