import Foundation
import RoostServices
import Testing

/// Repositories, bookmarks, displays and undos when somebody sets the machine's clock.
@Suite(.timeLimit(.minutes(2))) struct ListClockTests {
    private let day: TimeInterval = 86_400
    private let name = BookmarkFixture.name("a/b")

    @Test func `a repository fetched by a clock that was ahead is asked for again`() async throws {
        try await withRepositories { bench in
            bench.github.set("/repos/ada/engine", RepositoryFixture.detail(5, "ada/engine"))
            bench.github.set("/repos/ada/engine/readme", "<p>")
            bench.clock.jump(2 * day)
            _ = try await bench.view("ada/engine")
            bench.clock.jump(-2 * day)
            let view = try await bench.view("ada/engine")
            #expect(bench.github.asked.count == 4)
            #expect(view.item?.fetchedAt == bench.clock.now && view.loading == .loaded(bench.clock.now))
        }
    }

    @Test(arguments: [1.0, -1])
    func `a list in memory grows old at the same pace`(days: Double) async throws {
        try await withRepositories { bench in
            bench.script(pages: 1)
            _ = try await bench.listing(.all(since: 0))
            bench.clock.jump(days * day)
            bench.clock.advance(600)
            let listing = try await bench.listing(.all(since: 0))
            #expect(listing.updatedAt == bench.clock.now - 600)
            #expect(bench.github.paths.count == 1)
            bench.clock.advance(1)
            #expect(try await bench.listing(.all(since: 0)).updatedAt == bench.clock.now)
            #expect(bench.github.paths.count == 2)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a repository that GitHub did not answer for is tried again as soon as before`(days: Double)
        async throws
    {
        try await withRepositories { bench in
            bench.github.fail("/repos/ada/engine", .rateLimited(resetDate: bench.clock.now + 300))
            let before = try await bench.view("ada/engine")
            #expect(before.nextTryAt == bench.clock.now + 300)
            bench.clock.jump(days * day)
            let after = try await bench.view("ada/engine")
            #expect(after.nextTryAt == bench.clock.now + 300)
            #expect(after.error == .rateLimited(resetDate: bench.clock.now + 300))
            let asked = bench.github.asked.count
            bench.clock.advance(301)
            _ = try await bench.view("ada/engine")
            #expect(bench.github.asked.count > asked)
        }
    }

    @Test func `a bookmark checked by a clock that was ahead is checked within its day`() async throws {
        try await withBookmarks { bench in
            bench.clock.jump(2 * day)
            try await bench.add(try BookmarkFixture.item(5, "a/b", fetchedAt: bench.clock.now))
            bench.source.refresh("a/b", gives: .success(.unchanged))
            #expect(await bench.refreshDue() == false)
            bench.clock.jump(-2 * day)
            bench.clock.advance(600)
            #expect(await bench.refreshDue())
            #expect(try await bench.find("a/b")?.checkedAt == bench.clock.now)
            #expect(await bench.refreshDue() == false)
            bench.clock.advance(day)
            #expect(await bench.refreshDue())
        }
    }

    @Test func `one that is gone keeps its week, and no more than that`() async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            bench.source.refresh("a/b", gives: .success(.gone))
            bench.clock.advance(day)
            #expect(await bench.refreshDue())
            bench.clock.jump(-day / 1_000)
            bench.clock.advance(600)
            #expect(await bench.refreshDue() == false)
            bench.clock.jump(-2 * day)
            bench.clock.advance(600)
            #expect(await bench.refreshDue())
        }
    }

    @Test(arguments: [1.0, -1])
    func `GitHub is left alone as long as it asked for`(days: Double) async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b", fetchedAt: bench.clock.now - 3 * day))
            let limit = GitHubFailure(
                error: .rateLimited(resetDate: bench.clock.now + 600), retryAfter: 600)
            bench.source.refresh("a/b", gives: .failure(limit))
            #expect(await bench.refreshDue())
            bench.clock.jump(days * day)
            #expect(
                try await bench.refresher.retry(for: bench.ada) == .mustWait(until: bench.clock.now + 600))
            bench.clock.advance(600)
            #expect(try await bench.refresher.retry(for: bench.ada) == .started)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a removed bookmark comes back for an hour`(days: Double) async throws {
        try await withBookmarks { bench in
            try await bench.add(try BookmarkFixture.item(5, "a/b"))
            let done = try await bench.bookmarks.remove(name, of: bench.ada)
            bench.clock.jump(days * day)
            bench.clock.advance(3_599)
            let back = try await bench.bookmarks.undo(done.undo ?? "", for: bench.ada)
            #expect(back.count == 1)
            let late = try await bench.bookmarks.remove(name, of: bench.ada)
            bench.clock.jump(-days * day)
            bench.clock.advance(3_601)
            let refused = await refusal {
                _ = try await bench.bookmarks.undo(late.undo ?? "", for: bench.ada)
            }
            #expect(refused?.isNotFound == true)
        }
    }

    @Test(arguments: [1.0, 2, -1])
    func `a removed coin comes back for a day`(days: Double) async throws {
        try await withServices { bench in
            let owner = try await bench.owner(watching: "bitcoin")
            try await bench.services.watchlist.remove("bitcoin", from: owner)
            bench.clock.jump(days * day)
            bench.clock.advance(80_000)
            try await bench.services.watchlist.undoRemove("bitcoin", for: owner)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a screen that asks is there, and one that stopped is not`(days: Double) async throws {
        try await withServices { bench in
            let owner = try await bench.services.owner().userId
            let displays = bench.services.displays
            let id = try await displays.add("Kitchen", for: owner).display.id
            displays.saw(id)
            bench.clock.jump(days * day)
            let version = { bench.services.feed.version(of: [Topic.displays(owner)]) }
            let before = version()
            bench.clock.advance(30)
            let display = try #require(displays.displays(of: owner).first)
            #expect(display.lastSeenAt == bench.clock.now - 30 && display.isHere(at: bench.clock.now))
            displays.saw(id)
            #expect(version() == before)
            bench.clock.advance(DisplayService.presence + 1)
            #expect(displays.displays(of: owner).first?.isHere(at: bench.clock.now) == false)
            displays.saw(id)
            #expect(version() > before)
        }
    }

    @Test func `a screen last seen by a clock that was ahead is not taken to be there`() async throws {
        try await withServices { bench in
            let owner = try await bench.services.owner().userId
            let id = try await bench.services.displays.add("Kitchen", for: owner).display.id
            let tomorrow = bench.clock.now.timeIntervalSince1970 + day
            try bench.change("UPDATE displays SET last_seen_at = \(tomorrow) WHERE id = \(id)")
            try await bench.services.displays.load()
            let display = try #require(bench.services.displays.displays(of: owner).first)
            #expect(!display.isHere(at: bench.clock.now))
            bench.services.displays.saw(id)
            #expect(bench.services.displays.displays(of: owner).first?.lastSeenAt == bench.clock.now)
        }
    }

    @Test(arguments: [1.0, -1])
    func `a new link to a display can be read again for ten minutes`(days: Double) async throws {
        try await withServices { bench in
            let owner = try await bench.services.owner().userId
            let displays = bench.services.displays
            let made = try await displays.add("Kitchen", for: owner)
            bench.clock.jump(days * day)
            bench.clock.advance(599)
            #expect(displays.freshSecret(of: made.display.id, for: owner) == made.token)
            bench.clock.advance(1)
            #expect(displays.freshSecret(of: made.display.id, for: owner) == nil)
        }
    }

    @Test func `a picture fetched by a clock that was ahead is fetched again`() {
        var shelf = PictureIndex(mostBytes: 1 << 20)
        let now = TestClock.start
        _ = shelf.put(.init(size: 1, fetchedAt: now + 2 * day, usedAt: now + 2 * day), as: "a")
        let (isHere, isFresh) = shelf.look(for: "a", now: now)
        #expect(isHere && !isFresh)
    }
}
